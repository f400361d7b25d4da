import { text } from '#kernel/fields.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { firstQueryValue, type RequestQuery } from '#server/data/filters.ts'
import type { QueryCondition } from '#server/data/values.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import type { DocumentKind } from '../types/kind.ts'

/**
 * Condition that selects documents whose source has a revision in force that is later than the one from which the
 * document was started or last updated.
 */
export const OUTDATED_COPY_CONDITION: QueryCondition = {
  sql: () =>
    `t.origin_id IS NOT NULL AND EXISTS (SELECT FROM document o JOIN document n ON n.client_id = o.client_id AND n.kind = o.kind AND n.number = o.number
       AND n.current AND n.revision > o.revision WHERE o.client_id IN (t.client_id, ${PROVIDER_CLIENT_ID}) AND o.id = coalesce(t.improved_to_id, t.origin_id))`,
}

/** Creates the routes that list a document's copies, and copies whose source has since been revised. */
const copyRoutes = (kind: DocumentKind): Route[] => [
  listRoute(
    kind.resource,
    `${kind.resource.url}/copies/{id}`,
    `List the ${kind.nouns} started from any revision of this one`,
    async (c) => {
      const one = await c.engine.one(kind.resource, c.actor, parseId(c.params.id) ?? -1)
      const whose = idFromAnyIri(one.client) ?? PROVIDER_CLIENT_ID
      const from: QueryCondition = {
        sql: (next) =>
          `t.origin_id IN (SELECT o.id FROM document o WHERE o.client_id = ${next(whose)}::int AND o.kind = ${next(kind.kind)}::text AND o.number = ${next(one.documentNumber)}::text)`,
      }
      return { query: c.query, extra: [from] }
    },
    { allow: kind.roles.authors },
  ),
  listRoute(
    kind.resource,
    `${kind.resource.url}/copies_behind`,
    `List the ${kind.nouns} whose source has been revised since the copies were started`,
    (c) => ({ query: c.query, extra: [OUTDATED_COPY_CONDITION] }),
    { allow: kind.roles.authors },
  ),
]

/**
 * Returns a condition that selects the revision in force or, if there is none, the latest complete revision that no
 * later one has overtaken (safety specification, section 4). Visibility is checked elsewhere.
 */
function currentOrLatest({ current }: Pick<DocumentKind, 'current'>): QueryCondition {
  const waits = (row: string) => `${row}.state = 'complete' AND NOT ${row}.retired`
  const overtakes = (later: string, row: string) =>
    `${later}.number = ${row}.number AND ${later}.revision > ${row}.revision AND ${later}.state IN ('current', 'replaced')`
  const among = (row: string, of: string) => `${row}.client_id = ${of}.client_id AND ${row}.kind = ${of}.kind`
  const inNumber = `NOT EXISTS (SELECT 1 FROM document d WHERE ${among('d', 't')} AND d.number = t.number
         AND (d.current OR ${waits('d')} AND d.id > t.id OR ${overtakes('d', 't')}))`
  // A revision with another document number takes precedence only if that revision could be in force itself.
  const inClient = `NOT EXISTS (SELECT 1 FROM document d WHERE ${among('d', 't')} AND d.per_client
         AND (d.current OR ${waits('d')} AND d.id > t.id
           AND NOT EXISTS (SELECT 1 FROM document o WHERE ${among('o', 'd')} AND ${overtakes('o', 'd')})))`
  const none = current === 'per client' ? `${inNumber} AND (NOT t.per_client OR ${inClient})` : inNumber
  return { sql: () => `(t.current OR ${waits('t')} AND ${none})` }
}

/**
 * Returns a condition that selects documents of the user's own company, even for users who can read other companies'
 * documents.
 */
const ofCompany = ({ me }: RouteContext): QueryCondition => ({
  sql: (next) => `t.client_id = ${next(me.clientId)}::int`,
})

/**
 * Returns a condition that sorts documents for the company's own industry first. The company's own industry is the most
 * common one among its latest 200 documents.
 */
const ownTradeFirst = ({ me }: RouteContext): QueryCondition => ({
  sql: () => 'true',
  first: (next) => `coalesce(t.industry_id = (SELECT p.industry_id FROM (
      SELECT d.id, d.industry_id FROM document d WHERE d.client_id = ${next(me.clientId)}::int AND NOT d.retired AND NOT d.is_template ORDER BY d.id DESC LIMIT 200) p
    WHERE p.industry_id IS NOT NULL GROUP BY p.industry_id ORDER BY count(*) DESC, max(p.id) DESC LIMIT 1), false)`,
})

/** Creates the additional list routes that the specification requires. */
export function documentListRoutes(kind: DocumentKind): Route[] {
  const r = kind.resource
  return [
    listRoute(
      r,
      `${r.url}/list`,
      `List the ${kind.nouns} of the user’s company; with current=1, only revisions in force or, if a document has none, its latest complete revision`,
      (c) => {
        const { current, ...others } = c.query
        return isTrue(current)
          ? { query: others, extra: [ofCompany(c), currentOrLatest(kind)] }
          : { query: c.query, extra: [ofCompany(c), ...standing(c.query)] }
      },
    ),
    listRoute(
      r,
      `${r.url}/list_associated`,
      `List the ${kind.nouns} that another document can refer to`,
      (c) => {
        const query: RequestQuery = { retired: 'false', complete: 'true', ...c.query }
        return { query: { ...query, q: query.q ?? query.search }, extra: [ofCompany(c), ...standing(query)] }
      },
      { query: { search: text({ help: 'Same as `q`.' }) } },
    ),
    listRoute(
      r,
      `${r.url}/templates`,
      `List the ${kind.nouns} to start from; by default, those for the company’s own industry come first`,
      (c) => ({
        query: { isTemplate: 'true', retired: 'false', ...c.query },
        extra: Object.keys(c.query).some((name) => name.startsWith('order[')) ? [] : [ownTradeFirst(c)],
      }),
    ),
    listRoute(r, `${r.url}/revision/{id}`, `List all revisions of a ${kind.noun}, newest first`, async (c) => {
      const one = await c.engine.one(r, c.actor, parseId(c.params.id) ?? -1)
      return {
        query: {
          'order[revision]': 'desc',
          ...c.query,
          documentNumber: one.documentNumber,
          client: one.client ?? String(PROVIDER_CLIENT_ID),
        },
      }
    }),
    ...copyRoutes(kind),
  ]
}

/**
 * Returns a condition that excludes replaced revisions from a list of complete documents that are not retired. The
 * specification treats replaced revisions as retired. While no revision is current, the newest revision in such a list
 * is therefore the one that applies. Other lists need no condition.
 */
const standing = ({ complete, retired, state }: RequestQuery): readonly QueryCondition[] =>
  isTrue(complete) && isFalse(retired) && state === undefined ? [{ sql: () => "t.state <> 'replaced'" }] : []

const isTrue = (given: RequestQuery[string]) => ['1', 'true'].includes(firstQueryValue(given))
const isFalse = (given: RequestQuery[string]) => ['0', 'false'].includes(firstQueryValue(given))

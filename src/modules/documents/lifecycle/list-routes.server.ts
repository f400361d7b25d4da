import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { firstOf, type Query } from '#server/data/filters.ts'
import type { Condition } from '#server/data/query-values.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import type { DocumentKind } from '../types/kind.ts'
import { copyRoutes } from './copies.server.ts'

/**
 * Condition for what is in force or, if nothing is, the latest complete revision (safety specification, section 4),
 * never one overtaken by a later revision. Visibility is checked elsewhere.
 */
function currentOrLatest({ current }: Pick<DocumentKind, 'current'>): Condition {
  const waits = (row: string) => `${row}.state = 'complete' AND NOT ${row}.retired`
  const overtakes = (later: string, row: string) =>
    `${later}.number = ${row}.number AND ${later}.revision > ${row}.revision AND ${later}.state IN ('current', 'replaced')`
  const among = (row: string, of: string) => `${row}.client_id = ${of}.client_id AND ${row}.kind = ${of}.kind`
  const inNumber = `NOT EXISTS (SELECT 1 FROM document d WHERE ${among('d', 't')} AND d.number = t.number
         AND (d.current OR ${waits('d')} AND d.id > t.id OR ${overtakes('d', 't')}))`
  // Another number takes precedence only where it could be in force itself.
  const inClient = `NOT EXISTS (SELECT 1 FROM document d WHERE ${among('d', 't')} AND d.per_client
         AND (d.current OR ${waits('d')} AND d.id > t.id
           AND NOT EXISTS (SELECT 1 FROM document o WHERE ${among('o', 'd')} AND ${overtakes('o', 'd')})))`
  const none = current === 'per client' ? `${inNumber} AND (NOT t.per_client OR ${inClient})` : inNumber
  return { sql: () => `(t.current OR ${waits('t')} AND ${none})` }
}

/** Documents of the user's company, even if they can read others. */
const ofCompany = ({ me }: RouteContext): Condition => ({ sql: (next) => `t.client_id = ${next(me.clientId)}::int` })

/** A company's industry is that of most of its documents. */
const ownTradeFirst = ({ me }: RouteContext): Condition => ({
  sql: () => 'true',
  first: (next) => `coalesce(t.industry_id = (SELECT p.industry_id FROM (
      SELECT d.id, d.industry_id FROM document d WHERE d.client_id = ${next(me.clientId)}::int AND NOT d.retired AND NOT d.is_template ORDER BY d.id DESC LIMIT 200) p
    WHERE p.industry_id IS NOT NULL GROUP BY p.industry_id ORDER BY count(*) DESC, max(p.id) DESC LIMIT 1), false)`,
})

/** The additional lists of the specification. */
export function listRoutes(kind: DocumentKind): Route[] {
  const r = kind.resource
  return [
    listRoute(
      r,
      `${r.url}/list`,
      `List the ${kind.nouns} of one’s company; with current=1, the latest complete one where none is in force`,
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
        const query: Query = { retired: 'false', complete: 'true', ...c.query }
        return { query: { ...query, q: query.q ?? query.search }, extra: [ofCompany(c), ...standing(query)] }
      },
      { query: { search: text({ help: 'Same as `q`.' }) } },
    ),
    listRoute(
      r,
      `${r.url}/templates`,
      `List the ${kind.nouns} to start from, those of the company’s own industry first by default`,
      (c) => ({
        query: { isTemplate: 'true', retired: 'false', ...c.query },
        extra: Object.keys(c.query).some((name) => name.startsWith('order[')) ? [] : [ownTradeFirst(c)],
      }),
    ),
    listRoute(r, `${r.url}/revision/{id}`, `List all revisions of a ${kind.noun}, newest first`, async (c) => {
      const one = await c.engine.one(r, c.actor, readId(c.params.id) ?? -1)
      return {
        query: {
          'order[revision]': 'desc',
          ...c.query,
          documentNumber: one.documentNumber,
          client: one.client ?? String(PROVIDER),
        },
      }
    }),
    ...copyRoutes(kind),
  ]
}

/**
 * Complete and not retired excludes replaced revisions. The specification treats replaced as retired, so the newest of
 * such a list applies while none is current.
 */
const standing = ({ complete, retired, state }: Query): readonly Condition[] =>
  isTrue(complete) && isFalse(retired) && state === undefined ? [{ sql: () => "t.state <> 'replaced'" }] : []

const isTrue = (given: Query[string]) => ['1', 'true'].includes(firstOf(given))
const isFalse = (given: Query[string]) => ['0', 'false'].includes(firstOf(given))

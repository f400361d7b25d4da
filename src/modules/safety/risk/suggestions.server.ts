import { can } from '#kernel/can.ts'
import { strings, text } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { listSearchTerms } from '#kernel/text/search-terms.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { parseSearchWords, toPgArrayText } from '#server/data/values.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { riskIndustry } from '../industry.ts'
import { CONTROL_TIERS, type ControlHierarchyTier, hazard, hazardControl, hazardGroup } from '../library/hazard.ts'
import { rankHazards } from '../library/ranking.ts'
import { riskAssessment } from './risk-assessment.ts'

type QueryParameter = string | readonly string[] | undefined

/** Returns the values of a query parameter, whether single, repeated or comma-separated. */
const listOf = (given: QueryParameter): string[] =>
  (given === undefined ? [] : typeof given === 'string' ? [given] : [...given]).flatMap((v) => v.split(','))

/** Parses IDs in every format that a query allows: bare numbers or IRIs of the resource. Ignores anything else. */
export function parseQueryIds(r: Pick<Resource, 'url' | 'path'>, ...given: readonly QueryParameter[]): number[] {
  const ids = given.flatMap(listOf).flatMap((v) => idFromIriOrNumber(r, v.trim()) ?? [])
  return [...new Set(ids)]
}

/** Parses search words. Each result must contain every word. */
export const parseQueryWords = (given: QueryParameter): string[] => parseSearchWords(listOf(given))

/** Maximum number of rows returned, larger than any library. Any further rows can be found by searching. */
const MAX_OFFERED_ROWS = 1000
const TIER_ORDER = `ARRAY[${CONTROL_TIERS.map((t) => `'${t.value}'`).join(', ')}]`

const rows = <T>(c: RouteContext, text: string, values: readonly unknown[]) =>
  c.engine.db.tx({ clientId: c.me.clientId, userId: c.me.userId }, (tx) =>
    tx.rows<T>(`${text} LIMIT ${MAX_OFFERED_ROWS}`, [c.me.clientId, ...values]),
  )

/**
 * Returns the `LIKE` patterns for the search words, all of which every result must match. Punctuation alone finds
 * nothing.
 */
const patterns = (c: RouteContext) => {
  const words = parseQueryWords(c.query.q)
  const terms = listSearchTerms(words)
  return toPgArrayText(terms.length || !words.length ? terms.map((term) => `%${term}%`) : ['!'])
}
/** Returns the end of an SQL condition, `LIKE ALL(…)`, that matches all patterns in the parameter at this position. */
const allOf = (at: number) => `LIKE ALL($${at}::text[])`

/** Value of the `industry` parameter that stands for the most common industry in the client's own documents. */
const OWN_INDUSTRY = 'own'

/** Returns the industry in the query as an ID or as a name. The query contains an IRI, an ID or a name. */
const industryOf = (c: RouteContext): [number | null, string | null] => {
  const given = c.query.industry
  const [id] = parseQueryIds(riskIndustry, given)
  return [id ?? null, id === undefined && typeof given === 'string' ? given : null]
}

/**
 * Returns the document being edited as IDs or as a document number. The query may contain an IRI, an ID or a document
 * number.
 */
const documentOf = (c: RouteContext): [number[], string] => {
  const ids = parseQueryIds(riskAssessment.resource, c.query.document)
  return [ids, ids.length || typeof c.query.document !== 'string' ? '' : c.query.document]
}
/**
 * Returns an SQL array of the column's values that are already in the document's table. The two parameters from `at`
 * are the values returned by `documentOf`.
 */
const usedInTable = (column: string, at: number) =>
  `ARRAY(SELECT r.${column} FROM risk_item r WHERE r.client_id = $1 AND NOT r.retired AND r.${column} IS NOT NULL AND (r.document_id = ANY($${at}::bigint[]) OR (r.document_number = $${at + 1}::text AND r.document_number <> '')))`

const FIT = `CASE WHEN i.name IS NULL THEN 'general' WHEN i.name = ANY(h.industries) THEN 'industry' WHEN h.industries = '{}' THEN 'general' ELSE 'other' END`
const RANK = `array_position(ARRAY['industry', 'general', 'other'], ${FIT})`

/** SQL for the documents in which uses are counted: only the latest, to limit the cost for large clients. */
const PAPERS = `SELECT id, industry_id FROM document WHERE client_id = $1 AND kind = '${riskAssessment.kind}' AND NOT retired ORDER BY id DESC LIMIT 200`
const TRADE = `SELECT industry_id FROM (${PAPERS}) p WHERE industry_id IS NOT NULL GROUP BY industry_id ORDER BY count(*) DESC, max(id) DESC LIMIT 1`
const INDUSTRY = `(SELECT coalesce((SELECT name FROM industry WHERE id = CASE WHEN $3::text = '${OWN_INDUSTRY}' THEN (${TRADE}) ELSE $2::int END), nullif($3::text, '${OWN_INDUSTRY}')) AS name) i`

/**
 * SQL that counts the client's own documents per hazard. `USED_IN_TRADE` counts the templates for the client's trade.
 */
const USED_HERE = `SELECT hazard_id, count(DISTINCT document_number) AS papers FROM risk_item
  WHERE client_id = $1 AND NOT retired AND hazard_id IS NOT NULL AND document_id IN (SELECT id FROM (${PAPERS}) p) GROUP BY hazard_id`
const USED_IN_TRADE = `SELECT r.hazard_id, count(DISTINCT r.document_number) AS papers
  FROM ${INDUSTRY} JOIN document d ON d.client_id = 0 AND d.kind = '${riskAssessment.kind}' AND d.is_template AND NOT d.retired
  LEFT JOIN industry t ON t.id = d.industry_id JOIN risk_item r ON r.client_id = 0 AND r.document_id = d.id AND NOT r.retired
  WHERE r.hazard_id IS NOT NULL AND (i.name IS NULL OR t.name = i.name) GROUP BY r.hazard_id`

/** SQL that is true for hazards that were written for one template. The general hazards are listed before these. */
const OF_ONE_TEMPLATE = `coalesce(h.template_key LIKE '%/%', false)`

interface OfferedHazard {
  readonly id: number
  readonly clientId: number
  readonly name: string
  readonly description: string
  readonly industries: string[]
  readonly group: { readonly id: number; readonly name: string }
  readonly fit: 'industry' | 'general' | 'other'
  readonly use: number
}

/**
 * Returns suggested hazards. Search results are sorted by relevance; without a search, hazards are sorted by group,
 * those for the industry first.
 */
async function suggestHazards(c: RouteContext): Promise<OfferedHazard[]> {
  const found = await rows<OfferedHazard>(
    c,
    `SELECT h.id, h.client_id AS "clientId", h.name, h.description, h.industries, json_build_object('id', g.id, 'name', g.name) AS "group", ${FIT} AS fit,
       (dense_rank() OVER (ORDER BY coalesce(own.papers, 0) DESC, ${OF_ONE_TEMPLATE}, coalesce(trade.papers, 0) DESC))::int AS use
     FROM hazard h JOIN hazard_group g ON g.client_id IN (h.client_id, 0) AND g.id = h.group_id CROSS JOIN ${INDUSTRY}
       LEFT JOIN (${USED_HERE}) own ON own.hazard_id = h.id LEFT JOIN (${USED_IN_TRADE}) trade ON trade.hazard_id = h.id
     WHERE h.client_id IN ($1, 0) AND NOT h.retired AND NOT g.retired AND h.name <> '' AND h.id <> ALL($4::bigint[])
       AND ($5::bigint[] = '{}' OR g.id = ANY($5::bigint[])) AND h.search_text || ' ' || search_form(g.name) ${allOf(6)}
       AND h.id <> ALL(${usedInTable('hazard_id', 7)})
     ORDER BY min(${RANK}) OVER (PARTITION BY g.id), lower(g.name), g.id, ${RANK}, lower(h.name), h.id`,
    [
      ...industryOf(c),
      parseQueryIds(hazard, c.query.exclude, c.query['exclude[]']),
      parseQueryIds(hazardGroup, c.query.group, c.query['group[]']),
      patterns(c),
      ...documentOf(c),
    ],
  )
  const words = parseQueryWords(c.query.q)
  return words.length ? rankHazards(found, words) : found
}

/** Returns suggested controls, most effective kind first. */
const suggestControls = (c: RouteContext) =>
  rows<{
    id: number
    clientId: number
    hazardId: number
    name: string
    description: string
    tier: ControlHierarchyTier
  }>(
    c,
    `SELECT k.id, k.client_id AS "clientId", k.hazard_id AS "hazardId", k.name, k.description, k.tier
     FROM hazard_control k
     WHERE k.client_id IN ($1, 0) AND NOT k.retired AND k.name <> '' AND ($2::bigint[] = '{}' OR k.hazard_id = ANY($2::bigint[]))
       AND k.id <> ALL($3::bigint[]) AND search_form(k.name || E'\\n' || k.description) ${allOf(4)}
       AND k.id <> ALL(${usedInTable('control_id', 5)})
     ORDER BY array_position(${TIER_ORDER}, k.tier), lower(k.name), k.id`,
    [
      parseQueryIds(hazard, c.query.hazard, c.query['hazard[]']),
      parseQueryIds(hazardControl, c.query.exclude, c.query['exclude[]']),
      patterns(c),
      ...documentOf(c),
    ],
  )

/** Returns suggested groups with their number of hazards, those for the industry first. */
const suggestHazardGroups = (c: RouteContext) =>
  rows<{ id: number; clientId: number; name: string; hazards: number }>(
    c,
    `SELECT g.id, g.client_id AS "clientId", g.name, coalesce(n.hazards, 0) AS hazards
     FROM hazard_group g LEFT JOIN (
       SELECT h.group_id, count(*)::int AS hazards, min(${RANK}) AS rank FROM hazard h CROSS JOIN ${INDUSTRY} WHERE h.client_id IN ($1, 0) AND NOT h.retired GROUP BY h.group_id
     ) n ON n.group_id = g.id
     WHERE g.client_id IN ($1, 0) AND NOT g.retired AND search_form(g.name) ${allOf(4)}
     ORDER BY n.rank, lower(g.name), g.id`,
    [...industryOf(c), patterns(c)],
  )

const linked = (url: string, type: string, id: number, more: ApiRecord): ApiRecord => ({
  '@id': `${url}/${id}`,
  '@type': type,
  id,
  ...more,
})

/**
 * Returns the IRI of the client that owns a row; null if the user may not read that client. Only the provider can see
 * who owns the templates.
 */
const ownerOf = (me: Actor, clientId: number) =>
  can(me, 'read', client, { clientId }) ? iriOf(client, clientId) : null

const q = text({ help: 'Words that results must contain.' })
const industry = text({
  help: 'Industry by IRI, ID or name, or `own` for the most common industry in the client’s own assessments. Results for that industry are listed first.',
})
const document = text({
  help: 'Assessment being edited, by IRI, ID or number. Its existing hazards and controls are excluded.',
})
const exclude = strings({ help: 'IRIs or IDs to exclude.' })

/**
 * Routes that return suggestions for the hazard table, each in a single fast request. The suggestions are active
 * entries of the client's own library and of the templates.
 */
export const hazardSuggestionRoutes: Route[] = [
  {
    method: 'GET',
    path: `${hazard.url}/component_hazards_list`,
    title:
      'List hazards to choose from. Search results are sorted by best match; without a search, hazards are sorted by group, with those for the industry first',
    query: { q, industry, document, exclude, group: strings({ help: 'Returns only hazards in these groups.' }) },
    listOf: 'objects',
    allow: 'member',
    handle: async (c) =>
      hydraCollection(
        (await suggestHazards(c)).map((h) =>
          linked(hazard.url, hazard.type, h.id, {
            name: h.name,
            description: h.description,
            group: linked(hazardGroup.url, hazardGroup.type, h.group.id, { name: h.group.name }),
            industries: h.industries,
            fit: h.fit,
            use: h.use,
            client: ownerOf(c.me, h.clientId),
          }),
        ),
      ),
  },
  {
    method: 'GET',
    path: `${hazardControl.url}/component_controls_list`,
    title: 'List controls to choose from for a hazard, most effective type first',
    query: { q, document, exclude, hazard: strings({ help: 'Returns only controls for these hazards.' }) },
    listOf: 'objects',
    allow: 'member',
    handle: async (c) =>
      hydraCollection(
        (await suggestControls(c)).map((k) =>
          linked(hazardControl.url, hazardControl.type, k.id, {
            hazard: iriOf(hazard, k.hazardId),
            name: k.name,
            description: k.description,
            tier: k.tier,
            client: ownerOf(c.me, k.clientId),
          }),
        ),
      ),
  },
  {
    method: 'GET',
    path: `${hazardGroup.url}/component_group_list`,
    title: 'List hazard groups to choose from',
    query: { q, industry },
    listOf: 'objects',
    allow: 'member',
    handle: async (c) =>
      hydraCollection(
        (await suggestHazardGroups(c)).map((g) =>
          linked(hazardGroup.url, hazardGroup.type, g.id, {
            name: g.name,
            hazards: g.hazards,
            client: ownerOf(c.me, g.clientId),
          }),
        ),
      ),
  },
]

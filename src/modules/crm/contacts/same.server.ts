import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { contact } from './contact.ts'

const MAX_DUPLICATES = 30
/** In the order of the parameters of `contact_keys`. */
const KEY_FIELDS = ['companyName', 'companyNumber', 'phone', 'mobile', 'email'] as const

/** Minimum similarity of company names. Trigrams of the full names preselect; those of their keys decide. */
const [FOUND, NEAR] = [0.5, 0.6]

/**
 * The tenant's leads that share a key with the given values or have a similar company name, with reasons, most similar
 * first. Excludes leads that have been marked as separate from the given lead.
 */
async function findSame(conn: SqlConn, clientId: number, values: readonly string[], besides: number | undefined) {
  await conn.rows(`SELECT set_config('pg_trgm.similarity_threshold', '${FOUND}', true)`)
  // Matches are materialised before the leads are read: without statistics, the planner would search once per lead.
  return conn.rows<{ id: number; same: string[] }>(
    `WITH asked AS MATERIALIZED (SELECT company_name_key($2) AS name_key),
     found AS MATERIALIZED (SELECT s.contact_id, company_name_key(s.company_name) AS name_key FROM contact_search s
       WHERE s.client_id = $1 AND s.company_name % lower($2)),
     k AS MATERIALIZED (
       SELECT k.contact_id, split_part(k.key, ':', 1) AS reason FROM contact_key k
         WHERE k.client_id = $1 AND k.key = ANY(ARRAY(SELECT contact_keys($2, $3, $4, $5, $6)))
       UNION ALL SELECT f.contact_id, 'nearName' FROM found f, asked a
         WHERE f.name_key <> a.name_key AND similarity(f.name_key, a.name_key) >= ${NEAR})
     SELECT c.id, array_agg(DISTINCT k.reason) AS same FROM k JOIN contact c ON c.client_id = $1 AND c.id = k.contact_id
     WHERE NOT c.retired AND c.id <> $7 AND NOT EXISTS (SELECT 1 FROM lead_pair p WHERE p.client_id = $1 AND p.state = 'separate'
       AND p.first_id = least(c.id, $7::bigint) AND p.second_id = greatest(c.id, $7::bigint))
     GROUP BY c.id ORDER BY count(*) FILTER (WHERE k.reason <> 'nearName') DESC, count(*) DESC, c.id DESC LIMIT ${MAX_DUPLICATES}`,
    [clientId, ...values, besides ?? 0],
  )
}

/**
 * If only a colleague may see a lead, the response contains just that it exists and which fields match: `elsewhere`.
 */
export const duplicateLeadsRoute: Route = {
  method: 'GET',
  path: `${contact.url}/dupes`,
  title: 'Find leads with the same company, company number, telephone number or e-mail address',
  allow: 'ROLE_STAFF',
  query: {
    companyName: text(),
    companyNumber: text(),
    phone: text(),
    mobile: text(),
    email: text(),
    id: text({ help: 'Id of the lead itself, to exclude it.' }),
  },
  listOf: contact,
  handle: async (c) => {
    const values = KEY_FIELDS.map((k) => firstQueryValue(c.query[k]).trim())
    const alike = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
      findSame(tx, c.me.clientId, values, readId(firstQueryValue(c.query.id))),
    )
    if (!alike.length) return { ...hydraCollection([]), elsewhere: [] }
    const query = { 'id[]': alike.map(({ id }) => id.toString()) }
    const found = await c.engine.list(contact, c.actor, query, { limit: MAX_DUPLICATES, offset: 0 }, { count: false })
    const members = alike.flatMap(({ id, same }) =>
      found.members.filter((m) => m.id === id).map((m) => ({ ...m, same })),
    )
    const seen = new Set(members.map(({ id }) => id))
    return { ...hydraCollection(members), elsewhere: alike.flatMap(({ id, same }) => (seen.has(id) ? [] : [{ same }])) }
  },
}

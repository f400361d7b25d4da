import { accessScopeFor } from '#kernel/can.ts'
import { text } from '#kernel/fields.ts'
import { lastIriSegment, parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import { buildCombinedAccessCondition } from '#server/data/access-sql.ts'
import { firstQueryValue, type RequestQuery } from '#server/data/filters.ts'
import { rowConditionSql } from '#server/data/row-condition-sql.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import type { SqlConn, Tx } from '#server/db/db.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { decodeBase64Text } from '#server/http/json.ts'
import { hydraCollection, listRoute, subListRoute } from '#server/http/list-route.ts'
import { normaliseCompanyNumber } from '../duplicate-keys/keys.ts'
import { LEAD_CATEGORIES } from '../outcomes/outcome.ts'
import { staff } from '../staff/staff.ts'
import { contact, LEASED_LEADS_URL, note, sale, supportedContact } from './contact.ts'
import { leaseLeadFromQueue } from './queue.server.ts'

const MAX_DUPLICATES = 30
/** Fields compared to find duplicates, in the order of the parameters of `contact_keys`. */
const KEY_FIELDS = ['companyName', 'companyNumber', 'phone', 'mobile', 'email'] as const

/**
 * Minimum similarity of company names. `FOUND` applies to the full names, whose trigrams preselect candidates. `NEAR`
 * applies to the comparison keys of the candidates and decides whether they match.
 */
const [FOUND, NEAR] = [0.5, 0.6]

/**
 * Finds the tenant's leads that share a key with the given values or have a similar company name. Returns them with the
 * matching fields, most similar first. Excludes leads that have been marked as not being duplicates of the given lead.
 */
async function findSame(conn: SqlConn, clientId: number, values: readonly string[], besides: number | undefined) {
  await conn.rows(`SELECT set_config('pg_trgm.similarity_threshold', '${FOUND}', true)`)
  // Matches are materialised before the leads are read, because without statistics the planner would search once per
  // lead.
  return conn.rows<{ id: number; same: string[] }>(
    `WITH asked AS MATERIALIZED (SELECT company_name_key($2) AS name_key),
     near AS MATERIALIZED (SELECT s.contact_id FROM contact_search s WHERE s.client_id = $1 AND s.company_name % search_form($2)),
     found AS MATERIALIZED (SELECT n.contact_id, company_name_key(c.company_name) AS name_key
       FROM near n JOIN contact c ON c.client_id = $1 AND c.id = n.contact_id),
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
 * Route that returns possible duplicates. For a lead that only a colleague may see, the response (`elsewhere`) contains
 * only that the lead exists and which fields match.
 */
const duplicateLeadsRoute: Route = {
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
    id: text({ help: 'ID of the lead itself, to exclude it from the results.' }),
  },
  listOf: contact,
  handle: async (c) => {
    const values = KEY_FIELDS.map((k) => firstQueryValue(c.query[k]).trim())
    const alike = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
      findSame(tx, c.me.clientId, values, parseId(firstQueryValue(c.query.id))),
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

/** Query parameters that select particular leads, including leads in trays. */
const NAMES_LEADS = new Set([
  'q',
  'id',
  'owner',
  'name',
  'companyName',
  'companyNumber',
  'phone',
  'mobile',
  'email',
  'postcode',
  'customer',
  'client',
  'lastResult',
  'doNotCall',
  'importBatch',
  'mergedInto',
])

const BY_RESULT = 'lastResult.category'

/** Returns the field that a query parameter filters: `owner.tray`, `exists[owner]`, `id[]` → `owner`, `owner`, `id`. */
const fieldOf = (key: string) => (/^exists\[(\w+)/.exec(key) ?? /^(\w+)/.exec(key))?.[1] ?? key

/**
 * Condition for leads that are in no tray. Leads in trays are set aside, so lists of all leads and of due leads exclude
 * them.
 */
const IN_NO_TRAY_SQL =
  'NOT EXISTS (SELECT 1 FROM staff s WHERE s.client_id = t.client_id AND s.id = t.owner_id AND s.tray)'

/** Returns a condition that excludes leads in trays, unless the query requests trays or particular leads. */
export const excludeTrayLeads = (query: RequestQuery): readonly QueryCondition[] =>
  Object.entries(query).some(
    ([key, v]) => v !== undefined && v !== '' && key !== BY_RESULT && NAMES_LEADS.has(fieldOf(key)),
  )
    ? []
    : [{ sql: () => IN_NO_TRAY_SQL }]

/** Filters for the counts that cover all categories, as used by the matching list. */
const ACROSS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  ALL: { 'lastResult.category': undefined },
  IR35: { 'lastResult.category': undefined, ir35: 'true' },
  SEARCH: { 'lastResult.category': undefined },
}

/**
 * Owner whose leads are counted: a staff ID, `none` for unassigned leads, or `undefined` for all owners except trays.
 */
type Owner = number | 'none' | undefined

/** Staff ID that matches no owner, for users without a staff record, who have no leads. */
const NOBODY = -1

/**
 * Returns the number of leads in each category. The numbers are added up from the cached counts and their differences,
 * without reading any leads.
 */
async function countLeads(tx: Tx, actor: Actor, owner: Owner): Promise<Record<string, number>> {
  const { list, next } = new BoundValues()
  const { only } = accessScopeFor(actor, 'read', contact)
  const asked = [
    `t.client_id = ${next(actor.clientId)}::int`,
    owner === undefined
      ? IN_NO_TRAY_SQL
      : owner === 'none'
        ? 't.owner_id IS NULL'
        : `t.owner_id = ${next(owner)}::bigint`,
    ...(only ? [rowConditionSql(contact, only, actor, { next })] : []),
  ]
  const text = `SELECT category, sum(n)::int, coalesce(sum(n) FILTER (WHERE ir35), 0)::int
     FROM (SELECT client_id, nullif(owner_id, 0) AS owner_id, category, ir35, n FROM contact_count) t WHERE ${asked.join(' AND ')} GROUP BY category`
  const rows = (await tx.commitWith(prepareSql(text), list)) as [category: string, n: number, ir35: number][]
  return {
    ...Object.fromEntries([...LEAD_CATEGORIES.map((k) => [k, 0]), ...rows]),
    ALL: rows.reduce((sum, [, n]) => sum + n, 0),
    IR35: rows.reduce((sum, [, , ir35]) => sum + ir35, 0),
  }
}

async function countsOf(c: RouteContext): Promise<Record<string, number>> {
  const owner = await ownerOf(c)
  return c.engine.db.tx({ clientId: c.me.clientId }, (tx) => countLeads(tx, c.me, owner))
}

/** Returns the owner named in the query. An unknown owner has no leads. */
async function ownerOf(c: RouteContext): Promise<Owner> {
  if (['false', '0'].includes(firstQueryValue(c.query['exists[owner]']))) return 'none'
  const person = firstQueryValue(c.query['owner.user'])
  if (person !== '') {
    const { members } = await c.engine.list(staff, c.actor, { user: person }, { limit: 1, offset: 0 }, { count: false })
    return members[0]?.id ?? NOBODY
  }
  const given = firstQueryValue(c.query.owner)
  if (given === '') return undefined
  return given === 'none' ? 'none' : c.engine.idOf(staff, c.actor, lastIriSegment(given)).catch(() => NOBODY)
}

const leadCountRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${contact.url}/count`,
    title: 'Count leads, in total or in a category',
    filters: contact,
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const category = firstQueryValue(c.query['lastResult.category'])
      const kept = ['lastResult.category', 'owner', 'owner.user', 'exists[owner]']
      // If the query contains filters that the cached counts don't support, the leads are counted as for the list.
      if (Object.keys(c.query).some((k) => !kept.includes(k))) {
        const query = { retired: 'false', ...c.query, ...ACROSS[category] }
        const { total } = await c.engine.list(contact, c.actor, query, { limit: 0, offset: 0 })
        return { count: total ?? 0 }
      }
      return { count: (await countsOf(c))[category || 'ALL'] ?? 0 }
    },
  },
  {
    method: 'GET',
    path: `${contact.url}/counts`,
    title: 'Count leads in every category',
    query: {
      owner: text({ help: 'Owner of the leads: a member of staff, or `none`.' }),
      'owner.user': text({ help: 'User whose leads are counted.' }),
      'exists[owner]': text({ help: 'Set to `false` to count unassigned leads only.' }),
    },
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const all = await countsOf(c)
      return Object.fromEntries([...LEAD_CATEGORIES, 'ALL', 'IR35'].map((k) => [k, all[k] ?? 0]))
    },
  },
]

/** Maximum number of IDs per request, larger than one page of a list. */
const MAX_IDS = 200

/**
 * Route that returns which of the given leads colleagues have leased, and when the last note was added to each lead.
 * Leases change every few minutes and are not edits, so they are returned separately from the list's records.
 */
const heldLeadsRoute: Route = {
  method: 'GET',
  path: LEASED_LEADS_URL,
  title:
    'Get which colleagues have leased any of the given leads, and how long ago the last note was written on each lead',
  query: { leads: text({ help: 'Comma-separated lead IDs.' }) },
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const named = String(c.query.leads ?? '').split(',')
    const ids = named.slice(0, MAX_IDS).flatMap((id) => parseId(id) ?? [])
    const v = new BoundValues()
    const tenant = buildCombinedAccessCondition(contact, accessScopeFor(c.me, 'read', contact), c.me, v)
    if (tenant === undefined || !ids.length) return { held: [], noted: [] }
    const asked = v.next(ids)
    const ages = prepareSql(`SELECT t.id, (SELECT floor(date_part('epoch', max(n.timestamp)))::bigint FROM note n
      WHERE n.client_id = t.client_id AND n.contact_id = t.id AND NOT n.retired) FROM contact t WHERE ${tenant} AND t.id = ANY(${asked}::bigint[]) ORDER BY t.id`)
    const known = [...v.list]
    const sql = `SELECT t.id, u.name FROM contact t JOIN ${user.table} u ON u.id = t.lease_user_id
      WHERE ${tenant} AND t.id = ANY(${asked}::bigint[]) AND t.lease_until > portal_now() AND t.lease_user_id <> ${v.next(c.me.userId)}::bigint
      ORDER BY t.id`
    const [rows, noted] = await c.engine.db.tx({ clientId: c.me.clientId, userId: c.me.userId }, (tx) =>
      Promise.all([tx.arrays(prepareSql(sql), v.list), tx.arrays(ages, known)]),
    )
    return {
      held: rows.map(([id, by]) => ({ id: Number(id), by: String(by) })),
      noted: noted.flatMap(([id, at]) => (at === null ? [] : [{ id: Number(id), at: Number(at) }])),
    }
  },
}

/** Returns a route for a contact's sub-list: `contacts/{id}/actions` is `actions?contact={id}`. */
const under = (path: string, r: typeof note | typeof sale, order: RequestQuery): Route =>
  subListRoute({
    path: `${contact.url}/{id}/${path}`,
    title: `List a contact’s ${path}`,
    of: contact,
    r,
    where: (id) => `t.contact_id = ${id}`,
    defaults: { retired: 'false', ...order },
    allow: 'ROLE_STAFF',
  })

export const contactRoutes: Route[] = [
  {
    method: 'GET',
    path: `${contact.url}/next`,
    title: 'Lease the next lead to call, using the list’s filters and sort order',
    query: { after: text({ help: 'ID of the lead just dealt with, to exclude that lead.' }) },
    filters: contact,
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const skip = parseId(firstQueryValue(c.query.after))
      const lead = await c.engine.db.tx({ clientId: c.me.clientId, userId: c.me.userId }, (tx) =>
        leaseLeadFromQueue({ ...tx, arrays: (query, values) => tx.commitWith(query, values) }, c.me, c.query, skip),
      )
      return { '@id': `${contact.url}/next`, next: lead?.sent ?? null }
    },
  },
  ...leadCountRoutes,
  heldLeadsRoute,
  listRoute(
    contact,
    `${contact.url}/search`,
    'Search leads; name and companyName may be base64-encoded',
    (c) => {
      const query: Record<string, RequestQuery[string]> = { ...c.query }
      for (const k of ['name', 'companyName']) {
        const given = firstQueryValue(query[k]).trim()
        // Short words such as "Mill" are valid base64, too.
        if (given) query[k] = [...new Set([decodeBase64Text(given), given])]
        else delete query[k]
      }
      const number = firstQueryValue(query.companyNumber).trim()
      return { query: number ? { ...query, companyNumber: normaliseCompanyNumber(number) } : query }
    },
    {
      allow: 'ROLE_STAFF',
      query: {
        name: text({ help: 'Name, as plain text or base64.' }),
        companyName: text({ help: 'Company name, as plain text or base64.' }),
      },
    },
  ),
  duplicateLeadsRoute,
  under('actions', note, { 'order[sticky]': 'desc', 'order[id]': 'desc' }),
  under('sales', sale, { 'order[id]': 'desc' }),
  {
    method: 'GET',
    path: '/api/crm/supported/{id}',
    title: 'Check whether this contact is a supported client',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const id = await c.engine.idOf(contact, c.actor, c.params.id)
      await c.engine.one(contact, c.actor, id)
      const query = { contact: iriOf(contact, id) }
      const known = async () =>
        (await c.engine.list(supportedContact, c.actor, query, { limit: 1, offset: 0 }, { count: false })).members[0]
      const made = () => c.engine.create(supportedContact, query, { actor: c.me, requestId: c.request.id })
      // Another request may have created the record at the same moment.
      return (
        (await known()) ??
        made().catch(async (e: unknown) => {
          const theirs = await known()
          if (!theirs) throw e
          return theirs
        })
      )
    },
  },
]

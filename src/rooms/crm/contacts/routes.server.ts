import { readId } from '#kernel/iri.ts'
import type { Route, RouteContext } from '#server/behaviour.ts'
import type { Query } from '#server/data/filters.ts'
import { fromBase64 } from '#server/http/base64.ts'
import { paging } from '#server/http/collection.ts'
import { staff } from '../staff/staff.ts'
import { contact } from './contact.ts'
import { note } from './note.ts'
import { leaseNext, why } from './queue.server.ts'
import { sale, supported } from './records.ts'

const CATEGORIES = ['NEW', 'PFP', 'DOWNL', 'DEMO', 'CB', 'QUOTE'] as const

const one = (v: Query[string]) => (typeof v === 'string' ? v : (v?.[0] ?? ''))

/** Counts by category for an owner or for everybody, from the running differences: no lead is read. */
async function counts(c: RouteContext, owner: string): Promise<Record<string, number>> {
  const who =
    owner === ''
      ? null
      : owner === 'none'
        ? 0
        : await c.engine.idOf(staff, c.actor, owner.replace(/^.*\//, '')).catch(() => -1)
  const rows = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
    tx.rows<{ category: string; n: number; ir35: number }>(
      `SELECT category, sum(n)::int AS n, coalesce(sum(n) FILTER (WHERE ir35), 0)::int AS ir35 FROM contact_count WHERE client_id = $1 AND ($2::bigint IS NULL OR owner_id = $2) GROUP BY category`,
      [c.me.clientId, who],
    ),
  )
  return {
    ...Object.fromEntries([...CATEGORIES.map((k) => [k, 0]), ...rows.map((r) => [r.category, r.n])]),
    ALL: rows.reduce((a, r) => a + r.n, 0),
    IR35: rows.reduce((a, r) => a + r.ir35, 0),
  }
}

const listed = (url: string, members: readonly unknown[], total: number | undefined) => ({
  '@id': url,
  '@type': 'hydra:Collection',
  ...(total === undefined ? {} : { 'hydra:totalItems': total }),
  'hydra:member': members,
})

/** A sub-list under a contact: `contacts/{id}/actions` is `actions?contact={id}`. */
const under = (path: string, r: typeof note | typeof sale, order: Query): Route => ({
  method: 'GET',
  path: `/api/crm/contacts/{id}/${path}`,
  title: `The ${path} of a contact`,
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const id = await c.engine.idOf(contact, c.actor, c.params.id as string)
    const sorted = Object.keys(c.query).some((k) => k.startsWith('order['))
    const p = paging(r, c.query)
    const query = { retired: 'false', ...(sorted ? {} : order), ...c.query }
    const extra = [{ sql: (next: (v: unknown) => string) => `t.contact_id = ${next(id)}::bigint` }]
    const found = await c.engine.list(r, c.actor, query, p, { extra })
    // Nothing to show: perhaps because there is no such contact.
    if (!found.members.length) await c.engine.one(contact, c.actor, id)
    return listed(`/api/crm/contacts/${id}/${path}`, found.members, found.total)
  },
})

export const contactRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/crm/contacts/next',
    title: 'Lease the next lead to call, in the list’s own filters and order',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const skip = readId(one(c.query.after))
      const lead = await c.engine.db.tx({ clientId: c.me.clientId, userId: c.me.userId }, (tx) =>
        leaseNext(tx, c.me, c.query, skip),
      )
      return { '@id': '/api/crm/contacts/next', next: lead ? { ...lead.sent, why: why(lead.row, c.now) } : null }
    },
  },
  {
    method: 'GET',
    path: '/api/crm/contacts/count',
    title: 'How many leads there are, in all or in a category',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const category = one(c.query['lastResult.category'])
      const filters = Object.keys(c.query).filter(
        (k) => k !== 'lastResult.category' && k !== 'owner' && k !== 'exists[owner]',
      )
      // Asked for more than the kept counts know: counted as the list counts. ALL and IR35 are no last result's own.
      if (filters.length) {
        const list = {
          ALL: { 'lastResult.category': undefined },
          IR35: { 'lastResult.category': undefined, ir35: 'true' },
        }
        const query = { retired: 'false', ...c.query, ...list[category as 'ALL'] }
        const { total } = await c.engine.list(contact, c.actor, query, { limit: 0, offset: 0 })
        return { count: total ?? 0 }
      }
      const unowned = one(c.query['exists[owner]']) === 'false' || one(c.query['exists[owner]']) === '0'
      const all = await counts(c, unowned ? 'none' : one(c.query.owner))
      return { count: all[category || 'ALL'] ?? 0 }
    },
  },
  {
    method: 'GET',
    path: '/api/crm/contacts/counts',
    title: 'How many leads there are in each category, at once',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const all = await counts(c, one(c.query['exists[owner]']) === 'false' ? 'none' : one(c.query.owner))
      return Object.fromEntries([...CATEGORIES, 'ALL', 'IR35'].map((k) => [k, all[k] ?? 0]))
    },
  },
  {
    method: 'GET',
    path: '/api/crm/contacts/search',
    title: 'Search leads; name and companyName may come in base64',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const query = { ...c.query } as Record<string, Query[string]>
      for (const k of ['name', 'companyName']) {
        const given = one(query[k]).trim()
        if (given) query[k] = fromBase64(given)
        else delete query[k]
      }
      const p = paging(contact, query)
      const found = await c.engine.list(contact, c.actor, query, p, { count: !p.partial })
      return listed('/api/crm/contacts/search', found.members, found.total)
    },
  },
  {
    method: 'GET',
    path: '/api/crm/contacts/dupes',
    title: 'Leads with the same company, company number, telephone or e-mail address',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const get = (k: string) => one(c.query[k]).trim()
      const values = ['companyName', 'companyNumber', 'phone', 'mobile', 'email'].map(get)
      const ids = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
        tx.rows<{ id: number; same: string[] }>(
          `SELECT c.id, array_agg(split_part(k.key, ':', 1)) AS same FROM contact_key k JOIN contact c ON c.client_id = k.client_id AND c.id = k.contact_id
           WHERE k.client_id = $1 AND k.key = ANY(ARRAY(SELECT contact_keys($2, $3, $4, $5, $6))) AND NOT c.retired AND c.id <> $7
           GROUP BY c.id ORDER BY count(*) DESC, c.id DESC LIMIT 30`,
          [c.me.clientId, ...values, readId(one(c.query.id)) ?? 0],
        ),
      )
      if (!ids.length) return listed('/api/crm/contacts/dupes', [], 0)
      const found = await c.engine.list(
        contact,
        c.actor,
        { 'id[]': ids.map((r) => String(r.id)) },
        { limit: 30, offset: 0 },
        { count: false },
      )
      const members = ids.flatMap(({ id, same }) =>
        found.members.filter((m) => m.id === id).map((m) => ({ ...m, same: [...new Set(same)] })),
      )
      return listed('/api/crm/contacts/dupes', members, members.length)
    },
  },
  under('actions', note, { 'order[sticky]': 'desc', 'order[id]': 'desc' }),
  under('sales', sale, { 'order[id]': 'desc' }),
  {
    method: 'GET',
    path: '/api/crm/supported/{id}',
    title: 'Is this contact looked after by support?',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const id = await c.engine.idOf(contact, c.actor, c.params.id as string)
      await c.engine.one(contact, c.actor, id)
      const known = async () =>
        (await c.engine.list(supported, c.actor, { contact: String(id) }, { limit: 1, offset: 0 }, { count: false }))
          .members[0]
      const made = () =>
        c.engine.create(supported, { contact: `${contact.url}/${id}` }, { actor: c.me, requestId: c.request.id })
      // Somebody else may ask, and so make it, at the same moment.
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

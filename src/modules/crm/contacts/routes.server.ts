import { scopeOf } from '#kernel/can.ts'
import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { accessCondition } from '#server/data/access-sql.ts'
import { firstOf, type Query } from '#server/data/filters.ts'
import { prepare, Values } from '#server/data/values.ts'
import type { Route } from '#server/engine/route.ts'
import { fromBase64 } from '#server/http/base64.ts'
import { listRoute, subListRoute } from '#server/http/list-route.ts'
import { contact } from './contact.ts'
import { leadCountRoutes } from './counts.server.ts'
import { HELD_LEADS_URL } from './held.ts'
import { note } from './note.ts'
import { leaseLeadFromQueue } from './queue.server.ts'
import { sale, supportedContact } from './records.ts'
import { duplicateLeadsRoute } from './same.server.ts'

/** Maximum number of ids per request, more than a page of a list has. */
const MOST = 200

/**
 * Which of these leads are leased by colleagues, and when each was last noted. Leases change every few minutes and are
 * not edits, so they are served beside the list instead of in its records.
 */
const heldLeadsRoute: Route = {
  method: 'GET',
  path: HELD_LEADS_URL,
  title: 'Get which of the given leads are leased by colleagues, and the time of each last note',
  query: { leads: text({ help: 'Comma-separated ids.' }) },
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const named = String(c.query.leads ?? '').split(',')
    const ids = named.slice(0, MOST).flatMap((id) => readId(id) ?? [])
    const v = new Values()
    const tenant = accessCondition(contact, scopeOf(c.me, 'read', contact), c.me, v)
    if (tenant === undefined || !ids.length) return { held: [], noted: [] }
    const asked = v.next(ids)
    const ages = prepare(`SELECT t.id, (SELECT floor(date_part('epoch', max(n.timestamp)))::bigint FROM note n
      WHERE n.client_id = t.client_id AND n.contact_id = t.id AND NOT n.retired) FROM contact t WHERE ${tenant} AND t.id = ANY(${asked}::bigint[]) ORDER BY t.id`)
    const known = [...v.list]
    const sql = `SELECT t.id, u.name FROM contact t JOIN ${user.table} u ON u.id = t.lease_user_id
      WHERE ${tenant} AND t.id = ANY(${asked}::bigint[]) AND t.lease_until > portal_now() AND t.lease_user_id <> ${v.next(c.me.userId)}::bigint
      ORDER BY t.id`
    const [rows, noted] = await c.engine.db.tx({ clientId: c.me.clientId, userId: c.me.userId }, (tx) =>
      Promise.all([tx.arrays(prepare(sql), v.list), tx.arrays(ages, known)]),
    )
    return {
      held: rows.map(([id, by]) => ({ id: Number(id), by: String(by) })),
      noted: noted.flatMap(([id, at]) => (at === null ? [] : [{ id: Number(id), at: Number(at) }])),
    }
  },
}

/** A sub-list of a contact: `contacts/{id}/actions` is `actions?contact={id}`. */
const under = (path: string, r: typeof note | typeof sale, order: Query): Route =>
  subListRoute({
    path: `${contact.url}/{id}/${path}`,
    title: `List the ${path} of a contact`,
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
    title: 'Lease the next lead to call, with the list’s filters and order',
    query: { after: text({ help: 'Id of a lead to exclude: the one just dealt with.' }) },
    filters: contact,
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const skip = readId(firstOf(c.query.after))
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
      const query: Record<string, Query[string]> = { ...c.query }
      for (const k of ['name', 'companyName']) {
        const given = firstOf(query[k]).trim()
        if (given) query[k] = fromBase64(given)
        else delete query[k]
      }
      return { query }
    },
    {
      allow: 'ROLE_STAFF',
      query: { name: text({ help: 'Plain or base64.' }), companyName: text({ help: 'Plain or base64.' }) },
    },
  ),
  duplicateLeadsRoute,
  under('actions', note, { 'order[sticky]': 'desc', 'order[id]': 'desc' }),
  under('sales', sale, { 'order[id]': 'desc' }),
  {
    method: 'GET',
    path: '/api/crm/supported/{id}',
    title: 'Get whether support looks after this contact',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const id = await c.engine.idOf(contact, c.actor, c.params.id)
      await c.engine.one(contact, c.actor, id)
      const query = { contact: iriOf(contact, id) }
      const known = async () =>
        (await c.engine.list(supportedContact, c.actor, query, { limit: 1, offset: 0 }, { count: false })).members[0]
      const made = () => c.engine.create(supportedContact, query, { actor: c.me, requestId: c.request.id })
      // A concurrent request may create it at the same moment.
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

import { scopeOf } from '#kernel/can.ts'
import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { user } from '#modules/identity/people/user.ts'
import { accessCondition } from '#server/data/access-sql.ts'
import { prepare, Values } from '#server/data/values.ts'
import type { Route } from '#server/engine/route.ts'
import { contact } from './contact.ts'
import { HELD } from './held.ts'

/** More than a page of a list has. */
const MOST = 200

/**
 * Which of these leads colleagues are working just now, and when something was last told of each. Whose a lead is changes every few minutes and is no edit of it: it stands beside
 * the list, and not in its records.
 */
export const heldRoute: Route = {
  method: 'GET',
  path: HELD,
  title: 'Of some leads: which colleagues are working just now and who, and when each was last told of',
  query: { leads: text({ help: 'Their ids, with commas between them.' }) },
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

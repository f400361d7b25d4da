import { text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { firstOf } from '#server/data/filters.ts'
import type { Conn } from '#server/db/db.ts'
import type { Route } from '#server/engine/route.ts'
import { wholeList } from '#server/http/list-route.ts'
import { contact } from './contact.ts'

const MOST = 30
/** In the order that `contact_keys` takes them. */
const ASKED = ['companyName', 'companyNumber', 'phone', 'mobile', 'email'] as const

/** The tenant's leads that share a key with what is asked, with the keys that they share; the most alike first. */
const findSame = (conn: Conn, clientId: number, values: readonly string[], besides: number | undefined) =>
  conn.rows<{ id: number; same: string[] }>(
    `SELECT c.id, array_agg(DISTINCT split_part(k.key, ':', 1)) AS same FROM contact_key k JOIN contact c ON c.client_id = k.client_id AND c.id = k.contact_id
     WHERE k.client_id = $1 AND k.key = ANY(ARRAY(SELECT contact_keys($2, $3, $4, $5, $6))) AND NOT c.retired AND c.id <> $7
     GROUP BY c.id ORDER BY count(*) DESC, c.id DESC LIMIT ${MOST}`,
    [clientId, ...values, besides ?? 0],
  )

export const sameLeads: Route = {
  method: 'GET',
  path: `${contact.url}/dupes`,
  title: 'Leads with the same company, company number, telephone or e-mail address',
  allow: 'ROLE_STAFF',
  query: {
    companyName: text(),
    companyNumber: text(),
    phone: text(),
    mobile: text(),
    email: text(),
    id: text({ help: 'A lead to leave out: the one that is asked about.' }),
  },
  lists: contact,
  handle: async (c) => {
    const values = ASKED.map((k) => firstOf(c.query[k]).trim())
    const alike = await c.engine.db.tx({ clientId: c.me.clientId }, (tx) =>
      findSame(tx, c.me.clientId, values, readId(firstOf(c.query.id))),
    )
    if (!alike.length) return wholeList([])
    const query = { 'id[]': alike.map(({ id }) => id.toString()) }
    const found = await c.engine.list(contact, c.actor, query, { limit: MOST, offset: 0 }, { count: false })
    const members = alike.flatMap(({ id, same }) =>
      found.members.filter((m) => m.id === id).map((m) => ({ ...m, same })),
    )
    return wholeList(members)
  },
}

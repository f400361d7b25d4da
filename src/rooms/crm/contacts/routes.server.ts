import { readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Route } from '#server/behaviour.ts'
import { firstOf, type Query } from '#server/data/filters.ts'
import { fromBase64 } from '#server/http/base64.ts'
import { paging } from '#server/http/collection.ts'
import { contact } from './contact.ts'
import { countRoutes } from './counts.server.ts'
import { listed } from './listed.server.ts'
import { note } from './note.ts'
import { leaseNext, why } from './queue.server.ts'
import { sale, supported } from './records.ts'
import { sameLeads } from './same.server.ts'

/** A sub-list under a contact: `contacts/{id}/actions` is `actions?contact={id}`. */
const under = (path: string, r: typeof note | typeof sale, order: Query): Route => ({
  method: 'GET',
  path: `${contact.url}/{id}/${path}`,
  title: `The ${path} of a contact`,
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const id = await c.engine.idOf(contact, c.actor, c.params.id)
    const sorted = Object.keys(c.query).some((k) => k.startsWith('order['))
    const p = paging(r, c.query)
    const query = { retired: 'false', ...(sorted ? {} : order), ...c.query }
    const extra = [{ sql: (next: (v: unknown) => string) => `t.contact_id = ${next(id)}::bigint` }]
    const found = await c.engine.list(r, c.actor, query, p, { extra })
    // Nothing to show: perhaps because there is no such contact.
    if (!found.members.length) await c.engine.one(contact, c.actor, id)
    return listed(`${contact.url}/${id}/${path}`, found.members, found.total)
  },
})

export const contactRoutes: Route[] = [
  {
    method: 'GET',
    path: `${contact.url}/next`,
    title: 'Lease the next lead to call, in the list’s own filters and order',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const skip = readId(firstOf(c.query.after))
      const lead = await c.engine.db.tx({ clientId: c.me.clientId, userId: c.me.userId }, (tx) =>
        leaseNext(tx, c.me, c.query, skip),
      )
      return { '@id': `${contact.url}/next`, next: lead ? { ...lead.sent, why: why(lead.row, c.now) } : null }
    },
  },
  ...countRoutes,
  {
    method: 'GET',
    path: `${contact.url}/search`,
    title: 'Search leads; name and companyName may come in base64',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const query: Record<string, Query[string]> = { ...c.query }
      for (const k of ['name', 'companyName']) {
        const given = firstOf(query[k]).trim()
        if (given) query[k] = fromBase64(given)
        else delete query[k]
      }
      const p = paging(contact, query)
      const found = await c.engine.list(contact, c.actor, query, p, { count: !p.partial })
      return listed(`${contact.url}/search`, found.members, found.total)
    },
  },
  sameLeads,
  under('actions', note, { 'order[sticky]': 'desc', 'order[id]': 'desc' }),
  under('sales', sale, { 'order[id]': 'desc' }),
  {
    method: 'GET',
    path: '/api/crm/supported/{id}',
    title: 'Is this contact looked after by support?',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const id = await c.engine.idOf(contact, c.actor, c.params.id)
      await c.engine.one(contact, c.actor, id)
      const query = { contact: iriOf(contact, id) }
      const known = async () =>
        (await c.engine.list(supported, c.actor, query, { limit: 1, offset: 0 }, { count: false })).members[0]
      const made = () => c.engine.create(supported, query, { actor: c.me, requestId: c.request.id })
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

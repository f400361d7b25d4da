import type { Resource } from '#kernel/resource.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { contact, note } from '../contacts/contact.ts'

/** Returns the ID from the URL. Throws 404 if the user may not see the record. */
async function seen({ engine, me, params }: RouteContext, r: Resource): Promise<number> {
  const id = await engine.idOf(r, me, params.id)
  await engine.one(r, me, id)
  return id
}

const timelineRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${note.url}/{id}/history`,
    title: 'List the previous versions of a note, latest first',
    allow: 'ROLE_STAFF',
    listOf: 'objects',
    handle: async (c) => {
      const id = await seen(c, note)
      const { clientId } = c.me
      const rows = await c.engine.db.tx({ clientId }, (tx) =>
        tx.rows<{ at: string; username: string; notes: string }>(
          `SELECT ${isoUtcSql('at')} AS at, coalesce(as_username, username) AS username, changes -> 'notes' ->> 0 AS notes
           FROM audit WHERE client_id = $1 AND type = $2 AND row_id = $3 AND verb = 'update' AND jsonb_typeof(changes -> 'notes') = 'array'
           ORDER BY id DESC LIMIT 100`,
          [clientId, note.type, id],
        ),
      )
      return hydraCollection(rows)
    },
  },
  {
    method: 'GET',
    path: `${contact.url}/{id}/minutes`,
    title: 'Get the minutes spent on a contact in the last 12 months',
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const id = await seen(c, contact)
      const { clientId } = c.me
      const [sum] = await c.engine.db.tx({ clientId }, (tx) =>
        tx.rows<{ minutes: number }>(
          `SELECT coalesce(sum(minutes), 0)::int AS minutes FROM note
           WHERE client_id = $1 AND contact_id = $2 AND NOT retired AND timestamp > portal_now() - interval '12 months'`,
          [clientId, id],
        ),
      )
      return { minutes: sum?.minutes ?? 0 }
    },
  },
]

export const timeline = feature({
  routes: timelineRoutes,
})

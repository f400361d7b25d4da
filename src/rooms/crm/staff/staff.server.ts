import { type Actor, author } from '#kernel/roles.ts'
import type { Conn } from '#server/db/db.ts'

const known = new Map<string, number>()

/**
 * The staff record of the real person who acts, made when it is missing: staff join by signing in. `undefined` where the
 * person is of another tenant.
 */
export async function staffOf(conn: Conn, actor: Actor): Promise<number | undefined> {
  const who = author(actor)
  if (who.clientId !== actor.clientId) return undefined
  const key = `${who.clientId}/${who.userId}/${who.username}`
  const cached = known.get(key)
  if (cached) return cached
  const [found] = await conn.rows<{ id: number }>('SELECT id FROM staff WHERE client_id = $1 AND user_id = $2', [
    who.clientId,
    who.userId,
  ])
  if (found) {
    known.set(key, found.id)
    return found.id
  }
  const [made] = await conn.rows<{ id: number }>(
    `INSERT INTO staff (client_id, username, name, user_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (client_id, lower(username)) DO UPDATE SET user_id = EXCLUDED.user_id RETURNING id`,
    [who.clientId, who.username, who.name, who.userId],
  )
  return made?.id
}

/** The staff record of a tray, made when it is missing. */
export async function trayOf(conn: Conn, clientId: number, username: string): Promise<number> {
  const names: Record<string, string> = {
    after5: 'After 5',
    dead: 'Dead',
    duplicates: 'Duplicates',
    baddetails: 'Bad details',
  }
  const [tray] = await conn.rows<{ id: number }>(
    `INSERT INTO staff (client_id, username, name, tray) VALUES ($1, $2, $3, true)
     ON CONFLICT (client_id, lower(username)) DO UPDATE SET tray = true RETURNING id`,
    [clientId, username, names[username] ?? username],
  )
  return (tray as { id: number }).id
}

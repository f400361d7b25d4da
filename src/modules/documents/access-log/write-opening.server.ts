import type { Context } from '#server/engine/types.ts'
import { documentOpening } from './document-opening.ts'

/** Within so many minutes, looking again is the same opening: a screen and its PDF are one. */
const SAME = 15

/** Writes down for the client that somebody of the provider opens a document of theirs. */
export async function writeOpening(c: Context, id: number): Promise<void> {
  const { username, name } = c.actor
  const before = await c.work.tx.rows(
    `SELECT 1 FROM document_opening WHERE client_id = $1 AND document_id = $2 AND username = $3 AND opened_at > portal_now() - make_interval(mins => ${SAME})`,
    [c.clientId, id, username],
  )
  if (before.length) return
  await c.withoutPermissionCheck('whoever opens a document leaves word').create(documentOpening, {
    document: id,
    username,
    name,
    openedAt: c.now.toString(),
  })
}

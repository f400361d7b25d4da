import { type Letter, letter } from '#modules/portal/mail/letter.ts'
import { withLink } from '#modules/portal/mail/link.server.ts'
import { withName } from '#modules/portal/mail/name.server.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { TestPortal } from './portal.ts'

/** The letters that wait for a client's people, oldest first, as they would go out: each with a link of its own, good from now; without those that would not. */
export async function lettersOf({ db, engine }: TestPortal, clientId: number): Promise<Letter[]> {
  const rows = await db.tx('system', (tx) =>
    tx.rows<{ payload: unknown }>("SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' ORDER BY id", [
      clientId,
    ]),
  )
  const sent: Letter[] = []
  for (const { payload } of rows) {
    const to = { engine, clientId }
    const whole = await withLink(to, await withName(to, letter.payload.parse(payload)))
    if (whole) sent.push(whole)
  }
  return sent
}

/** Does what follows the answer to a forgotten password, and leaves the letters waiting. */
export async function lookForForgotten({ db, engine }: TestPortal): Promise<void> {
  const waiting = await db.tx('system', (tx) =>
    tx.rows<{ id: number; version: number; payload: unknown }>(
      "DELETE FROM outbox WHERE kind = 'password.forgotten' AND relayed_at IS NULL RETURNING id, version, payload",
    ),
  )
  const sends = registryOf(engine).handlers.get('password.send-forgotten')
  for (const { id, version, payload } of waiting) await sends?.send?.({ engine, clientId: 0, id }, version, payload)
}

import { type EmailRequest, emailRequested } from '#modules/portal/mail/letter.ts'
import { addPortalNameToEmail, addSecretLinkToEmail } from '#modules/portal/mail/send.server.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { TestPortal } from './portal.ts'

/**
 * Renders the queued e-mails of a client's users as they would be sent, oldest first. Each e-mail has a new link that
 * is valid from now. E-mails that would not be sent are omitted.
 */
export async function renderQueuedEmails({ db, engine }: TestPortal, clientId: number): Promise<EmailRequest[]> {
  const rows = await db.tx('system', (tx) =>
    tx.rows<{ payload: unknown }>("SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' ORDER BY id", [
      clientId,
    ]),
  )
  const sent: EmailRequest[] = []
  for (const { payload } of rows) {
    const to = { engine, clientId }
    const whole = await addSecretLinkToEmail(to, await addPortalNameToEmail(to, emailRequested.payload.parse(payload)))
    if (whole) sent.push(whole)
  }
  return sent
}

/** Handles password reset requests, and leaves the resulting e-mails in the queue. */
export async function processPasswordResetRequests({ db, engine }: TestPortal): Promise<void> {
  const waiting = await db.tx('system', (tx) =>
    tx.rows<{ id: number; version: number; payload: unknown }>(
      "DELETE FROM outbox WHERE kind = 'password.forgotten' AND relayed_at IS NULL RETURNING id, version, payload",
    ),
  )
  const sends = registryOf(engine).handlers.get('password.send-forgotten')
  for (const { id, version, payload } of waiting) await sends?.send?.({ engine, clientId: 0, id }, version, payload)
}

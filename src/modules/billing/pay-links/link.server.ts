import { Problem, problem } from '#kernel/errors.ts'
import { systemActor } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { createLinkSecret, formatLinkToken, parseLinkToken } from '#server/auth/link-token.ts'
import type { SecretLink } from '#server/engine/module.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { invoice } from '../invoices/invoice.ts'
import { payLink } from './pay-link.ts'

/** Days a link works: an invoice may be requested many times. */
const DAYS = 180

/** Creates a payment link for an invoice. The secret is not stored. */
export async function createPayLink(c: Context, invoiceId: number): Promise<string> {
  const { secret, hash } = createLinkSecret()
  const made = await c.withoutPermissionCheck('send a payment link to a customer').create(payLink, {
    invoice: invoiceId,
    hash,
    expiresAt: c.now.add({ hours: 24 * DAYS }).toString(),
  })
  const { id } = await made.saved()
  const { publicUrl, host, port } = c.engine.config
  return `${publicUrl ?? `http://${host}:${port}`}/pay/${formatLinkToken(c.clientId, id, secret)}`
}

/**
 * Resolves a link to its invoice. Throws 404 for an unknown link, 410 for one that is too old or whose seller has left.
 */
export async function resolvePayLink(engine: Engine, token?: string) {
  const unknown = problem.notFound(
    'This link is incomplete or has been changed. Please open it from the e-mail again, or ask us for a new one.',
  )
  const brought = parseLinkToken(token)
  if (!brought) throw unknown
  const { clientId, id } = brought
  const found = await engine.readIn(clientId, 'open a payment link', async (c) => {
    const row = await c.get(payLink, id)
    return { row, owed: row && (await c.get(invoice, row.invoice)), seller: await c.get(client, clientId) }
  })
  if (!found.row || !found.owed || !brought.fits(found.row.hash)) throw unknown
  if (found.seller?.retired || Date.parse(found.row.expiresAt) < engine.clock.now().epochMilliseconds)
    throw new Problem(410, 'This link has expired. Please ask us for a new one.')
  return { clientId, owed: found.owed }
}

/** Payment link for e-mails about an invoice; created on sending. */
export const invoicePaySecretLink: SecretLink = {
  kind: 'pay',
  make: (engine, clientId, { invoice: id }) => {
    const change = { actor: systemActor(clientId, 'send a payment link to a customer'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const made = await createPayLink(c, Number(id))
      return () => made
    })
  },
}

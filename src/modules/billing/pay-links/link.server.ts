import { Problem, problem } from '#kernel/errors.ts'
import { systemActor } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { linkToken, newLinkSecret, readLinkToken } from '#server/auth/link-token.ts'
import type { SecretLink } from '#server/engine/module.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { invoice } from '../invoices/invoice.ts'
import { payLink } from './pay-link.ts'

/** A link works for this long: an invoice is asked for many times. */
const DAYS = 180

/** A new link by which an invoice can be paid. The secret is in it and nowhere else. */
export async function makePayLink(c: Context, invoiceId: number): Promise<string> {
  const { secret, hash } = newLinkSecret()
  const made = await c.withoutPermissionCheck('a customer is sent a link to pay').create(payLink, {
    invoice: invoiceId,
    hash,
    expiresAt: c.now.add({ hours: 24 * DAYS }).toString(),
  })
  const { id } = await made.saved()
  const { publicUrl, host, port } = c.engine.config
  return `${publicUrl ?? `http://${host}:${port}`}/pay/${linkToken(c.clientId, id, secret)}`
}

/** Which invoice a link leads to. Throws 404 for one that is not ours, 410 for one that is too old, or whose seller has left. */
export async function followPayLink(engine: Engine, token?: string) {
  const unknown = problem.notFound(
    'This link is not complete, or has been changed. Please open it from the e-mail again, or ask us for a new one.',
  )
  const brought = readLinkToken(token)
  if (!brought) throw unknown
  const { clientId, id } = brought
  const found = await engine.readIn(clientId, 'somebody follows a link', async (c) => {
    const row = await c.get(payLink, id)
    return { row, owed: row && (await c.get(invoice, row.invoice)), seller: await c.get(client, clientId) }
  })
  if (!found.row || !found.owed || !brought.fits(found.row.hash)) throw unknown
  if (found.seller?.retired || Date.parse(found.row.expiresAt) < engine.clock.now().epochMilliseconds)
    throw new Problem(410, 'This link is too old. Please ask us for a new one.')
  return { clientId, owed: found.owed }
}

/** For letters about an invoice: the link is made when they go out. */
export const payLinkInLetters: SecretLink = {
  kind: 'pay',
  make: (engine, clientId, { invoice: id }) => {
    const change = { actor: systemActor(clientId, 'a customer is sent a link to pay'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const made = await makePayLink(c, Number(id))
      return () => made
    })
  },
}

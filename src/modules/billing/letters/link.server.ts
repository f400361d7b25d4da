import { Problem, problem } from '#kernel/errors.ts'
import type { Instant } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { createLinkSecret, formatLinkToken, parseLinkToken } from '#server/auth/link-token.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { quoteLink } from './quote-link.ts'

/** Days after the quote's expiry for which its link still opens. */
const LINGER_DAYS = 30

/** Public URL of a portal page. */
const pageOf = ({ config }: Engine, path: string): string =>
  `${config.publicUrl ?? `http://${config.host}:${config.port}`}${path}`

/** Creates a new link to the quote. Its secret is not stored. */
export async function createQuoteLink(c: Context, quoteId: number, expiresAt: Instant): Promise<string> {
  const { secret, hash } = createLinkSecret()
  const made = await c.withoutPermissionCheck('send a quote link to a customer').create(quoteLink, {
    quote: quoteId,
    hash,
    expiresAt: expiresAt.add({ hours: 24 * LINGER_DAYS }).toString(),
  })
  const { id } = await made.saved()
  return pageOf(c.engine, `/quote/${formatLinkToken(c.clientId, id, secret)}`)
}

/**
 * Resolves a link to its quote. Throws 404 for an unknown link, 410 for one that is too old or whose seller has left.
 */
export async function resolveQuoteLink(engine: Engine, token?: string): Promise<{ clientId: number; quoteId: number }> {
  const unknown = problem.notFound(
    'This link is incomplete or has been changed. Please open it from the e-mail again, or ask us for a new one.',
  )
  const brought = parseLinkToken(token)
  if (!brought) throw unknown
  const { clientId, id } = brought
  const [row, seller] = await engine.readIn(clientId, 'open a quote link', async (c) => [
    await c.get(quoteLink, id),
    await c.get(client, clientId),
  ])
  if (!row || !brought.fits(row.hash)) throw unknown
  if (seller?.retired || Date.parse(row.expiresAt) < engine.clock.now().epochMilliseconds)
    throw new Problem(410, 'This link has expired. Please ask us for a new one.')
  return { clientId, quoteId: row.quote }
}

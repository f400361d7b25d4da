import { Problem, problem } from '#kernel/errors.ts'
import type { Instant } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { linkToken, newLinkSecret, readLinkToken } from '#server/auth/link-token.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { quoteLink } from './quote-link.ts'

/** A link can be looked at for this long after the quote has expired. */
const LINGER_DAYS = 30

/** Where a page of the portal is, as the world outside sees it. */
const pageOf = ({ config }: Engine, path: string): string =>
  `${config.publicUrl ?? `http://${config.host}:${config.port}`}${path}`

/** A new link to the quote. The secret is in it and nowhere else. */
export async function makeLink(c: Context, quoteId: number, expiresAt: Instant): Promise<string> {
  const { secret, hash } = newLinkSecret()
  const made = await c.withoutPermissionCheck('a customer is sent a link').create(quoteLink, {
    quote: quoteId,
    hash,
    expiresAt: expiresAt.add({ hours: 24 * LINGER_DAYS }).toString(),
  })
  const { id } = await made.saved()
  return pageOf(c.engine, `/quote/${linkToken(c.clientId, id, secret)}`)
}

/** Which quote a link leads to. Throws 404 for one that is not ours, 410 for one that is too old, or whose seller has left. */
export async function followLink(engine: Engine, token?: string): Promise<{ clientId: number; quoteId: number }> {
  const unknown = problem.notFound(
    'This link is not complete, or has been changed. Please open it from the e-mail again, or ask us for a new one.',
  )
  const brought = readLinkToken(token)
  if (!brought) throw unknown
  const { clientId, id } = brought
  const [row, seller] = await engine.readIn(clientId, 'somebody follows a link', async (c) => [
    await c.get(quoteLink, id),
    await c.get(client, clientId),
  ])
  if (!row || !brought.fits(row.hash)) throw unknown
  if (seller?.retired || Date.parse(row.expiresAt) < engine.clock.now().epochMilliseconds)
    throw new Problem(410, 'This link is too old. Please ask us for a new one.')
  return { clientId, quoteId: row.quote }
}

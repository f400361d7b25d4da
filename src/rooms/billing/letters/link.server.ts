import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem, problem } from '#kernel/errors.ts'
import type { Instant } from '#kernel/time.ts'
import type { Context } from '#server/engine/context.ts'
import type { Engine } from '#server/engine/engine.ts'

/** A link can be looked at for this long after the quote has expired. */
const LINGER_DAYS = 30
const digest = (secret: string) => hash('sha256', secret, 'base64url')

/** Where a page of the portal is, as the world outside sees it. */
const pageOf = ({ config }: Engine, path: string): string =>
  `${config.publicUrl ?? `http://${config.host}:${config.port}`}${path}`

/** A new link to the quote. The secret is in it and nowhere else. */
export async function makeLink({ engine, work }: Context, quoteId: number, expiresAt: Instant): Promise<string> {
  const secret = randomBytes(24).toString('base64url')
  const [row] = await work.tx.rows<{ id: number }>(
    'INSERT INTO quote_link (client_id, quote_id, hash, expires_at) VALUES ($1, $2, $3, $4) RETURNING id',
    [work.clientId, quoteId, digest(secret), expiresAt.add({ hours: 24 * LINGER_DAYS }).toString()],
  )
  return pageOf(engine, `/quote/${work.clientId}-${row?.id}-${secret}`)
}

/** Which quote a link leads to. Throws 404 for one that is not ours, 410 for one that is too old. */
export async function followLink(engine: Engine, token = ''): Promise<{ clientId: number; quoteId: number }> {
  const unknown = problem.notFound(
    'This link is not complete, or has been changed. Please open it from the e-mail again, or ask us for a new one.',
  )
  const [, client, id, secret = ''] = /^(\d{1,9})-(\d{1,15})-([\w-]{32})$/.exec(token) ?? []
  if (!client || !id) throw unknown
  const clientId = Number(client)
  const [row] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ quote: number; hash: string; old: boolean }>(
      'SELECT quote_id AS quote, hash, expires_at < portal_now() AS old FROM quote_link WHERE client_id = $1 AND id = $2',
      [clientId, id],
    ),
  )
  const given = Buffer.from(digest(secret))
  if (!row || !timingSafeEqual(given, Buffer.from(row.hash))) throw unknown
  if (row.old) throw new Problem(410, 'This link is too old. Please ask us for a new one.')
  return { clientId, quoteId: row.quote }
}

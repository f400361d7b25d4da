import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '#kernel/errors.ts'
import { type Actor, author } from '#kernel/roles.ts'
import type { Engine } from '#server/engine.ts'
import type { Answer, Call, Endpoint } from './endpoints.ts'

interface Kept {
  fingerprint: string
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

/**
 * The same key from the same person with the same body within a day gives the first answer again and does nothing.
 * Kept in the database, so it holds across processes and restarts. A request that failed may be tried again.
 */
export async function idempotent(
  engine: Engine,
  key: string,
  request: FastifyRequest,
  call: Call,
  e: Pick<Endpoint, 'run' | 'sameAs'>,
): Promise<Answer> {
  if (key.length > 200) throw problem.badRequest('The Idempotency-Key can have at most 200 characters.')
  const actor = call.actor as Actor
  const who = author(actor)
  const at = [actor.clientId, who.userId, key]
  const fingerprint = hash('sha256', `${request.method} ${request.url}\n${JSON.stringify(call.body)}`, 'base64url')
  const earlier = await engine.db.tx('system', async (tx) => {
    await tx.rows(
      "DELETE FROM idempotency WHERE client_id = $1 AND user_id = $2 AND key = $3 AND (created_at < now() - interval '24 hours' OR (status IS NULL AND created_at < now() - interval '2 minutes'))",
      at,
    )
    const [mine] = await tx.rows(
      'INSERT INTO idempotency (client_id, user_id, key, fingerprint) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1',
      [...at, fingerprint],
    )
    if (mine) return undefined
    const [kept] = await tx.rows<Kept>(
      'SELECT fingerprint, status, headers, body FROM idempotency WHERE client_id = $1 AND user_id = $2 AND key = $3',
      at,
    )
    return kept
  })
  if (earlier) {
    const different = new Problem(422, 'This Idempotency-Key was used for a different request.')
    if (earlier.fingerprint !== fingerprint) throw different
    if (earlier.status === null) throw problem.conflict('The first request with this Idempotency-Key is still running.')
    if (!((await e.sameAs?.(call, earlier.body ?? '')) ?? true)) throw different
    return {
      status: earlier.status,
      text: earlier.body ?? '',
      headers: { ...earlier.headers, 'idempotency-replayed': 'true' },
    }
  }
  try {
    const answer = await e.run(call)
    await engine.db.tx('system', (tx) =>
      tx.rows(
        'UPDATE idempotency SET status = $4, headers = $5::jsonb, body = $6 WHERE client_id = $1 AND user_id = $2 AND key = $3',
        [...at, answer.status, JSON.stringify(answer.headers ?? {}), answer.text],
      ),
    )
    return answer
  } catch (e) {
    await engine.db.tx('system', (tx) =>
      tx.rows('DELETE FROM idempotency WHERE client_id = $1 AND user_id = $2 AND key = $3', at),
    )
    throw e
  }
}

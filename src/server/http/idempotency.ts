import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '#kernel/errors.ts'
import { type Actor, author } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { prepare } from '#server/data/values.ts'
import { bind, type Db, type Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'
import { cleanText } from './clean.ts'
import type { Answer, Call, Endpoint } from './endpoints.ts'
import { orderedJson } from './json.ts'

interface Kept {
  readonly fingerprint: string
  readonly status: number | null
  readonly headers: Record<string, string> | null
  readonly body: string | null
}

/** Minutes after which a request that has kept nothing counts as dead, and its key as free. */
const DEAD_AFTER = 2

const KEY = 'client_id = $1 AND user_id = $2 AND key = $3'
const MINE = `${KEY} AND request_id = $4 AND status IS NULL`
/** Takes a key that is free: that nobody has, that is a day old, or whose request is dead. */
const CLAIM = prepare(
  `INSERT INTO idempotency AS i (client_id, user_id, key, request_id, fingerprint) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (client_id, user_id, key) DO UPDATE
     SET request_id = excluded.request_id, fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL, created_at = now()
     WHERE i.created_at < now() - interval '24 hours' OR (i.status IS NULL AND i.created_at < now() - interval '${DEAD_AFTER} minutes')
   RETURNING 1`,
)
const KEEP = prepare(`UPDATE idempotency SET status = $5, headers = $6::jsonb, body = $7 WHERE ${MINE} RETURNING 1`)
const BEGUN = `${KEY} AND request_id = $4`
const REPLACE = prepare(`UPDATE idempotency SET status = $5, headers = $6::jsonb, body = $7 WHERE ${BEGUN} RETURNING 1`)
const GIVE_BACK = prepare(`DELETE FROM idempotency WHERE ${BEGUN}`)

/**
 * One request's hold on an Idempotency-Key. The answer is kept by the transaction that does what was asked, so that there is
 * never one without the other; a request that does nothing by a transaction of its own has it kept afterwards.
 */
export class Once {
  /** Has a transaction kept the answer? Of one that was rolled back in the end, nothing is left to ask. */
  kept = false
  private readonly at: readonly unknown[]
  constructor(actor: Actor, key: string, requestId: string) {
    this.at = [actor.clientId, author(actor).userId, key, requestId]
  }

  /** The answer of an earlier request with this key, or nothing once the key is this request's. */
  async claim(db: Db, fingerprint: string): Promise<Kept | undefined> {
    const [mine] = await db.tx('system', (tx) => tx.commitWith(CLAIM, [...this.at, fingerprint]))
    if (mine) return undefined
    const [kept] = await db.tx('system', (tx) =>
      tx.rows<Kept>(`SELECT fingerprint, status, headers, body FROM idempotency WHERE ${KEY}`, this.at.slice(0, 3)),
    )
    return kept
  }

  /** Keeps the answer in this transaction, as its last statement. Throws 409 when the key has passed to a later request. */
  async keep(tx: Tx, { status, headers = {}, text }: Answer): Promise<void> {
    if (this.kept) throw new Error('The answer to this request has been kept already, by another transaction of it')
    // Both at once: the second is done by whom the first has made this transaction's own.
    const [, [mine]] = await settleAll(
      tx.script(bind('system')),
      tx.arrays(KEEP, [...this.at, status, JSON.stringify(headers), text]),
    )
    if (!mine) throw problem.conflict('A later request with this Idempotency-Key has been answered instead.')
    this.kept = true
  }

  /**
   * Keeps what came of a request whose beginning was kept, in its place, as the last statement of this transaction. Nothing gives the
   * key back: it was refused, and may be tried again.
   */
  async keepOutcome(tx: Tx, answer: Answer | undefined): Promise<void> {
    await settleAll(
      tx.script(bind('system')),
      answer
        ? tx.arrays(REPLACE, [...this.at, answer.status, JSON.stringify(answer.headers ?? {}), answer.text])
        : tx.arrays(GIVE_BACK, this.at),
    )
  }

  /** Gives the key back: nothing was done. */
  async release(db: Db): Promise<void> {
    await db.tx('system', (tx) => tx.rows(`DELETE FROM idempotency WHERE ${MINE}`, this.at))
  }
}

/** The key that a request comes with. Throws 400 for one that can be told from no other, or is too long. */
export function readKey(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['idempotency-key']
  if (typeof given !== 'string') return undefined
  const key = cleanText(given)
  if (!key.trim())
    throw problem.badRequest('The Idempotency-Key is empty. Leave it out, or send a text of your own for each request.')
  if (key.length > 200) throw problem.badRequest('The Idempotency-Key can have at most 200 characters.')
  return key
}

/**
 * The same key from the same person with the same body within a day gives the first answer again and does nothing.
 * Kept in the database, so it holds across processes and restarts. A request that failed may be tried again.
 */
export async function answerOnce(
  engine: Engine,
  key: string,
  request: FastifyRequest,
  call: Call,
  e: Pick<Endpoint, 'run' | 'sameAs'>,
): Promise<Answer> {
  const once = new Once(call.actor as Actor, key, request.id)
  const fingerprint = hash('sha256', `${request.method} ${request.url}\n${orderedJson(call.body)}`, 'base64url')
  const orGiveBack = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (failure) {
      await once.release(engine.db).catch(() => void releaseWhenBack(once, engine.db))
      throw failure
    }
  }
  const earlier = await orGiveBack(() => once.claim(engine.db, fingerprint))
  if (earlier) return replay(earlier, fingerprint, call, e)
  return orGiveBack(async () => {
    const answer = await e.run({ ...call, once })
    if (!once.kept) await engine.db.tx('system', (tx) => once.keep(tx, answer))
    return answer
  })
}

/**
 * Gives a key back that could not be given back, so that whoever was told that the database is away can try again with it. Where
 * the change was committed after all, its answer is kept, and stays.
 */
async function releaseWhenBack(once: Once, db: Db): Promise<void> {
  for (let tries = 0; tries < 5 && (await db.presence.back(DEAD_AFTER * 60_000)); tries++) {
    const isFree = await once.release(db).then(
      () => true,
      () => false,
    )
    if (isFree) return
  }
}

async function replay(earlier: Kept, fingerprint: string, call: Call, e: Pick<Endpoint, 'sameAs'>): Promise<Answer> {
  const different = new Problem(422, 'This Idempotency-Key was used for a different request.', { code: 'key_reused' })
  if (earlier.fingerprint !== fingerprint) throw different
  if (earlier.status === null)
    throw problem.conflict('The first request with this Idempotency-Key is still running.', 'still_running')
  if (!((await e.sameAs?.(call, earlier.body ?? '')) ?? true)) throw different
  return {
    status: earlier.status,
    text: earlier.body ?? '',
    headers: { ...earlier.headers, 'idempotency-replayed': 'true' },
  }
}

import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '#kernel/errors.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { prepareSql } from '#server/data/values.ts'
import { bindIdentitySql, type Db, type Tx } from '#server/db/db.ts'
import { logRepeatedReads } from '#server/engine/confidential-reads.ts'
import type { Engine } from '#server/engine/types.ts'
import { sanitiseText } from './clean.ts'
import type { Endpoint, EndpointCall, EndpointResponse, ResponseStore } from './endpoint.ts'
import { stringifyWithSortedKeys } from './json.ts'

interface StoredAnswer {
  readonly fingerprint: string
  /** ID and time of the first request. */
  readonly requestId: string
  readonly since: string
  readonly status: number | null
  readonly headers: Record<string, string> | null
  readonly body: string | null
}

/** Minutes after which a request without a stored response is treated as dead. Its key can then be claimed again. */
const DEAD_AFTER_MINUTES = 2

const KEY = 'client_id = $1 AND user_id = $2 AND key = $3'
const MINE = `${KEY} AND request_id = $4 AND status IS NULL`
/** Statement that claims a key if the key is new, is a day old or belongs to a request that has died. */
const CLAIM = prepareSql(
  `INSERT INTO idempotency AS i (client_id, user_id, key, request_id, fingerprint) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (client_id, user_id, key) DO UPDATE
     SET request_id = excluded.request_id, fingerprint = excluded.fingerprint, status = NULL, headers = NULL, body = NULL, created_at = now()
     WHERE i.created_at < now() - interval '24 hours' OR (i.status IS NULL AND i.created_at < now() - interval '${DEAD_AFTER_MINUTES} minutes')
   RETURNING 1`,
)
const STORE = prepareSql(`UPDATE idempotency SET status = $5, headers = $6::jsonb, body = $7 WHERE ${MINE} RETURNING 1`)
const CLAIMED = `${KEY} AND request_id = $4`
const REPLACE = prepareSql(
  `UPDATE idempotency SET status = $5, headers = $6::jsonb, body = $7 WHERE ${CLAIMED} RETURNING 1`,
)
const RELEASE = prepareSql(`DELETE FROM idempotency WHERE ${CLAIMED}`)

/**
 * A request's claim to its Idempotency-Key. The transaction that does the work also stores the response. The work and
 * its response are therefore committed together or not at all. If a request has no transaction, its response is stored
 * afterwards.
 */
export class IdempotencyKeyClaim implements ResponseStore {
  isStored = false
  private readonly at: readonly unknown[]
  constructor(actor: Actor, key: string, requestId: string) {
    this.at = [actor.clientId, authorOf(actor).userId, key, requestId]
  }

  /**
   * Claims the key. If an earlier request with the same key has claimed it, returns that request's fingerprint and its
   * response, if it has one yet.
   */
  async take(db: Db, fingerprint: string): Promise<StoredAnswer | undefined> {
    const [mine] = await db.tx('system', (tx) => tx.commitWith(CLAIM, [...this.at, fingerprint]))
    if (mine) return undefined
    const [stored] = await db.tx('system', (tx) =>
      tx.rows<StoredAnswer>(
        `SELECT fingerprint, status, headers, body, request_id AS "requestId", created_at AS since FROM idempotency WHERE ${KEY}`,
        this.at.slice(0, 3),
      ),
    )
    return stored
  }

  /**
   * Stores the response with the last statement in this transaction. Throws 409 if a later request has claimed the key.
   */
  async store(tx: Tx, { status, headers = {}, text }: EndpointResponse): Promise<void> {
    if (this.isStored) throw new Error('Another transaction of this request has already stored its response')
    // Both statements are sent together. The second runs with the role that the first sets.
    const [, [mine]] = await settleAll(
      tx.script(bindIdentitySql('system')),
      tx.arrays(STORE, [...this.at, status, JSON.stringify(headers), text]),
    )
    if (!mine) throw problem.conflict('A later request with this Idempotency-Key has been processed instead.')
    this.isStored = true
  }

  async replace(tx: Tx, answer: EndpointResponse | undefined): Promise<void> {
    await settleAll(
      tx.script(bindIdentitySql('system')),
      answer
        ? tx.arrays(REPLACE, [...this.at, answer.status, JSON.stringify(answer.headers ?? {}), answer.text])
        : tx.arrays(RELEASE, this.at),
    )
  }

  /** Releases the key, because the request changed nothing. */
  async release(db: Db): Promise<void> {
    await db.tx('system', (tx) => tx.rows(`DELETE FROM idempotency WHERE ${MINE}`, this.at))
  }
}

/** Returns the request's Idempotency-Key; `undefined` if there is none. Throws 400 if it is empty or too long. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['idempotency-key']
  if (typeof given !== 'string') return undefined
  const key = sanitiseText(given)
  if (!key.trim())
    throw problem.badRequest('The Idempotency-Key is empty. Leave it out, or send a unique value for each request.')
  if (key.length > 200) throw problem.badRequest('The Idempotency-Key can have at most 200 characters.')
  return key
}

/**
 * Executes a request once. If the same person repeats the request with the same key and body within a day, the repeat
 * gets the first response, if they still work as the same user with the same rights. Keys are stored in the database,
 * because repeats must be detected across processes and restarts. A failed request can be retried.
 */
export async function respondOnce(
  engine: Engine,
  key: string,
  request: FastifyRequest,
  call: EndpointCall,
  e: Pick<Endpoint, 'run' | 'isReplayOf'>,
): Promise<EndpointResponse> {
  const claim = new IdempotencyKeyClaim(call.actor as Actor, key, request.id)
  const fingerprint = fingerprintOf(request, call)
  const orRelease = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (failure) {
      await claim.release(engine.db).catch(() => void releaseWhenBack(claim, engine.db))
      throw failure
    }
  }
  const earlier = await orRelease(() => claim.take(engine.db, fingerprint))
  if (earlier) return replay(engine, earlier, fingerprint, call, e)
  return orRelease(async () => {
    const answer = await e.run({ ...call, answerStore: claim })
    if (!claim.isStored) await engine.db.tx('system', (tx) => claim.store(tx, answer))
    return answer
  })
}

const digest = (text: string) => hash('sha256', text, 'base64url')

/** Returns the digest of the request, a space, and the digest of the rights with which it is made. */
function fingerprintOf(request: FastifyRequest, { actor, body }: EndpointCall): string {
  const { userId, roles, scopes, packs = {} } = actor as Actor
  const rights = { userId, roles: roles.toSorted(), scopes: scopes.toSorted(), packs }
  return `${digest(`${request.method} ${request.url}\n${stringifyWithSortedKeys(body)}`)} ${digest(stringifyWithSortedKeys(rights))}`
}

const isSameRequest = (a: string, b: string): boolean => a.split(' ')[0] === b.split(' ')[0]

/**
 * Releases a key once the database is available again, so that the request can be retried. If the change was committed
 * after all, its stored response is retained.
 */
async function releaseWhenBack(claim: IdempotencyKeyClaim, db: Db): Promise<void> {
  for (let tries = 0; tries < 5 && (await db.presence.back(DEAD_AFTER_MINUTES * 60_000)); tries++) {
    const isFree = await claim.release(db).then(
      () => true,
      () => false,
    )
    if (isFree) return
  }
}

async function replay(
  engine: Engine,
  earlier: StoredAnswer,
  fingerprint: string,
  call: EndpointCall,
  e: Pick<Endpoint, 'isReplayOf'>,
): Promise<EndpointResponse> {
  const different = new Problem(422, 'This Idempotency-Key was used for a different request.', { code: 'key_reused' })
  if (!isSameRequest(earlier.fingerprint, fingerprint)) throw different
  if (earlier.fingerprint !== fingerprint)
    throw new Problem(
      422,
      'Your rights have changed since this Idempotency-Key was used. Please check what the first request did before you send another.',
      { code: 'key_reused' },
    )
  if (earlier.status === null)
    throw problem.conflict('The first request with this Idempotency-Key is still in progress.', 'still_running')
  if (!((await e.isReplayOf?.(call, earlier.body ?? '')) ?? true)) throw different
  await engine.db.tx('system', (tx) => logRepeatedReads(tx, call.actor as Actor, earlier))
  return {
    status: earlier.status,
    text: earlier.body ?? '',
    headers: { ...earlier.headers, 'idempotency-replayed': 'true' },
  }
}

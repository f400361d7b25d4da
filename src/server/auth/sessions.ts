import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { Db, Tx } from '#server/db/db.ts'
import type { Account } from './credentials.ts'
import {
  allowImpersonationWrites,
  canImpersonate,
  endImpersonation,
  type ImpersonatingSession,
  type ImpersonationInfo,
  startImpersonation,
} from './impersonation.ts'
import { evaluateProof, type ProofMethod, requireAccessProof } from './proof.ts'
import { createImpersonatingActor, readActor } from './read-actor.ts'
import { consumeSessionSecret, findSessionBySecret, issueSessionSecret } from './renewal.ts'
import { hashSecret } from './secret.ts'
import { extendToken, findToken, issueToken, lockToken, type SessionActorRow, type ValidToken } from './tokens.ts'

/**
 * Milliseconds for which a token is cached, and therefore the longest time for which another process still accepts a
 * revoked token. A token's known expiry applies immediately.
 */
const BELIEVED_MS = 5000
/** Number of cached tokens above which the cache is cleared. */
const BELIEVED_MOST = 5000

export interface OpenedSession {
  readonly token: string
  readonly expiresIn: number
  /** Secret to be stored only in the browser's cookie. */
  readonly cookie?: string
}

/** A session as its owner sees it. */
export interface SessionDevice {
  readonly id: number
  readonly createdAt: string
  readonly seenAt: string
  readonly address: string
  readonly agent: string
  readonly current: boolean
}

interface CachedSession {
  actor: Actor
  sessionId: number
  homeClientId: number
  /** Details of the impersonation, if one is in progress. */
  visit?: ImpersonationInfo
  until: number
}

/** Origin of a sign-in, and how the identity was proved (by default, by password). */
export interface SignInOrigin {
  readonly address: string
  readonly agent: string
  readonly browser: boolean
  readonly provedBy?: ProofMethod
}

/**
 * Store of sessions and their tokens. Tokens are opaque and random. They are stored as hashes and can be revoked
 * immediately.
 */
export class SessionStore {
  private readonly believed = new Map<string, CachedSession>()
  /**
   * Number of cache invalidations so far. The result of a query that started before the latest invalidation is not
   * cached.
   */
  private forgotten = 0
  private readonly db: Db
  private readonly config: Config
  constructor(db: Db, config: Config) {
    this.db = db
    this.config = config
  }

  /** Opens a session for an authenticated person, in the given transaction or in a new one. */
  open(person: Account, from: SignInOrigin, within?: Tx): Promise<OpenedSession> {
    return within ? this.begin(within, person, from) : this.db.tx('system', (tx) => this.begin(tx, person, from))
  }

  private async begin(tx: Tx, { clientId, userId }: Account, from: SignInOrigin): Promise<OpenedSession> {
    const [session] = await tx.rows<{ id: number }>(
      `INSERT INTO session (client_id, user_id, address, agent, proved_by, expires_at, ends_at)
       VALUES ($1, $2, $3, $4, $5, now() + make_interval(hours => least($6::int, $7::int)), now() + make_interval(hours => $7::int)) RETURNING id`,
      [
        clientId,
        userId,
        from.address,
        from.agent,
        from.provedBy ?? 'password',
        this.config.sessionHours,
        this.longestOf(clientId),
      ],
    )
    await tx.rows('UPDATE user_account SET last_login_at = now() WHERE client_id = $1 AND id = $2', [clientId, userId])
    const sessionId = session?.id as number
    const opened = await this.give(tx, { clientId, sessionId })
    return from.browser ? { ...opened, cookie: await issueSessionSecret(tx, clientId, sessionId) } : opened
  }

  /** Returns a session's maximum lifetime in hours. The lifetime is shorter for users with access to all clients. */
  private longestOf(clientId: number): number {
    return clientId === PROVIDER_CLIENT_ID ? this.config.staffSessionHours : this.config.sessionDays * 24
  }

  private give(tx: Tx, session: ImpersonatingSession): Promise<OpenedSession> {
    return issueToken(tx, session, this.config.tokenMinutes)
  }

  /** Returns a token's actor; `undefined` if the token is not valid. Extends the token and its session. */
  async authenticate(token: string): Promise<Actor | undefined> {
    return (await this.held(token))?.actor
  }

  /**
   * Returns a token's actor with current permissions; `undefined` if the token is not valid. Extends neither the token
   * nor the session. For background work.
   */
  look(token: string): Promise<Actor | undefined> {
    return this.db.tx('system', async (tx) => {
      const t = await findToken(tx, hashSecret(token), this.config.tokenMinutes)
      return t && this.actorOf(tx, t)
    })
  }

  private async held(token: string): Promise<CachedSession | undefined> {
    const key = hashSecret(token)
    const known = this.believed.get(key)
    if (known && known.until > Date.now()) return known
    this.believed.delete(key)
    const { forgotten } = this
    const held = await this.db.tx('system', async (tx) => {
      const t = await findToken(tx, key, this.config.tokenMinutes)
      if (!t) return undefined
      if (t.idle) await this.keepAlive(tx, key, t)
      const actor = await this.actorOf(tx, t)
      if (!actor) {
        if (t.as_client_id !== null) await endImpersonation(tx, t.client_id, t.session_id)
        return undefined
      }
      const visit = { until: t.visitUntil, reason: t.visitReason, writes: t.as_writes }
      return {
        actor,
        sessionId: t.session_id,
        homeClientId: t.client_id,
        ...(actor.original ? { visit } : {}),
        until: Date.now() + Math.min(BELIEVED_MS, t.left),
      }
    })
    if (held && forgotten === this.forgotten) {
      if (this.believed.size > BELIEVED_MOST) this.believed.clear()
      this.believed.set(key, held)
    }
    return held
  }

  private async keepAlive(tx: Tx, key: string, t: ValidToken): Promise<void> {
    await extendToken(tx, key, this.config.tokenMinutes)
    await this.extend(tx, t.client_id, t.session_id)
  }

  /** Extends a session that is in use, up to its maximum lifetime. */
  private async extend(tx: Tx, clientId: number, sessionId: number): Promise<void> {
    await tx.rows(
      'UPDATE session SET seen_at = now(), expires_at = least(now() + make_interval(hours => $3), ends_at) WHERE client_id = $1 AND id = $2',
      [clientId, sessionId, this.config.sessionHours],
    )
  }

  /**
   * Returns a token's actor, with the session's proof of identity; `undefined` if the user has left or may no longer
   * impersonate.
   */
  private async actorOf(tx: Tx, t: ValidToken): Promise<Actor | undefined> {
    const person = await this.actor(tx, t)
    const session = { id: t.session_id }
    return person && { ...person, proof: evaluateProof(this.config, t.client_id, t), session }
  }

  /** Returns the actor; `undefined` if the user has left or may no longer impersonate. */
  private async actor(tx: Tx, t: SessionActorRow): Promise<Actor | undefined> {
    const real = await readActor(tx, t.client_id, t.user_id)
    if (!real) return undefined
    if (t.as_client_id === null || t.as_user_id === null) return real
    const other = canImpersonate(real) ? await readActor(tx, t.as_client_id, t.as_user_id) : undefined
    return other && createImpersonatingActor(other, { ...real, visit: t.as_visit_id }, t.as_writes)
  }

  /**
   * Exchanges the browser's cookie for a token and the cookie's next secret; `undefined` if the session has ended or
   * its user has left. An expired impersonation ends here, and the user continues as themselves. A secret that is
   * reused although the browser had received the next one has been copied, so the session ends.
   */
  async renew(cookie: string): Promise<OpenedSession | undefined> {
    const { session, opened } = await this.db.tx('system', async (tx) => {
      const s = await consumeSessionSecret(tx, cookie)
      if (!s || s.copied) return { session: s }
      // The impersonation has expired, or the impersonated user has left.
      const visitor = s.over ? undefined : await this.actor(tx, s)
      if (!visitor) await endImpersonation(tx, s.client_id, s.id)
      const actor = visitor ?? (await this.actor(tx, { ...s, as_client_id: null, as_user_id: null }))
      if (!actor) return { session: s }
      await this.extend(tx, s.client_id, s.id)
      const token = await this.give(tx, { clientId: s.client_id, sessionId: s.id })
      return { session: s, opened: { ...token, cookie: await issueSessionSecret(tx, s.client_id, s.id, cookie) } }
    })
    if (session?.lost) this.forgetSession(session.client_id, session.id)
    if (session?.copied) await this.revoke(session.client_id, session.id)
    return opened
  }

  /**
   * Records a proof of identity and returns a new token. Every process accepts the new token immediately, whereas the
   * old token may be cached without the proof for a few seconds.
   */
  proved(token: string, by: ProofMethod): Promise<OpenedSession> {
    return this.change(token, async (tx, session, actor) => {
      await this.markProved(tx, actor, by)
      return this.give(tx, session)
    })
  }

  /** Records that the actor has just proved their identity. */
  async markProved(tx: Tx, actor: Actor, by: ProofMethod): Promise<void> {
    await tx.rows('UPDATE session SET proved_at = now(), proved_by = $3 WHERE client_id = $1 AND id = $2', [
      (actor.original ?? actor).clientId,
      actor.session?.id,
      by,
    ])
  }

  /**
   * Changes the session of a token and drops the session's tokens from this process's cache. Reads the token in the
   * same transaction, because a cached token may have been revoked by another process. Throws 401 for an invalid token.
   */
  private async change<T>(
    token: string,
    work: (tx: Tx, session: ImpersonatingSession, actor: Actor) => Promise<T>,
  ): Promise<T> {
    const key = hashSecret(token)
    const { session, value } = await this.db.tx('system', async (tx) => {
      const t = await lockToken(tx, key, this.config.tokenMinutes)
      const actor = t && (await this.actorOf(tx, t))
      if (!t || !actor) throw problem.sessionEnded()
      const session = { clientId: t.client_id, sessionId: t.session_id }
      return { session, value: await work(tx, session, actor) }
    })
    this.forgetSession(session.clientId, session.sessionId)
    return value
  }

  /** Returns the impersonation that the app shell shows; `undefined` if there is none. */
  async visitOf(token: string): Promise<ImpersonationInfo | undefined> {
    return (await this.held(token))?.visit
  }

  async close(token: string): Promise<void> {
    const held = await this.held(token)
    if (held) await this.revoke(held.homeClientId, held.sessionId)
  }

  /** Closes the session that a browser's cookie belongs to. The cookie outlives the session's tokens. */
  async closeByCookie(cookie: string): Promise<void> {
    const s = await this.db.tx('system', (tx) => findSessionBySecret(tx, cookie))
    if (s) await this.revoke(s.client_id, s.session_id)
  }

  /**
   * Ends a session and all its tokens; returns false if there is no such session. In this process, the change takes
   * effect immediately.
   */
  async revoke(clientId: number, sessionId: number): Promise<boolean> {
    const gone = await this.db.tx('system', async (tx) => {
      await endImpersonation(tx, clientId, sessionId)
      return tx.rows('DELETE FROM session WHERE client_id = $1 AND id = $2 RETURNING 1', [clientId, sessionId])
    })
    this.forgetSession(clientId, sessionId)
    return gone.length > 0
  }

  /** Drops a person's tokens from this process's cache, except for those of session `but`. */
  forgetPerson({ clientId, userId }: Account, but?: number): void {
    this.forget((h) => {
      const real = h.actor.original ?? h.actor
      return h.homeClientId === clientId && real.userId === userId && h.sessionId !== but
    })
  }

  /** Drops the matching tokens (by default, all) from this process's cache, after a change to users. */
  forget(which: (h: CachedSession) => boolean = () => true): void {
    this.forgotten++
    for (const [key, held] of this.believed) if (which(held)) this.believed.delete(key)
  }

  private forgetSession(clientId: number, sessionId: number): void {
    this.forget((h) => h.homeClientId === clientId && h.sessionId === sessionId)
  }

  async list(token: string): Promise<SessionDevice[]> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const who = held.actor.original ?? held.actor
    return this.db.tx('system', (tx) =>
      tx.rows<SessionDevice>(
        `SELECT id, ${isoUtcSql('created_at')} AS "createdAt", ${isoUtcSql('seen_at')} AS "seenAt",
                address, agent, id = $3 AS current
         FROM session WHERE client_id = $1 AND user_id = $2 AND expires_at > now() ORDER BY seen_at DESC`,
        [held.homeClientId, who.userId, held.sessionId],
      ),
    )
  }

  /** Ends one of the user's own sessions; returns false for any other session. */
  async revokeOwn(token: string, sessionId: number): Promise<boolean> {
    const mine = await this.list(token)
    const held = await this.held(token)
    return mine.some((s) => s.id === sessionId) && held ? this.revoke(held.homeClientId, sessionId) : false
  }

  /**
   * Starts impersonating a client's user, and logs it where the client can read it. Throws 403 if the actor may not
   * impersonate anybody, is already impersonating somebody, or must first prove their identity.
   */
  visit(token: string, target: { username: string; clientId: number }, reason: string): Promise<OpenedSession> {
    // `startImpersonation` also ends an impersonation that another tab has started in this session.
    return this.change(token, async (tx, session, actor) => {
      if (actor.original || !canImpersonate(actor)) throw problem.forbidden()
      requireAccessProof(actor)
      await startImpersonation(tx, session, actor, target, reason)
      return this.give(tx, session)
    })
  }

  /**
   * Allows changes during the impersonation. Returns a new token, so that the permission takes effect in every process
   * immediately.
   */
  allowWrites(token: string, reason: string): Promise<OpenedSession> {
    return this.change(token, async (tx, session, actor) => {
      if (!actor.original) throw notImpersonatingProblem()
      await allowImpersonationWrites(tx, session, reason)
      return this.give(tx, session)
    })
  }

  /** Ends the impersonation and its tokens, and returns a token for the user themselves. */
  leave(token: string): Promise<OpenedSession> {
    return this.change(token, async (tx, session, actor) => {
      if (!actor.original) throw notImpersonatingProblem()
      await endImpersonation(tx, session.clientId, session.sessionId)
      return this.give(tx, session)
    })
  }
}

/** Returns the problem for users who are not impersonating anybody. */
export const notImpersonatingProblem = () => problem.conflict('You are not working as another person.')

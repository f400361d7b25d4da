import { hash, randomBytes } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { readPerson, workingAs } from './person.ts'
import { proofOf } from './proof.ts'

/** How long somebody may work as somebody else before they must say again why. */
const VISIT_MINUTES = 30
/** How long an answer about a token is believed without asking the database: the longest a revoked one lives in another process. */
const BELIEVED_MS = 5000
/** Below this many believed tokens, none is thrown out. */
const BELIEVED_MOST = 5000

export interface Opened {
  readonly token: string
  readonly expiresIn: number
  /** For the browser's cookie only. */
  readonly cookie?: string
}

/** Where somebody is signed in. */
export interface Device {
  readonly id: number
  readonly createdAt: string
  readonly seenAt: string
  readonly address: string
  readonly agent: string
  readonly current: boolean
}

interface Held {
  actor: Actor
  sessionId: number
  homeClientId: number
  until: number
}

const secret = () => randomBytes(32).toString('base64url')
const digest = (token: string) => hash('sha256', token, 'base64url')

/** Sign-ins and their tokens: opaque, random, kept as hashes, revocable at once. */
export class Sessions {
  private readonly believed = new Map<string, Held>()
  private readonly db: Db
  private readonly config: Config
  constructor(db: Db, config: Config) {
    this.db = db
    this.config = config
  }

  /** A new session for a person whose password was right. */
  async open(
    person: { clientId: number; userId: number },
    from: { address: string; agent: string; browser: boolean },
  ): Promise<Opened> {
    const cookie = from.browser ? secret() : undefined
    return this.db.tx('system', async (tx) => {
      const [session] = await tx.rows<{ id: number }>(
        `INSERT INTO session (client_id, user_id, cookie_hash, address, agent, expires_at) VALUES ($1, $2, $3, $4, $5, now() + make_interval(hours => $6)) RETURNING id`,
        [
          person.clientId,
          person.userId,
          cookie ? digest(cookie) : null,
          from.address,
          from.agent,
          this.config.sessionHours,
        ],
      )
      await tx.rows('UPDATE user_account SET last_login_at = now() WHERE client_id = $1 AND id = $2', [
        person.clientId,
        person.userId,
      ])
      const opened = await this.give(tx, person.clientId, session?.id as number)
      return { ...opened, ...(cookie ? { cookie } : {}) }
    })
  }

  /** A further token of the session, for whom it is working as just now. */
  private async give(tx: Tx, clientId: number, sessionId: number): Promise<Opened> {
    const token = secret()
    const [given] = await tx.rows<{ seconds: number }>(
      `INSERT INTO access_token (hash, client_id, session_id, as_client_id, as_user_id, as_until, expires_at)
       SELECT $1, client_id, id, as_client_id, as_user_id, as_until, least(now() + make_interval(mins => $4), as_until) FROM session WHERE client_id = $2 AND id = $3
       RETURNING extract(epoch FROM expires_at - now())::int AS seconds`,
      [digest(token), clientId, sessionId, this.config.tokenMinutes],
    )
    return { token, expiresIn: given?.seconds ?? 0 }
  }

  /** Who a token speaks for. Each use keeps it, and its session, alive. */
  async authenticate(token: string): Promise<Actor | undefined> {
    return (await this.held(token))?.actor
  }

  private async held(token: string): Promise<Held | undefined> {
    const key = digest(token)
    const known = this.believed.get(key)
    if (known && known.until > Date.now()) return known
    this.believed.delete(key)
    const held = await this.db.tx('system', async (tx) => {
      const [t] = await tx.rows<{
        client_id: number
        session_id: number
        user_id: number
        as_client_id: number | null
        as_user_id: number | null
        idle: boolean
        provedAt: number
        factor: boolean
      }>(
        `SELECT a.client_id, a.session_id, s.user_id, a.as_client_id, a.as_user_id,
                extract(epoch FROM s.proved_at)::float8 * 1000 AS "provedAt", has_second_factor(s.client_id, s.user_id) AS factor,
                s.seen_at < now() - interval '1 minute' OR a.expires_at < least(now() + make_interval(mins => $2) - interval '1 minute', a.as_until) AS idle
         FROM access_token a JOIN session s ON s.client_id = a.client_id AND s.id = a.session_id
         WHERE a.hash = $1 AND a.expires_at > now() AND s.expires_at > now() AND (a.as_until IS NULL OR a.as_until > now())`,
        [key, this.config.tokenMinutes],
      )
      if (!t) return undefined
      if (t.idle) await this.keepAlive(tx, key, t.client_id, t.session_id)
      const person = await this.actor(tx, t)
      const actor = person && { ...person, proof: proofOf(this.config, t.client_id, t) }
      return actor && { actor, sessionId: t.session_id, homeClientId: t.client_id, until: Date.now() + BELIEVED_MS }
    })
    if (held) {
      if (this.believed.size > BELIEVED_MOST) this.believed.clear()
      this.believed.set(key, held)
    }
    return held
  }

  private async keepAlive(tx: Tx, key: string, clientId: number, sessionId: number): Promise<void> {
    await tx.rows(
      'UPDATE access_token SET expires_at = least(now() + make_interval(mins => $2), as_until) WHERE hash = $1',
      [key, this.config.tokenMinutes],
    )
    await tx.rows(
      'UPDATE session SET seen_at = now(), expires_at = now() + make_interval(hours => $3) WHERE client_id = $1 AND id = $2',
      [clientId, sessionId, this.config.sessionHours],
    )
  }

  private async actor(
    tx: Tx,
    t: { client_id: number; user_id: number; as_client_id: number | null; as_user_id: number | null },
  ): Promise<Actor | undefined> {
    const real = await readPerson(tx, t.client_id, t.user_id)
    if (!real) return undefined
    if (t.as_client_id === null || t.as_user_id === null) return real
    const other = await readPerson(tx, t.as_client_id, t.as_user_id)
    return other && workingAs(other, real)
  }

  /** A token by the browser's cookie. A visit that has run out ends here, and the person is themselves again. */
  async renew(cookie: string): Promise<{ opened: Opened; actor: Actor } | undefined> {
    return this.db.tx('system', async (tx) => {
      const [s] = await tx.rows<{
        client_id: number
        id: number
        user_id: number
        as_client_id: number | null
        as_user_id: number | null
        over: boolean
      }>(
        'SELECT client_id, id, user_id, as_client_id, as_user_id, coalesce(as_until < now(), false) AS over FROM session WHERE cookie_hash = $1 AND expires_at > now() FOR UPDATE',
        [digest(cookie)],
      )
      if (!s) return undefined
      // Over, or the person worked as has left.
      const visitor = s.over ? undefined : await this.actor(tx, s)
      if (!visitor) await this.endVisit(tx, s.client_id, s.id)
      const actor = visitor ?? (await this.actor(tx, { ...s, as_client_id: null, as_user_id: null }))
      if (!actor) return undefined
      await tx.rows(
        'UPDATE session SET seen_at = now(), expires_at = now() + make_interval(hours => $3) WHERE client_id = $1 AND id = $2',
        [s.client_id, s.id, this.config.sessionHours],
      )
      return { opened: await this.give(tx, s.client_id, s.id), actor }
    })
  }

  /**
   * Whoever the token belongs to has proved once more who they are: a token that says so to every process at once, while the
   * former one may be believed to be without for some seconds.
   */
  async proved(token: string): Promise<Opened> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const opened = await this.db.tx('system', async (tx) => {
      await tx.rows('UPDATE session SET proved_at = now() WHERE client_id = $1 AND id = $2', [
        held.homeClientId,
        held.sessionId,
      ])
      return this.give(tx, held.homeClientId, held.sessionId)
    })
    this.forget((h) => h.homeClientId === held.homeClientId && h.sessionId === held.sessionId)
    return opened
  }

  /** What the shell shows while working as somebody else. */
  async visitOf(token: string): Promise<{ until: string; reason: string } | undefined> {
    const held = await this.held(token)
    if (!held?.actor.original) return undefined
    const [v] = await this.db.tx('system', (tx) =>
      tx.rows<{ until: string; reason: string }>(
        `SELECT to_char(as_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS until, as_reason AS reason FROM session WHERE client_id = $1 AND id = $2`,
        [held.homeClientId, held.sessionId],
      ),
    )
    return v
  }

  async close(token: string): Promise<void> {
    const held = await this.held(token)
    if (held) await this.revoke(held.homeClientId, held.sessionId)
  }

  /** The same by the browser's cookie, which outlives its tokens. */
  async closeByCookie(cookie: string): Promise<void> {
    const [s] = await this.db.tx('system', (tx) =>
      tx.rows<{ client_id: number; id: number }>('SELECT client_id, id FROM session WHERE cookie_hash = $1', [
        digest(cookie),
      ]),
    )
    if (s) await this.revoke(s.client_id, s.id)
  }

  /** Ends a session and all its tokens, in this process at once. */
  async revoke(clientId: number, sessionId: number): Promise<boolean> {
    const gone = await this.db.tx('system', async (tx) => {
      await this.endVisit(tx, clientId, sessionId)
      return tx.rows('DELETE FROM session WHERE client_id = $1 AND id = $2 RETURNING 1', [clientId, sessionId])
    })
    this.forget((h) => h.homeClientId === clientId && h.sessionId === sessionId)
    return gone.length > 0
  }

  /** Ends every session of a person, but one if asked: after a new password, or when they leave. */
  async revokeAll(clientId: number, userId: number, butToken?: string): Promise<void> {
    const but = butToken ? (await this.held(butToken))?.sessionId : undefined
    await this.db.tx('system', async (tx) => {
      const ended = [clientId, userId, but ?? null]
      await tx.rows(
        `UPDATE visit v SET ended_at = least(now(), v.until) FROM session s
         WHERE s.client_id = $1 AND s.user_id = $2 AND s.id IS DISTINCT FROM $3 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id AND v.ended_at IS NULL`,
        ended,
      )
      await tx.rows('DELETE FROM session WHERE client_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3', ended)
    })
    this.forget((h) => h.homeClientId === clientId && h.sessionId !== but)
  }

  /** People may have changed: ask again next time. */
  forget(which: (h: Held) => boolean = () => true): void {
    for (const [key, held] of this.believed) if (which(held)) this.believed.delete(key)
  }

  async list(token: string): Promise<Device[]> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const who = held.actor.original ?? held.actor
    return this.db.tx('system', (tx) =>
      tx.rows<Device>(
        `SELECT id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS "createdAt", to_char(seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') AS "seenAt",
                address, agent, id = $3 AS current
         FROM session WHERE client_id = $1 AND user_id = $2 AND expires_at > now() ORDER BY seen_at DESC`,
        [held.homeClientId, who.userId, held.sessionId],
      ),
    )
  }

  /** The session's own person ends one of their sessions. */
  async revokeOwn(token: string, sessionId: number): Promise<boolean> {
    const mine = await this.list(token)
    const held = await this.held(token)
    return mine.some((s) => s.id === sessionId) && held ? this.revoke(held.homeClientId, sessionId) : false
  }

  /** Begins to work as a person of a client. Written down where the client reads it. */
  async visit(token: string, target: { username: string; clientId: number }, reason: string): Promise<Opened> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const real = held.actor.original ?? held.actor
    const opened = await this.db.tx('system', async (tx) => {
      const [other] = await tx.rows<{ client_id: number; id: number; username: string }>(
        'SELECT client_id, id, username FROM user_account WHERE client_id = $1 AND lower(username) = lower($2) AND NOT is_retired',
        [target.clientId, target.username],
      )
      if (!other || other.client_id === PROVIDER) throw problem.notFound('There is no such person in that client.')
      await this.endVisit(tx, held.homeClientId, held.sessionId)
      const [v] = await tx.rows<{ id: number }>(
        `INSERT INTO visit (client_id, visitor_client_id, visitor_user_id, visitor_username, visitor_name, as_username, reason, until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8)) RETURNING id`,
        [other.client_id, real.clientId, real.userId, real.username, real.name, other.username, reason, VISIT_MINUTES],
      )
      await tx.rows(
        'UPDATE session SET as_client_id = $3, as_user_id = $4, as_until = now() + make_interval(mins => $5), as_reason = $6, as_visit_id = $7 WHERE client_id = $1 AND id = $2',
        [held.homeClientId, held.sessionId, other.client_id, other.id, VISIT_MINUTES, reason, v?.id],
      )
      return this.give(tx, held.homeClientId, held.sessionId)
    })
    // A visit of another tab has ended with this one's beginning.
    this.forget((h) => h.homeClientId === held.homeClientId && h.sessionId === held.sessionId)
    return opened
  }

  /** Back to oneself. Tokens of the visit end with it. */
  async leave(token: string): Promise<Opened> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const opened = await this.db.tx('system', async (tx) => {
      await this.endVisit(tx, held.homeClientId, held.sessionId)
      return this.give(tx, held.homeClientId, held.sessionId)
    })
    this.forget((h) => h.homeClientId === held.homeClientId && h.sessionId === held.sessionId)
    return opened
  }

  private async endVisit(tx: Tx, clientId: number, sessionId: number): Promise<void> {
    await tx.rows(
      `UPDATE visit v SET ended_at = least(now(), v.until) FROM session s WHERE s.client_id = $1 AND s.id = $2 AND v.client_id = s.as_client_id AND v.id = s.as_visit_id AND v.ended_at IS NULL`,
      [clientId, sessionId],
    )
    await tx.rows(
      'UPDATE session SET as_client_id = NULL, as_user_id = NULL, as_until = NULL, as_reason = NULL, as_visit_id = NULL WHERE client_id = $1 AND id = $2',
      [clientId, sessionId],
    )
    await tx.rows('DELETE FROM access_token WHERE client_id = $1 AND session_id = $2 AND as_client_id IS NOT NULL', [
      clientId,
      sessionId,
    ])
  }
}

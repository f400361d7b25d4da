import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { isoUtc } from '#server/db/iso.ts'
import type { Account } from './credentials.ts'
import { endSessions } from './end-sessions.ts'
import { readPerson, workingAs } from './person.ts'
import { proofOf } from './proof.ts'
import { digest, giveSecret, newSecret, sessionOf, useSecret } from './renewal.ts'
import { allowWrites, beginVisit, endVisit, type VisitFacts, type Visiting } from './visits.ts'

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
  /** While working as somebody else. */
  visit?: VisitFacts
  until: number
}

/** A session's row as far as it says who acts by it. */
interface Acting {
  readonly client_id: number
  readonly user_id: number
  readonly as_client_id: number | null
  readonly as_user_id: number | null
  readonly as_writes: boolean
}

/** Sign-ins and their tokens: opaque, random, kept as hashes, revocable at once. */
export class Sessions {
  private readonly believed = new Map<string, Held>()
  private readonly db: Db
  private readonly config: Config
  constructor(db: Db, config: Config) {
    this.db = db
    this.config = config
  }

  /** A new session for a person who has proved who they are. */
  async open(person: Account, from: { address: string; agent: string; browser: boolean }): Promise<Opened> {
    const { clientId, userId } = person
    return this.db.tx('system', async (tx) => {
      const [session] = await tx.rows<{ id: number }>(
        `INSERT INTO session (client_id, user_id, address, agent, expires_at, ends_at)
         VALUES ($1, $2, $3, $4, now() + make_interval(hours => least($5::int, $6::int)), now() + make_interval(hours => $6::int)) RETURNING id`,
        [clientId, userId, from.address, from.agent, this.config.sessionHours, this.longestOf(clientId)],
      )
      await tx.rows('UPDATE user_account SET last_login_at = now() WHERE client_id = $1 AND id = $2', [
        clientId,
        userId,
      ])
      const id = session?.id as number
      const opened = await this.give(tx, clientId, id)
      return from.browser ? { ...opened, cookie: await giveSecret(tx, clientId, id) } : opened
    })
  }

  /** Hours after which a session ends, however busy: sooner for those who reach every client. */
  private longestOf(clientId: number): number {
    return clientId === PROVIDER ? this.config.staffSessionHours : this.config.sessionDays * 24
  }

  /** A further token of the session, for whom it is working as just now. */
  private async give(tx: Tx, clientId: number, sessionId: number): Promise<Opened> {
    const token = newSecret()
    const [given] = await tx.rows<{ seconds: number }>(
      `INSERT INTO access_token (hash, client_id, session_id, as_client_id, as_user_id, as_until, expires_at)
       SELECT $1, client_id, id, as_client_id, as_user_id, as_until, least(now() + make_interval(mins => $4), as_until, ends_at) FROM session WHERE client_id = $2 AND id = $3
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
        as_writes: boolean
        visitUntil: string
        visitReason: string
        idle: boolean
        provedAt: number
        factor: boolean
      }>(
        `SELECT a.client_id, a.session_id, s.user_id, a.as_client_id, a.as_user_id, s.as_writes,
                ${isoUtc('s.as_until')} AS "visitUntil", s.as_reason AS "visitReason",
                extract(epoch FROM s.proved_at)::float8 * 1000 AS "provedAt", has_second_factor(s.client_id, s.user_id) AS factor,
                s.seen_at < now() - interval '1 minute' OR a.expires_at < least(now() + make_interval(mins => $2) - interval '1 minute', a.as_until, s.ends_at) AS idle
         FROM access_token a JOIN session s ON s.client_id = a.client_id AND s.id = a.session_id
         WHERE a.hash = $1 AND a.expires_at > now() AND s.expires_at > now() AND (a.as_until IS NULL OR a.as_until > now())`,
        [key, this.config.tokenMinutes],
      )
      if (!t) return undefined
      if (t.idle) await this.keepAlive(tx, key, t.client_id, t.session_id)
      const person = await this.actor(tx, t)
      const actor = person && { ...person, proof: proofOf(this.config, t.client_id, t) }
      if (!actor) return undefined
      const visit = { until: t.visitUntil, reason: t.visitReason, writes: t.as_writes }
      return {
        actor,
        sessionId: t.session_id,
        homeClientId: t.client_id,
        ...(actor.original ? { visit } : {}),
        until: Date.now() + BELIEVED_MS,
      }
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
    await this.prolong(tx, clientId, sessionId)
  }

  /** A session that is used lives on, to its end at the most. */
  private async prolong(tx: Tx, clientId: number, sessionId: number): Promise<void> {
    await tx.rows(
      'UPDATE session SET seen_at = now(), expires_at = least(now() + make_interval(hours => $3), ends_at) WHERE client_id = $1 AND id = $2',
      [clientId, sessionId, this.config.sessionHours],
    )
  }

  private async actor(tx: Tx, t: Acting): Promise<Actor | undefined> {
    const real = await readPerson(tx, t.client_id, t.user_id)
    if (!real) return undefined
    if (t.as_client_id === null || t.as_user_id === null) return real
    const other = await readPerson(tx, t.as_client_id, t.as_user_id)
    return other && workingAs(other, real, t.as_writes)
  }

  /**
   * A token by the browser's cookie, and the cookie's next secret. A visit that has run out ends here, and the person is
   * themselves again. A secret that comes again after its time was copied: then the session ends, for whoever has it.
   */
  async renew(cookie: string): Promise<Opened | undefined> {
    const found = await this.db.tx('system', async (tx) => {
      const s = await useSecret(tx, cookie)
      if (!s || s.copied) return s
      // Over, or the person worked as has left.
      const visitor = s.over ? undefined : await this.actor(tx, s)
      if (!visitor) await endVisit(tx, s.client_id, s.id)
      const actor = visitor ?? (await this.actor(tx, { ...s, as_client_id: null, as_user_id: null }))
      if (!actor) return undefined
      await this.prolong(tx, s.client_id, s.id)
      return { ...(await this.give(tx, s.client_id, s.id)), cookie: await giveSecret(tx, s.client_id, s.id) }
    })
    if (found && 'copied' in found) await this.revoke(found.client_id, found.id)
    return found && 'token' in found ? found : undefined
  }

  /**
   * Whoever the token belongs to has proved once more who they are: a token that says so to every process at once, while the
   * former one may be believed to be without for some seconds.
   */
  proved(token: string): Promise<Opened> {
    return this.change(token, async (tx, { clientId, sessionId }) => {
      await tx.rows('UPDATE session SET proved_at = now() WHERE client_id = $1 AND id = $2', [clientId, sessionId])
      return this.give(tx, clientId, sessionId)
    })
  }

  /** Changes the session of a token, which this process then asks for anew. Throws 401 where there is none. */
  private async change<T>(token: string, work: (tx: Tx, session: Visiting, held: Held) => Promise<T>): Promise<T> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const changed = await this.db.tx('system', (tx) => work(tx, visiting(held), held))
    this.forgetSession(held.homeClientId, held.sessionId)
    return changed
  }

  /** What the shell shows while working as somebody else. */
  async visitOf(token: string): Promise<VisitFacts | undefined> {
    return (await this.held(token))?.visit
  }

  async close(token: string): Promise<void> {
    const held = await this.held(token)
    if (held) await this.revoke(held.homeClientId, held.sessionId)
  }

  /** The same by the browser's cookie, which outlives its tokens. */
  async closeByCookie(cookie: string): Promise<void> {
    const s = await this.db.tx('system', (tx) => sessionOf(tx, cookie))
    if (s) await this.revoke(s.client_id, s.session_id)
  }

  /** Ends a session and all its tokens, in this process at once. */
  async revoke(clientId: number, sessionId: number): Promise<boolean> {
    const gone = await this.db.tx('system', async (tx) => {
      await endVisit(tx, clientId, sessionId)
      return tx.rows('DELETE FROM session WHERE client_id = $1 AND id = $2 RETURNING 1', [clientId, sessionId])
    })
    this.forgetSession(clientId, sessionId)
    return gone.length > 0
  }

  /** Ends every session of a person, but one if asked: after a new password, or when they leave. */
  async revokeAll(clientId: number, userId: number, butToken?: string): Promise<void> {
    const but = butToken ? (await this.held(butToken))?.sessionId : undefined
    await this.db.tx('system', (tx) => endSessions(tx, { clientId, userId }, but))
    this.forget((h) => h.homeClientId === clientId && h.sessionId !== but)
  }

  /** People may have changed: ask again next time. */
  forget(which: (h: Held) => boolean = () => true): void {
    for (const [key, held] of this.believed) if (which(held)) this.believed.delete(key)
  }

  private forgetSession(clientId: number, sessionId: number): void {
    this.forget((h) => h.homeClientId === clientId && h.sessionId === sessionId)
  }

  async list(token: string): Promise<Device[]> {
    const held = await this.held(token)
    if (!held) throw problem.signIn()
    const who = held.actor.original ?? held.actor
    return this.db.tx('system', (tx) =>
      tx.rows<Device>(
        `SELECT id, ${isoUtc('created_at')} AS "createdAt", ${isoUtc('seen_at')} AS "seenAt",
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
  visit(token: string, target: { username: string; clientId: number }, reason: string): Promise<Opened> {
    // A visit of another tab ends with this one's beginning.
    return this.change(token, async (tx, session, { actor }) => {
      await beginVisit(tx, session, actor.original ?? actor, target, reason)
      return this.give(tx, session.clientId, session.sessionId)
    })
  }

  /** The visitor may change things from now on: a token that says so to every process at once. */
  allowWrites(token: string, reason: string): Promise<Opened> {
    return this.change(token, async (tx, session) => {
      await allowWrites(tx, session, reason)
      return this.give(tx, session.clientId, session.sessionId)
    })
  }

  /** Back to oneself. Tokens of the visit end with it. */
  leave(token: string): Promise<Opened> {
    return this.change(token, async (tx, { clientId, sessionId }) => {
      await endVisit(tx, clientId, sessionId)
      return this.give(tx, clientId, sessionId)
    })
  }
}

const visiting = (held: Held) => ({ clientId: held.homeClientId, sessionId: held.sessionId })

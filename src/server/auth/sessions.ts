import { problem } from '#kernel/errors.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { isoUtc } from '#server/db/iso.ts'
import type { Account } from './credentials.ts'
import { readPerson, workingAs } from './person.ts'
import { type ProvedBy, proofOf, requireProof } from './proof.ts'
import { giveSecret, sessionOf, useSecret } from './renewal.ts'
import { digest } from './secret.ts'
import { type Acting, findToken, giveToken, keepToken, lockToken, type Token } from './tokens.ts'
import { allowWrites, beginVisit, endVisit, mayVisit, type VisitFacts, type Visiting } from './visits.ts'

/**
 * How long an answer about a token is believed without asking the database: the longest a revoked one lives in another process.
 * Its end that is known is believed at once.
 */
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

/** Where somebody signs in, and what they have proved themselves with: the password, unless it says more. */
export interface SignInFrom {
  readonly address: string
  readonly agent: string
  readonly browser: boolean
  readonly provedBy?: ProvedBy
}

/** Sign-ins and their tokens: opaque, random, kept as hashes, revocable at once. */
export class Sessions {
  private readonly believed = new Map<string, Held>()
  /** How often something was forgotten: an answer that was on its way meanwhile is not believed later. */
  private forgotten = 0
  private readonly db: Db
  private readonly config: Config
  constructor(db: Db, config: Config) {
    this.db = db
    this.config = config
  }

  /** A new session for a person who has proved who they are; in the transaction that has made sure of it, where there is one. */
  open(person: Account, from: SignInFrom, within?: Tx): Promise<Opened> {
    return within ? this.begin(within, person, from) : this.db.tx('system', (tx) => this.begin(tx, person, from))
  }

  private async begin(tx: Tx, { clientId, userId }: Account, from: SignInFrom): Promise<Opened> {
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
    return from.browser ? { ...opened, cookie: await giveSecret(tx, clientId, sessionId) } : opened
  }

  /** Hours after which a session ends, however busy: sooner for those who reach every client. */
  private longestOf(clientId: number): number {
    return clientId === PROVIDER ? this.config.staffSessionHours : this.config.sessionDays * 24
  }

  private give(tx: Tx, session: Visiting): Promise<Opened> {
    return giveToken(tx, session, this.config.tokenMinutes)
  }

  /** Who a token speaks for. Each use keeps it, and its session, alive. */
  async authenticate(token: string): Promise<Actor | undefined> {
    return (await this.held(token))?.actor
  }

  /** The same, with the rights of this moment, without keeping anything alive: for what goes on while nobody does anything. */
  look(token: string): Promise<Actor | undefined> {
    return this.db.tx('system', async (tx) => {
      const t = await findToken(tx, digest(token), this.config.tokenMinutes)
      return t && this.actorOf(tx, t)
    })
  }

  private async held(token: string): Promise<Held | undefined> {
    const key = digest(token)
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
        if (t.as_client_id !== null) await endVisit(tx, t.client_id, t.session_id)
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

  private async keepAlive(tx: Tx, key: string, t: Token): Promise<void> {
    await keepToken(tx, key, this.config.tokenMinutes)
    await this.prolong(tx, t.client_id, t.session_id)
  }

  /** A session that is used lives on, to its end at the most. */
  private async prolong(tx: Tx, clientId: number, sessionId: number): Promise<void> {
    await tx.rows(
      'UPDATE session SET seen_at = now(), expires_at = least(now() + make_interval(hours => $3), ends_at) WHERE client_id = $1 AND id = $2',
      [clientId, sessionId, this.config.sessionHours],
    )
  }

  /** Who acts by a token, with what their session has proved. */
  private async actorOf(tx: Tx, t: Token): Promise<Actor | undefined> {
    const person = await this.actor(tx, t)
    const session = { id: t.session_id, visit: t.visit_id }
    return person && { ...person, proof: proofOf(this.config, t.client_id, t), session }
  }

  /** Who acts; `undefined` for one who has left, and for a visit that its visitor may not make any more. */
  private async actor(tx: Tx, t: Acting): Promise<Actor | undefined> {
    const real = await readPerson(tx, t.client_id, t.user_id)
    if (!real) return undefined
    if (t.as_client_id === null || t.as_user_id === null) return real
    const other = mayVisit(real) ? await readPerson(tx, t.as_client_id, t.as_user_id) : undefined
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
      return {
        ...(await this.give(tx, { clientId: s.client_id, sessionId: s.id })),
        cookie: await giveSecret(tx, s.client_id, s.id),
      }
    })
    if (found && 'copied' in found) await this.revoke(found.client_id, found.id)
    return found && 'token' in found ? found : undefined
  }

  /**
   * Whoever the token belongs to has proved once more who they are: a token that says so to every process at once, while the
   * former one may be believed to be without for some seconds.
   */
  proved(token: string, by: ProvedBy): Promise<Opened> {
    return this.change(token, async (tx, session, actor) => {
      await this.markProved(tx, actor, by)
      return this.give(tx, session)
    })
  }

  /** Writes down that whoever acts has just proved who they are. */
  async markProved(tx: Tx, actor: Actor, by: ProvedBy): Promise<void> {
    await tx.rows('UPDATE session SET proved_at = now(), proved_by = $3 WHERE client_id = $1 AND id = $2', [
      (actor.original ?? actor).clientId,
      actor.session?.id,
      by,
    ])
  }

  /**
   * Changes the session of a token, which this process then asks for anew. The token is looked at in the same transaction, as it
   * may be believed here after it has ended elsewhere. Throws 401 where there is none.
   */
  private async change<T>(token: string, work: (tx: Tx, session: Visiting, actor: Actor) => Promise<T>): Promise<T> {
    const key = digest(token)
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

  /** The sessions of a person have ended, but for one: this process believes none of their tokens any more. */
  forgetPerson({ clientId, userId }: Account, but?: number): void {
    this.forget((h) => {
      const real = h.actor.original ?? h.actor
      return h.homeClientId === clientId && real.userId === userId && h.sessionId !== but
    })
  }

  /** People may have changed: ask again next time. */
  forget(which: (h: Held) => boolean = () => true): void {
    this.forgotten++
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

  /** Begins to work as a person of a client. Written down where the client reads it. Throws 403 for one who may not, or not now. */
  visit(token: string, target: { username: string; clientId: number }, reason: string): Promise<Opened> {
    // A visit of another tab ends with this one's beginning.
    return this.change(token, async (tx, session, actor) => {
      if (actor.original || !mayVisit(actor)) throw problem.forbidden()
      requireProof(actor)
      await beginVisit(tx, session, actor, target, reason)
      return this.give(tx, session)
    })
  }

  /** The visitor may change things from now on: a token that says so to every process at once. */
  allowWrites(token: string, reason: string): Promise<Opened> {
    return this.change(token, async (tx, session, actor) => {
      if (!actor.original) throw notVisiting()
      await allowWrites(tx, session, reason)
      return this.give(tx, session)
    })
  }

  /** Back to oneself. Tokens of the visit end with it. */
  leave(token: string): Promise<Opened> {
    return this.change(token, async (tx, session, actor) => {
      if (!actor.original) throw notVisiting()
      await endVisit(tx, session.clientId, session.sessionId)
      return this.give(tx, session)
    })
  }
}

/** For whoever is themselves already. */
export const notVisiting = () => problem.conflict('You are not working as somebody else.')

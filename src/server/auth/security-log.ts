import { AsyncLocalStorage } from 'node:async_hooks'
import { type SecurityEvent, WARNINGS } from '#kernel/security-event.ts'
import type { Db } from '#server/db/db.ts'

/** Whom an event is about: an account, and the person at work behind it. */
export interface Concerned {
  readonly clientId: number
  readonly userId?: number
  readonly username?: string
  readonly original?: { readonly clientId: number; readonly userId: number; readonly username: string }
}

/** Where a request came from. */
export interface From {
  readonly id: string
  readonly address: string
  readonly agent: string
}

/** A structured line of the server's log. */
export interface LineLog {
  info(line: object, words: string): void
  warn(line: object, words: string): void
}

interface Noted {
  readonly client_id: number
  readonly at: string
  readonly event: SecurityEvent
  readonly user_client_id: number | null
  readonly user_id: number | null
  readonly username: string
  readonly as_username: string
  readonly address: string
  readonly agent: string
  readonly detail: string
  readonly request_id: string | null
  times: number
}

/** Milliseconds that an event waits for others to be written with it. */
const WAIT_MS = 1000
/** Events that wait at the most, where the database does not answer; what comes on top is in the server's log alone. */
const MOST = 5000

/**
 * The security log: one line in the server's log at once, and one row in the table within a second, with whatever else has
 * happened meanwhile. It is written apart from the request's own transaction, so that a failure is written down though its
 * transaction is undone, and no request waits for it. Never give it a secret, nor what somebody typed who is not known.
 */
export class SecurityLog {
  private readonly db: Db
  /** By everything but the moment: what is repeated within a second is one row that says how often. */
  private waiting = new Map<string, Noted>()
  private timer: NodeJS.Timeout | undefined
  private lines: LineLog | undefined
  /** Outside any transaction, whoever notes something within one. */
  private readonly outside = AsyncLocalStorage.snapshot()

  constructor(db: Db) {
    this.db = db
  }

  /** Also writes each event into the server's log. */
  writeLinesTo(lines: LineLog): void {
    this.lines = lines
  }

  /**
   * Notes an event in the log of the client whose account it is about; in the provider's where no account is known. `detail`:
   * what else an administrator wants to know, in a few words.
   */
  note(event: SecurityEvent, about: Concerned | undefined, from: From | undefined, detail = ''): void {
    const real = about?.original ?? about
    const what = {
      client_id: about?.clientId ?? 0,
      event,
      user_client_id: real?.clientId ?? null,
      user_id: real?.userId ?? null,
      username: storable(real?.username ?? '', 255),
      as_username: storable((about?.original && about.username) ?? '', 255),
      address: storable(from?.address ?? '', 100),
      agent: storable(from?.agent ?? '', 300),
      detail: storable(detail, 500),
    }
    const level = WARNINGS.has(event) ? 'warn' : 'info'
    this.lines?.[level]({ security: what, ...(from ? { reqId: from.id } : {}) }, `security: ${event}`)
    const key = JSON.stringify(what)
    const same = this.waiting.get(key)
    if (same) same.times++
    else if (this.waiting.size < MOST)
      this.waiting.set(key, { ...what, at: new Date().toISOString(), request_id: from?.id ?? null, times: 1 })
    this.wake()
  }

  private wake(): void {
    if (this.timer || !this.waiting.size) return
    this.timer = setTimeout(() => void this.flush().catch(() => {}), WAIT_MS)
    this.timer.unref()
  }

  /** Writes what waits; throws where the database refuses, and tries again with what comes next. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const batch = this.waiting
    if (!batch.size) return
    this.waiting = new Map()
    const rows = JSON.stringify([...batch.values()].map((noted, nth) => ({ ...noted, nth })))
    try {
      await this.outside(() => this.db.tx('system', (tx) => tx.rows(INSERT, [rows])))
    } catch (e) {
      for (const [key, noted] of batch) if (this.waiting.size < MOST) this.waiting.set(key, noted)
      throw e
    }
  }
}

/** Text that the database takes, whatever came. */
const storable = (text: string, length: number) => text.slice(0, length).replaceAll('\0', '').toWellFormed()

/** In the order in which they happened: a join alone keeps none. */
const INSERT = `INSERT INTO security_event
  (client_id, at, event, user_client_id, user_id, username, as_username, address, agent, detail, request_id, times)
  SELECT coalesce(c.id, 0), at, event, user_client_id, user_id, username, as_username, address, agent, detail, request_id, times
  FROM jsonb_to_recordset($1::jsonb) AS e (client_id int, at timestamptz, event text, user_client_id int, user_id bigint,
    username text, as_username text, address text, agent text, detail text, request_id text, times int, nth int) LEFT JOIN client c ON c.id = e.client_id
  ORDER BY nth`

import { AsyncLocalStorage } from 'node:async_hooks'
import { SECURITY_WARNING_EVENTS, type SecurityEvent } from '#kernel/security-event.ts'
import type { Db } from '#server/db/db.ts'

/** Subject of a security event: an account, and the real user behind it. */
export interface SecurityEventSubject {
  readonly clientId: number
  readonly userId?: number
  readonly username?: string
  readonly original?: { readonly clientId: number; readonly userId: number; readonly username: string }
}

export interface RequestOrigin {
  readonly id: string
  readonly address: string
  readonly agent: string
}

/** The server's structured log. */
export interface ServerLog {
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

/** Milliseconds for which events are collected before they are written together. */
const WAIT_MS = 1000
/** Maximum events queued while the database is unavailable; further events appear only in the server's log. */
const MAX_WAITING_EVENTS = 5000

/**
 * Security log: one line in the server's log immediately, and one row in the table within a second, written in batches.
 * Uses its own transaction, so that failures are logged even if the request is rolled back, and no request waits for
 * the log. Never log a secret, or text typed by an unknown person.
 */
export class SecurityLog {
  private readonly db: Db
  /**
   * Waiting events, keyed by everything except their time, so that repeats within a second become one row with a count.
   */
  private waiting = new Map<string, Noted>()
  private timer: NodeJS.Timeout | undefined
  private lines: ServerLog | undefined
  /** Runs callbacks outside the caller's transaction. */
  private readonly outside = AsyncLocalStorage.snapshot()

  constructor(db: Db) {
    this.db = db
  }

  /** From now on, also writes each event to the given server log. */
  writeLinesTo(lines: ServerLog): void {
    this.lines = lines
  }

  /**
   * Logs an event for the account's client, or for the provider if the account is unknown. `detail`: further details
   * for administrators, in a few words.
   */
  note(
    event: SecurityEvent,
    about: SecurityEventSubject | undefined,
    from: RequestOrigin | undefined,
    detail = '',
  ): void {
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
    const level = SECURITY_WARNING_EVENTS.has(event) ? 'warn' : 'info'
    this.lines?.[level]({ security: what, ...(from ? { reqId: from.id } : {}) }, `security: ${event}`)
    const key = JSON.stringify(what)
    const same = this.waiting.get(key)
    if (same) same.times++
    else if (this.waiting.size < MAX_WAITING_EVENTS)
      this.waiting.set(key, { ...what, at: new Date().toISOString(), request_id: from?.id ?? null, times: 1 })
    this.wake()
  }

  private wake(): void {
    if (this.timer || !this.waiting.size) return
    this.timer = setTimeout(() => void this.flush().catch(() => {}), WAIT_MS)
    this.timer.unref()
  }

  /** Writes waiting events. Throws on a database error; the events are then written with the next batch. */
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
      for (const [key, noted] of batch) if (this.waiting.size < MAX_WAITING_EVENTS) this.waiting.set(key, noted)
      throw e
    }
  }
}

/** Shortens text and removes or replaces characters that the database can't store. */
const storable = (text: string, length: number) => text.slice(0, length).replaceAll('\0', '').toWellFormed()

/** Inserts the events in order. A join alone does not guarantee the order. */
const INSERT = `INSERT INTO security_event
  (client_id, at, event, user_client_id, user_id, username, as_username, address, agent, detail, request_id, times)
  SELECT coalesce(c.id, 0), at, event, user_client_id, user_id, username, as_username, address, agent, detail, request_id, times
  FROM jsonb_to_recordset($1::jsonb) AS e (client_id int, at timestamptz, event text, user_client_id int, user_id bigint,
    username text, as_username text, address text, agent text, detail text, request_id text, times int, nth int) LEFT JOIN client c ON c.id = e.client_id
  ORDER BY nth`

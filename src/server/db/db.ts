/** A compiled statement, which is prepared once per connection where it is usual. */
export interface Prepared {
  readonly text: string
}

/** Takes rows as they come. */
export interface RowTaker {
  /** One row, whose bytes are good for now only. `false`: no more until it is free. */
  take(row: Buffer): boolean
  /** Calls when it is free for more. */
  whenFree(go: () => void): void
}

/** Somewhere to send SQL. Values are bound, never written into the text; of COPY alone they are, which takes none that are bound. */
export interface Conn {
  /** Hand-written SQL: rows as objects, columns as the SQL names them. */
  rows<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** Compiled SQL: rows as arrays, in the order of the select list. */
  arrays(query: Prepared, values: readonly unknown[]): Promise<unknown[][]>
  /** What a compiled select finds, by `COPY … TO STDOUT` as CSV, row by row. In snapshots. */
  readonly copyOut?: (query: Prepared, values: readonly unknown[], taker: RowTaker) => Promise<void>
}

export interface Tx extends Conn {
  /**
   * A read by the reader's rights, done by itself before the transaction begins, in the journey that opens it. Nothing may have been
   * asked in the transaction.
   */
  readonly before: Conn['arrays']
  /** Sends this statement and the commit together. Nothing may follow it. */
  commitWith(query: Prepared, values: readonly unknown[]): Promise<unknown[][]>
  /** Several statements without values: migrations. */
  script(text: string): Promise<void>
  /** Brings rows by `COPY … FROM STDIN`, in its text format. */
  copy(statement: string, chunks: Iterable<string>): Promise<void>
  /** Short work for the same tenant that is committed by itself, whatever becomes of this transaction. */
  apart<T>(work: (conn: Conn) => Promise<T>): Promise<T>
}

/** Whether the database answers, for all who use it. */
export interface Availability {
  readonly isAway: boolean
  /** Resolves when the database answers, with false where it does not within so many milliseconds, or this program closes it. */
  back(withinMs: number): Promise<boolean>
  onChange(listener: (isAway: boolean) => void): void
}

export interface JobsConn {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * On whose behalf a transaction runs. A client id: row-level security shows and takes that tenant's rows only.
 * `system`: sign-in, jobs and imports, which name the tenant themselves. `owner`: migrations.
 */
export type As = { readonly clientId: number; readonly userId?: number } | 'system' | 'owner'

export interface Db {
  /** Which database it is. */
  readonly origin: { readonly url: string }
  readonly presence: Availability
  /** The way in of the queue of jobs, which brings statements of its own, several at once too. */
  readonly jobs: JobsConn
  /** Milliseconds that the portal's clock is ahead: in demo and test worlds only. Transactions tell `portal_now()`. */
  readonly time: { ahead: number }
  /** The engine's compiled reads, whose text carries the tenant. Selects only. */
  readonly read: Conn
  tx<T>(as: As, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Several compiled reads of one moment: what is written meanwhile is in none of them. */
  snapshot<T>(work: (conn: Conn) => Promise<T>): Promise<T>
  /**
   * Hears what any process tells on a channel (`NOTIFY`), until what it gives is called. `missed`: from now on it hears, and what was
   * told before it may not have heard.
   */
  listen(channel: string, heard: (told: string) => void, missed: () => void): () => void
  close(): Promise<void>
}

/** The statement that binds a transaction to a tenant; numbers only, so it needs no binding. */
export function bind(as: As, ahead = 0): string {
  const time = ahead ? `; SET LOCAL app.ahead = '${Number(ahead) / 1000} seconds'` : ''
  if (as === 'owner') return `SET LOCAL ROLE NONE${time}`
  if (as === 'system') return `SET LOCAL ROLE stanchion_system${time}`
  return `SET LOCAL ROLE stanchion_tenant; SET LOCAL app.client_id = '${Number(as.clientId)}'; SET LOCAL app.user_id = '${Number(as.userId ?? 0)}'${time}`
}

/** What a transaction that sees one moment, and changes nothing, begins with. */
export const SNAPSHOT = 'ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/** The session that every connection starts with. */
export const SESSION = "SET TIME ZONE 'UTC'; SET ROLE stanchion_reader"

/** Database errors that the engine turns into sentences. */
export interface DbError extends Error {
  readonly code: string
  readonly constraint?: string
  readonly table?: string
  readonly detail?: string
}
export const isDbError = (e: unknown): e is DbError =>
  e instanceof Error &&
  typeof (e as { code?: unknown }).code === 'string' &&
  // A digit is in all of them, and in none of the operating system's, such as EPIPE.
  /^(?=.*\d)[0-9A-Z]{5}$/.test((e as unknown as DbError).code)

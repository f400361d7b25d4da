/** A compiled statement. Frequent ones are prepared once per connection. */
export interface PreparedSql {
  readonly text: string
}

/** Receives rows one by one. */
export interface RowSink {
  /** Takes one row, whose bytes are valid only during the call. `false`: send no more until `whenFree` calls back. */
  take(row: Buffer): boolean
  /** Calls back when more rows can be taken. */
  whenFree(go: () => void): void
}

/** Runs SQL. Values are bound, never written into the text, except for COPY, which does not support bound values. */
export interface SqlConn {
  /** Runs hand-written SQL: rows as objects, columns as named in the SQL. */
  rows<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** Runs compiled SQL: rows as arrays, in the order of the select list. */
  arrays(query: PreparedSql, values: readonly unknown[]): Promise<unknown[][]>
  /** Returns the result of a compiled select by `COPY … TO STDOUT` as CSV, row by row. Only in snapshots. */
  readonly copyOut?: (query: PreparedSql, values: readonly unknown[], taker: RowSink) => Promise<void>
}

export interface Tx extends SqlConn {
  /**
   * Reads with the reader's rights before the transaction begins, in the round trip that opens it. Nothing may have
   * been sent in the transaction before.
   */
  readonly before: SqlConn['arrays']
  /** Sends this statement together with the commit. Nothing may follow it. */
  commitWith(query: PreparedSql, values: readonly unknown[]): Promise<unknown[][]>
  /** Runs several statements without values, for migrations. */
  script(text: string): Promise<void>
  /** Inserts rows by `COPY … FROM STDIN`, in its text format. */
  copy(statement: string, chunks: Iterable<string>): Promise<void>
  /** Runs a short piece of work for the same tenant in its own transaction, committed regardless of this one. */
  apart<T>(work: (conn: SqlConn) => Promise<T>): Promise<T>
}

/** Availability of the database, shared by all its users. */
export interface DbAvailability {
  readonly isAway: boolean
  /**
   * Resolves when the database responds; to false if it does not within so many milliseconds, or if this program closes
   * it.
   */
  back(withinMs: number): Promise<boolean>
  onChange(listener: (isAway: boolean) => void): void
}

export interface JobQueueConn {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Identity that a transaction runs as. A client ID: row-level security shows and accepts only that tenant's rows.
 * `system`: sign-in, jobs and imports, which name the tenant in their SQL. `owner`: migrations.
 */
export type TxIdentity = { readonly clientId: number; readonly userId?: number } | 'system' | 'owner'

export interface Db {
  /** Address that identifies the database. */
  readonly origin: { readonly url: string }
  readonly presence: DbAvailability
  /** Connections for the job queue, which sends its own statements, also concurrently. */
  readonly jobs: JobQueueConn
  /**
   * Milliseconds that the portal's clock is ahead, in demo and test databases only. Transactions pass it to
   * `portal_now()`.
   */
  readonly time: { ahead: number }
  /** Runs the engine's compiled reads, whose SQL contains the tenant. Selects only. */
  readonly read: SqlConn
  tx<T>(as: TxIdentity, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs several compiled reads on one snapshot: concurrent writes are in none of them. */
  snapshot<T>(work: (conn: SqlConn) => Promise<T>): Promise<T>
  /**
   * Listens to notifications of all processes on a channel (`NOTIFY`), until the returned function is called. `missed`:
   * called when listening starts, since earlier notifications may have been missed.
   */
  listen(channel: string, heard: (told: string) => void, missed: () => void): () => void
  close(): Promise<void>
}

/** SQL that binds a transaction to a tenant. It contains only numbers, so nothing needs binding. */
export function bindIdentitySql(as: TxIdentity, ahead = 0): string {
  const time = ahead ? `; SET LOCAL app.ahead = '${Number(ahead) / 1000} seconds'` : ''
  if (as === 'owner') return `SET LOCAL ROLE NONE${time}`
  if (as === 'system') return `SET LOCAL ROLE stanchion_system${time}`
  return `SET LOCAL ROLE stanchion_tenant; SET LOCAL app.client_id = '${Number(as.clientId)}'; SET LOCAL app.user_id = '${Number(as.userId ?? 0)}'${time}`
}

/** Transaction mode for reading one snapshot without changes. */
export const SNAPSHOT_MODE = 'ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/** SQL that every connection starts with. */
export const SESSION_SETUP_SQL = "SET TIME ZONE 'UTC'; SET ROLE stanchion_reader"

/** Database errors that the engine converts to messages. */
export interface DbError extends Error {
  readonly code: string
  readonly constraint?: string
  readonly table?: string
  readonly detail?: string
}
export const isDbError = (e: unknown): e is DbError =>
  e instanceof Error &&
  typeof (e as { code?: unknown }).code === 'string' &&
  // SQLSTATE codes all contain a digit, unlike error codes of the operating system such as EPIPE.
  /^(?=.*\d)[0-9A-Z]{5}$/.test((e as unknown as DbError).code)

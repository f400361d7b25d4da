/** A compiled statement. Frequent statements are prepared once per connection. */
export interface PreparedSql {
  readonly text: string
}

/** Receiver of rows, which are passed one by one. */
export interface RowSink {
  /**
   * Accepts one row, whose bytes are valid only during the call. Returns `false` if no more rows may be sent until
   * `whenFree` calls back.
   */
  take(row: Buffer): boolean
  /** Calls back when more rows can be accepted. */
  whenFree(go: () => void): void
}

/**
 * Connection that runs SQL. Values are bound, never written into the SQL text, except for COPY, which does not support
 * bound values.
 */
export interface SqlConn {
  /**
   * Runs hand-written SQL. Returns rows as objects, with columns named as in the SQL. In a transaction, a frequent
   * statement is prepared once per connection; elsewhere, each use is planned for its values.
   */
  rows<T = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<T[]>
  /** Runs compiled SQL. Returns rows as arrays, in the order of the select list. */
  arrays(query: PreparedSql, values: readonly unknown[]): Promise<unknown[][]>
  /**
   * Writes the result of a compiled select to `taker` as CSV, row by row, by `COPY … TO STDOUT`. Only available in
   * snapshots.
   */
  readonly copyOut?: (query: PreparedSql, values: readonly unknown[], taker: RowSink) => Promise<void>
}

export interface Tx extends SqlConn {
  /**
   * Runs a read with the reader's rights before the transaction begins, in the round trip that opens the transaction.
   * Nothing may have been sent in the transaction yet.
   */
  readonly before: SqlConn['arrays']
  /** Sends this statement together with the commit. Nothing may follow it. */
  commitWith(query: PreparedSql, values: readonly unknown[]): Promise<unknown[][]>
  /** Runs several statements without bound values, for example for migrations. */
  script(text: string): Promise<void>
  /** Inserts rows by `COPY … FROM STDIN`, in COPY's text format. */
  copy(statement: string, chunks: Iterable<string>): Promise<void>
  /**
   * Runs a short piece of work for the same tenant in a separate transaction, which is committed regardless of this
   * one.
   */
  apart<T>(work: (conn: SqlConn) => Promise<T>): Promise<T>
}

/** Availability of the database, shared by all its users. */
export interface DbAvailability {
  readonly isAway: boolean
  /**
   * Resolves to true when the database responds. Resolves to false if the database does not respond within this many
   * milliseconds, or if this process closes it.
   */
  back(withinMs: number): Promise<boolean>
  onChange(listener: (isAway: boolean) => void): void
}

export interface JobQueueConn {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/**
 * Identity that a transaction runs as. With a client ID, row-level security shows and accepts only that tenant's rows.
 * `system` is for sign-in, jobs and imports, which name the tenant in their SQL. `owner` is for migrations.
 */
export type TxIdentity = { readonly clientId: number; readonly userId?: number } | 'system' | 'owner'

export interface Db {
  /** URL that identifies the database. */
  readonly origin: { readonly url: string }
  readonly presence: DbAvailability
  /** Connections for the job queue, which sends its own statements, some of them concurrently. */
  readonly jobs: JobQueueConn
  /**
   * Milliseconds by which the portal's clock is ahead, in demo and test databases only. Transactions pass the value to
   * `portal_now()`.
   */
  readonly time: { ahead: number }
  /** Runs the engine's compiled reads, whose SQL contains the tenant. Accepts only selects. */
  readonly read: SqlConn
  tx<T>(as: TxIdentity, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs several compiled reads on one snapshot, so that none of them sees concurrent writes. */
  snapshot<T>(work: (conn: SqlConn) => Promise<T>): Promise<T>
  /**
   * Listens to notifications from all processes on a channel (`NOTIFY`), until the returned function is called.
   * `missed` is called when listening starts, because earlier notifications may have been missed.
   */
  listen(channel: string, heard: (told: string) => void, missed: () => void): () => void
  close(): Promise<void>
}

/** Returns SQL that binds a transaction to a tenant. The SQL contains only numbers, so no value needs to be bound. */
export function bindIdentitySql(as: TxIdentity, ahead = 0): string {
  const time = ahead ? `; SET LOCAL app.ahead = '${Number(ahead) / 1000} seconds'` : ''
  if (as === 'owner') return `SET LOCAL ROLE NONE${time}`
  if (as === 'system') return `SET LOCAL ROLE stanchion_system${time}`
  return `SET LOCAL ROLE stanchion_tenant; SET LOCAL app.client_id = '${Number(as.clientId)}'; SET LOCAL app.user_id = '${Number(as.userId ?? 0)}'${time}`
}

/** Transaction mode for read-only work on one snapshot. */
export const SNAPSHOT_MODE = 'ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/** SQL that every connection runs first. */
export const SESSION_SETUP_SQL = "SET TIME ZONE 'UTC'; SET ROLE stanchion_reader"

/** A database error that the engine converts to a message. */
export interface DbError extends Error {
  readonly code: string
  readonly constraint?: string
  readonly table?: string
  readonly detail?: string
}
export const isDbError = (e: unknown): e is DbError =>
  e instanceof Error &&
  typeof (e as { code?: unknown }).code === 'string' &&
  // SQLSTATE codes all contain a digit, unlike the operating system's error codes, such as EPIPE.
  /^(?=.*\d)[0-9A-Z]{5}$/.test((e as unknown as DbError).code)

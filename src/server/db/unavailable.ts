import { isDbError } from './db.ts'

/** Error for an unreachable database or a broken connection. The request can be retried when the database is back. */
export class DbUnavailableError extends Error {
  /** True if the connection broke after COMMIT was sent, so that the outcome is unknown. */
  readonly inDoubt: boolean
  constructor(cause: unknown, inDoubt = false) {
    super(`The database is unavailable: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    })
    this.inDoubt = inDoubt
  }
}

/** True if the root cause is that the database is unavailable. */
export const isDbUnavailable = (e: unknown): boolean =>
  e instanceof DbUnavailableError || (e instanceof Error && e.cause !== undefined && isDbUnavailable(e.cause))

/** SQLSTATE for a server that has no connection left. */
export const TOO_MANY_CONNECTIONS_SQLSTATE = '53300'

/**
 * SQLSTATEs of a lost connection: ended by an administrator, a crash, a starting server or idleness; too many
 * connections; a former primary that is now a standby.
 */
const LOSSES = ['57P01', '57P02', '57P03', '57P05', '25P03', TOO_MANY_CONNECTIONS_SQLSTATE, '25006']

/** True if the error concerns the connection or the server rather than the statement. */
export const isConnectionLoss = (e: unknown): boolean =>
  isDbError(e) && (e.code.startsWith('08') || LOSSES.includes(e.code))

/** True if the statement, or its wait for a lock, exceeded its time limit. */
export const isTimeLimitExceeded = (e: unknown): boolean => isDbError(e) && (e.code === '57014' || e.code === '55P03')

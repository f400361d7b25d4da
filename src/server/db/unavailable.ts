import { isDbError } from './db.ts'

/** The database can't be reached, or broke off in the middle: what was asked may be asked again when it is back. */
export class Unavailable extends Error {
  /** The commit was on its way when the connection broke: nobody knows whether it happened. */
  readonly inDoubt: boolean
  constructor(cause: unknown, inDoubt = false) {
    super(`The database is away: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, { cause })
    this.inDoubt = inDoubt
  }
}

/** Was it, at the bottom of it, that the database is away? */
export const isUnavailable = (e: unknown): boolean =>
  e instanceof Unavailable || (e instanceof Error && e.cause !== undefined && isUnavailable(e.cause))

/** The server has no connection left. */
export const TOO_MANY = '53300'

/** Ended by an administrator, by a crash, while it starts, or for idleness; none left; a standby that was a primary. */
const LOSSES = ['57P01', '57P02', '57P03', '57P05', '25P03', TOO_MANY, '25006']

/** Does this error tell of the connection or the server, and not of the statement? */
export const isLoss = (e: unknown): boolean => isDbError(e) && (e.code.startsWith('08') || LOSSES.includes(e.code))

/** Was a statement ended because it, or the wait for a lock, took longer than it may? */
export const isTooSlow = (e: unknown): boolean => isDbError(e) && (e.code === '57014' || e.code === '55P03')

import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds allowed for a statement, and for its wait for a lock; 0 for no limit. */
export interface TimeLimits {
  readonly statement: number
  readonly lock: number
}

const patience = new AsyncLocalStorage<TimeLimits>()

/** No limits: for migrations, and for commands that a person watches. */
export const NO_TIME_LIMITS: TimeLimits = { statement: 0, lock: 0 }

/** Runs work with the given time limits instead of those of a request. */
export const withTimeLimits = <T>(given: TimeLimits, work: () => T): T => patience.run(given, work)

/** Returns the limits set by `withTimeLimits`; `undefined` outside it. */
export const currentTimeLimits = (): TimeLimits | undefined => patience.getStore()

/** Returns SQL that sets the limits until the transaction ends. */
export const setTimeLimitsSql = ({ statement, lock }: TimeLimits): string =>
  `SET LOCAL statement_timeout = ${Math.trunc(statement)}; SET LOCAL lock_timeout = ${Math.trunc(lock)}`

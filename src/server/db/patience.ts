import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds that a statement may take, and that it may wait for a lock; 0 is for ever. */
export interface TimeLimits {
  readonly statement: number
  readonly lock: number
}

const patience = new AsyncLocalStorage<TimeLimits>()

/** For ever: migrations, and commands that somebody watches. */
export const NO_TIME_LIMITS: TimeLimits = { statement: 0, lock: 0 }

/** Runs work whose statements may take longer than a request's. */
export const withTimeLimits = <T>(given: TimeLimits, work: () => T): T => patience.run(given, work)

/** What has been asked for by `patiently`. */
export const currentTimeLimits = (): TimeLimits | undefined => patience.getStore()

/** The statements that grant it until the transaction ends. */
export const setTimeLimitsSql = ({ statement, lock }: TimeLimits): string =>
  `SET LOCAL statement_timeout = ${Math.trunc(statement)}; SET LOCAL lock_timeout = ${Math.trunc(lock)}`

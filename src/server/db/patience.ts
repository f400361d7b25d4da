import { AsyncLocalStorage } from 'node:async_hooks'

/** Milliseconds that a statement may take, and that it may wait for a lock; 0 is for ever. */
export interface Patience {
  readonly statement: number
  readonly lock: number
}

const patience = new AsyncLocalStorage<Patience>()

/** For ever: migrations, and commands that somebody watches. */
export const NO_HURRY: Patience = { statement: 0, lock: 0 }

/** Runs work whose statements may take longer than a request's. */
export const patiently = <T>(given: Patience, work: () => T): T => patience.run(given, work)

/** What has been asked for by `patiently`. */
export const patienceNow = (): Patience | undefined => patience.getStore()

/** The statements that grant it until the transaction ends. */
export const grant = ({ statement, lock }: Patience): string =>
  `SET LOCAL statement_timeout = ${Math.trunc(statement)}; SET LOCAL lock_timeout = ${Math.trunc(lock)}`

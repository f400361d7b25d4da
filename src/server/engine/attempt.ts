import { Problem } from '#kernel/errors.ts'
import type { TransactionWrites } from '#server/data/writing/work.ts'
import { toProblem, type WriteAttempt } from './refusals.ts'

/** Result of an attempt: its value, or the problem that rejected it. */
export type AttemptResult<T> = { readonly value: T } | { readonly refused: Problem }

/**
 * Attempts part of a transaction. If a rule or the database rejects it, only that part is rolled back, and the
 * transaction continues. Throws any other error. `about`: the attempted write, used to name the invalid field.
 */
export async function attemptInTransaction<T>(
  work: TransactionWrites,
  inside: () => Promise<T>,
  about: WriteAttempt = {},
): Promise<AttemptResult<T>> {
  await work.flush()
  await work.tx.rows('SAVEPOINT attempt')
  try {
    const value = await inside()
    await work.flush()
    await work.tx.rows('RELEASE SAVEPOINT attempt')
    return { value }
  } catch (e) {
    const refused = await toProblem(e, { ...about, uniqueMessages: work.uniqueMessages }, work.tx)
    if (!(refused instanceof Problem)) throw e
    work.forget()
    await work.tx.rows('ROLLBACK TO SAVEPOINT attempt')
    await work.tx.rows('RELEASE SAVEPOINT attempt')
    return { refused }
  }
}

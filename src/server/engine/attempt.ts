import { Problem } from '#kernel/errors.ts'
import type { Work } from '#server/data/writing/work.ts'
import { asProblem, type WriteAttempt } from './refusals.ts'

/** The value of an attempt, or the sentence that refused it. */
export type AttemptResult<T> = { readonly value: T } | { readonly refused: Problem }

/**
 * Tries a part of a transaction. A refusal, by a rule or by the database, undoes that part alone, and the transaction goes on. Throws
 * anything that is no refusal. `about` describes the write, to name the field to blame.
 */
export async function attempt<T>(
  work: Work,
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
    const refused = await asProblem(e, { ...about, uniqueMessages: work.uniqueMessages }, work.tx)
    if (!(refused instanceof Problem)) throw e
    work.forget()
    await work.tx.rows('ROLLBACK TO SAVEPOINT attempt')
    await work.tx.rows('RELEASE SAVEPOINT attempt')
    return { refused }
  }
}

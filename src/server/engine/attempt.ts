import { Problem } from '#kernel/errors.ts'
import type { Work } from '#server/data/writing/work.ts'
import { asProblem, type WriteAttempt } from './refusals.ts'

/** What came of something that was tried: its value, or the sentence that refused it. */
export type AttemptResult<T> = { readonly value: T } | { readonly refused: Problem }

/**
 * Tries a part of a transaction. What is refused, by a rule or by the database, is undone alone: what came before it stands,
 * and the transaction goes on. Throws what is no refusal. `about` says what is tried, to name the field that is to blame.
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
    const refused = await asProblem(e, { ...about, worded: work.worded }, work.tx)
    if (!(refused instanceof Problem)) throw e
    work.forget()
    await work.tx.rows('ROLLBACK TO SAVEPOINT attempt')
    await work.tx.rows('RELEASE SAVEPOINT attempt')
    return { refused }
  }
}

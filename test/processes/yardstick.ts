import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two queries. */
const PAUSE = 100

/** Number of query responses that take two seconds on an idle machine; on a busy machine they take longer. */
export const TWO_SECONDS_IN_RESPONSES = 2000 / PAUSE

/**
 * Counts the query responses on a direct connection, ten a second, until a condition is true. This measures time in a
 * unit that a busy machine stretches as much as the tested work.
 */
export async function countResponsesUntil(
  isSo: () => boolean | Promise<boolean>,
  askDatabase: () => Promise<unknown>,
): Promise<number> {
  let answered = 0
  for (; !(await isSo()); answered++) {
    await askDatabase()
    await sleep(PAUSE)
  }
  return answered
}

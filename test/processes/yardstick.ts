import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two queries. */
const PAUSE = 100

/** Two seconds in answers, each as long as the machine makes it. */
export const TWO_SECONDS_IN_ANSWERS = 2000 / PAUSE

/**
 * Number of direct database answers, ten a second, until a condition holds: a measure of time that a busy machine
 * stretches as much as the tested work.
 */
export async function countAnswersUntil(
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

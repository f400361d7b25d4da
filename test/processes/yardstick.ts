import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two questions. */
const PAUSE = 100

/** So many answers are two seconds, each as long as the machine makes it. */
export const TWO_SECONDS = 2000 / PAUSE

/**
 * How often somebody who asks the database itself, ten times a second, is answered before something has come about: a measure of
 * time that a busy machine stretches as it stretches what is measured.
 */
export async function answersUntil(
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

/** Milliseconds that a request may hold the process, so that everybody else is still answered. */
export const LONGEST_HOLD = 200

const TRIES = 3

/**
 * Milliseconds of processor time that this thread spends on some work; the least of a few tries where the first is over the
 * limit. Not the clock's time: that grows with what else the machine is doing.
 */
export async function effortOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > LONGEST_HOLD; n++) {
    const before = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

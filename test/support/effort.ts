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

/**
 * Milliseconds of processor time that some work holds this thread at the most before others have their turn; the least of a few
 * tries where the first is over the limit.
 */
export async function longestHoldOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > LONGEST_HOLD; n++) least = Math.min(least, await longestTurn(work))
  return least
}

async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  let isOver = false
  const turns = (async () => {
    while (!isOver) {
      await new Promise((next) => setImmediate(next))
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
      before = process.threadCpuUsage()
    }
  })()
  await work()
  isOver = true
  await turns
  return longest
}

/** Milliseconds of processor time that some work takes in all threads of the process, those of the password hash among them; the least of three. */
export async function allThreadsOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES; n++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

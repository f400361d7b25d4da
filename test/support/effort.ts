/** Maximum milliseconds for which a request may block the process, so that it still responds to other requests. */
export const MAX_BLOCKING_MS = 200

const TRIES = 3

/** Milliseconds that `knownWork` takes on the machine where the limits were set. */
const KNOWN = 32

/** Reference work: writing JSON, reading each of its characters, and parsing it. */
function knownWork(): number {
  let sum = 0
  for (let n = 0; n < 200; n++) {
    const text = JSON.stringify(Array.from({ length: 200 }, (_, at) => ({ at, name: `name ${at * n}` })))
    for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at)
    sum += (JSON.parse(text) as unknown[]).length
  }
  return sum
}

function threadMillis(before?: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/**
 * Returns the factor by which this processor is currently slower than the one on which the limits were set, at least 1.
 * A processor is slower while other processes share its caches and clock rate.
 */
function slowness(): number {
  const before = process.threadCpuUsage()
  knownWork()
  return Math.max(1, threadMillis(before) / KNOWN)
}

/**
 * Measures this thread's processor time for some work in milliseconds, scaled by the reference work. If the first
 * attempt exceeds the limit, returns the minimum of a few attempts. Elapsed time would be unsuitable, because it grows
 * with the load of the machine.
 */
export async function measureThreadTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > MAX_BLOCKING_MS; n++) {
    const before = process.threadCpuUsage()
    await work()
    const spent = threadMillis(before)
    least = Math.min(least, spent > MAX_BLOCKING_MS ? spent / slowness() : spent)
  }
  return least
}

/**
 * Measures the longest processor time in milliseconds for which some work blocks this thread before it yields. If the
 * first attempt exceeds the limit, returns the minimum of a few attempts.
 */
export async function measureLongestBlock(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > MAX_BLOCKING_MS; n++) {
    const longest = await longestTurn(work)
    least = Math.min(least, longest > MAX_BLOCKING_MS ? longest / slowness() : longest)
  }
  return least
}

async function longestTurn(work: () => unknown): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  let isOver = false
  const turns = (async () => {
    while (!isOver) {
      await new Promise((next) => setImmediate(next))
      longest = Math.max(longest, threadMillis(before))
      before = process.threadCpuUsage()
    }
  })()
  await work()
  isOver = true
  await turns
  return longest
}

/**
 * Measures the processor time in milliseconds that some work takes in all threads of the process, including those that
 * hash passwords. Returns the minimum of three attempts.
 */
export async function measureProcessTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES; n++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Milliseconds that a request may hold the process, so that everybody else is still answered. */
export const LONGEST_HOLD = 200

const TRIES = 3

/** What `knownWork` takes, in milliseconds, where the limits were set. */
const KNOWN = 32

/** Work whose effort is known: putting texts together, taking them apart, and looking at each letter. */
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

/** How many times slower this processor is just now than where the limits were set: at least 1. Neighbours take their share of its caches and its clock. */
function slowness(): number {
  const before = process.threadCpuUsage()
  knownWork()
  return Math.max(1, threadMillis(before) / KNOWN)
}

/**
 * Milliseconds of processor time that this thread spends on some work; the least of a few tries where the first is over the
 * limit, and there in proportion to work that is known. Not the clock's time: that grows with what else the machine is doing.
 */
export async function effortOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > LONGEST_HOLD; n++) {
    const before = process.threadCpuUsage()
    await work()
    const spent = threadMillis(before)
    least = Math.min(least, spent > LONGEST_HOLD ? spent / slowness() : spent)
  }
  return least
}

/**
 * Milliseconds of processor time that some work holds this thread at the most before others have their turn; the least of a few
 * tries where the first is over the limit.
 */
export async function longestHoldOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > LONGEST_HOLD; n++) {
    const longest = await longestTurn(work)
    least = Math.min(least, longest > LONGEST_HOLD ? longest / slowness() : longest)
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

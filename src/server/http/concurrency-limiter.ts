import { problem } from '#kernel/errors.ts'
import { type Actor, author } from '#kernel/roles.ts'

/** By whom turns are counted: whoever works as somebody else takes their own. */
export const limiterKeyOf = (actor: Actor): string => `${actor.clientId} ${author(actor).userId}`

/**
 * How much is done at once for each of many: for a person, a client, a link. In this process. What is beyond it waits, as long as
 * few wait; without `longest` nothing does.
 */
export class ConcurrencyLimiter {
  private readonly most: number
  private readonly longest: number
  private readonly taken = new Map<string, number>()
  private readonly waiting = new Map<string, (() => void)[]>()
  constructor(most: number, longest = 0) {
    this.most = most
    this.longest = longest
  }

  /** Does it, at once or after others of the same `key`; 429 with Retry-After where too many wait already. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = this.take(key)
    if (turn) await turn
    try {
      return await work()
    } finally {
      this.leave(key)
    }
  }

  /** Takes a place, to be left again: `undefined` where there is one at once, else what ends with one. Throws 429. */
  take(key: string): Promise<void> | undefined {
    const before = this.taken.get(key) ?? 0
    if (before >= this.most) return this.wait(key)
    this.taken.set(key, before + 1)
    return undefined
  }

  private wait(key: string): Promise<void> {
    const line = this.waiting.get(key) ?? []
    if (line.length >= this.longest) throw problem.busy()
    this.waiting.set(key, line)
    return new Promise((next) => line.push(next))
  }

  /** Hands the place on to whoever waits, or gives it up. */
  leave(key: string): void {
    const line = this.waiting.get(key)
    const next = line?.shift()
    if (line?.length === 0) this.waiting.delete(key)
    const left = (this.taken.get(key) ?? 1) - 1
    if (next) next()
    else if (left > 0) this.taken.set(key, left)
    else this.taken.delete(key)
  }
}

import { problem } from '#kernel/errors.ts'
import { type Actor, author } from '#kernel/roles.ts'

/** The key of a person, whoever they impersonate. */
export const limiterKeyOf = (actor: Actor): string => `${actor.clientId} ${author(actor).userId}`

/**
 * Limits concurrent work for each of many keys, such as persons, clients or links, in this process. Work beyond it waits, as long as few
 * wait; without `maxWaiting` none does.
 */
export class ConcurrencyLimiter {
  private readonly concurrency: number
  private readonly maxWaiting: number
  private readonly taken = new Map<string, number>()
  private readonly waiting = new Map<string, (() => void)[]>()
  constructor(concurrency: number, maxWaiting = 0) {
    this.concurrency = concurrency
    this.maxWaiting = maxWaiting
  }

  /** Runs the work, at once or after others of the same `key`. Throws 429 with Retry-After where too many wait already. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const place = this.take(key)
    if (place) await place
    try {
      return await work()
    } finally {
      this.leave(key)
    }
  }

  /** Takes a place, which `leave` frees again: `undefined` where one is free, otherwise a promise of one. Throws 429. */
  take(key: string): Promise<void> | undefined {
    const before = this.taken.get(key) ?? 0
    if (before >= this.concurrency) return this.wait(key)
    this.taken.set(key, before + 1)
    return undefined
  }

  private wait(key: string): Promise<void> {
    const queue = this.waiting.get(key) ?? []
    if (queue.length >= this.maxWaiting) throw problem.busy()
    this.waiting.set(key, queue)
    return new Promise((next) => queue.push(next))
  }

  /** Passes the place on to the next in line, or frees it. */
  leave(key: string): void {
    const queue = this.waiting.get(key)
    const next = queue?.shift()
    if (queue?.length === 0) this.waiting.delete(key)
    const left = (this.taken.get(key) ?? 1) - 1
    if (next) next()
    else if (left > 0) this.taken.set(key, left)
    else this.taken.delete(key)
  }
}

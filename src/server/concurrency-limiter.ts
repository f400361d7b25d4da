import { AsyncLocalStorage } from 'node:async_hooks'
import { problem } from '#kernel/errors.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'

/** Returns the limiter key of a person. During impersonation, this is the key of the real person. */
export const limiterKeyOf = (actor: Actor): string => `${actor.clientId} ${authorOf(actor).userId}`

const requester = new AsyncLocalStorage<string>()

/** Runs work that this person has requested. */
export const withRequester = <T>(actor: Actor | undefined, work: () => T): T =>
  actor ? requester.run(limiterKeyOf(actor), work) : work()

/** Returns the limiter key of the person set by `withRequester`; `undefined` outside it. */
export const currentRequester = (): string | undefined => requester.getStore()

/**
 * Limits concurrent tasks per key (person, client or link) in this process. Up to `maxWaiting` further tasks wait; the
 * default is none.
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

  /**
   * Runs the task, either immediately or after other tasks with the same `key`. Throws 429 with Retry-After if too many
   * tasks are waiting.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const place = this.take(key)
    if (place) await place
    try {
      return await work()
    } finally {
      this.leave(key)
    }
  }

  /**
   * Takes a slot, which `leave` frees again. Returns `undefined` if a slot is free, otherwise a promise that resolves
   * when a slot has been taken. Throws 429 if too many tasks are waiting.
   */
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

  /** Passes the slot to the next waiting task, or frees it. */
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

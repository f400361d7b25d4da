import type { Availability } from './availability.ts'
import { Unavailable } from './unavailable.ts'

/** What the engine of the embedded database throws when it has broken down: a trap, no memory left, an end of its own. */
const DEATHS = new Set(['RuntimeError', 'ExitStatus'])

const isDeath = (e: unknown): boolean => e instanceof Error && DEATHS.has(e.name)

/** Of one statement, where nothing but the engine calls so deep. */
const isDeathOfStatement = (e: unknown): boolean =>
  isDeath(e) || (e instanceof RangeError && e.message.includes('call stack'))

/**
 * Whether the embedded database lives. What has broken down in the middle of something can't be trusted, nor asked to tidy up: from
 * then on everybody is refused, whoever waits for it too, and only a new process opens it again.
 */
export class ProcessAvailability implements Availability {
  private cause: unknown
  private readonly listeners = new Set<(isAway: boolean) => void>()
  private readonly waiting = new Set<(e: Unavailable) => void>()

  get isAway(): boolean {
    return this.cause !== undefined
  }

  onChange(listener: (isAway: boolean) => void): void {
    this.listeners.add(listener)
  }

  back(): Promise<boolean> {
    return Promise.resolve(!this.isAway)
  }

  /** One statement. */
  async ask<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (e) {
      throw isDeathOfStatement(e) ? this.end(e) : e
    }
  }

  /** All of a piece of work, with the wait for its turn. Throws `Unavailable` where the database has broken down, or does meanwhile. */
  spend<T>(work: () => Promise<T>): Promise<T> {
    if (this.isAway) return Promise.reject(new Unavailable(this.cause))
    return new Promise((resolve, reject) => {
      this.waiting.add(reject)
      const over = () => this.waiting.delete(reject)
      work().then(
        (value) => {
          over()
          resolve(value)
        },
        (e: unknown) => {
          over()
          reject(isDeath(e) ? this.end(e) : e)
        },
      )
    })
  }

  private end(cause: unknown): Unavailable {
    const refusal = new Unavailable(cause)
    if (this.isAway) return refusal
    this.cause = cause
    for (const refuse of this.waiting) refuse(refusal)
    this.waiting.clear()
    for (const listener of this.listeners) listener(true)
    return refusal
  }
}

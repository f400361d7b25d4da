import { setImmediate as breathe } from 'node:timers/promises'

/**
 * Work that is done one after the other, in the order in which it was asked for. Between two pieces the process hears who else
 * is asking: work that never waits for the outside would go on without it for as long as there is any, and whoever comes late,
 * one new connection a round, would wait for all the others again and again.
 */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.last.then(work)
    this.last = mine.then(
      () => breathe(),
      () => breathe(),
    )
    return mine
  }
}

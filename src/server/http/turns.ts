import { problem } from '#kernel/errors.ts'

/** How much of one thing is done at once for each of many: for a person, a client, a link. In this process. */
export class Turns {
  private readonly most: number
  private readonly taken = new Map<string, number>()
  constructor(most: number) {
    this.most = most
  }

  /** Does it, unless as much is being done for `key` already: then 429 with Retry-After. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.taken.get(key) ?? 0
    if (before >= this.most) throw problem.busy()
    this.taken.set(key, before + 1)
    try {
      return await work()
    } finally {
      const left = (this.taken.get(key) ?? 1) - 1
      if (left > 0) this.taken.set(key, left)
      else this.taken.delete(key)
    }
  }
}

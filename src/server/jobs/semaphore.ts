/** So many may be at something at once; who comes later waits for a place. One who stays for ever holds up nobody behind them but by their own. */
export class Semaphore {
  private free: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.free = count
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--
    else await new Promise<void>((come) => this.waiting.push(come))
    try {
      return await work()
    } finally {
      const next = this.waiting.shift()
      if (next) next()
      else this.free++
    }
  }
}

/**
 * Waiting tasks, with the number in progress for each client. Decides in which order the tasks of many clients start.
 */
export class FairQueue<Work extends { readonly whose: string }> {
  private readonly most: number
  private readonly waiting: Work[] = []
  private readonly underWay = new Map<string, number>()
  /** Number of the last turn that each client had. */
  private readonly turns = new Map<string, number>()
  private turn = 0

  /** `most`: maximum number of tasks in progress for one client. */
  constructor(most: number) {
    this.most = most
  }

  get length(): number {
    return this.waiting.length
  }

  lengthOf(whose: string): number {
    return this.waiting.filter((w) => w.whose === whose).length
  }

  add(work: Work): void {
    this.waiting.push(work)
  }

  /**
   * Removes and returns a waiting task. It belongs to the client with the fewest tasks in progress or, among equals, to
   * the client whose last turn was longest ago. Therefore no client waits for all tasks of another, even if there are
   * few processes. `undefined` if no task is waiting or all waiting clients are at their limit.
   */
  take(): Work | undefined {
    const ready = this.waiting.filter(({ whose }) => (this.underWay.get(whose) ?? 0) < this.most)
    if (!ready.length) return undefined
    const next = ready.reduce((a, b) => (this.isBefore(b, a) ? b : a))
    this.waiting.splice(this.waiting.indexOf(next), 1)
    this.turns.set(next.whose, ++this.turn)
    this.underWay.set(next.whose, (this.underWay.get(next.whose) ?? 0) + 1)
    return next
  }

  /** Records that a task has finished. */
  finish(whose: string): void {
    const left = (this.underWay.get(whose) ?? 1) - 1
    if (left > 0) this.underWay.set(whose, left)
    else this.underWay.delete(whose)
    if (!this.underWay.size && !this.waiting.length) this.turns.clear()
  }

  /** Removes and returns all waiting tasks. */
  empty(): Work[] {
    return this.waiting.splice(0)
  }

  private isBefore(a: Work, b: Work): boolean {
    const busy = (this.underWay.get(a.whose) ?? 0) - (this.underWay.get(b.whose) ?? 0)
    return busy < 0 || (busy === 0 && (this.turns.get(a.whose) ?? 0) < (this.turns.get(b.whose) ?? 0))
  }
}

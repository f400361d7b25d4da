/** What waits for its turn, and who has how much under way: the order in which work for many clients is taken up. */
export class WaitingLine<Work extends { readonly whose: string }> {
  private readonly most: number
  private readonly waiting: Work[] = []
  private readonly underWay = new Map<string, number>()
  /** Who had which turn last. */
  private readonly turns = new Map<string, number>()
  private turn = 0

  /** `most` of one client are under way at once. */
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
   * Takes what waits of whoever has least under way, and of those of whoever had a turn longest ago: nobody waits behind all that
   * another has ordered, however few processes there are. Nothing where all who wait have as much under way as one may.
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

  /** Work that was taken is over. */
  finish(whose: string): void {
    const left = (this.underWay.get(whose) ?? 1) - 1
    if (left > 0) this.underWay.set(whose, left)
    else this.underWay.delete(whose)
    if (!this.underWay.size && !this.waiting.length) this.turns.clear()
  }

  /** Takes all that waits. */
  empty(): Work[] {
    return this.waiting.splice(0)
  }

  private isBefore(a: Work, b: Work): boolean {
    const busy = (this.underWay.get(a.whose) ?? 0) - (this.underWay.get(b.whose) ?? 0)
    return busy < 0 || (busy === 0 && (this.turns.get(a.whose) ?? 0) < (this.turns.get(b.whose) ?? 0))
  }
}

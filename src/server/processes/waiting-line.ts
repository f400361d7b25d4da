/** Client and person that a task belongs to. */
export interface TaskOwner {
  readonly client: string
  /** Person of the client; an empty string if the task belongs to nobody in particular. */
  readonly person: string
}

/** Maximum number of tasks in progress for one client, and for one person. */
export interface TaskLimits {
  readonly client: number
  readonly person: number
}

/**
 * Waiting tasks, with the number in progress for each client and person. Decides in which order the tasks of many
 * clients start.
 */
export class FairQueue<Work extends { readonly owner: TaskOwner }> {
  private readonly limits: readonly number[]
  private readonly waiting: Work[] = []
  private readonly underWay = new Map<string, number>()
  /** Number of the last turn that each client and person had. */
  private readonly turns = new Map<string, number>()
  private turn = 0

  constructor({ client, person }: TaskLimits) {
    this.limits = [client, person]
  }

  get length(): number {
    return this.waiting.length
  }

  /** Returns the number of waiting tasks of the owner's client, and of the person among them. */
  lengthOf(owner: TaskOwner): TaskLimits {
    const ofClient = this.waiting.filter((w) => w.owner.client === owner.client)
    return { client: ofClient.length, person: ofClient.filter((w) => w.owner.person === owner.person).length }
  }

  add(work: Work): void {
    this.waiting.push(work)
  }

  /**
   * Removes and returns a waiting task. It belongs to the client with the fewest tasks in progress or, among equals, to
   * the client whose last turn was longest ago, and within a client to the person by the same rule. Therefore nobody
   * waits for all tasks of another, even if there are few processes. `undefined` if no task is waiting or all owners of
   * waiting tasks are at their limits.
   */
  take(): Work | undefined {
    const ready = this.waiting.filter(({ owner }) =>
      keysOf(owner).every((key, level) => this.countOf(key) < (this.limits[level] as number)),
    )
    if (!ready.length) return undefined
    const next = ready.reduce((a, b) => (this.isBefore(b, a) ? b : a))
    this.waiting.splice(this.waiting.indexOf(next), 1)
    this.turn++
    for (const key of keysOf(next.owner)) {
      this.turns.set(key, this.turn)
      this.underWay.set(key, this.countOf(key) + 1)
    }
    return next
  }

  /** Records that a task has finished. */
  finish(owner: TaskOwner): void {
    for (const key of keysOf(owner)) {
      const left = this.countOf(key) - 1
      if (left > 0) this.underWay.set(key, left)
      else this.underWay.delete(key)
    }
    if (!this.underWay.size && !this.waiting.length) this.turns.clear()
  }

  /** Removes and returns all waiting tasks. */
  empty(): Work[] {
    return this.waiting.splice(0)
  }

  private countOf(key: string): number {
    return this.underWay.get(key) ?? 0
  }

  private isBefore(a: Work, b: Work): boolean {
    const others = keysOf(b.owner)
    for (const [level, key] of keysOf(a.owner).entries()) {
      const other = others[level] as string
      if (key === other) continue
      const busy = this.countOf(key) - this.countOf(other)
      return busy < 0 || (busy === 0 && (this.turns.get(key) ?? 0) < (this.turns.get(other) ?? 0))
    }
    return false
  }
}

const keysOf = ({ client, person }: TaskOwner): readonly string[] => [client, `${client} ${person}`]

import type { Columns } from './columns.ts'

/** A statement is usual from this use on. */
const USUAL = 3
/** Statements that may have a name at once. */
const NAMED_MOST = 200
/** Statements that are remembered on their way there. */
const REMEMBERED = 500
/** Characters of a statement; longer ones are of one occasion, such as an order with all its lines. */
const LONGEST = 20_000

/**
 * Names for the statements that are asked for again and again. PostgreSQL keeps a named statement on each connection, and this
 * process its text: shapes of query that are put together by callers must not stay for ever in either. Whatever was lately
 * used most keeps its name; a statement that has lost it gets another.
 */
export class Names {
  private readonly uses = new Map<string, number>()
  private readonly names = new Map<string, Named>()
  private made = 0

  /** A statement as it has a name; `undefined` for one that is not usual. Counts as a use of it. */
  of(text: string): Statement | undefined {
    const known = this.names.get(text)
    if (known) {
      known.isUsed = true
      return known
    }
    if (text.length > LONGEST) return undefined
    const uses = (this.uses.get(text) ?? 0) + 1
    this.uses.delete(text)
    if (uses >= USUAL) return this.give(text)
    if (this.uses.size >= REMEMBERED) this.uses.delete(this.uses.keys().next().value as string)
    this.uses.set(text, uses)
    return undefined
  }

  /** How many statements are known, with a name or on their way to one. */
  get size(): number {
    return this.names.size + this.uses.size
  }

  /** A new name. Where all are given, the one that was given first goes; those that were used since it was last looked at, not before a second time. */
  private give(text: string): Statement {
    while (this.names.size >= NAMED_MOST) {
      const [first, named] = this.names.entries().next().value as [string, Named]
      this.names.delete(first)
      if (!named.isUsed) continue
      named.isUsed = false
      this.names.set(first, named)
    }
    const named = { name: `s${++this.made}`, isUsed: false }
    this.names.set(text, named)
    return named
  }
}

/** A statement that is usual. */
export interface Statement {
  readonly name: string
  /** What it gives, once the server has said so: the same for all connections. */
  columns?: Columns
}

interface Named extends Statement {
  /** Since it was last looked for one to take away. Moving it to the end at each use would cost each statement more. */
  isUsed: boolean
}

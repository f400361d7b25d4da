import type { ColumnParsers } from './columns.ts'

/** Number of uses from which a statement gets a name. */
const USUAL = 3
/** Maximum statements with a name at a time. */
const NAMED_MOST = 200
/** Maximum statements without a name whose uses are counted. */
const REMEMBERED = 500
/** Maximum characters of a named statement; longer ones are used once, such as an order with all its lines. */
const MAX_STATEMENT_CHARACTERS = 20_000

/**
 * Names for frequent statements. PostgreSQL stores a named statement on each connection, and this process its text, so
 * query shapes composed by callers must not accumulate in either. Recently used statements keep their name; a statement
 * that has lost its name gets a new one.
 */
export class StatementNames {
  private readonly uses = new Map<string, number>()
  private readonly names = new Map<string, NamedStatement>()
  private made = 0

  /** Returns a statement with its name; `undefined` if it is not frequent. Counts as a use. */
  of(text: string): FrequentStatement | undefined {
    const known = this.names.get(text)
    if (known) {
      known.isUsed = true
      return known
    }
    if (text.length > MAX_STATEMENT_CHARACTERS) return undefined
    const uses = (this.uses.get(text) ?? 0) + 1
    this.uses.delete(text)
    if (uses >= USUAL) return this.give(text)
    if (this.uses.size >= REMEMBERED) this.uses.delete(this.uses.keys().next().value as string)
    this.uses.set(text, uses)
    return undefined
  }

  /** Number of known statements, named or counted. */
  get size(): number {
    return this.names.size + this.uses.size
  }

  /**
   * Assigns a new name. If all are assigned, the oldest one is removed; statements used since the last check are spared
   * once.
   */
  private give(text: string): FrequentStatement {
    while (this.names.size >= NAMED_MOST) {
      const [first, named] = this.names.entries().next().value as [string, NamedStatement]
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

/** A frequent statement. */
export interface FrequentStatement {
  readonly name: string
  /** Column parsers, once the server has described the result: the same for all connections. */
  columns?: ColumnParsers
}

interface NamedStatement extends FrequentStatement {
  /** Used since the last check for a name to remove. Reordering the statements at every use would be slower. */
  isUsed: boolean
}

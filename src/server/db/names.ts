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
  private readonly names = new Map<string, string>()
  private made = 0

  /** The name to send a statement under; `undefined` for one that is not usual. Counts as a use of it. */
  of(text: string): string | undefined {
    const name = this.names.get(text)
    if (name) return moveToEnd(this.names, text, name)
    if (text.length > LONGEST) return undefined
    const uses = (this.uses.get(text) ?? 0) + 1
    this.uses.delete(text)
    if (uses >= USUAL) return keep(this.names, text, `s${++this.made}`, NAMED_MOST)
    keep(this.uses, text, uses, REMEMBERED)
    return undefined
  }

  /** How many statements are known, with a name or on their way to one. */
  get size(): number {
    return this.names.size + this.uses.size
  }
}

function moveToEnd<V>(map: Map<string, V>, key: string, value: V): V {
  map.delete(key)
  map.set(key, value)
  return value
}

/** Adds an entry to a map that holds so many at the most; the one that was longest without use makes room. */
function keep<V>(map: Map<string, V>, key: string, value: V, most: number): V {
  if (map.size >= most) map.delete(map.keys().next().value as string)
  map.set(key, value)
  return value
}

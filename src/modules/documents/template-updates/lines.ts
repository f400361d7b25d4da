import type { Values } from '#kernel/forms/visible.ts'
import { matchRows } from '../comparison/differences.ts'
import type { RowIdentity } from '../types/comparison-rules.ts'

/** Returns true if two values have the same content: all empty values are equal, and the order of keys is ignored. */
export const hasSameContent = (a: unknown, b: unknown): boolean => said(a) === said(b)

const said = (value: unknown): string => JSON.stringify(plain(value)) ?? ''

function plain(value: unknown): unknown {
  if (value === null || value === '' || (Array.isArray(value) && !value.length)) return undefined
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return value
  if (value && 'toJSON' in value && typeof value.toJSON === 'function') return value.toJSON()
  const entries = Object.entries(value as object).flatMap(([name, v]) => {
    const p = plain(v)
    return p === undefined ? [] : [[name, p] as const]
  })
  return entries.length ? Object.fromEntries(entries.toSorted(([x], [y]) => (x < y ? -1 : 1))) : undefined
}

/** A template's change to rows with the same name: rows that were added, removed or changed since they were copied. */
export interface TemplateRowChange {
  readonly name: string
  /** True if the copy has changed the same rows, or has rows of its own with that name but different content. */
  readonly own: boolean
  /** The copy's rows of that name, before and after the change. */
  readonly before: readonly Values[]
  readonly after: readonly Values[]
}

interface Edit {
  readonly name: string
  readonly own: boolean
  /** The copy's row to change; undefined for an added row, which comes after `follows`. */
  readonly mine?: Values
  /** The changed or added row; undefined if the copy's row is removed. */
  readonly next?: Values
  readonly follows?: Values
}

/**
 * Result of comparing three lists of rows: the possible changes, and a function that returns the copy's rows after the
 * accepted changes.
 */
export interface RowMergePlan {
  readonly changes: readonly TemplateRowChange[]
  readonly take: (names: ReadonlySet<string>) => readonly Values[]
}

/**
 * Compares a template's current rows with the rows that were copied and with the copy's own rows. Rows removed from the
 * copy stay removed, and rows added to the copy stay. In a changed row, only values that the template changed are
 * updated. `says` distinguishes content from storage values.
 */
export function planRowMerge(
  [base, theirs, mine]: readonly [readonly Values[], readonly Values[], readonly Values[]],
  called: RowIdentity,
  says: (name: string) => boolean,
): RowMergePlan {
  const nameOf = called.of ?? called.row
  const mineOf = new Map(
    matchRows(base, mine, called.row).flatMap(({ old, now }) => (old && now ? [[old, now] as const] : [])),
  )
  const taken = new Set(mineOf.values())
  const ownByName = new Map(mine.filter((row) => !taken.has(row)).map((row) => [called.row(row), row]))
  const edits: Edit[] = []
  let follows: Values | undefined
  for (const { old, now } of matchRows(base, theirs, called.row)) {
    const name = nameOf((now ?? old) as Values)
    const kept = old ? mineOf.get(old) : now && ownByName.get(called.row(now))
    if (!now) {
      if (kept) edits.push({ name, mine: kept, own: !sameWords(old as Values, kept, says) })
    } else if (kept) {
      const edit = changeOf(old ?? {}, now, kept, says)
      if (edit) edits.push({ name, mine: kept, ...edit })
      follows = kept
    } else if (!old) {
      edits.push({ name, next: wordsOf(now, says), own: false, ...(follows ? { follows } : {}) })
    }
  }
  const take = (names: ReadonlySet<string>) =>
    applied(
      mine,
      edits.filter(({ name }) => names.has(name)),
      called,
    )
  const changes = [...new Set(edits.map(({ name }) => name))].map((name): TemplateRowChange => {
    const about = edits.filter((edit) => edit.name === name)
    const [was, next] = [new Set(about.map(({ mine: row }) => row)), new Set(about.map(({ next: row }) => row))]
    const after = applied(mine, about, called)
    return {
      name,
      own: about.some(({ own }) => own),
      before: mine.filter((row) => was.has(row) || nameOf(row) === name),
      after: after.filter((row) => next.has(row) || nameOf(row) === name),
    }
  })
  return { changes, take }
}

/**
 * Returns the change to one of the copy's rows; undefined if the row already has every value that the template changed.
 */
function changeOf(base: Values, theirs: Values, mine: Values, says: (name: string) => boolean) {
  const changed = namesIn([base, theirs]).filter((n) => says(n) && !hasSameContent(base[n], theirs[n]))
  const open = changed.filter((n) => !hasSameContent(mine[n], theirs[n]))
  if (!open.length) return undefined
  const next: Values = { ...mine, ...Object.fromEntries(open.map((n) => [n, theirs[n] ?? null])) }
  return { next, own: open.some((n) => !hasSameContent(mine[n], base[n])) }
}

/**
 * Applies edits to the copy's rows. An added row joins the rows with the same name, or follows the same row as in the
 * template.
 */
function applied(mine: readonly Values[], edits: readonly Edit[], { of, shared = [] }: RowIdentity): readonly Values[] {
  const about = new Map(edits.flatMap((edit) => (edit.mine ? [[edit.mine, edit] as const] : [])))
  const rows = mine.map((row) => ({ at: row, now: about.has(row) ? about.get(row)?.next : row }))
  for (const { name, mine: row, next, follows } of edits) {
    if (row || !next) continue
    const kin = of ? rows.findLastIndex(({ now }) => now && of(now) === name) : -1
    const place = kin < 0 ? rows.findLastIndex(({ at }) => at === follows) : kin
    const theirs = rows[kin]?.now ?? {}
    const now = { ...next, ...Object.fromEntries(shared.flatMap((n) => (n in theirs ? [[n, theirs[n]]] : []))) }
    rows.splice(place < 0 ? rows.length : place + 1, 0, { at: follows ?? now, now })
  }
  return rows.flatMap(({ now }) => (now ? [now] : []))
}

const sameWords = (a: Values, b: Values, says: (name: string) => boolean) =>
  namesIn([a, b]).every((n) => !says(n) || hasSameContent(a[n], b[n]))

const wordsOf = (row: Values, says: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(row).filter(([name]) => says(name)))

const namesIn = (rows: readonly Values[]) => [...new Set(rows.flatMap(Object.keys))]

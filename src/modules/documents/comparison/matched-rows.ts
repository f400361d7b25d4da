import type { Values } from '#kernel/forms/visible.ts'

/** A row in both revisions, or in only one of them. */
export interface RowPair {
  readonly old?: Values
  readonly now?: Values
}

/** Minimum similarity at which rows with different names count as one renamed row. */
const ALIKE = 0.6

/**
 * Matches rows: first by equal name, in order; then by a word in common, most similar first. Revisions are copies, so
 * rows share only what people read. In the order of the new revision, removed rows last.
 */
export function matchRows(
  before: readonly Values[],
  after: readonly Values[],
  nameOf: (row: Values) => string,
): RowPair[] {
  const left = new Set(before)
  const found = new Map<Values, Values>()
  const named = new Map<string, Values[]>()
  for (const old of before) named.set(nameOf(old), [...(named.get(nameOf(old)) ?? []), old])
  for (const now of after) {
    const old = named.get(nameOf(now))?.shift()
    if (old) take(old, now)
  }
  for (const now of after) {
    if (found.has(now)) continue
    const best = [...left].reduce<{ old?: Values; share: number }>(
      (b, old) => {
        const share = shareWord(nameOf(old), nameOf(now)) ? similarity(old, now) : 0
        return share > b.share ? { old, share } : b
      },
      { share: ALIKE },
    )
    if (best.old) take(best.old, now)
  }
  return [
    ...after.map((now): RowPair => ({ now, ...(found.has(now) ? { old: found.get(now) as Values } : {}) })),
    ...[...left].map((old): RowPair => ({ old })),
  ]

  function take(old: Values, now: Values) {
    left.delete(old)
    found.set(now, old)
  }
}

function shareWord(a: string, b: string): boolean {
  const words = new Set(wordsOf(a))
  return wordsOf(b).some((w) => words.has(w))
}

const wordsOf = (name: string) => name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []

/** Share of equal values and of common words in texts; values empty in both don't count. */
function similarity(a: Values, b: Values): number {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (k) => !k.startsWith('@') && k !== 'id' && (some(a[k]) || some(b[k])),
  )
  return keys.length === 0 ? 1 : keys.reduce((sum, k) => sum + alike(a[k], b[k]), 0) / keys.length
}

/** From 0 to 1: twice the common words divided by all words of both texts; other values are 1 or 0. */
function alike(a: unknown, b: unknown): number {
  if (JSON.stringify(a) === JSON.stringify(b)) return 1
  if (typeof a !== 'string' || typeof b !== 'string') return 0
  const [words, others] = [new Set(wordsOf(a)), new Set(wordsOf(b))]
  const both = [...words].filter((w) => others.has(w)).length
  return (2 * both) / Math.max(1, words.size + others.size)
}

const some = (v: unknown) => v !== null && v !== undefined && v !== ''

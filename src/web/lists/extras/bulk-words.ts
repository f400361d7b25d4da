import type { BulkAction } from '#kernel/bulk.ts'
import { capitalise, formatInteger } from '#kernel/text.ts'

const many = (n: number, one: string, more: string) => (n === 1 ? one : `${formatInteger(n)} ${more}`)

/** Past participles of the actions, shown after a number: "12 retired". */
const DONE: Readonly<Record<string, string>> = { retire: 'retired', restore: 'restored' }

export interface BulkCounts {
  readonly done: number
  readonly unchanged: number
  readonly refused: number
}

/**
 * Describes the result of a bulk action in one sentence: "12 retired, 3 unchanged, 2 refused." `to` is the new value of
 * the changed field.
 */
export function describeBulkResult(
  { name, title, change }: BulkAction,
  word: string | undefined,
  counts: BulkCounts,
  to?: string,
): string {
  const { done, unchanged, refused } = counts
  const parts = [
    done > 0 &&
      ((word ?? DONE[name])
        ? `${formatInteger(done)} ${word ?? DONE[name]}`
        : change
          ? `${title} changed ${to ? `to ${to} ` : ''}for ${formatInteger(done)}`
          : `${title}: ${formatInteger(done)} done`),
    unchanged > 0 && many(unchanged, 'one unchanged', 'unchanged'),
    refused > 0 && many(refused, 'one refused', 'refused'),
  ].filter((part) => part !== false)
  const said = parts.join(', ') || 'Nothing to change'
  return `${capitalise(said)}.`
}

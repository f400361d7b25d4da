import { useEffect, useLayoutEffect, useRef } from 'react'

/** Maximum number of columns that may be hidden if space is short. The stylesheet has a rule for each number. */
const MAX_DROPPED_COLUMNS = 5
/**
 * Width in pixels below which a column is truncated only once all optional columns have been hidden. `KNOWN` is the
 * same limit for the column that identifies the row.
 */
const MIN_COLUMN_WIDTH_PX = 136
const KNOWN = 280

/**
 * Fits a table into its frame. Truncates the widest columns first, and hides as many optional columns as necessary. A
 * table that is still too wide scrolls sideways, without sticky headings.
 */
export function useFittedTable(rows: unknown, columns: string) {
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and columns are the occasion
  useLayoutEffect(() => fitTable(frame.current), [rows, columns])
  useEffect(() => {
    const table = frame.current?.firstElementChild
    if (!frame.current || !table) return
    const watched = new ResizeObserver(() => fitTable(frame.current))
    // Content that loads later changes the width of the table, but not the width of the frame, so both are observed.
    for (const one of [frame.current, table]) watched.observe(one)
    return () => watched.disconnect()
  }, [])
  return frame
}

interface Fit {
  readonly dropped: number
  /** Maximum width of a truncatable column, in pixels. */
  readonly most: number | undefined
  /** Maximum width of the column that identifies the row, in pixels. */
  readonly known: number | undefined
}

function fitTable(frame: Element | null | undefined): void {
  const table = frame?.firstElementChild
  if (!(frame instanceof HTMLElement) || !(table instanceof HTMLTableElement)) return
  const over = () => table.offsetWidth - frame.clientWidth
  frame.removeAttribute('data-wide-table')
  dress(frame, { dropped: 0, most: undefined, known: undefined })
  if (over() <= 0) return
  let fit = fitColumns(wishesOf([...(table.tHead?.rows[0]?.cells ?? [])]), frame.clientWidth)
  dress(frame, fit)
  // Headings are never truncated, so the table may still be too wide.
  for (let tries = 0; tries < 3 && over() > 0; tries++) {
    const tooWide = over()
    fit = {
      ...fit,
      most: fit.most && fit.most - tooWide,
      known: fit.known && Math.max(MIN_COLUMN_WIDTH_PX, fit.known - tooWide),
    }
    dress(frame, fit)
  }
  frame.toggleAttribute('data-wide-table', over() > 0)
}

/** Writes only the values that have changed, because every write causes another layout. */
function dress({ dataset, style }: HTMLElement, { dropped, most, known }: Fit): void {
  if (dataset.dropped !== String(dropped)) dataset.dropped = String(dropped)
  for (const [name, pixels] of [
    ['--most', most],
    ['--most-known', known],
  ] as const) {
    const width =
      pixels === undefined || pixels === Number.POSITIVE_INFINITY ? '' : `${Math.max(40, Math.floor(pixels))}px`
    if (style.getPropertyValue(name) !== width) style.setProperty(name, width)
  }
}

interface Wish {
  readonly width: number
  /** Rank in the order in which columns are hidden, starting from 1. Columns without a rank are never hidden. */
  readonly rank?: number
  readonly cut?: boolean
  /** Whether the column identifies the row. */
  readonly known?: boolean
}

const wishesOf = (heads: readonly HTMLTableCellElement[]): readonly Wish[] =>
  heads.map((head) => ({
    width: head.offsetWidth,
    ...(head.dataset.rank ? { rank: Number(head.dataset.rank) } : {}),
    cut: !('tight' in head.dataset) && head.scope === 'col',
    known: 'known' in head.dataset,
  }))

/**
 * Fits columns into a frame, given their widths. Other columns are truncated, then hidden, before the column that
 * identifies the row is truncated.
 */
export function fitColumns(columns: readonly Wish[], frame: number): Fit {
  for (let dropped = 0; ; dropped++) {
    const shown = columns.filter(({ rank = Number.POSITIVE_INFINITY }) => rank > dropped)
    const width = (which: (c: Wish) => boolean) => shown.filter(which).map((c) => c.width)
    const available = frame - sum(width((c) => !c.cut))
    const known = width((c) => c.cut === true && c.known === true)
    const others = width((c) => c.cut === true && !c.known)
    const left = available - sum(known.map((w) => Math.min(w, KNOWN)))
    const most = left < 0 ? 0 : computeMaxColumnWidth(left, others)
    const isLast = dropped === MAX_DROPPED_COLUMNS || !shown.some((c) => c.rank !== undefined)
    if (most >= MIN_COLUMN_WIDTH_PX || (!others.length && isLast))
      return {
        dropped,
        most,
        known: Math.max(MIN_COLUMN_WIDTH_PX, computeMaxColumnWidth(available - cutTo(others, most), known)),
      }
    if (!isLast) continue
    // If space is still short, the identifying column is truncated too, but only after all others and never below its
    // least width, at which the table scrolls sideways.
    const alike = computeMaxColumnWidth(available, [...known, ...others])
    const rest = Math.min(MIN_COLUMN_WIDTH_PX, alike)
    const remaining = computeMaxColumnWidth(available - cutTo(others, rest), known)
    return { dropped, most: rest, known: Math.max(MIN_COLUMN_WIDTH_PX, remaining) }
  }
}

const cutTo = (widths: readonly number[], most: number) => sum(widths.map((w) => Math.min(w, most)))

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/**
 * Returns the maximum column width at which all columns fit the available width. Only the widest columns are truncated.
 */
export function computeMaxColumnWidth(available: number, widths: readonly number[]): number {
  const rising = widths.toSorted((a, b) => a - b)
  let left = available
  for (const [at, width] of rising.entries()) {
    const share = left / (rising.length - at)
    if (width > share) return share
    left -= width
  }
  return Number.POSITIVE_INFINITY
}

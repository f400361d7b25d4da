import { useEffect, useLayoutEffect, useRef } from 'react'

/** As many columns can go for want of room; the stylesheet has a rule for each. */
const MOST_DROPPED = 5
/** No column is cut to fewer pixels while one that can be done without is still there. */
const LEAST = 136

/**
 * Fits a table into its frame: what is long is cut, the longest first, and as many of the columns that can be done without go as
 * must. One that is wider still is moved sideways, and its head no longer stays in sight.
 */
export function useFitting(rows: unknown, columns: string) {
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and columns are the occasion
  useLayoutEffect(() => fitTable(frame.current), [rows, columns])
  useEffect(() => {
    const table = frame.current?.firstElementChild
    if (!frame.current || !table) return
    const watched = new ResizeObserver(() => fitTable(frame.current))
    // What comes later makes the table wider, and its frame not.
    for (const one of [frame.current, table]) watched.observe(one)
    return () => watched.disconnect()
  }, [])
  return frame
}

interface Fit {
  readonly dropped: number
  /** The most that a column that can be cut may have. */
  readonly most: number | undefined
}

function fitTable(frame: Element | null | undefined): void {
  const table = frame?.firstElementChild
  if (!(frame instanceof HTMLElement) || !(table instanceof HTMLTableElement)) return
  const over = () => table.offsetWidth - frame.clientWidth
  frame.removeAttribute('data-wide-table')
  dress(frame, { dropped: 0, most: undefined })
  if (over() <= 0) return
  let fit = fitOf([...(table.tHead?.rows[0]?.cells ?? [])], frame.clientWidth)
  dress(frame, fit)
  // Heads are never cut.
  for (let tries = 0; tries < 3 && over() > 0 && fit.most; tries++) {
    fit = { ...fit, most: fit.most - over() }
    dress(frame, fit)
  }
  frame.toggleAttribute('data-wide-table', over() > 0)
}

/** What is as it was is not written again: the table would be laid out anew. */
function dress({ dataset, style }: HTMLElement, { dropped, most }: Fit): void {
  if (dataset.dropped !== String(dropped)) dataset.dropped = String(dropped)
  const width = most === undefined ? '' : `${Math.max(40, Math.floor(most))}px`
  if (style.getPropertyValue('--most') !== width) style.setProperty('--most', width)
}

/** How columns that are as wide as they like to be fit into a frame. */
function fitOf(heads: readonly HTMLTableCellElement[], frame: number): Fit {
  const columns = heads.map((head) => ({
    width: head.offsetWidth,
    rank: Number(head.dataset.rank ?? Number.POSITIVE_INFINITY),
    cut: !('tight' in head.dataset) && head.scope === 'col',
    least: Number(head.dataset.least ?? LEAST),
  }))
  for (let dropped = 0; ; dropped++) {
    const shown = columns.filter((c) => c.rank > dropped)
    const room = frame - sum(shown.filter((c) => !c.cut).map((c) => c.width))
    const cut = shown.filter((c) => c.cut)
    const most = mostWithin(
      room,
      cut.map((c) => c.width),
    )
    const least = Math.max(LEAST, ...cut.map((c) => Math.min(c.width, c.least)))
    const last = dropped === MOST_DROPPED || !shown.some((c) => Number.isFinite(c.rank))
    if (most >= least || last) return { dropped, most }
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** The width to which the widest have to be cut so that all together have no more than there is room for. */
export function mostWithin(room: number, widths: readonly number[]): number {
  const rising = widths.toSorted((a, b) => a - b)
  let left = room
  for (const [at, width] of rising.entries()) {
    const share = left / (rising.length - at)
    if (width > share) return share
    left -= width
  }
  return Number.POSITIVE_INFINITY
}

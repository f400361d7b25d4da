import { useEffect, useLayoutEffect, useRef } from 'react'

/** As many columns can go for want of room; the stylesheet has a rule for each. */
const MOST_DROPPED = 5

/**
 * Fits a table into its frame: as many of the columns that can be done without go as must. One that is wider still is moved
 * sideways, and its head no longer stays in sight.
 */
export function useFitting(rows: unknown, columns: string) {
  const frame = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows and columns are the occasion
  useLayoutEffect(() => fitTable(frame.current), [rows, columns])
  useEffect(() => {
    if (!frame.current) return
    const watched = new ResizeObserver(([one]) => fitTable(one?.target))
    watched.observe(frame.current)
    return () => watched.disconnect()
  }, [])
  return frame
}

/** What is as it was is not written again: the table would be laid out anew. */
const drop = (frame: HTMLElement, dropped: number) => {
  if (frame.dataset.dropped !== String(dropped)) frame.dataset.dropped = String(dropped)
}

function fitTable(frame: Element | null | undefined): void {
  const table = frame?.firstElementChild
  if (!(frame instanceof HTMLElement) || !table) return
  if (frame.hasAttribute('data-wide-table')) frame.removeAttribute('data-wide-table')
  let dropped = 0
  do drop(frame, dropped)
  while (table.clientWidth > frame.clientWidth && dropped++ < MOST_DROPPED)
  frame.toggleAttribute('data-wide-table', table.clientWidth > frame.clientWidth)
}

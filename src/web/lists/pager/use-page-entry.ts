import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { storeListPosition } from './list-position.ts'
import { type RecordOpener, startRecordPager } from './record-pager.ts'

/** Navigation state that makes a list page open its first or last record, except the record that was just left. */
export interface PagerEntryState {
  readonly enters: 1 | -1
  readonly from: string | undefined
}

/** Keys of history entries that have already opened a record. Going back to such an entry stays on the list. */
const enteredKeys = new Set<string>()

/** Opens the first or last record of a list page as soon as the rows are loaded, if the pager requested it. */
export function usePagerEntry(
  rows: readonly unknown[] | undefined,
  { stopOf, open }: Omit<RecordOpener, 'rows'>,
): void {
  const { key, state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const enter = useEffectEvent((there: readonly unknown[]) => {
    const { enters, from } = (state ?? {}) as Partial<PagerEntryState>
    if (!enters || enteredKeys.has(key)) return
    enteredKeys.add(key)
    const stops = there.map((row) => ({ row, ...stopOf(row) }))
    const others = stops.filter(({ to }) => to === undefined || to !== from)
    const stop = (others.length ? others : stops).at(enters > 0 ? 0 : -1)
    if (!stop) return
    storeListPosition(pathname, { search, row: stop.id })
    startRecordPager(pathname, search, stop.id)
    if (stop.to !== undefined) void navigate(stop.to, { replace: true })
    else open?.(stop.row)
  })
  useEffect(() => {
    if (rows) enter(rows)
  }, [rows])
}

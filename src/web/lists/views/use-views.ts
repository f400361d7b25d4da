import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { listSetting, savedView } from '#kernel/lists/views.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useStoredList } from '../../offline/cache/stored-list.ts'
import { isBare, keptQuery, seenThrough } from './seen.ts'

export type View = RecordOf<typeof savedView>

/** A list's saved views and a person's own setting of it, and which of them the address shows. */
export interface Views {
  /** `crm/contacts` */
  readonly list: string
  /** Nothing that is still on its way would change what is seen. */
  readonly ready: boolean
  readonly setting: RecordOf<typeof listSetting> | undefined
  readonly all: readonly View[]
  readonly current: View | undefined
  /** The filters, order and columns on screen, as a view keeps them. */
  readonly now: string
  readonly changed: boolean
  /** Shows a view, or the list as it begins. */
  readonly show: (view: View | undefined) => void
}

/** `keys` are the parameters of the address that are the list's. A bare address begins with the view that its reader chose. */
export function useViews(list: string, keys: readonly string[]): Views {
  const settings = useStoredList(listSetting)
  const views = useStoredList(savedView)
  const [search, setSearch] = useSearchParams()
  const [bare, setBare] = useState(() => isBare(search, keys))
  const setting = settings.data?.['hydra:member'].find((s) => s.list === list)
  const all = (views.data?.['hydra:member'] ?? []).filter((v) => v.list === list)
  const current = all.find((v) => String(v.id) === search.get('view'))
  const now = keptQuery(search, keys)
  const first = bare && isBare(search, keys) ? all.find((v) => v['@id'] === setting?.view) : undefined
  if (bare && !first && !settings.isPending && !views.isPending) setBare(false)
  const waiting = (query: { isPending: boolean; fetchStatus: string }) =>
    query.isPending && query.fetchStatus === 'fetching'
  const ready = !waiting(settings) && !(bare && setting?.view && waiting(views)) && !first

  useEffect(() => {
    if (first) setSearch((s) => seenThrough(s, keys, first), { replace: true, preventScrollReset: true })
  }, [first, setSearch, keys])

  return {
    list,
    ready,
    setting,
    all,
    current,
    now,
    changed: current !== undefined && keptQuery(new URLSearchParams(current.query), keys) !== now,
    show: (view) => setSearch((s) => seenThrough(s, keys, view), { preventScrollReset: true }),
  }
}

import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { listSetting, savedView } from '#kernel/lists/views.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useStoredList } from '../../offline/cache/stored-list.ts'

export type SavedView = RecordOf<typeof savedView>

/** Saved views of a list, the person's settings for the list, and the view in the URL. */
export interface ListViews {
  /** Name of the list: `crm/contacts`. */
  readonly list: string
  /** Whether everything that could change the list on screen has loaded. */
  readonly ready: boolean
  readonly setting: RecordOf<typeof listSetting> | undefined
  readonly all: readonly SavedView[]
  readonly current: SavedView | undefined
  /** Filters, order and columns on screen, in the format in which a view stores them. */
  readonly now: string
  readonly changed: boolean
  /** Shows a view, or the standard list if no view is given. */
  readonly show: (view: SavedView | undefined) => void
}

/**
 * Reads a list's views. `keys` are the list's URL parameters. A URL without any of these parameters opens the person's
 * default view.
 */
export function useListViews(list: string, keys: readonly string[]): ListViews {
  const settings = useStoredList(listSetting)
  const views = useStoredList(savedView)
  const [search, setSearch] = useSearchParams()
  const [bare, setBare] = useState(() => hasNoListParams(search, keys))
  const setting = settings.data?.['hydra:member'].find((s) => s.list === list)
  const all = (views.data?.['hydra:member'] ?? []).filter((v) => v.list === list)
  const current = all.find((v) => String(v.id) === search.get('view'))
  const now = buildViewQuery(search, keys)
  const first = bare && hasNoListParams(search, keys) ? all.find((v) => v['@id'] === setting?.view) : undefined
  if (bare && !first && !settings.isPending && !views.isPending) setBare(false)
  const waiting = (query: { isPending: boolean; fetchStatus: string }) =>
    query.isPending && query.fetchStatus === 'fetching'
  const ready = !waiting(settings) && !(bare && setting?.view && waiting(views)) && !first

  useEffect(() => {
    if (first) setSearch((s) => buildViewSearch(s, keys, first), { replace: true, preventScrollReset: true })
  }, [first, setSearch, keys])

  return {
    list,
    ready,
    setting,
    all,
    current,
    now,
    changed: current !== undefined && buildViewQuery(new URLSearchParams(current.query), keys) !== now,
    show: (view) => setSearch((s) => buildViewSearch(s, keys, view), { preventScrollReset: true }),
  }
}

/**
 * Returns a list's URL parameters except the page, as stored in a saved view. The order is fixed, so that queries can
 * be compared.
 */
export function buildViewQuery(search: URLSearchParams, keys: readonly string[]): string {
  const kept = new URLSearchParams()
  for (const key of [...keys, 'columns'].filter((k) => k !== 'page').toSorted()) {
    const value = search.get(key)
    if (value !== null) kept.set(key, value)
  }
  return kept.toString()
}

/**
 * Returns the URL parameters that show a view, or the standard list if no view is given. Unrelated parameters are
 * retained.
 */
export function buildViewSearch(
  search: URLSearchParams,
  keys: readonly string[],
  view: { readonly id: number; readonly query: string } | undefined,
): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const key of [...keys, 'columns', 'view']) next.delete(key)
  if (!view) return next
  const query = new URLSearchParams(view.query)
  for (const [key, value] of query) if (keys.includes(key) || key === 'columns') next.set(key, value)
  next.set('view', String(view.id))
  return next
}

/** Returns true if the URL has no parameters of the list. The person's default view is then shown. */
export const hasNoListParams = (search: URLSearchParams, keys: readonly string[]): boolean =>
  ![...keys, 'columns', 'view'].some((key) => search.has(key))

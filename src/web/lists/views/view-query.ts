/** Parameters of a list without the page, as stored in a saved view; in a fixed order for comparison. */
export function buildViewQuery(search: URLSearchParams, keys: readonly string[]): string {
  const kept = new URLSearchParams()
  for (const key of [...keys, 'columns'].filter((k) => k !== 'page').toSorted()) {
    const value = search.get(key)
    if (value !== null) kept.set(key, value)
  }
  return kept.toString()
}

/** Address that shows a view, or the standard list if none is given; unrelated parameters remain. */
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

/** Whether the address has no parameters of the list. The person's default view then applies. */
export const hasNoListParams = (search: URLSearchParams, keys: readonly string[]): boolean =>
  ![...keys, 'columns', 'view'].some((key) => search.has(key))

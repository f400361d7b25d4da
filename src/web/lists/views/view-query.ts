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

/** What a list's address says, apart from the page: what a saved view keeps. In a fixed order, so that it can be compared. */
export function viewQuery(search: URLSearchParams, keys: readonly string[]): string {
  const kept = new URLSearchParams()
  for (const key of [...keys, 'columns'].filter((k) => k !== 'page').toSorted()) {
    const value = search.get(key)
    if (value !== null) kept.set(key, value)
  }
  return kept.toString()
}

/** The address that shows a view, or with none the list as it begins; what is not the list's stays. */
export function searchForView(
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

/** Does the address say nothing about the list? Then it may begin as somebody likes. */
export const isBare = (search: URLSearchParams, keys: readonly string[]): boolean =>
  ![...keys, 'columns', 'view'].some((key) => search.has(key))

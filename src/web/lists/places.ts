/** Where one was in each list: its address with filters, and the record last opened from it. */
const places = new Map<string, { readonly search: string; readonly row: string }>()

export const rememberPlace = (path: string, search: string, row: string) => void places.set(path, { search, row })

/** The record last opened from the list at this address, filters included. */
export const rowAt = (path: string, search: string): string | undefined => {
  const place = places.get(path)
  return place?.search === search ? place.row : undefined
}

/** The way back to a list, as it was left: for "Back to the list". */
export const backTo = (path: string): string => path + (places.get(path)?.search ?? '')

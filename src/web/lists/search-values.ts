/** Field of a search dialog. */
export interface SearchField {
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'flag'
}

/** Values of a search by field. A flag is `true` or `false`; an empty text is null. */
export type SearchValues = Readonly<Record<string, string | null>>

/** Returns the values to search by: without spaces around them, and null instead of an empty text. */
export const toSearchValues = (typed: Readonly<Record<string, string>>): SearchValues =>
  Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, value.trim() || null]))

/** Returns true if a search differs from the default, in any field. */
export const isSearchChanged = (typed: Readonly<Record<string, string>>, defaults: SearchValues): boolean =>
  Object.entries(toSearchValues(typed)).some(([key, value]) => value !== (defaults[key] ?? null))

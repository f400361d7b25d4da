const plain = (s: string) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns true if every word of the query is the beginning of a word in the text. */
export function matchesAllWords(query: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .every((q) => words.some((w) => w.startsWith(q)))
}

interface SearchableLabels {
  readonly label: string
  readonly detail?: string
}

/**
 * Returns the items that match every word of the query. Items that begin with the query come first; otherwise the order
 * is unchanged.
 */
export const findMatchingItems = <C extends SearchableLabels>(query: string, choices: readonly C[]): C[] =>
  choices
    .filter((c) => matchesAllWords(query, `${c.label} ${c.detail ?? ''}`))
    .sort((a, b) => Number(!begins(query, a)) - Number(!begins(query, b)))

const begins = (query: string, { label }: SearchableLabels) => plain(label).startsWith(plain(query.trim()))

/**
 * Returns the palette groups that need no server request. Without a query, the recently opened records come first. With
 * a query, they come last, and groups with an item that begins with the query come before all other groups.
 */
export function localPaletteGroups<C extends SearchableLabels>(
  query: string,
  { recent, here, actions, screens }: Readonly<Record<'recent' | 'here' | 'actions' | 'screens', readonly C[]>>,
): { label: string; choices: readonly C[] }[] {
  const groups = [
    { label: 'Recently opened', choices: recent },
    { label: 'On this page', choices: here },
    { label: 'Screens', choices: screens },
    { label: 'Actions', choices: actions },
  ]
  if (!query.trim()) return groups
  const rank = ({ choices: [first] }: { choices: readonly C[] }) => Number(!(first && begins(query, first)))
  return [...groups.slice(1), ...groups.slice(0, 1)].sort((a, b) => rank(a) - rank(b))
}

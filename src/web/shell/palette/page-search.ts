const plain = (s: string) => s.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Does the text have every word of the query, each at the beginning of a word? */
export function allWords(query: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .every((q) => words.some((w) => w.startsWith(q)))
}

interface Words {
  readonly label: string
  readonly detail?: string
}

/** What has every word of the query; first what begins as the query does, in the order given otherwise. */
export const fitting = <C extends Words>(query: string, choices: readonly C[]): C[] =>
  choices
    .filter((c) => allWords(query, `${c.label} ${c.detail ?? ''}`))
    .sort((a, b) => Number(!begins(query, a)) - Number(!begins(query, b)))

const begins = (query: string, { label }: Words) => plain(label).startsWith(plain(query.trim()))

/** The groups of what is known at once. Without a query what was opened last comes first; with one, the first group that begins as it does. */
export function inPlaces<C extends Words>(
  query: string,
  { recent, here, actions, screens }: Readonly<Record<'recent' | 'here' | 'actions' | 'screens', readonly C[]>>,
): { label: string; choices: readonly C[] }[] {
  const groups = [
    { label: 'Opened last', choices: recent },
    { label: 'On this page', choices: here },
    { label: 'Screens', choices: screens },
    { label: 'Actions', choices: actions },
  ]
  if (!query.trim()) return groups
  const rank = ({ choices: [first] }: { choices: readonly C[] }) => Number(!(first && begins(query, first)))
  return [...groups.slice(1), ...groups.slice(0, 1)].sort((a, b) => rank(a) - rank(b))
}

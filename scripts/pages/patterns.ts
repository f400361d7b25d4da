/** The parts of a page's address, the leading slash aside: `crm`, `:id?`. */
const segmentsOf = (path: string) => path.split('/').filter(Boolean)

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The regular expression of the paths that a page is shown at. */
export const patternOf = (path: string): string => {
  const parts = segmentsOf(path).map((segment) =>
    segment === '*'
      ? '(?:/.*)?'
      : !segment.startsWith(':')
        ? `/${literal(segment)}`
        : segment.endsWith('?')
          ? '(?:/[^/]+)?'
          : '/[^/]+',
  )
  return `^${parts.join('')}/?$`
}

/** Words come before what may be anything: so the first that fits is the one that is meant. */
export function byExactness(one: string, other: string): number {
  const rank = (path: string) =>
    segmentsOf(path)
      .map((segment) => (segment === '*' ? 3 : segment.endsWith('?') ? 2 : segment.startsWith(':') ? 1 : 0))
      .join('')
  return rank(one).localeCompare(rank(other))
}

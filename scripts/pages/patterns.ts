/** Returns the segments of a page's path, for example `crm` and `:id?`. */
const segmentsOf = (path: string) => path.split('/').filter(Boolean)

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Returns the source of a regular expression that matches the paths of a page. */
export const buildPathPattern = (path: string): string => {
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

/**
 * Compares two paths for sorting. Literal segments come before parameters, and the first matching page is therefore the
 * most specific one.
 */
export function comparePathSpecificity(one: string, other: string): number {
  const rank = (path: string) =>
    segmentsOf(path)
      .map((segment) => (segment === '*' ? 3 : segment.endsWith('?') ? 2 : segment.startsWith(':') ? 1 : 0))
      .join('')
  return rank(one).localeCompare(rank(other))
}

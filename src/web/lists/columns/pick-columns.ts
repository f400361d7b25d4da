import { type Field, rolesAllowedToRead } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import type { ListColumn } from './columns.tsx'

const LONG = new Set<Field['kind']>(['rows', 'json', 'richText', 'longText'])

/**
 * Returns the additional fields that a list can show: those that the actor may see and that are short enough for a row.
 */
export const findAdditionalFields = (r: Pick<Resource, 'fields'>, actor: Actor, taken: readonly string[]): string[] =>
  Object.entries<Field>(r.fields)
    .filter(
      ([name, f]) =>
        !taken.includes(name) &&
        !LONG.has(f.kind) &&
        !f.omitFromLists &&
        !f.writeOnly &&
        !f.confidential &&
        hasRole(actor, rolesAllowedToRead(f) ?? 'member'),
    )
    .map(([name]) => name)

/**
 * Picks the columns in a comma-separated list, in that order, and ignores unknown names. Returns `usual` if no known
 * name is left. The column with the row's link is always included.
 */
export function pickColumns<T>(
  all: readonly ListColumn<T>[],
  usual: readonly ListColumn<T>[],
  names: string,
): ListColumn<T>[] {
  const picked = names
    .split(',')
    .filter((name, i, every) => every.indexOf(name) === i)
    .flatMap((name) => all.filter((c) => c.key === name))
    // A column chosen by the person is shown on every screen width.
    .map((column): ListColumn<T> => ({ ...column, wide: false }))
  if (!picked.length) return [...usual]
  const link = findLinkColumn(usual)
  return link && !picked.some((c) => c.key === link.key) ? [link, ...picked] : picked
}

/** Finds the column that contains the row's link: the one marked with `link`, otherwise the first column. */
export const findLinkColumn = <T>(columns: readonly ListColumn<T>[]): ListColumn<T> | undefined =>
  columns.find((c) => c.link) ?? columns[0]

/** Returns the fields behind the columns, which are the content of an exported file. */
export const collectColumnFields = <T>(r: Pick<Resource, 'fields'>, columns: readonly ListColumn<T>[]): string[] => [
  ...new Set(
    columns
      .flatMap((c) => c.fields ?? [c.key])
      .filter((names) => names.split(';').every((name) => name === 'id' || name in r.fields)),
  ),
]

import { type Field, readRoles } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import type { Column } from './columns.tsx'

const LONG = new Set<Field['kind']>(['rows', 'json', 'richText', 'longText'])

/** Fields that a list could show as well: what the actor sees, and what fits into a row. */
export const furtherFields = (r: Pick<Resource, 'fields'>, actor: Actor, taken: readonly string[]): string[] =>
  Object.entries<Field>(r.fields)
    .filter(
      ([name, f]) =>
        !taken.includes(name) &&
        !LONG.has(f.kind) &&
        !f.omitFromLists &&
        !f.writeOnly &&
        !f.confidential &&
        hasRole(actor, readRoles(f) ?? 'member'),
    )
    .map(([name]) => name)

/** The columns named between commas, in their order, as far as there are such; without any, the `usual` ones. The link's stays. */
export function pickColumns<T>(all: readonly Column<T>[], usual: readonly Column<T>[], names: string): Column<T>[] {
  const picked = names
    .split(',')
    .filter((name, i, every) => every.indexOf(name) === i)
    .flatMap((name) => all.filter((c) => c.key === name))
    // Whoever asks for a column sees it on every screen.
    .map((column): Column<T> => ({ ...column, wide: false }))
  if (!picked.length) return [...usual]
  const link = linkColumn(usual)
  return link && !picked.some((c) => c.key === link.key) ? [link, ...picked] : picked
}

/** The column that carries the row's link. */
export const linkColumn = <T>(columns: readonly Column<T>[]): Column<T> | undefined =>
  columns.find((c) => c.link) ?? columns[0]

/** The fields behind some columns: what a file of them holds. */
export const fieldsBehind = <T>(r: Pick<Resource, 'fields'>, columns: readonly Column<T>[]): string[] => [
  ...new Set(
    columns
      .flatMap((c) => c.fields ?? [c.key])
      .filter((names) => names.split(';').every((name) => name === 'id' || name in r.fields)),
  ),
]

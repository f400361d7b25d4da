import { idAtEnd } from '#kernel/iri.ts'
import { PROVIDER } from '#kernel/roles.ts'

/** A record that a client has of its own, or that client 0 offers as a template. */
interface Owned {
  /** `/api/portal/clients/7`, or the client as it was embedded; null for a template. */
  readonly client: unknown
}

/** The tenant that owns a record of the library; templates come without a client to those outside the provider. */
export function ownerOf({ client }: Owned): number {
  if (client === null) return PROVIDER
  const iri = client && typeof client === 'object' && '@id' in client ? client['@id'] : client
  return idAtEnd(iri) ?? -1
}

/** System templates are client 0's: everybody reads them, and copies them to change them. */
export const isTemplate = (row: Owned): boolean => ownerOf(row) === PROVIDER

/** The list without the item that it has, or with the one that it has not. */
export const toggleItem = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((one) => one !== item) : [...list, item]

/** A selection in the order of the records' titles; what has no known title comes last, as it was. */
export function sortedByTitle(selection: readonly string[], titles: ReadonlyMap<string, string>): string[] {
  const place = (iri: string) => titles.get(iri)
  return [...selection].sort((a, b) => {
    const [x, y] = [place(a), place(b)]
    return x === undefined || y === undefined
      ? Number(x === undefined) - Number(y === undefined)
      : x.localeCompare(y, 'en-GB')
  })
}

/** Ids as a picker keeps them: a list of numbers, or a string with commas between them; each once. */
export function numericIds(value: unknown): number[] {
  const parts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const ids = parts.map((p) => (typeof p === 'string' && p.trim() ? Number(p) : p))
  return [...new Set(ids.filter((n): n is number => Number.isSafeInteger(n) && n > 0))]
}

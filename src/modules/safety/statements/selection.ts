import { idFromAnyIri } from '#kernel/iri.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'

/** Library record that belongs to a client or, as a template, to client 0. */
interface Owned {
  /** IRI such as `/api/portal/clients/7`, or the embedded client; null for a template. */
  readonly client: unknown
}

/**
 * Returns the ID of the client that owns a library record. A record without a client is a template, because other
 * clients can't see who owns templates.
 */
export function libraryOwnerOf({ client }: Owned): number {
  if (client === null) return PROVIDER_CLIENT_ID
  const iri = client && typeof client === 'object' && '@id' in client ? client['@id'] : client
  return idFromAnyIri(iri) ?? -1
}

/** Returns true for records of client 0. Everyone can read and copy these records. */
export const isSystemTemplate = (row: Owned): boolean => libraryOwnerOf(row) === PROVIDER_CLIENT_ID

export const toggleItem = <T>(list: readonly T[], item: T): T[] =>
  list.includes(item) ? list.filter((one) => one !== item) : [...list, item]

/** Sorts a selection by title. Records with an unknown title come last, in their original order. */
export function sortSelectionByTitle(selection: readonly string[], titles: ReadonlyMap<string, string>): string[] {
  const place = (iri: string) => titles.get(iri)
  return [...selection].sort((a, b) => {
    const [x, y] = [place(a), place(b)]
    return x === undefined || y === undefined
      ? Number(x === undefined) - Number(y === undefined)
      : x.localeCompare(y, 'en-GB')
  })
}

/** Parses a picker's IDs from a list of numbers or a comma-separated string. Removes duplicates. */
export function parseNumericIds(value: unknown): number[] {
  const parts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  const ids = parts.map((p) => (typeof p === 'string' && p.trim() ? Number(p) : p))
  return [...new Set(ids.filter((n): n is number => Number.isSafeInteger(n) && n > 0))]
}

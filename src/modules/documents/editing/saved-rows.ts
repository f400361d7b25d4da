import type { Values } from '#kernel/forms/visible.ts'

export type KeyedRow = Values & {
  readonly '@id'?: string
  /** Key of a new row, which identifies it if it is changed or moved while being saved. */
  readonly '@key'?: string
}

/**
 * Returns the current rows with the IRIs that the server assigned to new ones. `kept` contains the server's rows in the
 * order sent. Returns the same list if no row is new.
 */
export function assignRowIris(
  now: readonly KeyedRow[],
  sent: readonly KeyedRow[],
  kept: readonly KeyedRow[],
): readonly KeyedRow[] {
  if (sent.length !== kept.length) return now
  const given = new Map<unknown, string>()
  sent.forEach((row, i) => {
    const id = kept[i]?.['@id']
    if (row['@id'] || !id) return
    given.set(row, id)
    if (row['@key']) given.set(row['@key'], id)
  })
  const idFor = (row: KeyedRow) => (row['@id'] ? undefined : (given.get(row) ?? given.get(row['@key'] ?? row)))
  return now.some(idFor) ? now.map((row) => (idFor(row) ? { ...row, '@id': idFor(row) as string } : row)) : now
}

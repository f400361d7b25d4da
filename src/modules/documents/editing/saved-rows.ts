import type { Values } from '#kernel/forms/visible.ts'

export type KeyedRow = Values & {
  readonly '@id'?: string
  /** Temporary key that identifies a new row if the user changes or moves it while it is being saved. */
  readonly '@key'?: string
}

/**
 * Returns the current rows with the IRIs that the server assigned to new rows. `kept` contains the rows that the server
 * returned, in the order in which they were sent. Returns the same list if no row is new or if the server returned a
 * different number of rows.
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

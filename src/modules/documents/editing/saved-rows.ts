import type { Values } from '#kernel/forms/visible.ts'

export type Row = Values & {
  readonly '@id'?: string
  /** Names a new row, so that it is found again after it was changed or moved while it was being saved. */
  readonly '@key'?: string
}

/**
 * The rows as they are now, with the addresses that the server has given to those that were sent as new; `kept` are the
 * server's, in the order of the sent ones. The same list when none is new.
 */
export function withIds(now: readonly Row[], sent: readonly Row[], kept: readonly Row[]): readonly Row[] {
  if (sent.length !== kept.length) return now
  const given = new Map<unknown, string>()
  sent.forEach((row, i) => {
    const id = kept[i]?.['@id']
    if (row['@id'] || !id) return
    given.set(row, id)
    if (row['@key']) given.set(row['@key'], id)
  })
  const idFor = (row: Row) => (row['@id'] ? undefined : (given.get(row) ?? given.get(row['@key'] ?? row)))
  return now.some(idFor) ? now.map((row) => (idFor(row) ? { ...row, '@id': idFor(row) as string } : row)) : now
}

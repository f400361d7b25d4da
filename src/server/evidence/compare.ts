import type { EvidenceSpec, SealedRowsSpec, StoredColumnValues, UploadResource } from '#kernel/evidence.ts'
import { type RecordReplay, sealedRowKey } from './replay.ts'
import { changedColumns } from './stored.ts'

/** Current state of a sealed record in the database. */
export interface StoredEvidence {
  readonly row: StoredColumnValues | undefined
  /** Rows by table. */
  readonly rows: ReadonlyMap<string, readonly StoredColumnValues[]>
  /** Uploaded files by ID. */
  readonly files: ReadonlyMap<number, StoredColumnValues>
}

const MAX_SHOWN_LENGTH = 60

/** Formats a value for use in a sentence. */
function showValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text
}

const isObject = (value: unknown): value is StoredColumnValues =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Describes each mismatch in a record in a sentence that begins with its subject. */
export function findRecordMismatches(replay: RecordReplay, found: StoredEvidence): string[] {
  const entries = replay.changed.map(
    ({ place, event }) => `the content that entry ${place} of the chain ("${event}") sealed has been changed`,
  )
  const { place, event } = replay.last
  const { rows, uploads } = replay.of
  if (!found.row) return [...entries, `it is missing, though entry ${place} of the chain ("${event}") records it`]
  return [
    ...entries,
    ...recordUntruths(replay, found.row),
    ...rows.flatMap((of) => rowUntruths(replay, of, found.rows.get(of.table) ?? [])),
    ...(uploads
      ? [...replay.files].flatMap(([id, file]) => fileUntruths(replay, uploads, file, found.files.get(id)))
      : []),
  ]
}

/** Describes the link that sealed a column or row: `sealed by entry 3 ("signed")`. */
function sealedBy({ sealedBy, last }: RecordReplay, key: string): string {
  const { place, event } = sealedBy.get(key) ?? last
  return `sealed by entry ${place} ("${event}")`
}

function recordUntruths(replay: RecordReplay, now: StoredColumnValues): string[] {
  const { of, columns } = replay
  return changedColumns(columns, now).map((column) => {
    const [sealed, is] = [columns[column], now[column]]
    if (!isObject(sealed) || !isObject(is))
      return `its ${calledIn(of, column)} is ${showValue(is)}, but ${showValue(sealed)} was ${sealedBy(replay, column)}`
    const within = changedColumns({ ...Object.fromEntries(Object.keys(is).map((k) => [k, null])), ...sealed }, is)
    return `its ${calledIn(of, column)} (${within.join(', ')}) has been changed since it was ${sealedBy(replay, column)}`
  })
}

const calledIn = (of: EvidenceSpec, column: string) => of.columns?.[column] ?? column.replaceAll('_', ' ')

function rowUntruths(replay: RecordReplay, of: SealedRowsSpec, now: readonly StoredColumnValues[]): string[] {
  const left = new Map(replay.rows.get(of.table))
  const entry = ({ id }: StoredColumnValues) => sealedBy(replay, sealedRowKey(of.table, id))
  const untrue: string[] = []
  for (const row of now) {
    const was = left.get(Number(row.id))
    left.delete(Number(row.id))
    const changed = was ? changedColumns(was, row, of.digested) : []
    if (!was) untrue.push(`${of.named(row)} was added without an entry in the chain`)
    else if (changed.length) untrue.push(`${of.named(was)} ${hasChanged(changed)} since it was ${entry(was)}`)
  }
  if (of.place !== undefined) untrue.push(...placeUntruths(of, of.place, now))
  return [...untrue, ...[...left.values()].map((was) => `${of.named(was)} is missing; it was ${entry(was)}`)]
}

/**
 * Reports the first row whose position differs from its order by ID. The last row's position shows how many rows there
 * must be.
 */
function placeUntruths({ named }: SealedRowsSpec, column: string, now: readonly StoredColumnValues[]): string[] {
  const sorted = now.toSorted((a, b) => Number(a.id) - Number(b.id))
  const at = sorted.findIndex((row, n) => row[column] !== n + 1)
  const row = sorted[at]
  return row
    ? [`${named(row)} has position ${showValue(row[column])}, but is number ${at + 1} in the order of IDs`]
    : []
}

function fileUntruths(
  replay: RecordReplay,
  { table }: UploadResource,
  sealed: StoredColumnValues,
  now: StoredColumnValues | undefined,
): string[] {
  const called = `the file "${String(sealed.name)}" that it refers to`
  const entry = sealedBy(replay, sealedRowKey(table, sealed.id))
  if (!now) return [`${called} is missing; it was ${entry}`]
  const changed = changedColumns(sealed, now)
  return changed.length ? [`${called} ${hasChanged(changed)} since it was ${entry}`] : []
}

const hasChanged = (columns: readonly string[]) =>
  `has been changed (${columns.map((column) => column.replaceAll('_', ' ')).join(', ')})`

import type { Evidence, SealedRows, Stored } from './evidence.ts'
import type { Replay } from './replay.server.ts'
import { changedColumns } from './stored.server.ts'

/** What is in the database of a record that links are about. */
export interface Found {
  readonly row: Stored | undefined
  /** By table. */
  readonly rows: ReadonlyMap<string, readonly Stored[]>
  /** Uploaded files, by their id. */
  readonly files: ReadonlyMap<number, Stored>
}

const LONGEST = 60

/** A value in a sentence. */
function said(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const isObject = (value: unknown): value is Stored =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What is untrue of a record: a sentence for each, that begins with what it is about. */
export function untruths(replay: Replay, found: Found): string[] {
  const entries = replay.changed.map(
    ({ place, event }) => `what entry ${place} of the chain ("${event}") sealed has been changed`,
  )
  if (!found.row) return [...entries, `it is gone, though entry ${replay.last.place} of the chain tells of it`]
  return [
    ...entries,
    ...recordUntruths(replay, found.row),
    ...replay.of.rows.flatMap((of) => rowUntruths(of, replay.rows.get(of.table), found.rows.get(of.table) ?? [])),
    ...[...replay.files].flatMap(([id, file]) => fileUntruths(file, found.files.get(id))),
  ]
}

function recordUntruths({ of, columns }: Replay, now: Stored): string[] {
  return changedColumns(columns, now).map((column) => {
    const [sealed, is] = [columns[column], now[column]]
    if (!isObject(sealed) || !isObject(is))
      return `its ${calledIn(of, column)} is ${said(is)}, but ${said(sealed)} was sealed`
    const within = changedColumns({ ...Object.fromEntries(Object.keys(is).map((k) => [k, null])), ...sealed }, is)
    return `its ${calledIn(of, column)} (${within.join(', ')}) has been changed since it was sealed`
  })
}

const calledIn = (of: Evidence, column: string) => of.columns?.[column] ?? column.replaceAll('_', ' ')

function rowUntruths(
  of: SealedRows,
  sealed: ReadonlyMap<number, Stored> = new Map(),
  now: readonly Stored[],
): string[] {
  const left = new Map(sealed)
  const untrue: string[] = []
  for (const row of now) {
    const was = left.get(Number(row.id))
    left.delete(Number(row.id))
    const changed = was ? changedColumns(was, row, of.digested) : []
    if (!was) untrue.push(`${of.named(row)} was added without an entry in the chain`)
    else if (changed.length)
      untrue.push(`${of.named(was)} has been changed (${changed.map((c) => c.replaceAll('_', ' ')).join(', ')})`)
  }
  return [...untrue, ...[...left.values()].map((was) => `${of.named(was)} is gone`)]
}

function fileUntruths(sealed: Stored, now: Stored | undefined): string[] {
  const called = `the file "${String(sealed.name)}" that it refers to`
  if (!now) return [`${called} is gone`]
  const changed = changedColumns(sealed, now)
  return changed.length ? [`${called} has been changed (${changed.map((c) => c.replaceAll('_', ' ')).join(', ')})`] : []
}

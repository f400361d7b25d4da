import type { EvidenceSpec, LegacyChainLinkData, StoredColumnValues } from '#kernel/evidence.ts'
import { ADOPTED_EVENT, type ChainLink, digestSubject } from './link.ts'
import type { SealedTable } from './stored.ts'

/** Position and event that identify a link in a mismatch report. */
export type ChainLinkIdentifier = Pick<ChainLink, 'place' | 'event'>

/** Expected state of a record according to its links. */
export interface RecordReplay {
  readonly of: EvidenceSpec
  readonly id: number
  /** The record's last link, to locate it in the chain. */
  readonly last: ChainLinkIdentifier
  /** The record's values, by column. */
  readonly columns: StoredColumnValues
  /** The record's rows, by table and ID. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, StoredColumnValues>>
  /** The record's uploaded files, by ID. */
  readonly files: ReadonlyMap<number, StoredColumnValues>
  /** The last link that sealed a column (by name) or a row (by table and ID). */
  readonly sealedBy: ReadonlyMap<string, ChainLinkIdentifier>
  /** Links whose sealed content has been changed. */
  readonly changed: readonly ChainLinkIdentifier[]
}

/** Returns the key of a row in `sealedBy`. */
export const sealedRowKey = (table: string, id: unknown): string => `${table} ${Number(id)}`

type Rows = Map<string, Map<number, StoredColumnValues>>

/** Replays the links of one record, starting with the first. */
export class RecordReplayer implements RecordReplay {
  readonly of: EvidenceSpec
  readonly id: number
  last: ChainLinkIdentifier = { place: 0, event: '' }
  readonly columns: Record<string, unknown> = {}
  readonly rows: Rows = new Map()
  readonly files = new Map<number, StoredColumnValues>()
  readonly sealedBy = new Map<string, ChainLinkIdentifier>()
  readonly changed: ChainLinkIdentifier[] = []
  /** Columns and rows sealed by links with format version 1. A later seal does not replace them. */
  private readonly former = { columns: new Set<string>(), rows: new Set<string>() }

  constructor(of: EvidenceSpec, id: number) {
    this.of = of
    this.id = id
  }

  add(link: ChainLink): void {
    this.last = { place: link.place, event: link.event }
    if (digestSubject(link.subject) !== link.digest) {
      this.changed.push(this.last)
      return
    }
    const subject = link.subject as StoredColumnValues
    const mark = this.of.events[link.event]?.mark
    if (mark) this.setColumn(mark, link.digest)
    if (link.form === 1) this.takeFormer(this.of.former?.(link.event, subject) ?? {})
    else for (const sealed of subject.sealed as readonly SealedTable[]) this.take(sealed, link.event)
  }

  private takeFormer({ columns = {}, rows = {} }: LegacyChainLinkData): void {
    for (const [column, value] of Object.entries(columns)) {
      this.setColumn(column, value)
      this.former.columns.add(column)
    }
    for (const [table, all] of Object.entries(rows)) {
      const kept = new Map<number, StoredColumnValues>()
      this.rows.set(table, kept)
      for (const row of all) this.setRow(table, kept, row)
      this.former.rows.add(table)
    }
  }

  private setColumn(column: string, value: unknown): void {
    this.columns[column] = value
    this.sealedBy.set(column, this.last)
  }

  private setRow(table: string, kept: Map<number, StoredColumnValues>, row: StoredColumnValues): void {
    kept.set(Number(row.id), row)
    this.sealedBy.set(sealedRowKey(table, row.id), this.last)
  }

  /** Returns the columns that this event seals today but did not seal when the link was created. */
  private notYet(event: string, sealed: readonly string[]): StoredColumnValues {
    const missing = this.of.events[event]?.columns?.filter((column) => !sealed.includes(column)) ?? []
    return Object.fromEntries(
      missing.flatMap((column) => (column in (this.of.later ?? {}) ? [[column, this.of.later?.[column]]] : [])),
    )
  }

  private take({ table, columns, rows, whole }: SealedTable, event: string): void {
    const adopted = event === ADOPTED_EVENT
    const named = rows.map((values) => Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null])))
    if (table === this.of.of.table) {
      for (const [column, value] of Object.entries({ ...this.notYet(event, columns), ...named[0] }))
        if (!(adopted && this.former.columns.has(column)) && !this.of.without?.includes(column))
          this.setColumn(column, value)
    } else if (!(adopted && this.former.rows.has(table))) {
      const isFile = table === this.of.uploads?.table
      const all = isFile ? this.files : (this.rows.get(table) ?? new Map<number, StoredColumnValues>())
      if (!isFile) this.rows.set(table, all)
      if (whole) all.clear()
      const later = this.of.rows.find((of) => of.table === table)?.later
      for (const row of named) this.setRow(table, all, { ...later, ...row })
    }
  }
}

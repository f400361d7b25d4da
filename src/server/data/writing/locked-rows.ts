import type { Resource } from '#kernel/resource.ts'
import type { Row } from '../plan.ts'
import type { RowsChange } from '../rows.ts'

/** A locked row as one resource reads it, with the changes that the transaction has made since. */
interface LockedRow {
  readonly before: Row
  readonly values?: Readonly<Record<string, unknown>>
  /** The select list that it was read from. */
  readonly stored?: readonly unknown[] | undefined
}

/** Locked rows by table and id, and by the type of the resource that they were read as. */
type Rows = Map<string, ReadonlyMap<string, LockedRow>>

const keyOf = (r: Resource, id: number) => `${r.table} ${id}`

/** The rows that a transaction has locked, as it knows them now. */
export class LockedRows {
  private rows: Rows = new Map()
  private readonly pending = new Map<string, Promise<Row>>()

  /** Remembers a row; `stored` is the select list that it was read from, which is the answer when nothing changes. */
  add<T extends Row>(r: Resource, row: T, stored?: readonly unknown[]): T {
    const key = keyOf(r, row.id)
    this.rows.set(key, new Map(this.rows.get(key)).set(r.type, { before: row, stored }))
    return row
  }

  /** Remembers a lock that is on its way: whoever asks for it meanwhile waits for the same. */
  addPending(r: Resource, id: number, locking: Promise<Row>): void {
    const key = `${keyOf(r, id)} ${r.type}`
    this.pending.set(key, locking)
    locking.finally(() => this.pending.delete(key)).catch(() => {})
  }

  get(r: Resource, id: number): Row | Promise<Row> | undefined {
    const found = this.rows.get(keyOf(r, id))?.get(r.type)
    if (!found) return this.pending.get(`${keyOf(r, id)} ${r.type}`)
    // Merged only here: most rows are changed once, and not asked for again.
    return found.values ? { ...found.before, ...found.values } : found.before
  }

  /** The select list of a row that is as it was read. */
  storedOf(r: Resource, id: number): readonly unknown[] | undefined {
    return this.rows.get(keyOf(r, id))?.get(r.type)?.stored
  }

  /** Notes what a row becomes once what is collected has been sent. One whose `rows` changed is read again when next asked for. */
  change(r: Resource, before: Row, values: Readonly<Record<string, unknown>>, rows: readonly RowsChange[] = []): void {
    const key = keyOf(r, before.id)
    this.rows.delete(key)
    if (!rows.length) this.rows.set(key, new Map([[r.type, { before, values }]]))
  }

  snapshot(): Rows {
    return new Map(this.rows)
  }

  restore(rows: Rows): void {
    this.rows = rows
  }
}

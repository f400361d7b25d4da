import type { Resource } from '#kernel/resource.ts'
import type { Row } from '../plan.ts'
import type { RowsFieldChange } from '../rows.ts'

/** A locked row as read through one resource, with the changes made since in this transaction. */
interface LockedRow {
  readonly before: Row
  readonly values?: Readonly<Record<string, unknown>>
  /** Select-list values of the row. */
  readonly stored?: readonly unknown[] | undefined
}

/** Locked rows by table and ID, and by the type of the resource they were read through. */
type Rows = Map<string, ReadonlyMap<string, LockedRow>>

const keyOf = (r: Resource, id: number) => `${r.table} ${id}`

/** Rows that a transaction has locked, with their current values. */
export class LockedRows {
  private rows: Rows = new Map()
  private readonly pending = new Map<string, Promise<Row>>()

  /** Adds a row. `stored`: the row's select-list values, which are returned if the row does not change. */
  add<T extends Row>(r: Resource, row: T, stored?: readonly unknown[]): T {
    const key = keyOf(r, row.id)
    this.rows.set(key, new Map(this.rows.get(key)).set(r.type, { before: row, stored }))
    return row
  }

  /** Adds a lock in progress, so that concurrent requests for the same row wait for it. */
  addPending(r: Resource, id: number, locking: Promise<Row>): void {
    const key = `${keyOf(r, id)} ${r.type}`
    this.pending.set(key, locking)
    locking.finally(() => this.pending.delete(key)).catch(() => {})
  }

  get(r: Resource, id: number): Row | Promise<Row> | undefined {
    const found = this.rows.get(keyOf(r, id))?.get(r.type)
    if (!found) return this.pending.get(`${keyOf(r, id)} ${r.type}`)
    // The values are merged only on request, because most rows are changed once and not read again.
    return found.values ? { ...found.before, ...found.values } : found.before
  }

  /**
   * Returns the select-list values of an unchanged row; `undefined` if the row has been changed or was not locked with
   * them.
   */
  storedOf(r: Resource, id: number): readonly unknown[] | undefined {
    return this.rows.get(keyOf(r, id))?.get(r.type)?.stored
  }

  /**
   * Records the values that a row will have after the flush. If the row's own `rows` changed, the row is reread on the
   * next request.
   */
  change(
    r: Resource,
    before: Row,
    values: Readonly<Record<string, unknown>>,
    rows: readonly RowsFieldChange[] = [],
  ): void {
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

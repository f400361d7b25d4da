import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Conn } from '#server/db/db.ts'
import type { Form, RecordSelect, RowArray } from './json-select.ts'
import type { ListQuery, Page } from './queries.ts'
import type { Total } from './totals.ts'
import { type BoundQuery, SEARCH_COUNT_LIMIT } from './word-search.ts'

/** A page of a list, as records or as their JSON text. */
export class ListPage<R extends Resource = Resource> {
  private readonly rows: readonly RowArray[]
  private readonly sending: RecordSelect
  /** Absent when the caller asked for no count. */
  readonly total: number | undefined
  private sent: RecordOf<R>[] | undefined
  constructor(rows: readonly RowArray[], sending: RecordSelect, total: number | undefined) {
    this.rows = rows
    this.sending = sending
    this.total = total
  }

  get members(): readonly RecordOf<R>[] {
    this.sent ??= this.rows.map((row) => this.sending.send(row) as RecordOf<R>)
    return this.sent
  }

  get size(): number {
    return this.rows.length
  }

  text(form: Form): string {
    let text = ''
    for (const row of this.rows) text += `${text && ','}{${this.sending.text(row, form)}}`
    return `[${text}]`
  }
}

interface PageRows {
  readonly rows: readonly RowArray[]
  readonly total: number | undefined
}

/** Reads a page of a list, and its total where that is asked for. */
export async function readPage(db: Conn, q: ListQuery, page: Page, total: Total | undefined): Promise<PageRows> {
  const ask = async ({ query, values }: BoundQuery): Promise<unknown[][]> =>
    page.limit > 0 ? db.arrays(query, values) : []
  if (!total) return { rows: await ask(q.page), total: undefined }
  const { known } = total
  if (known !== undefined) return { rows: await ask(q.searched?.near?.() ?? q.page), total: known }
  const isLast = (rows: readonly RowArray[]) => rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  if (!q.searched) {
    const { query, values } = q.counted
    const rows = await ask({ query, values: [...values, total.snapshot] })
    // A page that is not full is the last: its total is known without counting.
    if (isLast(rows)) return { rows, total: page.offset + rows.length }
    const last = rows.find((row) => row.at(-2) !== null || row.at(-1) !== null) ?? [null, null]
    return { rows, total: await total.found(last.at(-2) as number | null, last.at(-1) as string | null) }
  }
  const rows = await ask(q.searched.found())
  const counted = rows[0] ? Number(rows[0].at(-1)) : null
  if (counted !== null && counted < SEARCH_COUNT_LIMIT) return { rows, total: counted }
  if (isLast(rows)) return { rows, total: page.offset + rows.length }
  const [inOrder, all] = await Promise.all([
    counted === null ? rows : ask(q.searched.near?.() ?? q.page),
    total.found(counted, null),
  ])
  return { rows: inOrder, total: all }
}

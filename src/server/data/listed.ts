import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Cells, Form, Sending } from './sending.ts'

/** What a list has found: records, or the JSON text of them all. */
export class Listed<R extends Resource = Resource> {
  private readonly rows: readonly Cells[]
  private readonly sending: Sending
  /** Absent when the caller asked for no count. */
  readonly total: number | undefined
  private sent: RecordOf<R>[] | undefined
  constructor(rows: readonly Cells[], sending: Sending, total: number | undefined) {
    this.rows = rows
    this.sending = sending
    this.total = total
  }

  get members(): readonly RecordOf<R>[] {
    this.sent ??= this.rows.map((row) => this.sending.send(row) as RecordOf<R>)
    return this.sent
  }

  /** How many they are. */
  get size(): number {
    return this.rows.length
  }

  text(form: Form): string {
    let text = ''
    for (const row of this.rows) text += `${text && ','}{${this.sending.text(row, form)}}`
    return `[${text}]`
  }
}

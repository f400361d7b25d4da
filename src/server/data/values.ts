import type { PreparedSql } from '#server/db/db.ts'

export const prepare = (text: string): PreparedSql => ({ text })

/** Collects values and returns their placeholders. */
export class BoundValues {
  readonly list: unknown[] = []
  readonly next = (value: unknown): string => `$${this.list.push(value)}`
}

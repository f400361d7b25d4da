import type { Prepared } from '#server/db/db.ts'

/** Compiled SQL as the database takes it. */
export const prepare = (text: string): Prepared => ({ text })

/** Collects values and hands out their placeholders. */
export class Values {
  readonly list: unknown[] = []
  readonly next = (value: unknown): string => `$${this.list.push(value)}`
}

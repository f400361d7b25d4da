import type { Prepared } from '#server/db/db.ts'

export const prepare = (text: string): Prepared => ({ text })

/** Collects values and returns their placeholders. */
export class Values {
  readonly list: unknown[] = []
  readonly next = (value: unknown): string => `$${this.list.push(value)}`
}

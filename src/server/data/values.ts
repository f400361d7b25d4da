import { hash } from 'node:crypto'
import type { Prepared } from '#server/db/db.ts'

/** Statements by their text: the same shape is prepared once, under one name. */
const prepared = new Map<string, Prepared>()
export function prepare(text: string): Prepared {
  let q = prepared.get(text)
  if (!q) {
    q = { name: `s${hash('sha1', text, 'base64url').slice(0, 16)}`, text }
    prepared.set(text, q)
  }
  return q
}

/** Collects values and hands out their placeholders. */
export class Values {
  readonly list: unknown[] = []
  readonly next = (value: unknown): string => `$${this.list.push(value)}`
}

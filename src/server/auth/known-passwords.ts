import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The shortest password that anybody may have. */
export const LEAST_LENGTH = 10
/** Bits for each entry, and how many of them are set: about one unknown password in some thousands is taken for a known one. */
const BITS = 20
const PROBES = 14

/** What the filter holds: whole passwords, or words that passwords are made of. */
export const filterKey = (kind: 'password' | 'word', text: string): string => `${kind} ${text}`

/** A filter without entries, with room for so many. */
export const emptyFilter = (entries: number): Buffer => Buffer.alloc(Math.ceil((entries * BITS) / 8))

/** Puts an entry into a filter. */
export function putInto(filter: Buffer, key: string): void {
  for (const bit of bitsOf(filter, key)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
}

/** The bits of an entry: two numbers out of its hash, and one of them added again and again. */
function bitsOf(filter: Buffer, key: string): number[] {
  const sum = hash('sha256', key, 'buffer')
  const [start, step] = [sum.readUInt32LE(0), sum.readUInt32LE(4)]
  return Array.from({ length: PROBES }, (_, i) => (start + i * step) % (filter.length * 8))
}

let loaded: Buffer | undefined

/** Is this among the passwords that others had, or the words that they are made of? Sometimes yes for one that is not. */
export function isKnown(kind: 'password' | 'word', text: string): boolean {
  loaded ??= readFileSync(join(import.meta.dirname, 'known-passwords.bin'))
  const filter = loaded
  return bitsOf(filter, filterKey(kind, text)).every((bit) => (filter[bit >> 3] ?? 0) & (1 << (bit & 7)))
}

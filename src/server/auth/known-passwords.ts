import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const MIN_PASSWORD_LENGTH = 10
/**
 * Bits per entry, and number of hash functions, of the Bloom filter. About one unlisted password in several thousand is
 * a false positive.
 */
const BITS = 20
const PROBES = 14

/** Returns the key of a filter entry for a complete password, or for a word used in passwords. */
export const passwordFilterKey = (kind: 'password' | 'word', text: string): string => `${kind} ${text}`

/** Creates an empty Bloom filter with room for `entries` entries. */
export const createEmptyPasswordFilter = (entries: number): Buffer => Buffer.alloc(Math.ceil((entries * BITS) / 8))

export function addToPasswordFilter(filter: Buffer, key: string): void {
  for (const bit of bitsOf(filter, key)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
}

/** Returns the bit positions of an entry, computed by double hashing. */
function bitsOf(filter: Buffer, key: string): number[] {
  const sum = hash('sha256', key, 'buffer')
  const [start, step] = [sum.readUInt32LE(0), sum.readUInt32LE(4)]
  return Array.from({ length: PROBES }, (_, i) => (start + i * step) % (filter.length * 8))
}

let loaded: Buffer | undefined

/** True if this is a leaked password or a word used in passwords; false positives are possible. */
export function isInPasswordFilter(kind: 'password' | 'word', text: string): boolean {
  loaded ??= readFileSync(join(import.meta.dirname, 'known-passwords.bin'))
  const filter = loaded
  return bitsOf(filter, passwordFilterKey(kind, text)).every((bit) => (filter[bit >> 3] ?? 0) & (1 << (bit & 7)))
}

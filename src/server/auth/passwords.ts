import { hash as sha } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, verify } from '@node-rs/argon2'
import type { Violation } from '#kernel/errors.ts'
import { violation } from '#kernel/errors.ts'

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
  const sum = sha('sha256', key, 'buffer')
  const [start, step] = [sum.readUInt32LE(0), sum.readUInt32LE(4)]
  return Array.from({ length: PROBES }, (_, i) => (start + i * step) % (filter.length * 8))
}

let loaded: Buffer | undefined

/** True if this is a leaked password or a word used in passwords; false positives are possible. */
function isInPasswordFilter(kind: 'password' | 'word', text: string): boolean {
  loaded ??= readFileSync(join(import.meta.dirname, 'known-passwords.bin'))
  const filter = loaded
  return bitsOf(filter, passwordFilterKey(kind, text)).every((bit) => (filter[bit >> 3] ?? 0) & (1 << (bit & 7)))
}

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Maximum extra characters, such as a year or punctuation, that still leave a password built on a word or name easy to
 * guess.
 */
const BESIDE = 6
const MAX_PASSWORD_LENGTH = 200

/** Hashes a password. With `secret`, the hash can only be verified with the same secret, which is stored elsewhere. */
export const hashPassword = (password: string, secret?: Buffer): Promise<string> =>
  hash(password, { ...COST, ...(secret ? { secret } : {}) })

let nobody: Promise<string> | undefined
/**
 * Returns true if the password is right. Takes the same time if there is no stored hash, so that timing does not reveal
 * whether the account exists.
 */
export async function verifyPassword(stored: string | undefined, password: string, secret?: Buffer): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const right = await verify(stored ?? (await nobody), password, secret ? { secret } : {}).catch(() => false)
  return right && stored !== undefined
}

/**
 * Returns the first violation of the password rules; empty if there is none. The rules require length and at least five
 * different characters rather than complexity (NCSC guidance), and reject leaked passwords and passwords built from a
 * common word or a name. `about`: names of the person, their company and the provider.
 */
export function findPasswordViolations(password: unknown, about: readonly string[] = []): Violation[] {
  const say = (message: string) => [violation('password', message)]
  if (typeof password !== 'string' || password === '') return say('Please enter a password')
  if (password.length < MIN_PASSWORD_LENGTH) return say(`Please use at least ${MIN_PASSWORD_LENGTH} characters`)
  if (password.length > MAX_PASSWORD_LENGTH) return say(`Please use at most ${MAX_PASSWORD_LENGTH} characters`)
  const lower = password.toLowerCase()
  if (new Set(lower).size < 5) return say('Please use a wider variety of characters')
  if (isName(lower, about)) return say('Please leave out your own name, your company’s name and the portal’s name')
  if (isWord(lower)) return say('This password is too easy to guess; three unrelated words make a good password')
  if (isInPasswordFilter('password', lower) || isInPasswordFilter('password', plain(lower)))
    return say('This password has been leaked from another website or service; please choose another password')
  return []
}

/** Letters, keyed by the digits and symbols that people type in their place. */
const WRITTEN: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
const plain = (text: string) => text.replace(/[@431!0$57]/g, (mark) => WRITTEN[mark] ?? mark)

/** True for a single common word to which little more than a number has been added. */
function isWord(lower: string): boolean {
  const word = lower.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '')
  return lower.length - word.length <= BESIDE && isInPasswordFilter('word', plain(word))
}

const compact = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** Maximum number of words checked in a name. */
const MAX_NAME_WORDS = 10

/**
 * Returns a name and all sequences of its words, because companies are often called by their name without the legal
 * form.
 */
function partsOf(name: string): string[] {
  const words = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, MAX_NAME_WORDS)
  return [
    compact(name),
    ...words.flatMap((_, from) => words.slice(from).map((_w, n) => words.slice(from, from + n + 1).join(''))),
  ]
}

/** True for a name, or words from it, to which little more than a number has been added. */
function isName(lower: string, about: readonly string[]): boolean {
  const given = compact(lower)
  return about
    .flatMap((name) => partsOf(name.toLowerCase()))
    .some((name) => name.length > 3 && given.includes(name) && given.length - name.length <= BESIDE)
}

import { hash } from 'node:crypto'

/**
 * Format version of a link. Version 1 identifies a document by its number alone; version 2 identifies a record of any
 * type.
 */
export type ChainLinkFormat = 1 | 2

/** A stored link in a client's chain. Hashes are SHA-256 in hexadecimal; `at` is an ISO 8601 instant in UTC. */
export interface ChainLink {
  readonly form: ChainLinkFormat
  readonly place: number
  readonly event: string
  /** Subject of the link: resource type and record ID. */
  readonly subjectType: string
  readonly subjectId: number
  readonly subject: unknown
  readonly digest: string
  readonly previous: string
  readonly hash: string
  readonly at: string
  readonly by: string
}

/**
 * Event that seals a record's current state with a version 2 link, because the record's earlier links have format
 * version 1.
 */
export const ADOPTED_EVENT = 'adopted'

/** Hash used as the predecessor of the first link in every chain. */
export const CHAIN_START_HASH = '0'.repeat(64)

/** Formats a value as JSON with sorted keys and without empty values. Equal values therefore have the same text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return plainListText(value) ?? `[${value.map((v) => canonicalJson(v ?? null)).join(',')}]`
  if (value && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, v]) => v !== undefined && v !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => `${JSON.stringify(k)}:${canonicalJson(v)}`)
      .join(',')}}`
  return JSON.stringify(value ?? null)
}

/**
 * Returns the text of a list without objects. Such a list needs no sorting, and this is faster for drawings with
 * hundreds of points. Returns `undefined` for other lists.
 */
function plainListText(list: readonly unknown[]): string | undefined {
  if (typeof list[0] === 'object' && !Array.isArray(list[0])) return undefined
  const text = JSON.stringify(list)
  return text.includes('{') ? undefined : text
}

export const digestSubject = (subject: unknown): string => digestCanonicalText(canonicalJson(subject))

/** Returns the digest of text that is already canonical. */
export const digestCanonicalText = (text: string): string => hash('sha256', text, 'hex')

/** Calculates a link's hash from its contents, its position and its predecessor's hash. */
export function hashChainLink(l: Omit<ChainLink, 'hash' | 'subject'>): string {
  const about = l.form === 1 ? [l.subjectId] : [l.subjectType, l.subjectId]
  const words = [l.previous, l.place, l.event, ...about, l.digest, l.at, l.by]
  return hash('sha256', canonicalJson(l.form === 1 ? words : [l.form, ...words]), 'hex')
}

/**
 * Returns the text that is hashed after the predecessor's hash and the position in a version 2 link. It is an argument
 * of `chain_add`.
 */
export const chainLinkHashSuffix = (
  l: Pick<ChainLink, 'event' | 'subjectType' | 'subjectId' | 'digest' | 'at' | 'by'>,
): string => canonicalJson([l.event, l.subjectType, l.subjectId, l.digest, l.at, l.by]).slice(1)

/** Position and hash of the last link in a chain. */
export interface ChainEnd {
  readonly place: number
  readonly hash: string
}

export const CHAIN_START: ChainEnd = { place: 0, hash: CHAIN_START_HASH }

/** Returns the reason why a link is invalid or does not follow its predecessor; `undefined` if it is valid. */
export function findChainLinkError(link: Omit<ChainLink, 'subject'>, before: ChainEnd): string | undefined {
  if (link.place !== before.place + 1) return `entry ${before.place + 1} is missing`
  if (link.previous !== before.hash) return 'it does not follow the entry before it'
  return hashChainLink(link) === link.hash ? undefined : 'its own entry has been changed'
}

import { hash } from 'node:crypto'

/** How the fingerprint of a link is made: 1 names a document by its number alone, 2 names a record of any kind. */
export type Form = 1 | 2

/** One link of a client's chain, as it is kept. Hashes are SHA-256 in hexadecimal; `at` is an ISO 8601 instant in UTC. */
export interface Link {
  readonly form: Form
  readonly place: number
  readonly event: string
  /** What the link is about: the type of a resource, and the record. */
  readonly subjectType: string
  readonly subjectId: number
  readonly subject: unknown
  readonly digest: string
  readonly previous: string
  readonly hash: string
  readonly at: string
  readonly by: string
}

/** The event by which a record whose chain is of the first form is sealed in the second, as it then stood. */
export const ADOPTED = 'adopted'

/** What the first link of every chain follows. */
export const BEGINNING = '0'.repeat(64)

/** JSON with its keys in order and without empty values: the same thing always has the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return plainListText(value) ?? `[${value.map((v) => canonical(v ?? null)).join(',')}]`
  if (value && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, v]) => v !== undefined && v !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`)
      .join(',')}}`
  return JSON.stringify(value ?? null)
}

/** The text of a list without objects, which needs no ordering: a drawing has hundreds of points. `undefined` for any other list. */
function plainListText(list: readonly unknown[]): string | undefined {
  if (typeof list[0] === 'object' && !Array.isArray(list[0])) return undefined
  const text = JSON.stringify(list)
  return text.includes('{') ? undefined : text
}

export const digestOf = (subject: unknown): string => digestOfText(canonical(subject))

/** The same of a text that is canonical already. */
export const digestOfText = (text: string): string => hash('sha256', text, 'hex')

/** The fingerprint of a link: of what it seals, its place, and the link before it. */
export function linkHash(l: Omit<Link, 'hash' | 'subject'>): string {
  const about = l.form === 1 ? [l.subjectId] : [l.subjectType, l.subjectId]
  const words = [l.previous, l.place, l.event, ...about, l.digest, l.at, l.by]
  return hash('sha256', canonical(l.form === 1 ? words : [l.form, ...words]), 'hex')
}

/** What the fingerprint of a link of the second form is of, behind the link before it and its place: what `chain_add` is told. */
export const restOfLink = (l: Pick<Link, 'event' | 'subjectType' | 'subjectId' | 'digest' | 'at' | 'by'>): string =>
  canonical([l.event, l.subjectType, l.subjectId, l.digest, l.at, l.by]).slice(1)

/** Where a chain stands. */
export interface End {
  readonly place: number
  readonly hash: string
}

export const START: End = { place: 0, hash: BEGINNING }

/** Why a link does not follow the one before it, or is not what it was; `undefined` where all is well. */
export function breakOf(link: Omit<Link, 'subject'>, before: End): string | undefined {
  if (link.place !== before.place + 1) return `entry ${before.place + 1} is missing`
  if (link.previous !== before.hash) return 'it does not follow the entry before it'
  return linkHash(link) === link.hash ? undefined : 'its own entry has been changed'
}

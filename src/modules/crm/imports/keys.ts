import { toE164 } from '#kernel/text/phone.ts'
import { companyNameKey, companyNumberKey } from '../duplicate-keys/keys.ts'
import type { ImportedLead } from './row.ts'

/** Matching criteria of leads, most certain first; named like the keys in the database. */
export const MATCH_CRITERIA = {
  companyNumber: 'company number',
  phone: 'telephone number',
  email: 'e-mail address',
  companyName: 'company and postcode',
} as const
export type MatchCriterion = keyof typeof MATCH_CRITERIA

/** Values by which a lead is matched. Blanks and the e-mail address "no" are excluded. */
export interface LeadMatchKeys {
  readonly number: string
  /** Telephone and mobile number. */
  readonly phones: readonly string[]
  readonly email: string
  /** Company and postcode; the company alone only if nothing else is known. */
  readonly company: readonly [name: string, postcode: string] | undefined
}

export function leadMatchKeys(lead: ImportedLead): LeadMatchKeys {
  const number = companyNumberKey(lead.companyNumber)
  const phones = [...new Set([toE164(lead.phone), toE164(lead.mobile)])].filter(Boolean)
  const typed = (lead.email ?? '').toLowerCase()
  const email = typed === 'no' ? '' : typed
  const postcode = (lead.postcode ?? '').replace(/\s/g, '').toUpperCase()
  const sure = postcode !== '' || (number === '' && phones.length === 0 && email === '')
  const company = companyNameKey(lead.companyName)
  return { number, phones, email, company: company && sure ? [company, postcode] : undefined }
}

const each = (k: LeadMatchKeys): (readonly [MatchCriterion, string])[] => [
  ...(k.number ? [['companyNumber', k.number] as const] : []),
  ...k.phones.map((p) => ['phone', p] as const),
  ...(k.email ? [['email', k.email] as const] : []),
  ...(k.company ? [['companyName', k.company.join('\n')] as const] : []),
]

/** 53-bit hash of a text: among half a million keys, a collision occurs about once in seventy thousand files. */
function hash53(s: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i)
    a = Math.imul(a ^ c, 2654435761)
    b = Math.imul(b ^ c, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/** Rows added from the file so far, as numbers only, so that a hundred thousand rows need little memory. */
export class SeenRows {
  private readonly lines = new Map<number, number>()

  /** The earlier line that this lead duplicates, with the criterion. */
  find(keys: LeadMatchKeys): { same: MatchCriterion; line: number } | undefined {
    for (const [same, key] of each(keys)) {
      const line = this.lines.get(hash53(`${same}:${key}`))
      if (line !== undefined) return { same, line }
    }
    return undefined
  }

  add(keys: LeadMatchKeys, line: number): void {
    for (const [same, key] of each(keys)) {
      const at = hash53(`${same}:${key}`)
      if (!this.lines.has(at)) this.lines.set(at, line)
    }
  }
}

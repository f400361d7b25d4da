import { type Field, wordsOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { contact } from '../contacts/contact.ts'
import { supported } from '../contacts/records.ts'
import { duplicatePair } from '../duplicates/pair.ts'
import { message } from '../mail/message.ts'
import { leadMerge } from './lead-merge.ts'

/** What tells of leads themselves, and so of the one that was merged, stays with it. */
export const STAYS: readonly Resource[] = [contact, leadMerge, duplicatePair]
/** Of these a lead has one: where both have it, the survivor's stands and the other's stays where it is. */
const ONE_EACH: ReadonlySet<string> = new Set([supported.table])

/** Rows that belong to a lead, by a column that holds its id, or its address. */
export interface Relation {
  readonly table: string
  readonly column: string
  readonly by: 'id' | 'address'
  readonly oneEach: boolean
  /** What they are called, many of them. */
  readonly words: string
}

const WORDS: Readonly<Record<string, string>> = {
  Note: 'notes',
  Sale: 'sales',
  Quote: 'quotes',
  Customer: 'billing customers',
  LeadFile: 'files',
  ContactPerson: 'people',
  ImportLine: 'lines of imports',
  Referral: 'referrals',
  Supported: 'support records',
  InsuranceSale: 'insurance sales',
  DoNotCallNumber: 'do-not-call entries',
  LetterCopy: 'letters by post',
  LetterRefusal: 'entries that they want no letters',
}

/**
 * All that goes with a lead when it is merged into another: whatever is declared to belong to one, in any area, and letters about it. Found
 * from the declarations, so that a new relation can't be forgotten.
 */
export function relationsOf(resources: readonly Resource[]): Relation[] {
  const found = new Map<string, Relation>()
  for (const r of resources) {
    if (STAYS.includes(r)) continue
    for (const [name, f] of Object.entries<Field>(r.fields)) {
      const column = r.columns[name]
      if (f.kind !== 'link' || !column || f.target?.() !== contact || found.has(`${r.table}.${column}`)) continue
      const words = WORDS[r.type] ?? `${wordsOf(r.type).toLowerCase()}s`
      found.set(`${r.table}.${column}`, { table: r.table, column, by: 'id', oneEach: ONE_EACH.has(r.table), words })
    }
  }
  const letters = { table: message.table, column: 'about', by: 'address', oneEach: false, words: 'letters' } as const
  return [...found.values(), letters]
}

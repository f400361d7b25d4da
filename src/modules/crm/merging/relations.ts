import { type Field, wordsOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { contact } from '../contacts/contact.ts'
import { supportedContact } from '../contacts/records.ts'
import { duplicatePair } from '../duplicates/pair.ts'
import { mailMessage } from '../mail/message.ts'
import { leadMerge } from './lead-merge.ts'

/** Resources that stay with a merged lead, as they are about the leads themselves. */
export const UNMOVED_RESOURCES: readonly Resource[] = [contact, leadMerge, duplicatePair]
/** One-to-one relations: if both leads have a row, the survivor's is used and the other's is not moved. */
const ONE_EACH: ReadonlySet<string> = new Set([supportedContact.table])

/** Rows that refer to a lead, by a column with its id or URL. */
export interface LeadRelation {
  readonly table: string
  readonly column: string
  readonly by: 'id' | 'address'
  readonly oneEach: boolean
  /** Plural label. */
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
  LetterRefusal: 'letter opt-outs',
}

/**
 * All relations moved by a merge: every resource of any module that is declared to belong to a lead, and letters about
 * it. Derived from the declarations, so that new relations are included automatically.
 */
export function leadRelations(resources: readonly Resource[]): LeadRelation[] {
  const found = new Map<string, LeadRelation>()
  for (const r of resources) {
    if (UNMOVED_RESOURCES.includes(r)) continue
    for (const [name, f] of Object.entries<Field>(r.fields)) {
      const column = r.columns[name]
      if (f.kind !== 'link' || !column || f.target?.() !== contact || found.has(`${r.table}.${column}`)) continue
      const words = WORDS[r.type] ?? `${wordsOf(r.type).toLowerCase()}s`
      found.set(`${r.table}.${column}`, { table: r.table, column, by: 'id', oneEach: ONE_EACH.has(r.table), words })
    }
  }
  const letters = {
    table: mailMessage.table,
    column: 'about',
    by: 'address',
    oneEach: false,
    words: 'letters',
  } as const
  return [...found.values(), letters]
}

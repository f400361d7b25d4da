import type { RowOf } from '#kernel/resource.ts'
import type { contact, LegalForm } from '../contacts/contact.ts'
import { companyNumberKey } from '../duplicate-keys/keys.ts'

type Lead = RowOf<typeof contact>

/** Fields for which the user chooses between the values of the two leads, in display order. */
export const MERGE_CHOICE_FIELDS = [
  'companyName',
  'companyNumber',
  'name',
  'jobTitle',
  'phone',
  'mobile',
  'email',
  'personNotes',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'website',
  'businessType',
  'employees',
  'subContractors',
  'ir35',
  'owner',
  'callbackDate',
  'expiry',
  'lastResult',
  'cameFrom',
] as const satisfies readonly (keyof typeof contact.fields)[]
export type MergeChoiceField = (typeof MERGE_CHOICE_FIELDS)[number]

export const isMergeChoiceField = (name: string): name is MergeChoiceField =>
  (MERGE_CHOICE_FIELDS as readonly string[]).includes(name)

/** Values that are treated as missing. */
const UNSAID = new Set<unknown>([null, '', 'SELECT', "I didn't ask", "Didn't Ask"])

/** Returns the fields in which two leads differ. Fields that have no value in either lead are omitted. */
export const diffLeadFields = (one: Lead, other: Lead): MergeChoiceField[] =>
  MERGE_CHOICE_FIELDS.filter((name) => one[name] !== other[name] && !(UNSAID.has(one[name]) && UNSAID.has(other[name])))

/** True if both leads have a company number, and not the same one. Leading zeros don't count. */
export function hasOtherCompanyNumber(...leads: readonly { readonly companyNumber: string | null }[]): boolean {
  const numbers = leads.flatMap(({ companyNumber }) => companyNumber?.trim().toUpperCase().replace(/^0+/, '') || [])
  return new Set(numbers).size > 1
}

/**
 * Returns the fields that are taken from the other lead by default: those for which the survivor has no value, and
 * `ir35` if it is set in the other lead.
 */
export const proposeFieldsFromOtherLead = (survivor: Lead, other: Lead): MergeChoiceField[] =>
  diffLeadFields(survivor, other).filter((name) => UNSAID.has(survivor[name]) || (name === 'ir35' && other.ir35))

/**
 * Returns the lead that should survive a merge: a customer first, then a lead that has signed, then the lead with more
 * recorded outcomes, then the older lead.
 */
export const proposeMergeSurvivor = (one: Lead, other: Lead): Lead => {
  const rank = (l: Lead) => [l.customer === null ? 0 : 1, l.wonAt === null ? 0 : 1, l.outcomes, -l.id]
  const [a, b] = [rank(one), rank(other)]
  const at = a.findIndex((n, k) => n !== b[k])
  return at < 0 || (a[at] as number) > (b[at] as number) ? one : other
}

/** Lead fields that decide whether marketing e-mails need consent. */
type Subscriber = Pick<Lead, 'legalForm' | 'companyNumber'>

/** 2 for an individual subscriber, 1 if nothing is known, and 0 for a corporate one, as in `is_corporate_subscriber()`. */
const strictnessOf = ({ legalForm, companyNumber }: Subscriber): number => {
  if (legalForm !== 'unknown') return legalForm === 'sole trader' || legalForm === 'partnership' ? 2 : 0
  const number = companyNumberKey(companyNumber)
  return /^(\d{8}|[A-Z][A-Z0-9]\d{5}[\dA-Z])$/.test(number) && !/^(LP|NL)/.test(number) ? 0 : 1
}

/** Returns the stricter legal form of two leads; of two equally strict ones the survivor's, unless that is unknown. */
function mergeLegalForms(survivor: Subscriber, other: Subscriber): LegalForm {
  const [own, others] = [strictnessOf(survivor), strictnessOf(other)]
  if (own === others) return survivor.legalForm === 'unknown' ? other.legalForm : survivor.legalForm
  return own > others ? survivor.legalForm : other.legalForm
}

/** Returns the changes to the survivor: the values that the user chose, and those that are merged automatically. */
export function buildMergedLeadValues(survivor: Lead, other: Lead, take: readonly MergeChoiceField[]): Partial<Lead> {
  const chosen: Partial<Lead> = Object.fromEntries(take.map((name) => [name, other[name]]))
  const all: Partial<Lead> = {
    ...chosen,
    // If the last result is taken, the outcome of the last call is taken as well.
    ...(take.includes('lastResult') ? { outcome: other.outcome } : {}),
    outcomes: survivor.outcomes + other.outcomes,
    doNotCall: survivor.doNotCall || other.doNotCall,
    legalForm: mergeLegalForms(survivor, other),
    customer: survivor.customer ?? other.customer,
    client: survivor.client ?? other.client,
    wonAt: [survivor.wonAt, other.wonAt].filter((at) => at !== null).toSorted()[0] ?? null,
  }
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => survivor[name as keyof Lead] !== value),
  ) as Partial<Lead>
}

import type { RowOf } from '#kernel/resource.ts'
import { parsePhoneNumbers } from '#kernel/text/phone.ts'
import { foldEmail } from '#kernel/validate.ts'
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

/** True if both leads have a company number, and the numbers differ. Leading zeros don't count. */
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

/** Lead fields that determine whether marketing e-mails need consent. */
type Subscriber = Pick<Lead, 'legalForm' | 'companyNumber'>

/** 2 for an individual subscriber, 1 if nothing is known, and 0 for a corporate one, as in `is_corporate_subscriber()`. */
const strictnessOf = ({ legalForm, companyNumber }: Subscriber): number => {
  if (legalForm !== 'unknown') return legalForm === 'sole trader' || legalForm === 'partnership' ? 2 : 0
  const number = companyNumberKey(companyNumber)
  return /^(\d{8}|[A-Z][A-Z0-9]\d{5}[\dA-Z])$/.test(number) && !/^(LP|NL)/.test(number) ? 0 : 1
}

/** Returns the stricter legal form of two leads; if they are equally strict, the survivor's, unless that is unknown. */
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
    // If the other lead's last result is used, so is the outcome of its last call.
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

type PersonOfLead = Pick<Lead, 'name' | 'jobTitle' | 'phone' | 'mobile' | 'email' | 'personNotes'>

/** Contact person of one of the two leads whose details are missing from the merged lead. */
export type LeftPerson = Readonly<
  Record<'name' | 'jobTitle' | 'telephone' | 'mobile' | 'email' | 'notes', string | null>
>

/** Maximum length of a person's name and job title. */
const MAX_PERSON_TEXT = 200
const shorten = (text: string | null) => text?.slice(0, MAX_PERSON_TEXT) || null
const foldName = (name: string | null) => (name ?? '').trim().toLowerCase().replace(/\s+/g, ' ')

/**
 * Returns the contact persons of two leads that would be lost in their merge: another person with all details, or else
 * only the numbers and addresses missing from the merged lead.
 */
export function findPeopleLeftByMerge(
  leads: readonly PersonOfLead[],
  merged: PersonOfLead,
  known: readonly LeftPerson[] = [],
): LeftPerson[] {
  const numbersOf = (...fields: readonly (string | null)[]) =>
    fields.flatMap((field) => (field ? [field.trim(), ...parsePhoneNumbers(field).numbers] : []))
  const numbers = new Set([
    ...numbersOf(merged.phone, merged.mobile),
    ...known.flatMap((person) => numbersOf(person.telephone, person.mobile)),
  ])
  const emails = new Set([merged.email, ...known.map((person) => person.email)].map((email) => foldEmail(email ?? '')))
  const names = new Set([merged.name, ...known.map((person) => person.name)].map(foldName))
  const found: LeftPerson[] = []
  for (const lead of leads) {
    const isLost = (field: string | null) =>
      field !== null &&
      field.trim() !== '' &&
      !numbers.has(field.trim()) &&
      (parsePhoneNumbers(field).numbers.some((number) => !numbers.has(number)) ||
        !parsePhoneNumbers(field).numbers.length)
    const isOther = foldName(lead.name) !== '' && !names.has(foldName(lead.name))
    const email = lead.email && lead.email.toLowerCase() !== 'no' && lead.email
    const person: LeftPerson = {
      name: shorten(lead.name),
      jobTitle: shorten(lead.jobTitle),
      telephone: isOther || isLost(lead.phone) ? lead.phone : null,
      mobile: isOther || isLost(lead.mobile) ? lead.mobile : null,
      email: email && (isOther || !emails.has(foldEmail(email))) ? email : null,
      notes: lead.personNotes === merged.personNotes ? null : lead.personNotes,
    }
    if (isOther || person.telephone || person.mobile || person.email || (person.notes && person.name))
      found.push(person)
  }
  return found
}

export const mergedLeadName = (lead: Lead): string =>
  lead.companyName?.trim() || lead.name?.trim() || lead.phone || `Lead ${lead.id}`

/** Returns why two leads can't be merged, or `undefined` if they can. */
export function findMergeObstacle(survivor: Lead, other: Lead): string | undefined {
  if (survivor.id === other.id) return 'A lead can’t be merged into itself.'
  const gone = [survivor, other].find((lead) => lead.mergedInto !== null)
  if (gone) return `${mergedLeadName(gone)} (lead ${gone.id}) has already been merged into another lead.`
  if (survivor.retired) return `${mergedLeadName(survivor)} (lead ${survivor.id}) is retired. Restore it first.`
  if (survivor.customer !== null && other.customer !== null)
    return 'Both leads are billing customers with their own invoices, so they can’t be merged.'
  if (survivor.client !== null && other.client !== null && survivor.client !== other.client)
    return 'The leads belong to two different clients of the portal, so they can’t be merged.'
  return undefined
}

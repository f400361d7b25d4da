import { type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { passesModulusCheck } from '#modules/billing/cards/bank-account.ts'

/** A person to call in an emergency; both values are empty in an unused slot. */
export interface EmergencyContact {
  readonly name: string
  readonly number: string
}

const CONTACT_SLOTS = 3
/** Prefixes that HMRC doesn't issue: letters that aren't used, and pairs reserved for other purposes. */
const NI_NUMBER = /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][0-9]{6}[A-D]$/

/** Returns a National Insurance number as HMRC writes it, without spaces and in capitals. */
export const normaliseNiNumber = (given: string): string => given.replace(/\s/g, '').toUpperCase()

export const isNiNumber = (normalised: string): boolean => NI_NUMBER.test(normalised)

/** Returns the digits of a sort code, without hyphens and spaces. */
export const normaliseSortCode = (given: string): string => given.replace(/[\s-]/g, '')

/** Returns the emergency contacts in three slots; undefined if the value has another form. */
export function parseEmergencyContacts(given: unknown): readonly EmergencyContact[] | undefined {
  if (!Array.isArray(given) || given.length > CONTACT_SLOTS) return undefined
  const contacts = given.map((one: unknown) => {
    if (!isPlainObject(one)) return undefined
    const { name = '', number = '' } = one as Partial<EmergencyContact>
    return typeof name === 'string' && typeof number === 'string' && name.length <= 100 && number.length <= 30
      ? { name: name.trim(), number: number.trim() }
      : undefined
  })
  return contacts.every((one) => one !== undefined) ? contacts : undefined
}

/** Returns the violations of emergency contacts: a contact has a name and a number, which consists of digits. */
export const contactViolations = (contacts: readonly EmergencyContact[]): readonly Violation[] =>
  contacts.flatMap(({ name, number }, at) => {
    const path = `emergencyContacts[${at}]`
    if (number && !/^\+?[\d ]{3,}$/.test(number)) return [violation(`${path}.number`, 'Please enter digits only')]
    if (name && !number) return [violation(`${path}.number`, 'Please enter the phone number of this contact')]
    return number && !name ? [violation(`${path}.name`, 'Please enter the name of this contact')] : []
  })

/** Returns the violations of bank details, which are either complete or empty. */
export function bankViolations(d: {
  readonly accountHolder: string
  readonly sortCode: string
  readonly accountNumber: string
}): readonly Violation[] {
  if (!d.accountHolder && !d.sortCode && !d.accountNumber) return []
  const wrong = [
    ...(d.accountHolder ? [] : [violation('accountHolder', 'Please enter the name on the account')]),
    ...(/^\d{6}$/.test(d.sortCode) ? [] : [violation('sortCode', 'A sort code has six digits')]),
    ...(/^\d{8}$/.test(d.accountNumber) ? [] : [violation('accountNumber', 'An account number has eight digits')]),
  ]
  if (wrong.length || passesModulusCheck(d.sortCode, d.accountNumber)) return wrong
  return [violation('accountNumber', 'This account number does not belong to the sort code. Please check both')]
}

import { MAX_EMERGENCY_CONTACTS } from '#kernel/forms/clean.ts'
import { isEmergencyContactComplete } from '#kernel/forms/has-answer.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { toText } from '#kernel/text.ts'

/** Emergency contacts: up to three, each with a name and a telephone number. */
export const jobContactsField = {
  name: 'emergencyContact',
  kind: 'emergencyContacts',
  label: 'Emergency contacts',
  confirm: true,
} as const satisfies FormField

export interface JobContact {
  readonly name: string
  readonly number: string
}

export const createEmptyJobContacts = (): JobContact[] =>
  Array.from({ length: MAX_EMERGENCY_CONTACTS }, () => ({ name: '', number: '' }))

/** Returns a record's emergency contacts that have a telephone number. */
export const filledJobContacts = (value: unknown): JobContact[] =>
  (Array.isArray(value) ? (value as Partial<JobContact>[]) : [])
    .filter(isEmergencyContactComplete)
    .map(({ name, number }) => ({ name: toText(name).trim(), number: toText(number).trim() }))

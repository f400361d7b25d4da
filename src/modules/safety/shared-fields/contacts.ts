import { MAX_CONTACTS } from '#kernel/forms/clean.ts'
import { isContactComplete } from '#kernel/forms/has-answer.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { textOf } from '#kernel/text.ts'

/** Emergency contacts: up to three, each with a name and a number. */
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

export const createEmptyContacts = (): JobContact[] =>
  Array.from({ length: MAX_CONTACTS }, () => ({ name: '', number: '' }))

/** Contacts of a record that have a number. */
export const contactsWithNumber = (value: unknown): JobContact[] =>
  (Array.isArray(value) ? (value as Partial<JobContact>[]) : [])
    .filter(isContactComplete)
    .map(({ name, number }) => ({ name: textOf(name).trim(), number: textOf(number).trim() }))

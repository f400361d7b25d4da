import { MAX_CONTACTS } from '#kernel/forms/clean.ts'
import { isContactComplete } from '#kernel/forms/filled.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { textOf } from '#kernel/text.ts'

/** Whom to ring: three places, each with a name and a number. */
export const contactsField = {
  name: 'emergencyContact',
  kind: 'emergencyContacts',
  label: 'Emergency contacts',
  confirm: true,
} as const satisfies FormField

export interface Contact {
  readonly name: string
  readonly number: string
}

/** The places, with nobody in them. */
export const noContacts = (): Contact[] => Array.from({ length: MAX_CONTACTS }, () => ({ name: '', number: '' }))

/** Those of a record who can be rung. */
export const contactsIn = (value: unknown): Contact[] =>
  (Array.isArray(value) ? (value as Partial<Contact>[]) : [])
    .filter(isContactComplete)
    .map(({ name, number }) => ({ name: textOf(name).trim(), number: textOf(number).trim() }))

import { filled as hasValue } from '../validate.ts'
import type { FormField } from './schema.ts'

/**
 * Has this field been filled in? Numbers and booleans count; empty strings, lists and objects do not, nor formatted text
 * without words, nor contacts without a name and a number.
 */
export function filled(field: FormField, value: unknown): boolean {
  if (!hasValue(value)) return false
  if (field.kind === 'richText') return wordsOf(value) !== ''
  if (field.kind === 'emergencyContacts') return Array.isArray(value) && value.some((c) => contactFilled(c))
  return true
}

export const contactFilled = (contact: unknown): boolean =>
  contact !== null && typeof contact === 'object' && Object.values(contact).some(hasValue)

/** The words of formatted text. */
const wordsOf = (html: unknown): string =>
  typeof html === 'string' ? html.replace(/<[^<>]*>|&nbsp;|&#160;|\u00a0/g, ' ').trim() : ''

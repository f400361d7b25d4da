import { hasVisibleText } from '../text.ts'
import { isFilled as hasValue } from '../validate.ts'
import { sanitiseAnswer } from './clean.ts'
import type { FormField, FormFieldKind } from './schema.ts'
import type { Values } from './visible.ts'

/** Lists from which cleaning removes unreadable entries. */
const LISTS = new Set<FormFieldKind>(['combobox', 'imageCards', 'uploads'])

/**
 * True if the field has been filled in. Numbers and booleans count. Empty strings, lists and objects don't count.
 * Neither does formatted text without words, a contact with neither name nor number, or a list that cleaning would
 * empty.
 */
export function hasAnswer(field: FormField, value: unknown): boolean {
  if (!hasValue(value)) return false
  // A module's own input may be an object that contains lists. It is filled in if any value in it is.
  if (field.kind === 'custom') return saysSomething(value)
  if (field.kind === 'richText') return hasVisibleText(wordsOf(value))
  if (field.kind === 'emergencyContacts')
    return Array.isArray(value) && value.some((c) => isEmergencyContactComplete(c))
  if (field.kind === 'signature') return saysSignature(sanitiseAnswer(field, value))
  return !LISTS.has(field.kind) || hasValue(sanitiseAnswer(field, value))
}

/**
 * True if a signature has been started. A typed signature needs a name and a drawn one needs strokes. For a drawn
 * signature, a name is not enough, because the form may prefill it.
 */
const saysSignature = (value: unknown): boolean =>
  value !== null &&
  typeof value === 'object' &&
  ('method' in value && value.method === 'typed'
    ? 'name' in value && hasValue(value.name)
    : 'strokes' in value && hasValue(value.strokes))

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (value !== null && typeof value === 'object') return Object.values(value).some(saysSomething)
  return value !== null && value !== undefined
}

export const isEmergencyContactComplete = (contact: unknown): boolean =>
  contact !== null &&
  typeof contact === 'object' &&
  (['name', 'number'] as const).some((part) => part in contact && hasValue((contact as Values)[part]))

/** Returns the plain text of formatted text, without tags. */
const wordsOf = (html: unknown): string =>
  typeof html === 'string' ? html.replace(/<[^<>]*>|&nbsp;|&#160;/g, ' ') : ''

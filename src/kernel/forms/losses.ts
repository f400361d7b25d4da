import { type Violation, violation } from '../errors.ts'
import { hasVisibleText } from '../text.ts'
import { DEFAULT_MAX_LENGTHS, isFilled as hasValue, textTooLongMessage } from '../validate.ts'
import { isRow, rowsOf } from './rows.ts'
import type { FormField, FormKind } from './schema.ts'
import {
  cleanAnswer,
  MAX_CAPTION_LENGTH,
  MAX_CHOICE_LENGTH,
  MAX_CONTACTS,
  MAX_ROWS,
  unreadableAnswerMessage,
  uploadsIn,
} from './score.ts'
import type { Values } from './visible.ts'

/** Lists from which cleaning removes unreadable entries. */
const LISTS = new Set<FormKind>(['combobox', 'imageCards', 'uploads'])

/**
 * True if the field has been filled in. Numbers and booleans count; empty strings, lists and objects don't, nor
 * formatted text without words, contacts without a name and number, or lists that cleaning would empty.
 */
export function hasAnswer(field: FormField, value: unknown): boolean {
  if (!hasValue(value)) return false
  // A module's own input may have lists in objects: filled if anything in them is.
  if (field.kind === 'custom') return saysSomething(value)
  if (field.kind === 'richText') return hasVisibleText(wordsOf(value))
  if (field.kind === 'emergencyContacts') return Array.isArray(value) && value.some((c) => isContactComplete(c))
  if (field.kind === 'signature') return saysSignature(cleanAnswer(field, value))
  return !LISTS.has(field.kind) || hasValue(cleanAnswer(field, value))
}

/** True if a signature has been started: a name alone, which the form may prefill, is not enough. */
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

export const isContactComplete = (contact: unknown): boolean =>
  contact !== null &&
  typeof contact === 'object' &&
  (['name', 'number'] as const).some((part) => part in contact && hasValue((contact as Values)[part]))

/** Text content of formatted text. */
const wordsOf = (html: unknown): string =>
  typeof html === 'string' ? html.replace(/<[^<>]*>|&nbsp;|&#160;/g, ' ') : ''

/**
 * Finds what cleaning a value would lose: text too long, too many rows or contacts, unreadable values. It is refused
 * instead, so that a confirmed save never loses data. A sixth choice is dropped (safety specification, section 5).
 */
export function findDataLoss(f: FormField, value: unknown, path = f.name): Violation[] {
  if (value === undefined || value === null || value === '') return []
  switch (f.kind) {
    case 'rows':
      return lostRows(f, value, path)
    case 'emergencyContacts':
      return lostContacts(f, value, path)
    case 'uploads':
      return Array.isArray(value) ? lostLabels(value, path) : [unreadable(f, path)]
    case 'combobox':
      return Array.isArray(value) ? lostChoices(f, value, path) : [unreadable(f, path)]
    case 'signature':
      return cleanAnswer(f, value) === null ? [unreadable(f, path)] : []
    case 'imageCards':
      return []
    case 'custom':
      return []
    default: {
      const most = f.max ?? DEFAULT_MAX_LENGTHS[lengthKind(f)] ?? 255
      const long = typeof value === 'string' && isWords(f) && tooLongViolation(f.label, value, most, path)
      return long || (cleanAnswer(f, value) === null ? [unreadable(f, path)] : [])
    }
  }
}

const isWords = ({ kind }: FormField) => kind !== 'number' && kind !== 'date' && kind !== 'dateTime'

const lengthKind = ({ kind }: FormField) => (kind === 'richText' || kind === 'longText' ? kind : 'text')

/** Returns a violation if a text is too long, otherwise undefined. */
export function tooLongViolation(label: string, value: string, most: number, path: string): Violation[] | undefined {
  const wrong = textTooLongMessage(label, most, value)
  return wrong === undefined ? undefined : [violation(path, wrong, 'too_long')]
}

const unreadable = (f: FormField, path: string) => violation(path, unreadableAnswerMessage(f))

function lostRows(f: FormField, value: unknown, path: string): Violation[] {
  if (!Array.isArray(value) || !value.every(isRow)) return [unreadable(f, path)]
  const most = f.max ?? MAX_ROWS
  const many = value.length > most ? [violation(path, `${f.label} can have at most ${most}`, 'too_long')] : []
  const inside = rowsOf(value).flatMap((row, i) =>
    (f.fields ?? []).flatMap((own) => findDataLoss(own, row[own.name], `${path}[${i}].${own.name}`)),
  )
  return [...many, ...inside]
}

const lostChoices = (f: FormField, value: readonly unknown[], path: string): Violation[] =>
  value.flatMap((one, i) =>
    typeof one === 'string' ? (tooLongViolation(f.label, one.trim(), MAX_CHOICE_LENGTH, `${path}[${i}]`) ?? []) : [],
  )

const lostLabels = (value: readonly unknown[], path: string): Violation[] =>
  uploadsIn(value).flatMap(
    ({ label = '' }, i) => tooLongViolation('Label', label, MAX_CAPTION_LENGTH, `${path}[${i}].label`) ?? [],
  )

function lostContacts(f: FormField, value: unknown, path: string): Violation[] {
  if (!Array.isArray(value) || !value.every(isRow)) return [unreadable(f, path)]
  const contacts = rowsOf(value)
  const many = contacts.slice(MAX_CONTACTS).some(isContactComplete)
    ? [violation(path, `${f.label} can have at most ${MAX_CONTACTS}`, 'too_long')]
    : []
  const inside = contacts.flatMap((contact, i) => [
    ...((typeof contact.name === 'string' && tooLongViolation('Name', contact.name, 255, `${path}[${i}].name`)) || []),
    ...((typeof contact.number === 'string' &&
      tooLongViolation('Number', contact.number, 50, `${path}[${i}].number`)) ||
      []),
  ])
  return [...many, ...inside]
}

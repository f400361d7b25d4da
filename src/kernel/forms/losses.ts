import { type Violation, violation } from '../errors.ts'
import { DEFAULT_MAX_LENGTHS, textTooLongMessage } from '../validate.ts'
import {
  DEFAULT_MAX_FORM_ROWS,
  MAX_CHOICE_LENGTH,
  MAX_EMERGENCY_CONTACTS,
  sanitiseAnswer,
  unreadableAnswerMessage,
} from './clean.ts'
import { isEmergencyContactComplete } from './has-answer.ts'
import { isPlainObject, toPlainObject, toRowObjects } from './rows.ts'
import type { FormField } from './schema.ts'
import { MAX_CAPTION_LENGTH, uploadsInAnswer } from './uploads.ts'

/**
 * Finds data that would be lost by cleaning a value: text that is too long, too many rows or contacts, unreadable
 * values. Such values are rejected, so that a confirmed save never loses data. The only exception is that choices after
 * the fifth are dropped (safety specification, section 5).
 */
export function findDataLoss(f: FormField, value: unknown, path = f.name): Violation[] {
  if (value === undefined || value === null || value === '') return []
  switch (f.kind) {
    case 'rows':
      return lostRows(f, value, path)
    case 'emergencyContacts':
      return lostContacts(f, value, path)
    case 'uploads':
      return Array.isArray(value) && value.every(isUpload) ? lostLabels(value, path) : [unreadable(f, path)]
    case 'combobox':
      return Array.isArray(value) && value.every(isChoice) ? lostChoices(f, value, path) : [unreadable(f, path)]
    case 'signature':
      return sanitiseAnswer(f, value) === null ? [unreadable(f, path)] : []
    case 'imageCards':
      return areCardIds(value) ? [] : [unreadable(f, path)]
    case 'custom':
      return []
    default: {
      const most = f.max ?? DEFAULT_MAX_LENGTHS[lengthKind(f)] ?? 255
      const long = typeof value === 'string' && isWords(f) && tooLongViolation(f.label, value, most, path)
      return long || (sanitiseAnswer(f, value) === null ? [unreadable(f, path)] : [])
    }
  }
}

const isWords = ({ kind }: FormField) => kind !== 'number' && kind !== 'date' && kind !== 'dateTime'

const lengthKind = ({ kind }: FormField) => (kind === 'richText' || kind === 'longText' ? kind : 'text')

/** Returns a violation if the text is too long, otherwise `undefined`. */
export function tooLongViolation(label: string, value: string, most: number, path: string): Violation[] | undefined {
  const wrong = textTooLongMessage(label, most, value)
  return wrong === undefined ? undefined : [violation(path, wrong, 'too_long')]
}

const unreadable = (f: FormField, path: string) => violation(path, unreadableAnswerMessage(f))

function lostRows(f: FormField, value: unknown, path: string): Violation[] {
  if (!Array.isArray(value) || !value.every(isPlainObject)) return [unreadable(f, path)]
  const most = f.max ?? DEFAULT_MAX_FORM_ROWS
  const many = value.length > most ? [violation(path, `${f.label} can have at most ${most} rows`, 'too_long')] : []
  const inside = toRowObjects(value).flatMap((row, i) =>
    (f.fields ?? []).flatMap((own) => findDataLoss(own, row[own.name], `${path}[${i}].${own.name}`)),
  )
  return [...many, ...inside]
}

/** True for the address of a file, or an object with the address and, optionally, a caption. */
const isUpload = (one: unknown): boolean =>
  uploadsInAnswer([one]).length === 1 &&
  (typeof one === 'string' || ['undefined', 'string'].includes(typeof labelIn(one)))

const labelIn = (one: unknown) => toPlainObject(one).label ?? undefined

const isChoice = (one: unknown): boolean => typeof one === 'string' || typeof one === 'number'

/** True for a list of IDs, or for the list as text that older API clients send. */
function areCardIds(value: unknown): boolean {
  const given: unknown = typeof value === 'string' ? value.split(',') : value
  return Array.isArray(given) && given.every((id) => isChoice(id) && Number.isSafeInteger(Number(id)) && Number(id) > 0)
}

const lostChoices = (f: FormField, value: readonly unknown[], path: string): Violation[] =>
  value.flatMap((one, i) =>
    typeof one === 'string' ? (tooLongViolation(f.label, one.trim(), MAX_CHOICE_LENGTH, `${path}[${i}]`) ?? []) : [],
  )

const lostLabels = (value: readonly unknown[], path: string): Violation[] =>
  uploadsInAnswer(value).flatMap(
    ({ label = '' }, i) => tooLongViolation('Label', label, MAX_CAPTION_LENGTH, `${path}[${i}].label`) ?? [],
  )

function lostContacts(f: FormField, value: unknown, path: string): Violation[] {
  if (!Array.isArray(value) || !value.every(isPlainObject)) return [unreadable(f, path)]
  const contacts = toRowObjects(value)
  const many = contacts.slice(MAX_EMERGENCY_CONTACTS).some(isEmergencyContactComplete)
    ? [violation(path, `${f.label} can have at most ${MAX_EMERGENCY_CONTACTS} contacts`, 'too_long')]
    : []
  const inside = contacts.flatMap((contact, i) => [
    ...((typeof contact.name === 'string' && tooLongViolation('Name', contact.name, 255, `${path}[${i}].name`)) || []),
    ...((typeof contact.number === 'string' &&
      tooLongViolation('Number', contact.number, 50, `${path}[${i}].number`)) ||
      []),
  ])
  return [...many, ...inside]
}

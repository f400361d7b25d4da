import { toStoredSignature } from '../signature.ts'
import type { HtmlSanitiser } from '../text/clean-nodes.ts'
import { isDateOrDateTime, parseLeadingDate } from '../time.ts'
import { DEFAULT_MAX_LENGTHS } from '../validate.ts'
import { employeeFieldOf } from './fields-in.ts'
import { toRowObjects } from './rows.ts'
import type { FormField } from './schema.ts'
import { type AnswerUpload, MAX_CAPTION_LENGTH, toStoredUpload, uploadsInAnswer } from './uploads.ts'
import type { Values } from './visible.ts'

export const MAX_EMERGENCY_CONTACTS = 3

export const MAX_CHOICES_PER_ANSWER = 5

/** Maximum length of a choice typed by the user, in characters. */
export const MAX_CHOICE_LENGTH = 255

export const DEFAULT_MAX_FORM_ROWS = 500

/**
 * Cleans a value for storage in its field; null if the field can't store it. In lists and rows (the engine's `json`
 * fields), only properties in their schema are retained, text is shortened to its limit and numbers are stored as
 * numbers. Choices after the fifth are dropped. `cleanHtml` cleans formatted text; by default, formatted text is left
 * unchanged, which is sufficient for checks.
 */
export function sanitiseAnswer(f: FormField, value: unknown, cleanHtml: HtmlSanitiser = asGiven): unknown {
  switch (f.kind) {
    case 'rows':
      return toRowObjects(value)
        .slice(0, f.max ?? DEFAULT_MAX_FORM_ROWS)
        .map((row) => ({
          ...Object.fromEntries(
            (f.fields ?? []).map((own) => [own.name, sanitiseAnswer(own, row[own.name], cleanHtml)]),
          ),
          ...employeesIn(f.fields ?? [], row),
        }))
    case 'emergencyContacts':
      return toRowObjects(value)
        .slice(0, MAX_EMERGENCY_CONTACTS)
        .map((c) => ({
          name: text(c.name, 255) ?? '',
          number: text(c.number, 50) ?? '',
          ...(c.nameEmployee ? { nameEmployee: c.nameEmployee } : {}),
        }))
    case 'imageCards':
      return ids(value)
    case 'uploads':
      return uploadsInAnswer(value).map(upload)
    case 'signature':
      return toStoredSignature(value)
    case 'combobox':
      return [...new Set(list(value).flatMap((v) => text(v, MAX_CHOICE_LENGTH)?.trim() || []))].slice(
        0,
        MAX_CHOICES_PER_ANSWER,
      )
    case 'number':
      return number(value)
    case 'checkbox':
    case 'switch':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? (parseLeadingDate(value) ?? null) : null
    case 'dateTime':
      return typeof value === 'string' && isDateOrDateTime(value) ? value : null
    case 'select':
      return typeof value === 'number' ? value : text(value, 255)
    case 'remoteSelect':
      return text(iri(value), 255)
    case 'richText':
      return typeof value === 'string' ? cleanHtml(value.slice(0, f.max ?? DEFAULT_MAX_LENGTHS.richText)) : null
    case 'custom':
      return value
    default:
      return text(value, f.max ?? DEFAULT_MAX_LENGTHS[f.kind === 'longText' ? 'longText' : 'text'] ?? 255)
  }
}

/** Returns the employee IDs beside the names in `person` fields, by value name. The server checks the IDs. */
export const employeesIn = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(
    fields.flatMap((f) => {
      const name = employeeFieldOf(f)
      return f.kind === 'person' && (values[name] ?? null) !== null ? [[name, values[name]]] : []
    }),
  )

const asGiven: HtmlSanitiser = (html) => html

/** Returns the error message for a value that its field can't store. */
export const unreadableAnswerMessage = ({ kind, label }: FormField): string =>
  kind === 'date'
    ? `${label} must be a date such as 2026-02-28`
    : kind === 'dateTime'
      ? `${label} must be a date and time such as 2026-02-28T10:20`
      : `${label} is not valid`

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const text = (value: unknown, most: number): string | null =>
  typeof value === 'string' ? value.slice(0, most).toWellFormed() : typeof value === 'number' ? String(value) : null

function number(value: unknown): number | null {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

/** Returns the valid IDs as numbers, without duplicates. Older API clients send the IDs as `1,4,9`. */
const ids = (value: unknown): number[] => {
  const given = typeof value === 'string' ? value.split(',') : list(value)
  const read = given.map(number).filter((n): n is number => n !== null && Number.isSafeInteger(n) && n > 0)
  return [...new Set(read)]
}

const iri = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && '@id' in value ? value['@id'] : value

const upload = ({ '@id': address, label }: AnswerUpload) =>
  toStoredUpload({
    '@id': address.slice(0, 255),
    ...(label ? { label: label.slice(0, MAX_CAPTION_LENGTH).toWellFormed() } : {}),
  })

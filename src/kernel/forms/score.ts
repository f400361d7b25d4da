import { storedSignature } from '../signature.ts'
import type { CleanHtml } from '../text/clean-nodes.ts'
import { isDateOrTime, readDay } from '../time.ts'
import { DEFAULT_MAX_LENGTHS } from '../validate.ts'
import type { ValueLookup } from './conditions.ts'
import { fieldsIn } from './fields-in.ts'
import { rowsOf } from './rows.ts'
import type { FormChoice, FormField, FormSchema } from './schema.ts'

import { type Values, visibleForm, visibleInRow } from './visible.ts'

/** A file of an answer, with its caption. Without one, its file name is shown. */
export interface AnswerUpload {
  readonly '@id': string
  readonly label?: string
}

/** Maximum characters of a caption: two lines beneath a picture. */
export const MAX_CAPTION_LENGTH = 200

/** Returns the files of an answer, which contains addresses, or records with a label. */
export const uploadsIn = (value: unknown): AnswerUpload[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    if (typeof one === 'string') return one ? [{ '@id': one }] : []
    if (one === null || typeof one !== 'object' || !('@id' in one) || typeof one['@id'] !== 'string') return []
    const label = 'label' in one && typeof one.label === 'string' ? one.label : ''
    return [{ '@id': one['@id'], ...(label.trim() ? { label } : {}) }]
  })

/** Returns a file as stored in an answer: its address, with a label if it has one. */
export const storedUpload = ({ '@id': iri, label }: AnswerUpload): string | AnswerUpload =>
  label ? { '@id': iri, label } : iri

export const MAX_CONTACTS = 3
/** Maximum choices in one answer. */
const MAX_CHOICES = 5
/** Maximum characters of a choice typed by the user. */
export const MAX_CHOICE_LENGTH = 255
/** Maximum rows of a list, unless the field sets one. */
export const MAX_ROWS = 500

/**
 * One value as its field keeps it; null for what it can't be. Lists and rows (the engine's `json` fields) hold what their schema
 * names and nothing else, bounded texts, numbers as numbers; a sixth choice is dropped. Whoever stores the value says how formatted
 * text is cleaned; checks look at it as given.
 */
export function cleanAnswer(f: FormField, value: unknown, cleanHtml: CleanHtml = asGiven): unknown {
  switch (f.kind) {
    case 'rows':
      return rowsOf(value)
        .slice(0, f.max ?? MAX_ROWS)
        .map((row) =>
          Object.fromEntries((f.fields ?? []).map((own) => [own.name, cleanAnswer(own, row[own.name], cleanHtml)])),
        )
    case 'emergencyContacts':
      return rowsOf(value)
        .slice(0, MAX_CONTACTS)
        .map((c) => ({ name: text(c.name, 255) ?? '', number: text(c.number, 50) ?? '' }))
    case 'imageCards':
      return ids(value)
    case 'uploads':
      return uploadsIn(value).map(upload)
    case 'signature':
      return storedSignature(value)
    case 'combobox':
      return [...new Set(list(value).flatMap((v) => text(v, MAX_CHOICE_LENGTH)?.trim() || []))].slice(0, MAX_CHOICES)
    case 'number':
      return number(value)
    case 'checkbox':
    case 'switch':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? (readDay(value) ?? null) : null
    case 'dateTime':
      return typeof value === 'string' && isDateOrTime(value) ? value : null
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

const asGiven: CleanHtml = (html) => html

/** Error message for a value that its field can't store. */
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

/** Converts ids to numbers; older clients send `1,4,9`. */
const ids = (value: unknown): number[] => {
  const given = typeof value === 'string' ? value.split(',') : list(value)
  const read = given.map(number).filter((n): n is number => n !== null && Number.isSafeInteger(n) && n > 0)
  return [...new Set(read)]
}

const iri = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && '@id' in value ? value['@id'] : value

const upload = ({ '@id': address, label }: AnswerUpload) =>
  storedUpload({
    '@id': address.slice(0, 255),
    ...(label ? { label: label.slice(0, MAX_CAPTION_LENGTH).toWellFormed() } : {}),
  })

/** Score of the answers of a form. */
export interface FormScore {
  readonly points: number
  readonly outOf: number
  /** Whole per cent, rounded down; null if no question is scored. */
  readonly percent: number | null
  /** Null if the form has no pass mark or no question is scored. */
  readonly passed: boolean | null
}

export const hasPoints = (schema: FormSchema): boolean =>
  fieldsIn(schema).some((f) => [f, ...(f.fields ?? [])].some((own) => own.options?.some((o) => o.points !== undefined)))

/**
 * Calculates the score of the visible questions. The maximum of a question is its best option, or its best options if
 * several can be chosen, also while it is unanswered: omitting it gains nothing. An option without points ("Not
 * applicable") takes its question out.
 */
export function calculateScore(schema: FormSchema, values: Values): FormScore {
  const seen = visibleForm(schema, values)
  const counted = fieldsIn(seen).flatMap((f) => countsOf(f, values[f.name], seen.value))
  const points = sum(counted.map(([own]) => own))
  const outOf = sum(counted.map(([, most]) => most))
  const counts = outOf > 0
  return {
    points,
    outOf,
    percent: counts ? Math.floor((100 * points) / outOf) : null,
    passed: counts && schema.pass !== undefined ? 100 * points >= schema.pass * outOf : null,
  }
}

type Counted = readonly [points: number, outOf: number]

function countsOf(field: FormField, value: unknown, around: ValueLookup): readonly Counted[] {
  if (field.kind === 'rows')
    return rowsOf(value).flatMap((row) => {
      const seen = visibleInRow(field.fields ?? [], row, around)
      return seen.fields.flatMap((f) => countsOf(f, row[f.name], seen.value))
    })
  const counted = pointsOf(field, value)
  return counted ? [counted] : []
}

const pointsIn = (options: readonly FormChoice[]) =>
  options.flatMap((o) => (o.points === undefined ? [] : [o.points])).toSorted((a, b) => b - a)

/**
 * Returns the points and the maximum of a question: its option, or all chosen ones out of the best possible. Undefined
 * if it has no points, or if only options without points are chosen.
 */
export function pointsOf({ kind, options = [] }: FormField, value: unknown): Counted | undefined {
  const all = pointsIn(options)
  if (!all.length) return undefined
  const several = kind === 'combobox'
  const said = new Set<unknown>(several && Array.isArray(value) ? value : [value])
  const chosen = options.filter((o) => said.has(o.value))
  const points = pointsIn(chosen)
  if (chosen.length && !points.length) return undefined
  const most = several ? MAX_CHOICES : 1
  return [sum(points.slice(0, most)), sum(all.slice(0, most))]
}

const sum = (all: readonly number[]) => all.reduce((a, b) => a + b, 0)

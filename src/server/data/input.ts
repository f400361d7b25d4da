import { Problem, problem, violation } from '#kernel/errors.ts'
import { type Field, type Fields, rolesAllowedToWrite } from '#kernel/fields.ts'
import { idFromIriOrNumber, parseId } from '#kernel/iri.ts'
import { idFromIri, iriOf, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { isCalendarDate, parseLeadingDate } from '#kernel/time.ts'
import { fieldTooLongMessage, normaliseEmail, tooManyEntriesMessage } from '#kernel/validate.ts'
import { sanitiseHtml } from './rich-text.ts'

/** A relation in a body, not yet resolved: given by ID or by the target's alias. */
export interface RelationReference {
  readonly field: string
  readonly target: Resource
  readonly given: string
  readonly id?: number
  readonly alias?: string
}

export interface RecordInput {
  readonly values: Record<string, unknown>
  readonly references: readonly RelationReference[]
  /** ID of the row, in plain JSON. */
  readonly id?: number | undefined
  /** Rows of each `rows` field in the body. */
  readonly rows: Readonly<Record<string, readonly RowInput[]>>
}

/** A row in a body, with its IRI if it has one. */
export interface RowInput extends RecordInput {
  readonly iri: string | undefined
}

const EXPECTED: Record<Field['kind'], string> = {
  text: 'string',
  longText: 'string',
  richText: 'string',
  email: 'string',
  phone: 'string',
  choice: 'string',
  date: 'string',
  instant: 'string',
  integer: 'int',
  unixSeconds: 'int',
  decimal: 'float',
  flag: 'bool',
  strings: 'array',
  link: 'string',
  rows: 'array',
  json: 'array',
}

/**
 * Reads an instant with its offset, or a plain date as midnight UTC, and returns it in PostgreSQL's format. Throws 400
 * for any other text.
 */
function readInstant(name: string, s: string): string {
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/.test(s) ? new Date(s) : undefined
  if (!at || !isCalendarDate(s.slice(0, 10)) || !(at.getUTCFullYear() > 0 && at.getUTCFullYear() < 10_000))
    throw problem.badRequest(`"${name}" must be a date and time such as 2026-02-28T10:20:30+00:00.`)
  return at.toISOString()
}

function readDate(name: string, s: string): string {
  const day = parseLeadingDate(s)
  if (day === undefined) throw problem.badRequest(`"${name}" must be a date such as 2026-02-28.`)
  return day
}

/** Throws 422 if a list has more entries than its field allows. Called before the entries are read. */
function checkEntries(name: string, f: Field, entries: number): void {
  const many = tooManyEntriesMessage(name, f, entries)
  if (many) throw problem.invalid([violation(name, many, 'too_long')])
}

/** Throws if a value is nested too deeply, or contains a longer list or object than the field allows. */
function checkWithin(name: string, f: Field, value: unknown, depth = 0): void {
  if (depth > 100) throw problem.badRequest(`"${name}" is nested too deeply.`)
  if (typeof value !== 'object' || value === null) return
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  checkEntries(name, f, inner.length)
  for (let at = 0; at < inner.length; at++)
    if (typeof inner[at] === 'object') checkWithin(name, f, inner[at], depth + 1)
}

/** True for the empty string that a select box sends if nothing is selected. */
const isNoChoice = (f: Field, value: unknown) => f.kind === 'choice' && typeof value === 'string' && value.trim() === ''

const isNeededNumber = (f: Field) => f.required !== undefined && (f.kind === 'integer' || f.kind === 'decimal')

/**
 * True if the field refers to a client. Any other reference that ends in /0 means no record, but client 0 is the
 * provider.
 */
const isClient = (f: Field) => f.target?.().tenant === 'self'

/**
 * Returns a value of the field's JSON type. Text is trimmed, except long text and formatted text. Throws 400 for any
 * other type.
 */
function readValue(name: string, f: Field, value: unknown): unknown {
  const wrong = () => problem.wrongType(name, EXPECTED[f.kind], value)
  switch (f.kind) {
    case 'integer':
    case 'unixSeconds':
      if (f.lenient && typeof value === 'string') return Math.floor(Date.parse(readInstant(name, value)) / 1000)
      if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong()
      if (f.kind === 'unixSeconds' && (value < -62_135_596_800 || value > 253_402_300_799))
        throw problem.badRequest(`"${name}" must be a time in a year from 1 to 9999.`)
      return value
    case 'decimal':
      if (f.lenient && typeof value === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(value.trim())) return Number(value)
      if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong()
      return value
    case 'flag':
      if (typeof value !== 'boolean') throw wrong()
      return value
    case 'strings':
      if (!Array.isArray(value) || value.some((v) => typeof v !== 'string')) throw wrong()
      checkEntries(name, f, value.length)
      return value
    case 'json':
      checkWithin(name, f, value)
      return value
    default: {
      if (typeof value !== 'string') throw wrong()
      if (f.kind === 'instant') return readInstant(name, value)
      if (f.kind === 'date') return readDate(name, value)
      if (f.kind === 'email') return normaliseEmail(value)
      if (f.kind === 'richText') return readRichText(name, f, value)
      return f.kind === 'longText' ? value : value.trim()
    }
  }
}

/** Returns sanitised formatted text. Throws 422 for text that is too long, before parsing it. */
function readRichText(name: string, f: Field, value: string): string {
  const long = fieldTooLongMessage(name, f, value)
  if (long) throw problem.invalid([violation(name, long, 'too_long')])
  return sanitiseHtml(value)
}

/**
 * Reads a relation's value: an IRI, an object with an `@id` or, in plain JSON, an embedded record with its `id`. A
 * lenient field also accepts an ID.
 */
function readReference(name: string, f: Field, value: unknown): RelationReference {
  const target = (f.target as () => Resource)()
  const given =
    f.lenient && typeof value === 'number'
      ? `${target.url}/${value}`
      : typeof value === 'string'
        ? value
        : value && typeof value === 'object' && !Array.isArray(value)
          ? iriIn(target, value as Record<string, unknown>)
          : undefined
  if (typeof given !== 'string')
    throw value && typeof value === 'object' && !Array.isArray(value)
      ? problem.badRequest(
          `"${name}" must be an IRI, or an object with "@id" or "id". Nested records can't be saved here.`,
        )
      : problem.wrongType(name, 'string', value)
  const id = idFromIri(target, given)
  if (id === undefined) throw problem.invalidIri(given)
  const number = parseId(id)
  if (number !== undefined) return { field: name, target: f.referredAs?.() ?? target, given, id: number }
  if (target.alias) return { field: name, target, given, alias: id }
  throw problem.invalidIri(given)
}

function iriIn(target: Resource, value: Readonly<Record<string, unknown>>): unknown {
  if ('@id' in value) return value['@id']
  const id = idFromIriOrNumber(target, value.id)
  return id === undefined ? undefined : iriOf(target, id)
}

/**
 * Returns the part of a body that this actor may write: known, writable fields. Throws 400 for a value of the wrong
 * JSON type. Ignores unknown and read-only keys, because clients send complete records back.
 */
export function parseRecordInput(fields: Fields, body: Readonly<Record<string, unknown>>, actor?: Actor): RecordInput {
  const values: Record<string, unknown> = {}
  const references: RelationReference[] = []
  const rows: Record<string, readonly RowInput[]> = {}
  for (const [name, f] of Object.entries(fields)) {
    const sent = f.inputAlias !== undefined && !(name in body) ? f.inputAlias : name
    if (!(sent in body) || f.readonly) continue
    const value = body[sent]
    const roles = rolesAllowedToWrite(f)
    if (roles && actor && !hasRole(actor, roles)) continue
    if (f.kind === 'rows') {
      const target = (f.target as () => Resource)()
      rows[name] = readRows(name, value ?? [], (row) => ({
        ...parseRecordInput(target.fields, row, actor),
        id: idFromIriOrNumber(target, row.id),
      }))
      continue
    }
    if (
      value === null ||
      value === undefined ||
      isNoChoice(f, value) ||
      (f.kind === 'link' && (value === '' || (typeof value === 'string' && value.endsWith('/0') && !isClient(f))))
    )
      // A cleared field is set to its default. A required number is treated as missing instead, because clearing it
      // does not mean choosing the default.
      values[name] =
        (isNeededNumber(f) ? null : f.default) ?? (f.kind === 'flag' ? false : f.kind === 'strings' ? [] : null)
    else if (f.kind === 'link') references.push(readReference(name, f, value))
    else values[name] = readValue(name, f, value)
  }
  return { values, references, rows }
}

/**
 * Reads the rows in a body. Throws 400 if the value is not a list of objects, and 413 if the list has too many rows.
 */
function readRows(name: string, value: unknown, read: (row: Record<string, unknown>) => RecordInput): RowInput[] {
  if (!Array.isArray(value)) throw problem.wrongType(name, 'array', value)
  if (value.length > MAX_ROWS_PER_RECORD)
    throw new Problem(413, `"${name}" can have at most ${MAX_ROWS_PER_RECORD} rows; this has ${value.length}.`)
  return value.map((row, i) => {
    if (!row || typeof row !== 'object' || Array.isArray(row))
      throw problem.badRequest(`"${name}[${i}]" must be an object with the row's values.`)
    const iri = (row as Record<string, unknown>)['@id']
    if (iri !== undefined && iri !== null && typeof iri !== 'string')
      throw problem.wrongType(`${name}[${i}].@id`, 'string', iri)
    return { ...read(row as Record<string, unknown>), iri: iri || undefined }
  })
}

export const MAX_ROWS_PER_RECORD = 1000

import type { ValuesOf } from '#kernel/resource.ts'
import { LOST_DIGITS, parseImportCell, withoutDecimals } from '#kernel/text/import-cells.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { fieldViolations, normaliseEmail } from '#kernel/validate.ts'
import { employee } from '../employees/employee.ts'
import { normaliseNiNumber, normaliseSortCode } from '../employees/private-details.ts'
import { type ColumnMapping, IMPORT_FIELDS, type ImportField } from './columns.ts'
import { readUkDate } from './dates.ts'

export type EmployeeValues = ValuesOf<typeof employee>
/** Records that a row names: the manager by name, e-mail or payroll number, the others by name. */
export const NAMED_RECORDS = ['manager', 'department', 'site'] as const
export type NamedRecord = (typeof NAMED_RECORDS)[number]

/** A row of the file: its values without blanks, the records that it names, and the reasons why it is rejected. */
export interface ImportedRow {
  readonly line: number
  readonly name: string
  readonly values: EmployeeValues
  readonly named: Readonly<Partial<Record<NamedRecord, string>>>
  readonly wrong: readonly string[]
}

/** A value that was read, or the reason why it can't be, as the end of a sentence about the text. */
type ReadCell = { readonly value: unknown } | { readonly wrong: string }

const one = (value: unknown): ReadCell => ({ value })

/** Returns a reader that accepts a few words, in any capitals, for each value. */
const wordReader = (words: readonly (readonly [value: unknown, words: string])[], wrong: string) => {
  const byWord = new Map(words.flatMap(([value, all]) => all.split('|').map((word) => [word, value] as const)))
  return (text: string): ReadCell => {
    const word = text.toLowerCase().replace(/\.$/, '')
    return byWord.has(word) ? one(byWord.get(word)) : { wrong }
  }
}

/** Restores the leading zero that a spreadsheet removes from a telephone number. */
const readPhone = (text: string): ReadCell => {
  const s = withoutDecimals(text)
  return one(/^[1-9]\d{9}$/.test(s) ? `0${s}` : s)
}

const digitsReader =
  (length: number) =>
  (text: string): ReadCell => {
    const digits = normaliseSortCode(withoutDecimals(text))
    // Spreadsheets remove leading zeros; account numbers of six and seven digits are written with zeros in front.
    return one(/^\d+$/.test(digits) && digits.length >= length - 2 ? digits.padStart(length, '0') : digits)
  }

const readers = (today: Temporal.PlainDate): Partial<Record<ImportField, (text: string) => ReadCell>> => {
  const readDate = (text: string, isBirth = false): ReadCell => {
    const found = readUkDate(text, today, isBirth)
    return 'day' in found ? one(found.day) : found
  }
  return {
    email: (text) => one(normaliseEmail(text)),
    payroll: (text) => one(withoutDecimals(text)),
    extCStartDate: (text) => readDate(text),
    leavingDate: (text) => readDate(text),
    dob: (text) => readDate(text, true),
    telephone: readPhone,
    mobile: readPhone,
    isSubby: wordReader(
      [
        [true, 'yes|y|true|1'],
        [false, 'no|n|false|0'],
      ],
      'is neither yes nor no',
    ),
    sex: wordReader(
      [
        [1, 'male|m|man|1'],
        [2, 'female|f|woman|2'],
        [0, 'not stated|prefer not to say|unknown|0'],
      ],
      'is not one of: male, female, not stated',
    ),
    nation: wordReader(
      [
        ['england', 'england|eng'],
        ['wales', 'wales|cymru'],
        ['scotland', 'scotland|sco'],
        ['northernIreland', 'northern ireland|ni|n ireland|northernireland'],
      ],
      'is not one of: England, Wales, Scotland, Northern Ireland',
    ),
    nationalInsuranceNumber: (text) => one(normaliseNiNumber(text)),
    sortCode: digitsReader(6),
    accountNumber: digitsReader(8),
  }
}

/** Fields whose digits are lost if a spreadsheet shows them as 4.47701E+11. */
const NUMBER_FIELDS: readonly ImportField[] = ['payroll', 'telephone', 'mobile', 'contactNumber', 'accountNumber']
/** Fields whose values are not repeated in a report. */
const UNQUOTED_FIELDS: readonly ImportField[] = ['nationalInsuranceNumber', 'accountNumber', 'sortCode', 'sex', 'dob']
const MAX_QUOTED = 60

/** Splits a full name: the last word is the surname, unless a comma follows the surname. */
function splitName(name: string): { forename: string; surname: string } {
  const [surname = '', forename] = name.split(/,\s*/, 2)
  if (forename !== undefined) return { forename, surname }
  const at = name.lastIndexOf(' ')
  return { forename: name.slice(0, Math.max(at, 0)), surname: name.slice(at + 1) }
}

/** Returns a function that reads the rows of a file. */
export function createRowReader(
  columns: readonly string[],
  mapping: ColumnMapping,
  today: Temporal.PlainDate,
): (line: number, cells: readonly string[]) => ImportedRow {
  const plan = columns.flatMap((column, at) => (mapping[column] ? [{ at, field: mapping[column] }] : []))
  const readerOf = readers(today)
  return (line, cells) => {
    const texts: Partial<Record<ImportField, string>> = {}
    const read: Record<string, unknown> = {}
    const wrong: string[] = []
    for (const { at, field } of plan) {
      const text = parseImportCell(cells[at] ?? '').replace(/\s+/g, ' ')
      if (text === '') continue
      texts[field] = text
      const quoted = UNQUOTED_FIELDS.includes(field) ? 'The value' : `“${text.slice(0, MAX_QUOTED)}”`
      if (NUMBER_FIELDS.includes(field) && LOST_DIGITS.test(text)) {
        wrong.push(
          `${labelOfField(field)}: a spreadsheet has cut off “${text}”. Format the column as text and save again`,
        )
        continue
      }
      const found = readerOf[field]?.(text) ?? one(text)
      if ('wrong' in found) wrong.push(`${labelOfField(field)}: ${quoted} ${found.wrong}`)
      else read[field] = found.value
    }
    const { name, manager, department, site, contactName, contactNumber, ...own } = read as Partial<
      Record<ImportField, string>
    >
    const contact = { name: contactName ?? '', number: contactNumber ?? '' }
    const values = {
      ...own,
      ...(name === undefined ? {} : splitName(name)),
      ...(contactName || contactNumber ? { emergencyContacts: [contact] } : {}),
    } as unknown as EmployeeValues
    const extra = cells.slice(columns.length).filter((cell) => cell.trim() !== '').length
    if (extra) wrong.push(`The row has ${cells.length} values under ${columns.length} headings`)
    return {
      line,
      name: [values.forename, values.surname].filter(Boolean).join(' ').slice(0, 255),
      values,
      named: { ...(manager ? { manager } : {}), ...(department ? { department } : {}), ...(site ? { site } : {}) },
      wrong: wrong.length ? wrong : describeViolations(fieldViolations(checkedFields(values), { ...values })),
    }
  }
}

/** Returns the declarations of the fields that a row has, and of the names, which every row needs. */
const checkedFields = (values: EmployeeValues) =>
  Object.fromEntries(
    Object.entries(employee.fields).filter(([name]) => name in values || name === 'forename' || name === 'surname'),
  )

/** Returns the label of a field, without its explanation. */
const labelOfField = (field: ImportField): string => IMPORT_FIELDS[field].replace(/ \(.*/, '')

/** Returns a sentence for each violation, with the field that it concerns. */
export const describeViolations = (
  all: readonly { readonly propertyPath: string; readonly message: string }[],
): string[] =>
  all.map(({ propertyPath, message }) => {
    const [name = ''] = propertyPath.split(/[.[]/, 1)
    const field = name === 'emergencyContacts' ? 'contactNumber' : (name as ImportField)
    return field in IMPORT_FIELDS ? `${labelOfField(field)}: ${message}` : message
  })

/** Returns the date of birth of a sentence: “, born on 01/02/1980”; empty if it is not known. */
export const bornOn = (dob: string | null | undefined): string => (dob ? `, born on ${formatIsoDateAsUk(dob)}` : '')

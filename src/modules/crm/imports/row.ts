import type { Field } from '#kernel/fields.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { contact } from '../contacts/contact.ts'
import { companyNumberKey } from '../duplicate-keys/keys.ts'
import { type ColumnMapping, IMPORT_FIELDS, type ImportField } from './mapping.ts'

/** Lead columns that are copied from the file unchanged. */
export const COPIED_LEAD_FIELDS = [
  'companyName',
  'companyNumber',
  'name',
  'jobTitle',
  'phone',
  'mobile',
  'email',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'website',
] as const
type Copied = (typeof COPIED_LEAD_FIELDS)[number]

/** Cleaned values of a row; blanks are `null`. */
export interface ImportedLead extends Record<Copied, string | null> {
  sic: string | null
  businessType: string | null
  cameFrom: string | null
  owner: string | null
  notes: string | null
}

const ONE_LINE = Object.fromEntries(COPIED_LEAD_FIELDS.map((k) => [k, contact.fields[k]])) as Record<Copied, Field>
const NOTES_MOST = 20_000

/**
 * Plain text of a cell. Undoes the ways in which spreadsheets protect values from being parsed as formulas (`'+44…`,
 * `="0123"`); a formula remains plain text.
 */
export function importCellText(raw: string): string {
  const s = raw.replaceAll('\u0000', '').toWellFormed().trim()
  const quoted = /^="([^"]*)"$/.exec(s)
  if (quoted) return (quoted[1] as string).trim()
  return /^'([=+@-]|[\d\s()]+$)/.test(s) ? s.slice(1).trim() : s
}

/** Text for a CSV cell, protected from being executed as a formula. */
export const formulaSafeCell = (s: string): string =>
  /^[=+\-@\t\r]/.test(s) && !/^\+?[\d\s()-]+$/.test(s) ? `'${s}` : s

/**
 * Joins lines. Split at line ends rather than replaced: a regular expression for the surrounding spaces takes time
 * quadratic in the cell's length.
 */
const oneLine = (text: string, between: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(between)

const NOTHING = /^(n\/?a|none|null|nil|unknown|tbc|-+|\.+)$/i
const LOST_DIGITS = /^\d(\.\d+)?E\+?\d+$/i

const tidy: Partial<Record<ImportField, (s: string) => string>> = {
  // Registered company numbers have eight characters; spreadsheets drop leading zeros.
  companyNumber: companyNumberKey,
  phone: (s) => (/^[1-9]\d{9}$/.test(s) ? `0${s}` : NOTHING.test(s) ? '' : s),
  mobile: (s) => (/^[1-9]\d{9}$/.test(s) ? `0${s}` : NOTHING.test(s) ? '' : s),
  email: (s) => (NOTHING.test(s) ? '' : s.replace(/^mailto:/i, '')),
  address1: (s) => oneLine(s, ', ').replaceAll(',, ', ', '),
}

/** A parsed row, with the reason if it is rejected. */
export interface ParsedRow {
  readonly lead: ImportedLead
  readonly wrong: string | undefined
}

/** Returns a row parser for a mapping. */
export function createRowParser(
  columns: readonly string[],
  mapping: ColumnMapping,
): (cells: readonly string[]) => ParsedRow {
  const plan = columns.flatMap((column, at) => (mapping[column] ? [{ at, column, target: mapping[column] }] : []))
  const headingOf = new Map<string, string>(plan.map((p) => [p.target, p.column]))
  const checked = Object.fromEntries(COPIED_LEAD_FIELDS.filter((k) => headingOf.has(k)).map((k) => [k, ONE_LINE[k]]))

  const wrong = (values: Partial<Record<ImportField, string>>, lead: ImportedLead): string | undefined => {
    for (const k of ['phone', 'mobile', 'companyNumber'] as const)
      if (LOST_DIGITS.test(values[k] ?? ''))
        return `${heading(k)}: a spreadsheet has cut off "${values[k]}". Format the column as text there and save it again`
    const [first] = fieldViolations(checked, lead as unknown as Record<string, unknown>)
    if (first) return `${heading(first.propertyPath as ImportField)}: ${first.message}`
    if ((lead.name?.length ?? 0) > 255) return 'Contact name can have at most 255 characters'
    if ((lead.notes?.length ?? 0) > NOTES_MOST) return `${heading('notes')}: notes can have at most 20,000 characters`
    if (!(lead.companyName || lead.name || lead.phone || lead.mobile || lead.email))
      return 'No company, name, telephone number or e-mail address'
    return undefined
  }
  const heading = (t: ImportField) => headingOf.get(t) ?? IMPORT_FIELDS[t]

  return (cells) => {
    const values: Partial<Record<ImportField, string>> = {}
    for (const { at, target } of plan) {
      const text = importCellText(cells[at] ?? '')
      if (text === '') continue
      if (target === 'notes') values.notes = values.notes ? `${values.notes}\n${text}` : text
      else values[target] = oneLine(tidy[target]?.(text) ?? text, ' ')
    }
    const both = [values.firstName, values.lastName].filter(Boolean).join(' ')
    const lead = {
      ...Object.fromEntries(COPIED_LEAD_FIELDS.map((k) => [k, values[k] || null])),
      name: values.name || both || null,
      sic: values.sic ?? null,
      businessType: values.businessType ?? null,
      cameFrom: values.cameFrom ?? null,
      owner: values.owner ?? null,
      notes: values.notes ?? null,
    } as ImportedLead
    // A row with more values than headings is misaligned, so its values can't be assigned to fields.
    const extra = cells.slice(columns.length).filter((c) => c.trim() !== '').length
    const reason = extra ? `This row has ${cells.length} values under ${columns.length} headings` : wrong(values, lead)
    return { lead, wrong: reason }
  }
}

/** Name of the row in reports. */
export const importedLeadName = (lead: ImportedLead): string =>
  (lead.companyName ?? lead.name ?? lead.email ?? lead.phone ?? lead.mobile ?? '').slice(0, 255)

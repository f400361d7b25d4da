import { date, type Field } from '#kernel/fields.ts'
import { LOST_DIGITS, parseImportCell, withoutDecimals } from '#kernel/text/import-cells.ts'
import { parsePhoneNumbers } from '#kernel/text/phone.ts'
import { londonDate, now } from '#kernel/time.ts'
import { fieldViolations, isEmail, listUniqueEmailAddresses, normaliseEmail } from '#kernel/validate.ts'
import { contact, LEGAL_FORMS, type LegalForm } from '../contacts/contact.ts'
import { companyNameKey, companyNumberKey } from '../duplicate-keys/keys.ts'
import { CONSENT_FIELDS, type ColumnMapping, IMPORT_FIELDS, type ImportField } from './columns.ts'

/** Lead fields that take their cleaned value directly from a column. */
export const COPIED_LEAD_FIELDS = [
  'companyName',
  'companyNumber',
  'legalForm',
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

/** Cleaned values from a row. Blank values are `null`. */
export interface ImportedLead extends Record<Copied, string | null> {
  sic: string | null
  businessType: string | null
  cameFrom: string | null
  owner: string | null
  notes: string | null
  consent: ImportedConsent | null
  /** True if the row states a consent that lacks a readable date, method, wording or e-mail address. */
  lacksEvidence: boolean
}

interface ImportedConsent {
  readonly givenOn: string
  readonly how: string
  readonly evidence: string
}

/**
 * Whole phrases for each legal form, in lower case, without punctuation and "the". They include the terms used in
 * lists, and the categories of Companies House. Bodies that may be unincorporated, such as associations, clubs and
 * charities, are not among them.
 */
const FORM_PHRASES: Readonly<Partial<Record<LegalForm, string>>> = {
  'sole trader':
    'sole trader|sole tradership|sole proprietor|sole proprietorship|sole|self employed|self employed individual|individual|freelancer',
  partnership:
    'partnership|general partnership|ordinary partnership|business partnership|partners|limited partnership|lp|partnership lp|limited partnership lp',
  'scottish partnership':
    'scottish partnership|scottish general partnership|scottish qualifying partnership|scottish limited partnership|slp|scottish limited partnership slp',
  llp: 'llp|limited liability partnership',
  plc: 'plc|public limited|public limited company|public company limited by shares|old public company',
  limited: [
    'ltd|limited|limited company|ltd company|company limited|private limited|private ltd|private limited company|limited company ltd',
    'private limited company ltd|limited by shares|company limited by shares|private company limited by shares',
    'limited by guarantee|company limited by guarantee|private company limited by guarantee|private limited by guarantee|ltd by guarantee',
    'pri ltd by guar nsc private limited by guarantee no share capital|priv ltd sect 30 private limited company section 30 of companies act',
    'pri lbg nsc private limited by guarantee no share capital use of limited exemption|cyf|cyfyngedig',
    'cic|community interest company|community interest company cic',
  ].join('|'),
  'public body': [
    'public body|public sector|public sector body|public sector organisation|public authority|public corporation|local authority|council',
    'local council|county council|district council|borough council|city council|town council|parish council|government|local government',
    'central government|government department|government body|nhs|nhs body|nhs trust|nhs foundation trust',
  ].join('|'),
  'other corporate': [
    'corporate body|body corporate|other corporate body|corporation|incorporated|incorporated association|incorporated charity',
    'charitable company|charitable incorporated organisation|cio|charitable incorporated organisation cio|scio',
    'scottish charitable incorporated organisation|scottish charitable incorporated organisation scio|registered society',
    'industrial and provident society|co operative society|cooperative society|community benefit society|building society',
    'royal charter company|royal charter body|overseas company|unlimited company|private unlimited|private unlimited company',
  ].join('|'),
}
const plainWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .replace(/\bthe\b/g, '')
    .replace(/ +/g, ' ')
    .trim()
const FORM_OF: ReadonlyMap<string, LegalForm> = new Map([
  ...LEGAL_FORMS.flatMap(({ value, label }) => [value, label].map((text) => [plainWords(text), value] as const)),
  ...Object.entries(FORM_PHRASES).flatMap(([form, phrases]) =>
    phrases.split('|').map((phrase) => [phrase, form as LegalForm] as const),
  ),
])
const LONGEST_FORM = 200

/**
 * Parses a legal form; null if the text is blank. Any other text is 'unknown', because a corporate body needs no consent
 * to marketing. A text that begins with "sole trader" is read as a sole trader, whatever follows.
 */
function parseLegalForm(text = ''): LegalForm | null {
  if (text === '') return null
  const words = plainWords(text.slice(0, LONGEST_FORM))
  return words.startsWith('sole trader ') ? 'sole trader' : (FORM_OF.get(words) ?? 'unknown')
}

const CONSENT_WAYS = { form: ['form', 'web'], telephone: ['phone', 'call'], written: ['writ', 'mail', 'letter'] }

/** Parses a consent: a date such as 2026-01-31 or 31/01/2026 that is not in the future, the method and the wording. */
function parseConsent(date = '', way = '', evidence = ''): ImportedConsent | null {
  const uk = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(date)
  const iso = uk ? `${uk[3]}-${uk[2]?.padStart(2, '0')}-${uk[1]?.padStart(2, '0')}` : date
  const parts = Object.entries(CONSENT_WAYS)
  const how = parts.find(([, some]) => some.some((part) => way.toLowerCase().includes(part)))?.[0]
  const isDate = !fieldViolations({ date: CONSENT_DATE }, { date: iso }).length && iso <= londonDate(now()).toString()
  return /^\d/.test(iso) && isDate && how && evidence ? { givenOn: iso, how, evidence: evidence.slice(0, 1900) } : null
}
const CONSENT_DATE: Field = date()

const ONE_LINE = Object.fromEntries(COPIED_LEAD_FIELDS.map((k) => [k, contact.fields[k]])) as Record<Copied, Field>
const NOTES_MOST = 20_000

/**
 * Joins the lines of a text. Matches the content of lines instead of the spaces around it, because a regular expression
 * for the spaces would take time quadratic in the cell's length.
 */
const oneLine = (text: string, between: string): string =>
  (text.match(/\S[^\r\n]*/g) ?? []).map((line) => line.trimEnd()).join(between)

const NOTHING = /^(n\/?a|none|null|nil|unknown|tbc|-+|\.+)$/i
/** Words before a company number: Company No. 06734420. */
const NUMBER_WORDS =
  /^(?:company |co\.? |registered |reg\.? |crn ?){0,3}(?:number|num|no|nr)?[.:]? ?(?=[a-z]{0,2}\d{5,8}$)/i

const tidyPhone = (typed: string) => {
  const s = withoutDecimals(typed)
  return /^[1-9]\d{9}$/.test(s) ? `0${s}` : NOTHING.test(s) ? '' : s
}

const tidy: Partial<Record<ImportField, (s: string) => string>> = {
  // Registered company numbers have eight characters, but spreadsheets drop leading zeros.
  companyNumber: (s) => companyNumberKey(withoutDecimals(s).replace(NUMBER_WORDS, '')),
  phone: tidyPhone,
  mobile: tidyPhone,
  address1: (s) => oneLine(s, ', ').replaceAll(',, ', ', '),
}

const NUMBERS: readonly ImportField[] = ['phone', 'mobile', 'companyNumber']

const MAX_EMAILS_LENGTH = 1000

/**
 * Returns the e-mail addresses in a cell, which may contain several (`a@x.example ::: b@x.example`) or names
 * (`Ann <a@x.example>`). Returns the cell itself if it contains no address or an invalid one.
 */
function parseEmails(text: string): readonly string[] | string {
  if (NOTHING.test(text)) return []
  if (text.toLowerCase() === 'no') return [text]
  if (text.length > MAX_EMAILS_LENGTH) return text
  const parts = text.split(/[\s,;|<>"'()]+|:::/).map((part) => normaliseEmail(part.replace(/^mailto:/i, '')))
  const addresses = listUniqueEmailAddresses(parts.filter(isEmail))
  return addresses.length === 0 || parts.some((part) => part.includes('@') && !isEmail(part)) ? text : addresses
}

/** A parsed row, with the reason why it is rejected, if any. */
export interface ParsedImportRow {
  readonly lead: ImportedLead
  readonly wrong: string | undefined
  /** Sentence about values that could not be imported from a row that was otherwise imported. */
  readonly remark: string | undefined
}

export function createImportRowParser(
  columns: readonly string[],
  mapping: ColumnMapping,
): (cells: readonly string[]) => ParsedImportRow {
  const plan = columns.flatMap((column, at) => (mapping[column] ? [{ at, column, target: mapping[column] }] : []))
  const headingOf = new Map<string, string>(plan.map((p) => [p.target, p.column]))
  // Parsed legal forms are always valid.
  const checked = Object.fromEntries(
    COPIED_LEAD_FIELDS.filter((k) => headingOf.has(k) && k !== 'legalForm').map((k) => [k, ONE_LINE[k]]),
  )

  const wrong = (lead: ImportedLead): string | undefined => {
    const [first] = fieldViolations(checked, { ...lead })
    if (first) return `${heading(first.propertyPath as ImportField)}: ${first.message}`
    if ((lead.name?.length ?? 0) > 255) return 'Contact name can have at most 255 characters'
    if ((lead.notes?.length ?? 0) > NOTES_MOST) return `${heading('notes')} can have at most 20,000 characters`
    if (!(lead.companyName || lead.name || lead.phone || lead.mobile || lead.email))
      return 'No company, name, telephone number or e-mail address'
    return undefined
  }
  const heading = (t: ImportField) => headingOf.get(t) ?? IMPORT_FIELDS[t]

  return (cells) => {
    const values: Partial<Record<ImportField, string>> = {}
    let lost: string | undefined
    let remark: string | undefined
    const note = (text: string) => {
      values.notes = values.notes ? `${values.notes}\n${text}` : text
    }
    for (const { at, target } of plan) {
      const text = parseImportCell(cells[at] ?? '')
      if (text === '') continue
      if (NUMBERS.includes(target) && LOST_DIGITS.test(text))
        lost ??= `${heading(target)}: a spreadsheet has cut off "${text}". Format the column as text in the spreadsheet and save the file again`
      if (target === 'notes') note(text)
      else if (target === 'email') {
        const found = parseEmails(text)
        const [first, ...others] = typeof found === 'string' ? [normaliseEmail(found)] : found
        if (first) values.email = first
        if (others.length) note(`Other e-mail addresses: ${others.join(', ')}`)
      } else values[target] = oneLine(tidy[target]?.(text) ?? text, ' ')
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
      legalForm: parseLegalForm(values.legalForm),
      consent: isEmail(values.email ?? '')
        ? parseConsent(values.consentGivenOn, values.consentHow, values.consentEvidence)
        : null,
    } as ImportedLead
    const isWrongEmail =
      lead.email !== null && fieldViolations({ email: ONE_LINE.email }, { email: lead.email }).length > 0
    if (lead.email && isWrongEmail && (lead.phone || lead.mobile)) {
      remark = `${heading('email')}: not an e-mail address, so it was left out (“${lead.email.slice(0, 100)}”)`
      lead.email = null
      lead.consent = null
    }
    lead.lacksEvidence = !lead.consent && CONSENT_FIELDS.some((t) => values[t])
    // A row with more values than headings is misaligned, so it is unclear which value belongs to which field.
    const extra = cells.slice(columns.length).filter((c) => c.trim() !== '').length
    const reason = extra
      ? `This row has ${cells.length} values under ${columns.length} headings`
      : (lost ?? wrong(lead))
    return { lead, wrong: reason, remark }
  }
}

/** Returns the name under which a row's lead is reported. */
export const importedLeadName = (lead: ImportedLead): string =>
  (lead.companyName ?? lead.name ?? lead.email ?? lead.phone ?? lead.mobile ?? '').slice(0, 255)

/**
 * Criteria by which leads are matched, with labels, most certain first. Their names match those of the keys in the
 * database.
 */
export const LEAD_MATCH_CRITERIA = {
  companyNumber: 'company number',
  phone: 'telephone number',
  email: 'e-mail address',
  companyName: 'company and postcode',
} as const
export type LeadMatchCriterion = keyof typeof LEAD_MATCH_CRITERIA

/** Values by which a lead is matched with others. Blanks and the e-mail address "no" are excluded. */
export interface LeadMatchKeys {
  readonly number: string
  /** Telephone numbers in E.164. */
  readonly phones: readonly string[]
  readonly email: string
  /** Company name and postcode. The company name is used alone only if nothing else is known. */
  readonly company: readonly [name: string, postcode: string] | undefined
}

export function buildLeadMatchKeys(lead: ImportedLead): LeadMatchKeys {
  const number = companyNumberKey(lead.companyNumber)
  const phones = [...new Set([lead.phone, lead.mobile].flatMap((field) => parsePhoneNumbers(field).numbers))]
  const typed = (lead.email ?? '').toLowerCase()
  const email = typed === 'no' ? '' : typed
  const postcode = (lead.postcode ?? '').replace(/\s/g, '').toUpperCase()
  const sure = postcode !== '' || (number === '' && phones.length === 0 && email === '')
  const company = companyNameKey(lead.companyName)
  return { number, phones, email, company: company && sure ? [company, postcode] : undefined }
}

/** Returns a lead's keys with their criteria, most certain first. */
const listLeadMatchKeys = (k: LeadMatchKeys): (readonly [LeadMatchCriterion, string])[] => [
  ...(k.number ? [['companyNumber', k.number] as const] : []),
  ...k.phones.map((p) => ['phone', p] as const),
  ...(k.email ? [['email', k.email] as const] : []),
  ...(k.company ? [['companyName', k.company.join('\n')] as const] : []),
]

/**
 * Returns a 53-bit hash of a string. With half a million keys, a collision occurs in about one in seventy thousand
 * files.
 */
function hash53(s: string): number {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i)
    a = Math.imul(a ^ c, 2654435761)
    b = Math.imul(b ^ c, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

/**
 * Index of the rows added from the file so far. It contains only numbers, so that a hundred thousand rows need little
 * memory.
 */
export class AddedRowIndex {
  private readonly lines = new Map<number, number>()

  /** Finds the earlier line that this lead duplicates, and returns the line with the matching criterion. */
  find(keys: LeadMatchKeys): { same: LeadMatchCriterion; line: number } | undefined {
    for (const [same, key] of listLeadMatchKeys(keys)) {
      const line = this.lines.get(hash53(`${same}:${key}`))
      if (line !== undefined) return { same, line }
    }
    return undefined
  }

  add(keys: LeadMatchKeys, line: number): void {
    for (const [same, key] of listLeadMatchKeys(keys)) {
      const at = hash53(`${same}:${key}`)
      if (!this.lines.has(at)) this.lines.set(at, line)
    }
  }
}

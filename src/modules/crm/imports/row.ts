import { type Violation, violation } from '#kernel/errors.ts'
import { date, type Field } from '#kernel/fields.ts'
import { parsePhoneNumbers } from '#kernel/text/phone.ts'
import { FORMULA_PATTERN } from '#kernel/text.ts'
import { londonDate, now } from '#kernel/time.ts'
import { fieldViolations, isEmail, normaliseEmail } from '#kernel/validate.ts'
import { contact, type LegalForm } from '../contacts/contact.ts'
import { companyNameKey, companyNumberKey } from '../duplicate-keys/keys.ts'

/** Lead fields to which columns can be mapped, in display order. */
export const IMPORT_FIELDS = {
  companyName: 'Company name',
  companyNumber: 'Company number',
  legalForm: 'Legal form',
  name: 'Contact name',
  firstName: 'First name',
  lastName: 'Last name',
  jobTitle: 'Job title',
  phone: 'Phone',
  mobile: 'Mobile',
  email: 'E-mail',
  address1: 'Address line 1',
  address2: 'Address line 2',
  city: 'City',
  county: 'County',
  postcode: 'Postcode',
  website: 'Website',
  sic: 'SIC code (sets the business type)',
  businessType: 'Business type',
  cameFrom: 'Lead source',
  owner: 'Owner (username)',
  notes: 'Notes',
  consentGivenOn: 'Consent to marketing: date',
  consentHow: 'Consent to marketing: how it was given',
  consentEvidence: 'Consent to marketing: wording and evidence',
} as const

type ImportField = keyof typeof IMPORT_FIELDS
/** Mapping from column headings to lead fields. */
export type ColumnMapping = Readonly<Record<string, ImportField>>

/** Known headings for each field, in lower case without spaces and punctuation. */
const KNOWN: Readonly<Record<ImportField, readonly string[]>> = {
  companyName:
    'companyname company business businessname organisation organisationname organization organizationname firm account accountname tradingname employer'.split(
      ' ',
    ),
  companyNumber:
    'companynumber companyno companyregno registrationnumber companyregistrationnumber crn regno regcompno companieshousenumber'.split(
      ' ',
    ),
  legalForm: 'legalform legalstatus companytype companycategory entitytype businessstructure'.split(' '),
  name: 'name contactname contact fullname person contactperson keycontact'.split(' '),
  firstName: 'firstname forename givenname first'.split(' '),
  lastName: 'lastname surname familyname last'.split(' '),
  jobTitle: 'jobtitle job position role contactposition contactrole'.split(' '),
  phone:
    'phone phonenumber telephone telephonenumber tel telno phoneno landline businessphone workphone officephone directdial phone1 telephone1 tel1 number contactnumber'.split(
      ' ',
    ),
  mobile: 'mobile mobilenumber mobilephone mobileno cell cellphone phone2 telephone2 tel2'.split(' '),
  email: 'email emailaddress mail contactemail businessemail email1'.split(' '),
  address1:
    'address1 addressline1 address street street1 streetaddress regaddressaddressline1 registeredaddressline1'.split(
      ' ',
    ),
  address2: 'address2 addressline2 street2 locality regaddressaddressline2'.split(' '),
  city: 'city town towncity posttown regaddressposttown addresstown'.split(' '),
  county: 'county region regaddresscounty state'.split(' '),
  postcode: 'postcode postalcode zip zipcode regaddresspostcode'.split(' '),
  website: 'website web url webaddress site websiteurl uri'.split(' '),
  sic: 'siccodesictext1 sic siccode siccode1 sic1 sic2007'.split(' '),
  businessType: 'businesstype trade industry sector type'.split(' '),
  cameFrom: 'camefrom source leadsource origin'.split(' '),
  owner: 'owner ownerusername username salesperson assignedto agent'.split(' '),
  notes: 'notes note comments comment remarks description'.split(' '),
  consentGivenOn: 'consentdate consentgivenon consenttomarketingdate optindate'.split(' '),
  consentHow: 'consenthow consentmethod consenttomarketinghowitwasgiven consentsource'.split(' '),
  consentEvidence: 'consentevidence consentwording consenttext consenttomarketingwordingandevidence'.split(' '),
}
const TARGET_OF = new Map(
  Object.entries(KNOWN).flatMap(([target, names]) => names.map((n) => [n, target as ImportField])),
)

const bareHeading = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Functions that recognise a field by its values, used if the heading is unknown. */
const VALUE_RECOGNISERS: readonly (readonly [ImportField, (value: string) => boolean])[] = [
  ['email', isEmail],
  ['postcode', (v) => /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$/i.test(v)],
  ['mobile', (v) => /^(\+44\s?7|0044\s?7|07)[\d\s]{8,12}$/.test(v)],
  ['phone', (v) => /^(\+44|0044|0)[\d\s()-]{8,14}$/.test(v)],
]

/**
 * Guesses the field for each column from its heading or, failing that, from its values. Each field is used once, except
 * for notes.
 */
export function guessColumnMapping(columns: readonly string[], sample: readonly (readonly string[])[]): ColumnMapping {
  const mapping: Record<string, ImportField> = {}
  const free = (t: ImportField) => t === 'notes' || !Object.values(mapping).includes(t)
  for (const column of columns) {
    const target = TARGET_OF.get(bareHeading(column))
    if (target && free(target)) mapping[column] = target
  }
  columns.forEach((column, at) => {
    if (column in mapping) return
    const values = sample.map((row) => row[at]?.trim() ?? '').filter(Boolean)
    const look = VALUE_RECOGNISERS.find(([t, isLike]) => free(t) && values.length > 0 && values.every(isLike))
    if (look) mapping[column] = look[0]
  })
  // If the file has first and last names, a column "Name" means the company, unless another column does.
  const named = columns.find((c) => mapping[c] === 'name')
  if (named && bareHeading(named) === 'name' && free('companyName') && !free('lastName')) mapping[named] = 'companyName'
  return mapping
}

/** Returns a key for a file's headings. Files with the same key get the same mapping. */
export const columnHeadingsKey = (columns: readonly string[]): string =>
  columns.map(bareHeading).join('|').slice(0, 2000)

const CONSENT_FIELDS: readonly ImportField[] = ['consentGivenOn', 'consentHow', 'consentEvidence']
const NAMING: readonly ImportField[] = ['companyName', 'name', 'firstName', 'lastName', 'phone', 'mobile', 'email']

/**
 * Validates a mapping from a request. It may contain only headings in the file and known fields, each field once
 * (except for notes). It must include a name, a telephone number or an e-mail address.
 */
export function checkColumnMapping(
  given: unknown,
  columns: readonly string[],
): { mapping: ColumnMapping; wrong: Violation[] } {
  const mapping: Record<string, ImportField> = {}
  const wrong: Violation[] = []
  const say = (message: string) => wrong.push(violation('mapping', message))
  for (const [column, target] of Object.entries(given && typeof given === 'object' ? given : {})) {
    if (target === '' || target === null) continue
    if (!columns.includes(column)) say(`The file has no column "${column}".`)
    else if (typeof target !== 'string' || !(target in IMPORT_FIELDS))
      say(`"${String(target)}" is not an import field.`)
    else if (target !== 'notes' && Object.values(mapping).includes(target as ImportField))
      say(`Two columns are assigned to "${IMPORT_FIELDS[target as ImportField]}". Please choose one of them.`)
    else mapping[column] = target as ImportField
  }
  const consent = CONSENT_FIELDS.filter((t) => Object.values(mapping).includes(t)).length
  if (consent && consent < CONSENT_FIELDS.length)
    say(
      'Consent is imported only with its evidence: choose the columns for its date, how it was given and its wording.',
    )
  if (!wrong.length && !Object.values(mapping).some((t) => NAMING.includes(t)))
    say('Please choose the column with the company, the name, the telephone number or the e-mail address.')
  return { mapping, wrong }
}

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
  /** True if the row states a consent that lacks a readable date, way, wording or e-mail address. */
  lacksEvidence: boolean
}

interface ImportedConsent {
  readonly givenOn: string
  readonly how: string
  readonly evidence: string
}

/** Parts of the words for each legal form; the first form with a match counts. */
const FORM_WORDS: readonly (readonly [LegalForm, readonly string[]])[] = [
  ['scottish partnership', ['scottish']],
  ['llp', ['llp', 'limited liability partnership']],
  ['partnership', ['partner']],
  ['plc', ['plc', 'public limited']],
  ['sole trader', ['sole', 'self', 'individual']],
  ['public body', ['public', 'council', 'government', 'nhs']],
  ['other corporate', ['charit', 'cio', 'society', 'corporat', 'incorporated']],
  ['limited', ['ltd', 'limited', 'private', 'company', 'cic', 'guarantee']],
]
const parseLegalForm = (text = ''): LegalForm =>
  FORM_WORDS.find(([, parts]) => parts.some((part) => text.slice(0, 100).toLowerCase().includes(part)))?.[0] ??
  'unknown'

const CONSENT_WAYS = { form: ['form', 'web'], telephone: ['phone', 'call'], written: ['writ', 'mail', 'letter'] }

/** Parses a consent: a date as 2026-01-31 or 31/01/2026, not in the future, the way and the wording. */
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
 * Returns the plain text of a cell. Removes the characters with which spreadsheets prevent values from being parsed as
 * formulas (`'+44…`, `="0123"`). A real formula is returned as plain text.
 */
export function parseImportCell(raw: string): string {
  const s = raw.replaceAll('\u0000', '').toWellFormed().trim()
  const quoted = /^="([^"]*)"$/.exec(s)
  if (quoted) return (quoted[1] as string).trim()
  return /^'([=+@-]|[\d\s()]+$)/.test(s) || (s.startsWith("'") && FORMULA_PATTERN.test(s.slice(1)))
    ? s.slice(1).trim()
    : s
}

/**
 * Joins the lines of a text. Matches what lines contain instead of the spaces around it, because a regular expression
 * for these would take time quadratic in the cell's length.
 */
const oneLine = (text: string, between: string): string =>
  (text.match(/\S[^\r\n]*/g) ?? []).map((line) => line.trimEnd()).join(between)

const NOTHING = /^(n\/?a|none|null|nil|unknown|tbc|-+|\.+)$/i
/** A number that a spreadsheet has rounded, with a decimal point or comma: 4.47701E+11. */
const LOST_DIGITS = /^\d{1,20}([.,]\d{1,20})?E\+?\d{1,5}$/i

/** Removes the decimals that a spreadsheet adds to a whole number: 6734419.0. */
const withoutDecimals = (s: string) => s.replace(/^(\d{1,20})[.,]0{1,20}$/, '$1')

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
  email: (s) => (NOTHING.test(s) ? '' : normaliseEmail(s.replace(/^mailto:/i, ''))),
  address1: (s) => oneLine(s, ', ').replaceAll(',, ', ', '),
}

const NUMBERS: readonly ImportField[] = ['phone', 'mobile', 'companyNumber']

/** A parsed row, with the reason why it is rejected, if any. */
export interface ParsedImportRow {
  readonly lead: ImportedLead
  readonly wrong: string | undefined
}

export function createImportRowParser(
  columns: readonly string[],
  mapping: ColumnMapping,
): (cells: readonly string[]) => ParsedImportRow {
  const plan = columns.flatMap((column, at) => (mapping[column] ? [{ at, column, target: mapping[column] }] : []))
  const headingOf = new Map<string, string>(plan.map((p) => [p.target, p.column]))
  const checked = Object.fromEntries(COPIED_LEAD_FIELDS.filter((k) => headingOf.has(k)).map((k) => [k, ONE_LINE[k]]))

  const wrong = (lead: ImportedLead): string | undefined => {
    const [first] = fieldViolations(checked, lead as unknown as Record<string, unknown>)
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
    for (const { at, target } of plan) {
      const text = parseImportCell(cells[at] ?? '')
      if (text === '') continue
      if (NUMBERS.includes(target) && LOST_DIGITS.test(text))
        lost ??= `${heading(target)}: a spreadsheet has cut off "${text}". Format the column as text in the spreadsheet and save the file again`
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
      legalForm: parseLegalForm(values.legalForm),
      consent: isEmail(values.email ?? '')
        ? parseConsent(values.consentGivenOn, values.consentHow, values.consentEvidence)
        : null,
    } as ImportedLead
    lead.lacksEvidence = !lead.consent && CONSENT_FIELDS.some((t) => values[t])
    // A row with more values than headings is misaligned, so it is unclear which value belongs to which field.
    const extra = cells.slice(columns.length).filter((c) => c.trim() !== '').length
    const reason = extra
      ? `This row has ${cells.length} values under ${columns.length} headings`
      : (lost ?? wrong(lead))
    return { lead, wrong: reason }
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
export const listLeadMatchKeys = (k: LeadMatchKeys): (readonly [LeadMatchCriterion, string])[] => [
  ...(k.number ? [['companyNumber', k.number] as const] : []),
  ...k.phones.map((p) => ['phone', p] as const),
  ...(k.email ? [['email', k.email] as const] : []),
  ...(k.company ? [['companyName', k.company.join('\n')] as const] : []),
]

import { type Violation, violation } from '#kernel/errors.ts'
import { bareHeading } from '#kernel/text/import-cells.ts'
import { isEmail } from '#kernel/validate.ts'

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

export type ImportField = keyof typeof IMPORT_FIELDS
/** Mapping from column headings to lead fields. */
export type ColumnMapping = Readonly<Record<string, ImportField>>

/**
 * Known headings for each field, in lower case without spaces and punctuation, the preferred one first. They include
 * those of exports from Google Contacts and Outlook.
 */
const KNOWN: Readonly<Record<ImportField, readonly string[]>> = {
  companyName:
    'companyname company business businessname organisation organisationname organization organizationname organization1name firm account accountname tradingname employer'.split(
      ' ',
    ),
  companyNumber:
    'companynumber companyno companyregno registrationnumber companyregistrationnumber crn regno regcompno companieshousenumber'.split(
      ' ',
    ),
  legalForm: 'legalform legalstatus companytype companycategory entitytype businessstructure'.split(' '),
  name: 'name contactname contact fullname displayname person contactperson keycontact'.split(' '),
  firstName: 'firstname forename givenname first'.split(' '),
  lastName: 'lastname surname familyname last'.split(' '),
  jobTitle: 'jobtitle job position role contactposition contactrole organizationtitle organization1title'.split(' '),
  phone:
    'phone phonenumber telephone telephonenumber tel telno phoneno landline businessphone workphone officephone directdial primaryphone companymainphone phone1 telephone1 tel1 phone1value number contactnumber businessphone2 homephone otherphone'.split(
      ' ',
    ),
  mobile: 'mobile mobilenumber mobilephone mobileno cell cellphone phone2 telephone2 tel2 phone2value carphone'.split(
    ' ',
  ),
  email: 'email emailaddress mail contactemail businessemail email1 email1value email1address email2address'.split(' '),
  address1:
    'address1 addressline1 address street street1 streetaddress businessstreet address1street address1streetaddress regaddressaddressline1 registeredaddressline1 homestreet'.split(
      ' ',
    ),
  address2:
    'address2 addressline2 street2 locality businessstreet2 address1extendedaddress regaddressaddressline2'.split(' '),
  city: 'city town towncity posttown businesscity address1city regaddressposttown addresstown homecity'.split(' '),
  county: 'county region businessstate address1region regaddresscounty state homestate'.split(' '),
  postcode:
    'postcode postalcode zip zipcode businesspostalcode address1postalcode regaddresspostcode homepostalcode'.split(
      ' ',
    ),
  website: 'website web url webaddress site websiteurl uri webpage website1value personalwebpage'.split(' '),
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

/**
 * Headings that an import report adds after those of its file. They are never imported, so that a corrected report can
 * be imported in place of the file.
 */
export const REPORT_HEADINGS = ['Import line', 'Import result', 'Import reason', 'Import lead'] as const

const REPORTED: ReadonlySet<string> = new Set(REPORT_HEADINGS.map(bareHeading))

/** True for a heading that an import report has added. */
export const isReportHeading = (heading: string): boolean => REPORTED.has(bareHeading(heading))

/** Returns the number of headings that name a field. */
export const countKnownHeadings = (cells: readonly string[]): number =>
  new Set(cells.flatMap((cell) => TARGET_OF.get(bareHeading(cell.slice(0, LONGEST_KNOWN))) ?? [])).size
/** Number of characters of a cell that are compared with the known headings. */
const LONGEST_KNOWN = 100

/** Functions that recognise a field by its values, used if the heading is unknown. */
const VALUE_RECOGNISERS: readonly (readonly [ImportField, (value: string) => boolean])[] = [
  ['email', isEmail],
  ['postcode', (v) => /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$/i.test(v)],
  ['mobile', (v) => /^(\+44\s?7|0044\s?7|07)[\d\s]{8,12}$/.test(v)],
  ['phone', (v) => /^(\+44|0044|0)[\d\s()-]{8,14}$/.test(v)],
]

/**
 * Guesses the field for each column from its heading or, failing that, from its values. Each field is used once, except
 * for notes. Of several columns for a field, one with values takes precedence, then the one with the better-known
 * heading, because address books export many empty columns.
 */
export function guessColumnMapping(columns: readonly string[], sample: readonly (readonly string[])[]): ColumnMapping {
  const mapping: Record<string, ImportField> = {}
  const free = (t: ImportField) => t === 'notes' || !Object.values(mapping).includes(t)
  const valuesOf = (at: number) => sample.map((row) => row[at]?.trim() ?? '').filter(Boolean)
  const named = columns.flatMap((column, at) => {
    const target = TARGET_OF.get(bareHeading(column))
    if (!target) return []
    return [{ column, target, empty: valuesOf(at).length === 0, rank: KNOWN[target].indexOf(bareHeading(column)) }]
  })
  for (const { column, target } of named.toSorted((a, b) => Number(a.empty) - Number(b.empty) || a.rank - b.rank))
    if (free(target)) mapping[column] = target
  columns.forEach((column, at) => {
    if (column in mapping || isReportHeading(column)) return
    const values = valuesOf(at)
    const look = VALUE_RECOGNISERS.find(([t, isLike]) => free(t) && values.length > 0 && values.every(isLike))
    if (look) mapping[column] = look[0]
  })
  // If the file has first and last names, a column "Name" means the company, unless another column does.
  const name = columns.find((c) => mapping[c] === 'name')
  if (name && bareHeading(name) === 'name' && free('companyName') && !free('lastName')) mapping[name] = 'companyName'
  return mapping
}

/** Returns a key for a file's headings. Files with the same key get the same mapping. */
export const columnHeadingsKey = (columns: readonly string[]): string =>
  columns
    .filter((column) => !isReportHeading(column))
    .map(bareHeading)
    .join('|')
    .slice(0, 2000)

/** Transfers a mapping to a file whose headings differ only in capital letters or punctuation. */
export function transferColumnMapping(
  mapping: ColumnMapping,
  from: readonly string[],
  to: readonly string[],
): ColumnMapping {
  const [before, now] = [from, to].map((columns) => columns.filter((column) => !isReportHeading(column)))
  return Object.fromEntries(
    (now ?? []).flatMap((column, at) => {
      const target = mapping[before?.[at] ?? '']
      return target ? [[column, target]] : []
    }),
  )
}

export const CONSENT_FIELDS: readonly ImportField[] = ['consentGivenOn', 'consentHow', 'consentEvidence']
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

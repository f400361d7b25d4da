import { isEmail } from '#kernel/email.ts'
import { type Violation, violation } from '#kernel/errors.ts'

/** Target fields of columns, in display order. */
export const IMPORT_FIELDS = {
  companyName: 'Company name',
  companyNumber: 'Company number',
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
} as const

export type ImportField = keyof typeof IMPORT_FIELDS
/** Heading → target field. */
export type ColumnMapping = Readonly<Record<string, ImportField>>

/** Known headings, without case, spaces and punctuation. */
const KNOWN: Readonly<Record<ImportField, readonly string[]>> = {
  companyName:
    'companyname company business businessname organisation organisationname organization organizationname firm account accountname tradingname employer'.split(
      ' ',
    ),
  companyNumber:
    'companynumber companyno companyregno registrationnumber companyregistrationnumber crn regno regcompno companieshousenumber'.split(
      ' ',
    ),
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
}
const TARGET_OF = new Map(
  Object.entries(KNOWN).flatMap(([target, names]) => names.map((n) => [n, target as ImportField])),
)

const bareHeading = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Recognises fields by their values, if the heading is unknown. */
const LOOKS: readonly (readonly [ImportField, (value: string) => boolean])[] = [
  ['email', isEmail],
  ['postcode', (v) => /^[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}$/i.test(v)],
  ['mobile', (v) => /^(\+44\s?7|0044\s?7|07)[\d\s]{8,12}$/.test(v)],
  ['phone', (v) => /^(\+44|0044|0)[\d\s()-]{8,14}$/.test(v)],
]

/**
 * The most likely field of each column: by heading, otherwise by values. A field is used once; notes may be used
 * several times.
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
    const look = LOOKS.find(([t, isLike]) => free(t) && values.length > 0 && values.every(isLike))
    if (look) mapping[column] = look[0]
  })
  // "Name" next to first and last names is the company name, unless another column is.
  const named = columns.find((c) => mapping[c] === 'name')
  if (named && bareHeading(named) === 'name' && free('companyName') && !free('lastName')) mapping[named] = 'companyName'
  return mapping
}

/** Key of a file's headings: files with the same headings get the same mapping. */
export const headingsSignature = (columns: readonly string[]): string =>
  columns.map(bareHeading).join('|').slice(0, 2000)

const NAMING: readonly ImportField[] = ['companyName', 'name', 'firstName', 'lastName', 'phone', 'mobile', 'email']

/**
 * Validates a mapping from a request: only headings of the file, known fields, each used once, and enough to contact
 * somebody.
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
  if (!wrong.length && !Object.values(mapping).some((t) => NAMING.includes(t)))
    say('Please choose the column with the company, the name, the telephone number or the e-mail address.')
  return { mapping, wrong }
}

import { type Violation, violation } from '#kernel/errors.ts'
import { bareHeading } from '#kernel/text/import-cells.ts'

/** Fields of an employee to which columns can be mapped, in display order. */
export const IMPORT_FIELDS = {
  forename: 'Forename',
  surname: 'Surname',
  name: 'Full name (the last word is the surname)',
  payroll: 'Payroll number',
  email: 'E-mail',
  jobtitlename: 'Job title',
  department: 'Department',
  manager: 'Manager (name, e-mail or payroll number)',
  site: 'Site',
  extCStartDate: 'Employment start date',
  leavingDate: 'Last day',
  nation: 'Nation',
  isSubby: 'Subcontractor (yes or no)',
  dob: 'Date of birth',
  sex: 'Sex',
  address1: 'Address line 1',
  address2: 'Address line 2',
  city: 'City',
  county: 'County',
  postcode: 'Postcode',
  telephone: 'Telephone',
  mobile: 'Mobile',
  contactName: 'Emergency contact: name',
  contactNumber: 'Emergency contact: phone number',
  nationalInsuranceNumber: 'National Insurance number',
  accountHolder: 'Account holder',
  sortCode: 'Sort code',
  accountNumber: 'Account number',
} as const

export type ImportField = keyof typeof IMPORT_FIELDS
/** Mapping from column headings to fields. */
export type ColumnMapping = Readonly<Record<string, ImportField>>

/** Fields that only people with `ROLE_HR_PRIVATE` import. */
export const PRIVATE_IMPORT_FIELDS: readonly ImportField[] = [
  'nationalInsuranceNumber',
  'accountHolder',
  'sortCode',
  'accountNumber',
]

/** Known headings of each field, in lower case without spaces and punctuation. */
const KNOWN_HEADINGS: Readonly<Record<ImportField, string>> = {
  forename: 'forename firstname givenname first forenames firstnames',
  surname: 'surname lastname familyname last',
  name: 'name fullname employeename employee displayname',
  payroll:
    'payroll payrollnumber payrollno payrollid employeenumber employeeno employeeid staffnumber staffno worksnumber id',
  email: 'email emailaddress mail workemail companyemail',
  jobtitlename: 'jobtitle jobtitlename job position role occupation',
  department: 'department dept departmentname team division',
  manager: 'manager linemanager managername manageremail managerpayroll reportsto supervisor',
  site: 'site location workplace sitename branch office',
  extCStartDate:
    'startdate employmentstartdate extcstartdate start datestarted joindate joiningdate hiredate dateofjoining continuousservicedate',
  leavingDate: 'leavingdate lastday enddate leavedate terminationdate dateleft',
  nation: 'nation country holidaynation',
  isSubby: 'issubby subcontractor subby contractor',
  dob: 'dob dateofbirth birthdate birthday born',
  sex: 'sex gender',
  address1: 'address1 addressline1 address street',
  address2: 'address2 addressline2',
  city: 'city town posttown towncity',
  county: 'county region',
  postcode: 'postcode postalcode zip',
  telephone: 'telephone phone telephonenumber phonenumber tel homephone landline',
  mobile: 'mobile mobilenumber mobilephone cell',
  contactName: 'emergencycontact emergencycontactname nextofkin nextofkinname contactname',
  contactNumber:
    'emergencycontactnumber emergencycontactphone emergencycontacttelephone emergencynumber nextofkinphone nextofkinnumber contactnumber',
  nationalInsuranceNumber: 'nationalinsurancenumber nationalinsurance ninumber nino ni nationalinsuranceno',
  accountHolder: 'accountholder accountname bankaccountname nameonaccount',
  sortCode: 'sortcode banksortcode',
  accountNumber: 'accountnumber bankaccountnumber accountno bankaccount bankaccountno',
}
const FIELD_OF_HEADING = new Map(
  Object.entries(KNOWN_HEADINGS).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field as ImportField] as const),
  ),
)

const MAX_KNOWN_HEADING = 100
const fieldOfHeading = (heading: string) => FIELD_OF_HEADING.get(bareHeading(heading.slice(0, MAX_KNOWN_HEADING)))

/** Returns the number of headings that name a field. */
export const countKnownHeadings = (cells: readonly string[]): number =>
  new Set(cells.flatMap((cell) => fieldOfHeading(cell) ?? [])).size

/** Guesses the field of each column from its heading. Each field is used once. */
export function guessColumnMapping(columns: readonly string[], mayImportPrivate: boolean): ColumnMapping {
  const mapping: Record<string, ImportField> = {}
  for (const column of columns) {
    const field = fieldOfHeading(column)
    if (!field || Object.values(mapping).includes(field)) continue
    if (mayImportPrivate || !PRIVATE_IMPORT_FIELDS.includes(field)) mapping[column] = field
  }
  // A column "Name" beside a column with surnames has the forenames.
  const name = columns.find((column) => mapping[column] === 'name')
  const has = (field: ImportField) => Object.values(mapping).includes(field)
  if (name && has('surname')) {
    if (has('forename')) delete mapping[name]
    else mapping[name] = 'forename'
  }
  return mapping
}

/** Validates a mapping from a request. It must include the names, and each field at most once. */
export function checkColumnMapping(
  given: unknown,
  columns: readonly string[],
  mayImportPrivate: boolean,
): { mapping: ColumnMapping; wrong: Violation[] } {
  const mapping: Record<string, ImportField> = {}
  const wrong: Violation[] = []
  const refuse = (message: string) => wrong.push(violation('mapping', message))
  for (const [column, field] of Object.entries(given && typeof given === 'object' ? given : {})) {
    if (field === '' || field === null) continue
    if (!columns.includes(column)) refuse(`The file has no column “${column.slice(0, 100)}”.`)
    else if (typeof field !== 'string' || !Object.hasOwn(IMPORT_FIELDS, field))
      refuse(`“${String(field).slice(0, 100)}” is not an import field.`)
    else if (!mayImportPrivate && PRIVATE_IMPORT_FIELDS.includes(field as ImportField))
      refuse(`You may not import “${IMPORT_FIELDS[field as ImportField]}”. It needs the role for private details.`)
    else if (Object.values(mapping).includes(field as ImportField))
      refuse(`Two columns are assigned to “${IMPORT_FIELDS[field as ImportField]}”. Please choose one of them.`)
    else mapping[column] = field as ImportField
  }
  const mapped = Object.values(mapping)
  const isNamed = mapped.includes('name')
    ? !mapped.includes('forename') && !mapped.includes('surname')
    : mapped.includes('forename') && mapped.includes('surname')
  if (!wrong.length && !isNamed)
    refuse('Please choose the columns with the forename and the surname, or the one with the full name.')
  return { mapping, wrong }
}

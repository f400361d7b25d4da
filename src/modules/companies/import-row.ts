/** Database columns of an imported row, in the order of the values in `CompanyRow`. */
export const COMPANY_COLUMNS = [
  'number',
  'name',
  'address1',
  'address2',
  'city',
  'county',
  'country',
  'postcode',
  'category',
  'status',
  'sic_codes',
  'incorporated',
  'dissolved',
] as const
type Column = (typeof COMPANY_COLUMNS)[number]

/** A company as database values: strings, SIC codes as an array literal, dates as `2026-02-28`. */
export type CompanyRow = readonly (string | null)[]

/** The register's heading for each column, in lower case without spaces. */
const HEADINGS: Readonly<Record<Exclude<Column, 'sic_codes'>, string>> = {
  number: 'companynumber',
  name: 'companyname',
  address1: 'regaddress.addressline1',
  address2: 'regaddress.addressline2',
  city: 'regaddress.posttown',
  county: 'regaddress.county',
  country: 'regaddress.country',
  postcode: 'regaddress.postcode',
  category: 'companycategory',
  status: 'companystatus',
  incorporated: 'incorporationdate',
  dissolved: 'dissolutiondate',
}
const SIC = /^siccode\.sictext_\d$/
const NEEDED = ['number', 'name'] as const
const MAX_NAME_LENGTH = 300
const NUMBER = COMPANY_COLUMNS.indexOf('number')
const CODES = COMPANY_COLUMNS.indexOf('sic_codes')

const UNTIDY = /\p{Cc}|\s\s/u
function tidy(cell: string | undefined): string {
  const text = (cell ?? '').trim()
  return UNTIDY.test(text) ? text.replaceAll('\u0000', '').replace(/\s+/g, ' ').trim() : text
}

/** Cache of parsed dates, because millions of companies share about twenty thousand dates. */
const days = new Map<string, string | undefined>()
const dayOf = (text: string): string | undefined => {
  if (!days.has(text)) days.set(text, day(text))
  return days.get(text)
}

/** Converts `28/02/2026` to `2026-02-28`; returns `undefined` if the text is not a calendar date. */
function day(text: string): string | undefined {
  const [, d = '', m = '', y = ''] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? []
  const iso = d ? `${y}-${m}-${d}` : text
  const at = new Date(`${iso}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(iso) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso)
    ? iso
    : undefined
}

/** Creates a parser for the rows of a file. Throws an error with a message if the headings are not the register's. */
export function createCompanyRowParser(header: readonly string[]): (cells: readonly string[]) => CompanyRow | string {
  const names = header.map((h) => h.replace(/\s/g, '').toLowerCase())
  const at = (name: string) => names.indexOf(name)
  const missing = NEEDED.filter((c) => at(HEADINGS[c]) < 0)
  if (missing.length)
    throw new Error(
      'The first line must contain the column headings of the register’s file, including CompanyName and CompanyNumber. Choose the unzipped BasicCompanyData… file from the public register.',
    )
  const sic = names.flatMap((name, n) => (SIC.test(name) ? [n] : []))
  const places = COMPANY_COLUMNS.map((c) => (c === 'sic_codes' ? -1 : at(HEADINGS[c])))
  const place = Object.fromEntries(COMPANY_COLUMNS.map((c, n) => [c, places[n]])) as Record<Column, number>
  const read = (cells: readonly string[], column: Column) => tidy(cells[place[column]])
  return (cells) => {
    if (cells.length > header.length && cells.slice(header.length).some((c) => c.trim()))
      return `The row has ${cells.length} values for ${header.length} columns`
    const number = read(cells, 'number').toUpperCase()
    if (!number) return 'The company number is missing'
    if (!/^[A-Z0-9]{8}$/.test(number)) return 'The company number must consist of eight letters and digits'
    const name = read(cells, 'name')
    if (!name) return 'The company name is missing'
    if (name.length > MAX_NAME_LENGTH) return 'The company name is too long'
    const codes = sic.flatMap((n) => /^\d{4,5}/.exec(tidy(cells[n]))?.[0] ?? [])
    const row: (string | null)[] = places.map((at) => tidy(cells[at]))
    row[NUMBER] = number
    row[CODES] = `{${codes.join(',')}}`
    for (const column of ['incorporated', 'dissolved'] as const) {
      const text = read(cells, column)
      const found = text ? dayOf(text) : null
      if (found === undefined)
        return `The ${column === 'incorporated' ? 'incorporation' : 'dissolution'} date is not valid`
      row[COMPANY_COLUMNS.indexOf(column)] = found
    }
    return row
  }
}

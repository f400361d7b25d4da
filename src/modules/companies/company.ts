import { date, flag, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { toSearchForm } from '#kernel/text/search.ts'

/** A company in the public register. Its URL contains its company number or ID. */
export const companiesHouse = resource({
  type: 'CompaniesHouse',
  service: 'financial',
  path: 'companies_houses',
  table: 'company',
  tenant: 'shared',
  title: 'companyName',
  alias: 'companyNumber',
  order: ['companyName'],
  fields: {
    companyName: text({ readonly: true, column: 'name' }),
    companyNumber: text({ readonly: true, column: 'number' }),
    address1: text({ readonly: true, label: 'Address line 1' }),
    address2: text({ readonly: true, label: 'Address line 2' }),
    city: text({ readonly: true }),
    county: text({ readonly: true }),
    country: text({ readonly: true }),
    postcode: text({ readonly: true }),
    category: text({ readonly: true }),
    status: text({ readonly: true }),
    active: flag({ readonly: true }),
    sicCodes: strings({ readonly: true, label: 'SIC codes' }),
    incorporated: date({ readonly: true }),
    dissolved: date({ readonly: true }),
  },
  // Client administrators need access to look up their contractors.
  allow: { read: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] },
})

/**
 * Normalises a company number, for example `sc12345` to `SC012345`, and `ip1234r` to `IP01234R`. Numbers have eight
 * characters, but spreadsheets and users often drop the leading zeros. Spaces and punctuation are ignored.
 */
export function parseCompanyNumber(typed: string): string | undefined {
  const m = /^([A-Z]{0,2})(\d{1,8})([A-Z]?)$/.exec(typed.replace(/[\s\p{P}]/gu, '').toUpperCase())
  const [, letters = '', digits = '', last = ''] = m ?? []
  const places = 8 - letters.length - last.length
  return m && digits.length <= places && (letters || !last) ? letters + digits.padStart(places, '0') + last : undefined
}

const LEGAL_FORMS: readonly (readonly [ending: RegExp, form: string])[] = [
  [/(?<![a-z])ltd$/, 'limited'],
  [/(?<![a-z])cyf$/, 'cyfyngedig'],
  [/(?<![a-z])public limited company$/, 'plc'],
  [/(?<![a-z])community interest company$/, 'cic'],
  [/(?<![a-z])limited liability partnership$/, 'llp'],
]
const LEGAL_FORM = /(?<=.)(?<![a-z])(?:limited|cyfyngedig|plc|ccc|cic|llp)$/

/** Returns a company's name for comparison: plain letters, with the legal form in one spelling. */
export function toRegisterKey(name: string): string {
  const form = toSearchForm(name)
  return LEGAL_FORMS.reduce((key, [ending, to]) => key.replace(ending, to), form)
}

/** Returns a register key without the legal form at its end. */
export const withoutLegalForm = (key: string): string => key.replace(LEGAL_FORM, '').trim()

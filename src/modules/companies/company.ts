import { date, flag, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

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
 * Normalises a company number, for example `sc12345` to `SC012345`. Numbers have eight characters, but spreadsheets and
 * users often drop the leading zeros.
 */
export function parseCompanyNumber(typed: string): string | undefined {
  const m = /^([A-Z]{0,2})(\d{1,8})$/.exec(typed.replace(/\s/g, '').toUpperCase())
  const [, letters = '', digits = ''] = m ?? []
  return m && letters.length + digits.length <= 8 ? letters + digits.padStart(8 - letters.length, '0') : undefined
}

import { choice, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { toSearchForm } from '#kernel/text/search.ts'
import { toText } from '#kernel/text.ts'

type Address = Readonly<Record<string, unknown>>

/** Country in ISO 3166-1. In the mask for its telephone numbers, # represents a digit. */
export const country = resource({
  type: 'Country',
  service: 'portal',
  path: 'countries',
  table: 'country',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  // The United Kingdom comes first.
  order: ['id'],
  fields: {
    name: text({ notNull: true, filter: 'partial', order: true }),
    code: text({ notNull: true, filter: true, order: true }),
    diallingCode: text({ notNull: true, default: '', filter: true }),
    phoneMask: text({ notNull: true }),
    maskType: choice(['specification', 'composed', 'generic'], { notNull: true, filter: true }),
  },
  allow: { read: 'member' },
})

/** County as used in addresses. `country` has the specification's values, where GB is England. */
export const ukCounty = resource({
  type: 'UkCounty',
  service: 'portal',
  path: 'uk_counties',
  table: 'uk_county',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ notNull: true, filter: 'partial', order: true }),
    country: text({ notNull: true, filter: true }),
    nation: text({ notNull: true, filter: true }),
    kind: text({ notNull: true, filter: true }),
  },
  allow: { read: 'member' },
})

/**
 * Names of the United Kingdom in addresses, normalised for comparison. An address without a country is in the United
 * Kingdom.
 */
const UK_NAMES = ['', 'gb', 'uk', 'united kingdom', 'great britain', 'britain']
const NATIONS = ['England', 'Scotland', 'Wales', 'Northern Ireland']

const countryOf = (address: Address) => toSearchForm(toText(address.country))
const nationNamed = (name: string) => NATIONS.find((nation) => toSearchForm(nation) === name)

/** Returns the query parameters for the list of an address's counties; null if it is not in the United Kingdom. */
export function countiesOf(address: Address): { readonly nation?: string } | null {
  const name = countryOf(address)
  if (UK_NAMES.includes(name)) return {}
  const nation = nationNamed(name)
  return nation ? { nation } : null
}

/**
 * Returns a hint about the telephone numbers of an address's country, given by name or code. UK numbers are written
 * without the dialling code. For a country with the generic mask, only the dialling code is known.
 */
export function phoneFormatHint(address: Address, countries: readonly Address[]): string {
  const name = countryOf(address)
  const isUk = UK_NAMES.includes(name) || nationNamed(name) !== undefined
  const found = countries.find(({ code, name: full }) =>
    isUk ? code === 'GB' : [code, full].some((one) => toSearchForm(toText(one)) === name),
  )
  if (!found) return ''
  const [diallingCode, mask] = [toText(found.diallingCode), toText(found.phoneMask)]
  if (isUk) return `Format: ${mask}`
  if (found.maskType === 'generic') return diallingCode && `Starts with ${diallingCode}`
  return `Format: ${diallingCode} ${mask}`
}

/** County and country of an address. Known ones are suggested, and any other text is stored as typed. */
export const suggestedCounty = { suggests: { from: () => ukCounty, where: countiesOf } } as const
export const suggestedCountry = { suggests: { from: () => country } } as const

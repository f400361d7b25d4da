import { describe, expect, test } from 'vitest'
import { customer } from '#modules/billing/customers/customer.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { countiesOf, phoneFormatHint } from './country.ts'

const { rows }: { readonly rows: readonly (readonly string[])[] } = readReferenceFile('countries.json')
const countries = rows.map(([code, name, diallingCode, phoneMask, maskType]) => ({
  code,
  name,
  diallingCode,
  phoneMask,
  maskType,
}))

describe('countries', () => {
  test('the reference list and the customer form have the same country codes and names', () => {
    expect(countries.map(({ code, name }) => ({ value: code, label: name }))).toEqual(customer.fields.country.options)
  })

  test.each(['', 'GB', 'uk', 'U.K.', 'United Kingdom', ' united  kingdom ', 'England'])(
    'a telephone number in “%s” needs the UK format without a dialling code',
    (country) => {
      expect(phoneFormatHint({ country }, countries)).toBe('Format: ##### ### ###')
    },
  )

  test.each([
    ['France', 'Format: +33 # ## ## ## ##'],
    ['fr', 'Format: +33 # ## ## ## ##'],
    ['United States', 'Format: +1 (###) ###-####'],
    ['Ireland', 'Starts with +353'],
    ['Antarctica', ''],
    ['Narnia', ''],
    [null, 'Format: ##### ### ###'],
  ])('a telephone number in %s has the hint “%s”', (country, hint) => {
    expect(phoneFormatHint({ country }, countries)).toBe(hint)
  })

  test('a telephone number has no hint without the list of countries', () => {
    expect(phoneFormatHint({}, [])).toBe('')
  })
})

test.each([
  [{}, {}],
  [{ country: 'UK' }, {}],
  [{ country: 'GB' }, {}],
  [{ country: 'wales' }, { nation: 'Wales' }],
  [{ country: 'Northern Ireland' }, { nation: 'Northern Ireland' }],
  [{ country: 'France' }, null],
])('counties for the address %j are requested with %j', (address, counties) => {
  expect(countiesOf(address)).toEqual(counties)
})

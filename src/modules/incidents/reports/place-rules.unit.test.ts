import { expect, test } from 'vitest'
import { hasAddress, nationOfPostcode, validateAddress } from './place-rules.ts'

const address = {
  addressLine1: '1 High Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 4AP',
  noPostcode: false,
}
const wrong = (more: Partial<typeof address>) =>
  validateAddress({ ...address, ...more }).map(({ propertyPath }) => propertyPath)

test('an address needs its first line, city, county and postcode', () => {
  expect(wrong({})).toEqual([])
  expect(wrong({ addressLine1: ' ', city: '', county: '', postcode: '' })).toEqual([
    'addressLine1',
    'city',
    'county',
    'postcode',
  ])
  expect(hasAddress({ addressLine1: '', city: '', county: '', postcode: '', noPostcode: true })).toBe(false)
})

test.each(['SW1A 1AA', 'm1 1ae', 'CR26XH', 'B33 8TH', 'EC1A 1BB', 'BT1 5GS', 'GIR 0AA'])(
  'the postcode %s is accepted',
  (postcode) => expect(wrong({ postcode })).toEqual([]),
)

test.each(['SW1A', '1AA SW1', 'none', 'ABCD 1EF'])(
  'the postcode %s is refused, unless the place has none',
  (postcode) => {
    expect(wrong({ postcode })).toEqual(['postcode'])
    expect(wrong({ postcode, noPostcode: true })).toEqual([])
  },
)

test('a place without a postcode is accepted', () => expect(wrong({ postcode: '', noPostcode: true })).toEqual([]))

test.each([
  ['BT1 5GS', 'northernIreland'],
  ['LS1 4AP', 'greatBritain'],
  ['IM1 1AA', 'elsewhere'],
  ['JE2 3AB', 'elsewhere'],
  ['nowhere', null],
] as const)('the law for the postcode %s is that of %s', (postcode, nation) =>
  expect(nationOfPostcode(postcode)).toBe(nation),
)

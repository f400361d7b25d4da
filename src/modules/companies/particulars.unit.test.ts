import { expect, test } from 'vitest'
import { addressOf, changesFrom, type FoundCompany } from './particulars.ts'

const found: FoundCompany = {
  '@id': '/api/financial/companies_houses/100000001',
  companyName: 'HARBOUR LTD',
  companyNumber: '08200002',
  address1: '57 PEPPER ROAD',
  address2: '',
  city: 'LEEDS',
  county: '',
  postcode: 'LS10 2RU',
  status: 'Active',
  active: true,
}

test('an empty form is filled, and nothing is replaced', () => {
  expect(changesFrom(found, { companyName: null, city: ' ' })).toEqual({
    fill: {
      companyName: 'HARBOUR LTD',
      companyNumber: '08200002',
      address1: '57 PEPPER ROAD',
      city: 'LEEDS',
      postcode: 'LS10 2RU',
    },
    replace: {},
  })
})

test('what is the same but for its capitals is left as it was typed', () => {
  const now = { ...found, companyName: 'Harbour Ltd', city: 'Leeds' }
  expect(changesFrom(found, now)).toEqual({ fill: {}, replace: {} })
})

test('another address is replaced as a whole, or kept as a whole', () => {
  const now = { companyName: 'Harbour', address1: '1 High Street', address2: 'Old Town', city: 'Leeds', county: 'Kent' }
  expect(changesFrom(found, now)).toEqual({
    fill: { companyNumber: '08200002' },
    replace: {
      companyName: 'HARBOUR LTD',
      address1: '57 PEPPER ROAD',
      address2: '',
      county: '',
      postcode: 'LS10 2RU',
    },
  })
})

test('an address is one line', () => {
  expect(addressOf(found)).toBe('57 PEPPER ROAD, LEEDS LS10 2RU')
  expect(addressOf({ ...found, address1: '', city: '' })).toBe('LS10 2RU')
})

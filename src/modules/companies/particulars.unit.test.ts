import { expect, test } from 'vitest'
import { diffCompanyFields, type FoundCompany, formatCompanyAddress } from './particulars.ts'

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

test('choosing a company fills empty form fields and replaces no typed text', () => {
  expect(diffCompanyFields(found, { companyName: null, city: ' ' })).toEqual({
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

test('typed text is preserved if it differs from the register only in case', () => {
  const now = { ...found, companyName: 'Harbour Ltd', city: 'Leeds' }
  expect(diffCompanyFields(found, now)).toEqual({ fill: {}, replace: {} })
})

test('an address that differs is replaced or left unchanged as a whole', () => {
  const now = { companyName: 'Harbour', address1: '1 High Street', address2: 'Old Town', city: 'Leeds', county: 'Kent' }
  expect(diffCompanyFields(found, now)).toEqual({
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

test('a company address is formatted on one line', () => {
  expect(formatCompanyAddress(found)).toBe('57 PEPPER ROAD, LEEDS LS10 2RU')
  expect(formatCompanyAddress({ ...found, address1: '', city: '' })).toBe('LS10 2RU')
})

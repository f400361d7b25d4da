import { expect, test } from 'vitest'
import {
  bankViolations,
  contactViolations,
  isNiNumber,
  normaliseNiNumber,
  normaliseSortCode,
  parseEmergencyContacts,
} from './private-details.ts'

test('a National Insurance number is stored in capitals without spaces, and has letters that HMRC issues', () => {
  expect(normaliseNiNumber(' ab 12 34 56 c')).toBe('AB123456C')
  for (const right of ['AB123456C', 'CE123456D']) expect(isNiNumber(right), right).toBe(true)
  for (const wrong of ['QQ123456C', 'BG123456A', 'AO123456A', 'AB12345C', 'AB123456E', ''])
    expect(isNiNumber(wrong), wrong).toBe(false)
})

test('bank details are complete or empty, and belong together', () => {
  const paths = (details: Parameters<typeof bankViolations>[0]) =>
    bankViolations(details).map(({ propertyPath }) => propertyPath)
  const right = { accountHolder: 'A Day', sortCode: normaliseSortCode('08-99 99'), accountNumber: '66374958' }
  expect(paths(right)).toEqual([])
  expect(paths({ accountHolder: '', sortCode: '', accountNumber: '' })).toEqual([])
  expect(paths({ ...right, accountHolder: '' })).toEqual(['accountHolder'])
  expect(paths({ ...right, sortCode: '12345', accountNumber: '1' })).toEqual(['sortCode', 'accountNumber'])
  expect(paths({ ...right, accountNumber: '66374959' })).toEqual(['accountNumber'])
})

test('there are at most three emergency contacts, each with a name and a number of digits', () => {
  expect(parseEmergencyContacts([{ name: ' Bob ', number: '07700 900123' }, {}])).toEqual([
    { name: 'Bob', number: '07700 900123' },
    { name: '', number: '' },
  ])
  for (const wrong of ['Bob', [1, 2, 3, 4], [{ name: 7 }], null]) expect(parseEmergencyContacts(wrong)).toBeUndefined()
  const paths = (...contacts: { name: string; number: string }[]) =>
    contactViolations(contacts).map(({ propertyPath }) => propertyPath)
  expect(paths({ name: '', number: '' }, { name: 'Bob', number: '+44 7700 900123' })).toEqual([])
  expect(paths({ name: 'Bob', number: '' }, { name: '', number: '07700 900123' }, { name: 'Cy', number: 'x' })).toEqual(
    ['emergencyContacts[0].number', 'emergencyContacts[1].name', 'emergencyContacts[2].number'],
  )
})

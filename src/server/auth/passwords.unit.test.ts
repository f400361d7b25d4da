import { expect, test } from 'vitest'
import { findPasswordViolations } from './passwords.ts'

const ABOUT = ['maya', 'Maya Campbell', 'Acme Roofing Ltd', 'Stanchion']

test.each([
  'acme-roofing-ltd-26',
  'AcmeRoofing2026',
  'acme.roofing!26',
  'Roofing-2026',
  'Campbell2026!',
  'mayacampbell1',
  'stanchion1234',
])('a password made of a name and a few characters is rejected: %s', (password) => {
  expect(findPasswordViolations(password, ABOUT)[0]?.message).toMatch(/leave out your own name/)
})

test.each([
  'basketball',
  'Password123456',
  '1q2w3e4r5t',
  'qwertyuiop12',
  'P@ssw0rd2026',
  '!!Football99',
  '1qaz2wsx3edc',
])('a leaked password is rejected: %s', (password) => {
  expect(findPasswordViolations(password, ABOUT)).toHaveLength(1)
})

test.each([
  'harbour tin piano',
  'correct horse battery staple',
  'kettle moss ladder',
  'the acme of roofing',
  'tYq8-pL2x-9vRz',
])('a password of unrelated words or random characters is accepted: %s', (password) => {
  expect(findPasswordViolations(password, ABOUT)).toEqual([])
})

test('the password filter mistakes fewer than 10 of 3,000 random passwords for leaked ones', () => {
  const random = Array.from({ length: 3000 }, (_, i) => `${(i * 2_654_435_761 + 12_345).toString(36)}k${i}zq`)
  expect(random.filter((password) => findPasswordViolations(password).length > 0).length).toBeLessThan(10)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSoftphoneUrlProblem, formatDialUri } from './dial-setting.ts'

test('a telephone number is dialled by telephone, by SIP or through the URL of a softphone', () => {
  expect(formatDialUri('01632 960 592', { by: 'tel', address: '' })).toBe('tel:01632960592')
  expect(formatDialUri('+44 (0)1632 960592 ext 4', { by: 'sip', address: '' })).toBe('sip:+441632960592')
  const address = 'https://phone.example/ring?to={number}&again={number}'
  expect(formatDialUri('+44 1632 960592', { by: 'address', address })).toBe(
    'https://phone.example/ring?to=%2B441632960592&again=%2B441632960592',
  )
  expect(formatDialUri('ask Ann', { by: 'address', address })).toBe('')
})

test('a softphone URL that would run a script is rejected in every spelling', () => {
  expect(findSoftphoneUrlProblem('zoiper:{number}')).toBeUndefined()
  expect(findSoftphoneUrlProblem('https://phone.example/')).toBe('Please include {number} where the number goes')
  expect(findSoftphoneUrlProblem('phone {number}')).toBe('Please start with a scheme, such as https:// or sip:')
  const schemes = fc.constantFrom('javascript', 'data', 'vbscript', 'file', 'blob')
  const before = fc.constantFrom('', ' ', '\t', '\n')
  fc.assert(
    fc.property(
      schemes,
      fc.array(fc.boolean(), { minLength: 10 }),
      before,
      fc.string(),
      (scheme, upper, space, rest) => {
        const written = Array.from(scheme, (c, at) => (upper[at] ? c.toUpperCase() : c)).join('')
        expect(findSoftphoneUrlProblem(`${space}${written}:${rest}{number}`)).toBeDefined()
      },
    ),
  )
})

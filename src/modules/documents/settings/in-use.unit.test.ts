import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveSetting } from '#kernel/effective-setting.ts'
import { formatMonths } from '#kernel/time.ts'
import { formatDocumentNumber, NUMBER_PREFIX_PATTERN } from './numbering.ts'

const said = fc.option(fc.integer(), { nil: null })

describe('an effective setting', () => {
  test("the company's setting takes precedence over the provider's, and the provider's over the built-in default", () => {
    fc.assert(
      fc.property(said, said, fc.integer(), (own, provider, builtIn) => {
        const { value, from } = resolveSetting(own, provider, builtIn)
        expect(value).toBe({ own, provider, portal: builtIn }[from])
        expect(from).toBe(own !== null ? 'own' : provider !== null ? 'provider' : 'portal')
      }),
    )
  })

  test('a setting that is empty or zero still takes precedence over the next default', () => {
    expect(resolveSetting('', 'theirs', 'ours')).toEqual({ value: '', from: 'own' })
    expect(resolveSetting(undefined, 0, 12)).toEqual({ value: 0, from: 'provider' })
  })
})

describe('a document number', () => {
  test('a document number has its prefix and at least the set number of digits', () => {
    expect(formatDocumentNumber('RA', 4, 42)).toBe('RA-0042')
    expect(formatDocumentNumber('SITE-2', 1, 42)).toBe('SITE-2-42')
    expect(formatDocumentNumber('RA', 4, 12_345)).toBe('RA-12345')
  })

  test('two equal document numbers always have the same prefix and sequence number', () => {
    const prefix = fc.stringMatching(/^[A-Z0-9-]{1,8}$/).filter((p) => NUMBER_PREFIX_PATTERN.test(p))
    const number = fc.integer({ min: 1, max: 99_999_999 })
    fc.assert(
      fc.property(prefix, prefix, fc.integer({ min: 1, max: 8 }), number, number, (a, b, digits, n, m) => {
        if (formatDocumentNumber(a, digits, n) === formatDocumentNumber(b, digits, m)) expect([a, n]).toEqual([b, m])
      }),
    )
  })

  test.each(['', '-RA', 'RA-', 'R--A', 'R A', 'RÄ', 'R/A', '.*'])(
    'the prefix %j is not valid for document numbers',
    (prefix) => expect(NUMBER_PREFIX_PATTERN.test(prefix)).toBe(false),
  )
})

test('numbers of months are formatted as months, or as whole years', () =>
  expect([1, 6, 12, 18, 24].map(formatMonths)).toEqual(['a month', '6 months', 'a year', '18 months', '2 years']))

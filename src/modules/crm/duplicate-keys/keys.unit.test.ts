import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePhoneNumbers, toE164 } from '#kernel/text/phone.ts'
import { companyNameKey, companyNumberKey, normaliseCompanyNumber } from './keys.ts'

describe('telephone number keys', () => {
  test.each([
    ['01632 960123', '+441632960123'],
    ['+44 (0)1632 960 123', '+441632960123'],
    ['0044 1632-960-123', '+441632960123'],
    ['441632960123', '+441632960123'],
    ['1632960123', '+441632960123'],
    ['Tel: (01632) 960123 ext 5', '+441632960123'],
    ['07700 900123 / 07700 900124', '+447700900123'],
    ['+353 1 234 5678', '+35312345678'],
    ['00353 1 2345678', '+35312345678'],
    ['44 01632 960123', '+441632960123'],
    ['+44 (0) 1632 960123', '+441632960123'],
    ['01632 - 960 123', '+441632960123'],
    ['\uff10\uff11632\u00a0960123', '+441632960123'],
    ['(+44) 1632 960123', '+441632960123'],
    ['960123', ''],
    ['0', ''],
    ['+', ''],
    ['none', ''],
    [null, ''],
  ])('the telephone number %j has the key %j', (typed, key) => expect(toE164(typed)).toBe(key))

  test.each([
    ['01632 960884 - 07700 900184', ['+441632960884', '+447700900184'], []],
    ['07700 900184 / 01632 960884', ['+447700900184', '+441632960884'], []],
    ['Tel 01632 960884', ['+441632960884'], []],
    ['01632 960884 07700 900184', ['+441632960884', '+447700900184'], []],
    ['01632960884 (office), mobile 07700900184', ['+441632960884', '+447700900184'], []],
    ['01632 960884 & +353 1 234 5678', ['+441632960884', '+35312345678'], []],
    ['01632 960884 x12', ['+441632960884'], []],
    ['01632 960884, ext. 1234', ['+441632960884'], []],
    ['01632 96 08 84', ['+441632960884'], []],
    ['+33 1 23 45 06 78', ['+33123450678'], []],
    ['01632 960884 or 960885', ['+441632960884'], ['960885']],
    ['call 960884', [], ['960884']],
    ['0163296088407700900184', [], ['0163296088407700900184']],
    ['n/a', [], []],
    ['2 lines', [], []],
    ['', [], []],
  ])('the numbers in %j are %j, and %j can’t be read', (typed, numbers, unreadable) =>
    expect(parsePhoneNumbers(typed)).toEqual({ numbers, unreadable }),
  )

  test('a telephone number has the same key in every format and as stored', () => {
    const national = fc.stringMatching(/^[1-9][0-9]{9}$/)
    const gaps = fc.constantFrom('', ' ', '-', '.', ') ')
    fc.assert(
      fc.property(national, gaps, fc.integer({ min: 1, max: 8 }), (n, gap, at) => {
        const spaced = n.slice(0, at) + gap + n.slice(at)
        for (const said of [`0${spaced}`, `+44${spaced}`, `+44 (0)${spaced}`, `0044 ${spaced}`, `44${spaced}`])
          expect(toE164(said)).toBe(`+44${n}`)
        expect(toE164(toE164(n))).toBe(toE164(n))
      }),
    )
  })
})

test.each([
  ['1234567', '01234567'],
  [' sc 12345 ', 'SC012345'],
  ['OC301540', 'OC301540'],
  ['0000', ''],
  ['n/a-1x9', 'NA1X9'],
])('the company number %j has the key %j', (typed, key) => expect(companyNumberKey(typed)).toBe(key))

test("a company number is stored in the register's format, and any other text as typed", () => {
  expect(['1234567', 'sc12345', 'VAT no. 7'].map(normaliseCompanyNumber)).toEqual(['01234567', 'SC012345', 'VAT no. 7'])
})

test.each([
  [['Smith & Sons', 'SMITH AND SONS LTD', 'Smith + Son Limited', 'The Smith & Sons (Ltd.)'], 'smith and sons'],
  [['A.B.C. Roofing', 'abc  roofing PLC'], 'abc roofing'],
  [['Jones Bros', 'Jones Brothers Public Limited Company'], 'jones brothers'],
  [['O’Brien’s Café', "O'Briens Cafe Ltd"], 'obriens cafe'],
  [['Acme Company Ltd', 'Acme Co.'], 'acme co'],
  [['', ' ', '---', null], ''],
])('the company names %j have the same key', (names, key) => {
  for (const name of names) expect(companyNameKey(name)).toBe(key)
})

test('a company name that consists only of a legal form has no key', () =>
  expect(companyNameKey('PLC Limited')).toBe(''))

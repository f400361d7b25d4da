import { describe, expect, test } from 'vitest'
import { findAccountNumberProblem, findSortCodeProblem, passesModulusCheck } from './bank-account.ts'
import { parseCardMessage } from './card.ts'

/** The published test cases, in their published order. */
const VALID = [
  ['089999', '66374958'],
  ['107999', '88837491'],
  ['202959', '63748472'],
  ['871427', '46238510'],
  ['872427', '46238510'],
  ['871427', '09123496'],
  ['871427', '99123496'],
  ['820000', '73688637'],
  ['827999', '73988638'],
  ['827101', '28748352'],
  ['134020', '63849203'],
  ['118765', '64371389'],
  ['200915', '41011166'],
  ['938611', '07806039'],
  ['938600', '42368003'],
  ['938063', '55065200'],
  ['772798', '99345694'],
  ['086090', '06774744'],
  ['309070', '02355688'],
  ['309070', '12345668'],
  ['309070', '12345677'],
  ['309070', '99345694'],
  ['074456', '12345112'],
  ['070116', '34012583'],
  ['074456', '11104102'],
  ['180002', '00000190'],
] as const
const INVALID = [
  ['938063', '15764273'],
  ['938063', '15764264'],
  ['938063', '15763217'],
  ['118765', '64371388'],
  ['203099', '66831036'],
  ['203099', '58716970'],
  ['089999', '66374959'],
  ['107999', '88837493'],
] as const

describe('checking bank account numbers', () => {
  test.each(VALID)('sort code %s accepts account number %s', (sortCode, account) => {
    expect(passesModulusCheck(sortCode, account)).toBe(true)
  })

  test.each(INVALID)('sort code %s refuses account number %s', (sortCode, account) => {
    expect(passesModulusCheck(sortCode, account)).toBe(false)
  })

  test("an account must pass both of its bank's checks where the bank has two", () => {
    expect(passesModulusCheck('040014', '33717000')).toBe(false)
  })

  test('one wrong digit in an account number is detected if the bank publishes a check', () => {
    const wrong = Array.from('66374958', (digit, n) => {
      const other = (Number(digit) + 1) % 10
      return `${'66374958'.slice(0, n)}${other}${'66374958'.slice(n + 1)}`
    })
    expect(wrong.filter((account) => passesModulusCheck('089999', account))).toEqual([])
  })

  test('accounts at a bank without published rules are not checked', () => {
    expect(passesModulusCheck('999999', '12345678')).toBe(true)
  })

  test('spaces and hyphens are ignored, and short account numbers are padded with leading zeros', () => {
    expect([findSortCodeProblem('08-99 99'), findAccountNumberProblem('6637 4958', '08-99-99')]).toEqual([
      undefined,
      undefined,
    ])
    expect(findAccountNumberProblem('6774744', '08 60 90')).toBeUndefined()
  })

  test('a number of the wrong length or with a wrong check digit is refused with a message', () => {
    expect(findSortCodeProblem('08999')).toContain('six digits')
    expect(findAccountNumberProblem('12345', '089999')).toContain('eight digits')
    expect(findAccountNumberProblem('123456789', '089999')).toContain('eight digits')
    expect(findAccountNumberProblem('66374959', '089999')).toContain('does not belong to this sort code')
  })

  test('the payment service’s test accounts have no check digits', () => {
    expect(findAccountNumberProblem('00012345', '108800')).toContain('does not belong')
    expect(findAccountNumberProblem('00012345', '108800', '108800')).toBeUndefined()
  })
})

const frame = {}
const data = { type: 'card', card: 'tok_1' }

test("a card message is accepted from the payment page's own frame", () => {
  expect(parseCardMessage({ source: frame, data }, frame)).toBe('tok_1')
})

test.each([
  ['from another window', { source: {}, data }, frame],
  ['without a source while the frame is missing', { source: null, data }, null],
  ['of another type', { source: frame, data: { type: 'other', card: 'tok_1' } }, frame],
  ['without data', { source: frame, data: null }, frame],
])('a card message %s is ignored', (_, message, own) => {
  expect(parseCardMessage(message, own)).toBeUndefined()
})

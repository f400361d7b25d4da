import data from '../../../../db/reference/bank-account-checks.json' with { type: 'json' }

interface Check {
  readonly method: string
  readonly weights: readonly number[]
  readonly exception: number
}

const CHECKS = data.weights.map((row) => {
  const [from = '', to = '', method = '', ...numbers] = row.split(' ')
  return { from, to, method, weights: numbers.slice(0, 14).map(Number), exception: Number(numbers[14] ?? 0) }
})
const SUBSTITUTES: Readonly<Record<string, string>> = data.substitutes

/** Exceptions of the first check for which passing either check is enough. */
const EITHER = new Set([2, 9, 10, 11, 12, 13])
/** Positions in sort code and account number. */
const [A, B, C, G, H] = [6, 7, 8, 12, 13]
const WEIGHTS_OF_EXCEPTION_2 = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1]
const withoutSortCode = (weights: readonly number[]) => weights.map((weight, n) => (n <= B ? 0 : weight))

/**
 * Returns whether a sort code (six digits) and an account number (eight digits) can belong together, by the rules in
 * Vocalink's "Validating Account Numbers". Banks that publish no rule are not checked.
 */
export function passesModulusCheck(sortCode: string, account: string): boolean {
  const [first, second] = CHECKS.filter(({ from, to }) => from <= sortCode && sortCode <= to)
  if (!first || passesWithoutCheck(first, sortCode + account)) return true
  const passed = passes(first, sortCode, account)
  if (!passed && first.exception === 14) return passesShortened(first, sortCode, account)
  if (!second) return passed
  if (EITHER.has(first.exception)) return passed || passes(second, sortCode, account)
  return passed && (passesWithoutCheck(second, sortCode + account) || passes(second, sortCode, account))
}

/**
 * Returns true for accounts without a check: those in a foreign currency (6). Some accounts skip the second check (3).
 */
function passesWithoutCheck({ exception }: Check, digits: string): boolean {
  const at = (n: number) => Number(digits[n])
  if (exception === 6) return at(A) >= 4 && at(A) <= 8 && at(G) === at(H)
  return exception === 3 && (at(C) === 6 || at(C) === 9)
}

/** Checks an account number whose first seven digits are the number; the last digit is 0, 1 or 9. */
const passesShortened = (check: Check, sortCode: string, account: string): boolean =>
  /[019]$/.test(account) && passes(check, sortCode, `0${account.slice(0, 7)}`)

function passes(check: Check, given: string, account: string): boolean {
  const { method, exception } = check
  const digits = `${sortCodeFor(exception, given)}${account}`
  const at = (n: number) => Number(digits[n])
  const products = weightsFor(check, digits).map((weight, n) => weight * at(n))
  const total =
    method === 'DBLAL'
      ? products
          .join('')
          .replaceAll('-', '')
          .split('')
          .reduce((sum, digit) => sum + Number(digit), exception === 1 ? 27 : 0)
      : products.reduce((sum, product) => sum + product, 0)
  const modulus = method === 'MOD11' ? 11 : 10
  const rest = ((total % modulus) + modulus) % modulus
  if (exception === 4) return rest === at(G) * 10 + at(H)
  if (exception !== 5) return rest === 0
  if (method === 'DBLAL') return at(H) === (10 - rest) % 10
  return rest !== 1 && at(G) === (11 - rest) % 11
}

const sortCodeFor = (exception: number, sortCode: string): string =>
  exception === 5
    ? (SUBSTITUTES[sortCode] ?? sortCode)
    : exception === 8
      ? '090126'
      : exception === 9
        ? '309634'
        : sortCode

function weightsFor({ weights, exception }: Check, digits: string): readonly number[] {
  const isNine = digits[G] === '9'
  if (exception === 2 && digits[A] !== '0')
    return isNine ? withoutSortCode(WEIGHTS_OF_EXCEPTION_2) : WEIGHTS_OF_EXCEPTION_2
  const isMasked = exception === 7 ? isNine : exception === 10 && isNine && /^[09]9$/.test(digits.slice(A, C))
  return isMasked ? withoutSortCode(weights) : weights
}

/** Returns only the digits of an entered sort code or account number. Spaces and hyphens are ignored. */
export const digitsOf = (entered: string): string => entered.replaceAll(/[\s-]/g, '')

/** Returns the problem of an entered sort code, or undefined. */
export const findSortCodeProblem = (entered: string): string | undefined =>
  /^\d{6}$/.test(digitsOf(entered)) ? undefined : 'Enter the six digits of the sort code, such as 20-00-00'

/** Returns the problem of an entered account number, or undefined. */
export function findAccountNumberProblem(entered: string, sortCode: string, testSortCode?: string): string | undefined {
  const [account, code] = [digitsOf(entered), digitsOf(sortCode)]
  // Banks with account numbers of six or seven digits pad them with leading zeros.
  if (!/^\d{6,8}$/.test(account)) return 'Enter the account number, which has eight digits'
  if (findSortCodeProblem(sortCode) || code === testSortCode) return undefined
  return passesModulusCheck(code, account.padStart(8, '0'))
    ? undefined
    : 'This account number does not belong to this sort code. Check both numbers on a statement or your bank card'
}

/** A card number of the test gateway, with its behaviour. The numbers are Stripe's, because testers know them. */
export interface TestCard {
  readonly number: string
  readonly title: string
  readonly brand: string
  /** Error message if the card is declined when it is attached. */
  readonly declined?: string
  /** True if the bank first requires the cardholder's confirmation (3-D Secure). */
  readonly challenge?: boolean
  /** Outcome of payments with this card; if absent, payments succeed. */
  readonly paying?: TestPaymentBehaviour
}

/**
 * How payments with a test card behave. They are declined immediately, either permanently (`hard`) or temporarily; or
 * they succeed and an event follows days `later`, by the portal's clock.
 */
export type TestPaymentBehaviour =
  | { readonly refused: string; readonly hard?: true }
  | {
      readonly later: 'fails' | 'is disputed and won' | 'is disputed and lost' | 'refunds fail' | 'refunds are slow'
    }

/** Days until a delayed outcome occurs, and days until a dispute is decided. */
export const DELAYED_PAYMENT_OUTCOME_DAYS = 1
export const DISPUTE_DECISION_DAYS = 14

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', title: 'Succeeds', brand: 'visa' },
  { number: '5555555555554444', title: 'Succeeds', brand: 'mastercard' },
  { number: '378282246310005', title: 'Succeeds', brand: 'amex' },
  { number: '4000000000000002', title: 'Declined', brand: 'visa', declined: 'Your card was declined.' },
  {
    number: '4000000000009995',
    title: 'Insufficient funds',
    brand: 'visa',
    declined: 'Your card has insufficient funds.',
  },
  { number: '4000000000000069', title: 'Expired', brand: 'visa', declined: 'Your card has expired.' },
  {
    number: '4000000000000127',
    title: 'Incorrect security code',
    brand: 'visa',
    declined: "Your card's security code is incorrect.",
  },
  { number: '4000000000003220', title: 'Requires 3-D Secure', brand: 'visa', challenge: true },
  {
    number: '4000000000000341',
    title: 'Saved, but declined when charged',
    brand: 'visa',
    paying: { refused: 'Your card was declined.' },
  },
  {
    number: '4000000000009979',
    title: 'Saved, but permanently declined when charged',
    brand: 'visa',
    paying: { refused: 'Your card was declined: the bank reports it as stolen.', hard: true },
  },
  { number: '4000000000006009', title: 'Paid, but fails a day later', brand: 'visa', paying: { later: 'fails' } },
  {
    number: '4000000000000259',
    title: 'Paid, disputed a day later, won two weeks later',
    brand: 'visa',
    paying: { later: 'is disputed and won' },
  },
  {
    number: '4000000000002685',
    title: 'Paid, disputed a day later, lost two weeks later',
    brand: 'visa',
    paying: { later: 'is disputed and lost' },
  },
  {
    number: '4000000000005126',
    title: 'Refunds fail a day later',
    brand: 'visa',
    paying: { later: 'refunds fail' },
  },
  {
    number: '4000000000007726',
    title: 'Refunds succeed a day later',
    brand: 'visa',
    paying: { later: 'refunds are slow' },
  },
]

/**
 * Sort code of the test bank accounts. Account numbers without a special meaning are Stripe's, because testers know
 * them.
 */
export const TEST_SORT_CODE = '108800'

/** How a test bank account behaves, by the portal's clock. Times are counted in days. */
export interface TestAccount {
  readonly number: string
  readonly title: string
  /** Code with which each collection is returned. */
  readonly fails?: string
  /** True if the account holder claims each payment back from their bank. */
  readonly claims?: boolean
  /** Code with which the bank refuses the instruction. */
  readonly refused?: string
  /** Code with which the bank cancels the active instruction later. */
  readonly cancelled?: string
}

/** Days until a bank accepts an instruction, pays a collection, reports a claim, and cancels an instruction. */
export const DEBIT_DAYS = { accept: 2, pay: 3, claim: 7, cancel: 7 } as const

export const TEST_ACCOUNTS: readonly TestAccount[] = [
  { number: '00012345', title: 'Pays' },
  { number: '11111116', title: 'Refer to payer', fails: 'refer_to_payer' },
  { number: '22222227', title: 'Not enough money', fails: 'insufficient_funds' },
  { number: '33333335', title: 'Instruction cancelled', fails: 'debit_not_authorized' },
  { number: '44444440', title: 'No account', fails: 'no_account' },
  { number: '66666661', title: 'Account closed', fails: 'account_closed' },
  { number: '55555559', title: 'Pays, and claims the money back a week later', claims: true },
  { number: '77777772', title: 'Bank refuses the instruction', refused: 'bank_account_restricted' },
  { number: '88888883', title: 'Bank cancels the instruction a week later', cancelled: 'debit_not_authorized' },
]

export const CHALLENGE_FAILED_MESSAGE =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

/** Returns whether the card number has a valid check digit. */
export function passesLuhnCheck(number: string): boolean {
  const sum = number
    .split('')
    .reverse()
    .reduce((total, c, i) => {
      const d = Number(c) * (i % 2 ? 2 : 1)
      return total + (d > 9 ? d - 9 : d)
    }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}

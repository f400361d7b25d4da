/** Numbers that the test gateway knows, and how each behaves. The same as Stripe's, so that habits carry over. */
export interface TestCard {
  readonly number: string
  readonly title: string
  readonly brand: string
  /** Said when the card is attached. */
  readonly declined?: string
  /** The bank wants to hear from the holder first (3-D Secure). */
  readonly challenge?: boolean
}

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
  { number: '4000000000003220', title: 'Asks for 3-D Secure', brand: 'visa', challenge: true },
]

export const CHALLENGE_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

/** Is the number one that a card can have (its last digit fits the others)? */
export function passesLuhn(number: string): boolean {
  const sum = number
    .split('')
    .reverse()
    .reduce((total, c, i) => {
      const d = Number(c) * (i % 2 ? 2 : 1)
      return total + (d > 9 ? d - 9 : d)
    }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}

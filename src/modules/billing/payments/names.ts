/** Author of payments made by link. Usernames contain no spaces, so no username can be the same. */
export const PAY_LINK_AUTHOR = 'pay link'

const SERVICES: Readonly<Record<string, string>> = { stripe: 'Stripe', test: 'Test payment service' }
const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }

export const paymentServiceName = (gateway: string | null | undefined): string =>
  gateway ? (SERVICES[gateway] ?? gateway) : 'Manual'

export const describeCard = ({ brand, last4 }: { readonly brand: string; readonly last4: string }): string =>
  `${BRANDS[brand] ?? brand} ending ${last4}`

/** Names the bank account of a Direct Debit. */
export const describeAccount = ({ last4 }: { readonly last4: string }): string => `account ending ${last4}`

/** The Direct Debit Guarantee, in the scheme's wording. `by` is the name on the bank statement. */
export const directDebitGuarantee = (by: string, noticeDays: number): readonly string[] => [
  'This Guarantee is offered by all banks and building societies that accept instructions to pay Direct Debits.',
  `If there are any changes to the amount, date or frequency of your Direct Debit ${by} will notify you ${noticeDays} working days in advance of your account being debited or as otherwise agreed. If you request ${by} to collect a payment, confirmation of the amount and date will be given to you at the time of the request.`,
  `If an error is made in the payment of your Direct Debit, by ${by} or your bank or building society, you are entitled to a full and immediate refund of the amount paid from your bank or building society. If you receive a refund you are not entitled to, you must pay it back when ${by} asks you to.`,
  'You can cancel a Direct Debit at any time by simply contacting your bank or building society. Written confirmation may be required. Please also notify us.',
]

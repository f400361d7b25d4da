/** Author of payments made by link. Usernames contain no spaces, so no username can be the same. */
export const PAY_LINK_AUTHOR = 'pay link'

const SERVICES: Readonly<Record<string, string>> = { stripe: 'Stripe', test: 'Test payment service' }
const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }

export const paymentServiceName = (gateway: string | null | undefined): string =>
  gateway ? (SERVICES[gateway] ?? gateway) : 'Manual'

export const describeCard = ({ brand, last4 }: { readonly brand: string; readonly last4: string }): string =>
  `${BRANDS[brand] ?? brand} ending ${last4}`

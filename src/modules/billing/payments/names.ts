/** Who has taken a payment that the customer made by the link: no username has a space in it. */
export const BY_LINK = 'pay link'

const SERVICES: Readonly<Record<string, string>> = { stripe: 'Stripe', test: 'Test payment service' }
const BRANDS: Readonly<Record<string, string>> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }

/** What people call a payment service; by hand there is none. */
export const serviceName = (gateway: string | null | undefined): string =>
  gateway ? (SERVICES[gateway] ?? gateway) : 'By hand'

export const cardName = ({ brand, last4 }: { readonly brand: string; readonly last4: string }): string =>
  `${BRANDS[brand] ?? brand} ending ${last4}`

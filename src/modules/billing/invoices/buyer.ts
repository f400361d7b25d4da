/** Whom an invoice is made out to, as it says it (VAT Notice 700, section 16.3). What isn't known is empty. */
export interface Buyer {
  readonly name: string
  /** Whose attention it is for. */
  readonly contactName: string
  /** Lines of the address, the country last where it is abroad. */
  readonly address: readonly string[]
  readonly vatNumber: string
  /** Where invoices go by e-mail. */
  readonly email: string
}

/** What stands under a buyer's name, a line each. */
export const buyerLines = ({ contactName, address, vatNumber }: Buyer): string[] =>
  [contactName, ...address, vatNumber && `VAT\u00a0number\u00a0${vatNumber.replaceAll(' ', '\u00a0')}`].filter(Boolean)

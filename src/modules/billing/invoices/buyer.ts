/** Buyer as printed on an invoice (VAT Notice 700, section 16.3). Unknown fields are empty. */
export interface Buyer {
  readonly name: string
  /** Contact for the attention line. */
  readonly contactName: string
  /** Address lines, ending with the country if abroad. */
  readonly address: readonly string[]
  readonly vatNumber: string
  /** E-mail address for invoices. */
  readonly email: string
}

/** Lines printed below the buyer's name. */
export const buyerLines = ({ contactName, address, vatNumber }: Buyer): string[] =>
  [contactName, ...address, vatNumber && `VAT\u00a0number\u00a0${vatNumber.replaceAll(' ', '\u00a0')}`].filter(Boolean)

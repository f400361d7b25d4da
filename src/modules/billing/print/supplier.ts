/** Numbers don't wrap across lines. */
const together = (number: string) => number.replaceAll(' ', '\u00a0')

/** Seller's details on a quote. Unknown fields are empty. */
export interface Supplier {
  readonly name: string
  readonly address: string
  readonly companyNumber: string
  readonly vatNumber: string
  readonly telephone: string
  readonly email: string
  readonly bank?: BankAccount
}

/** A bank account. Unknown fields are empty. */
export interface BankAccount {
  readonly accountName: string
  readonly bankName: string
  readonly sortCode: string
  readonly accountNumber: string
  readonly iban: string
  readonly bic: string
}

const BANK = [
  ['Account name', 'accountName'],
  ['Bank', 'bankName'],
  ['Sort code', 'sortCode'],
  ['Account number', 'accountNumber'],
  ['IBAN', 'iban'],
  ['BIC', 'bic'],
] as const satisfies readonly (readonly [string, keyof BankAccount])[]

/** Known details of a bank account: `Sort code 01-02-03`. */
export const bankLines = (bank: BankAccount): string[] =>
  BANK.flatMap(([label, name]) => (bank[name] ? `${label.replace(' ', '\u00a0')}\u00a0${together(bank[name])}` : []))

const POSTCODE = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/g

/** Lines below the seller's name: address, numbers (Companies Act 2006, section 82; VAT) and contact details. */
export const supplierLines = (s: Supplier): string[] =>
  [
    s.address.replace(POSTCODE, together),
    [
      s.companyNumber && `Company\u00a0number\u00a0${together(s.companyNumber)}`,
      s.vatNumber && `VAT\u00a0number\u00a0${together(s.vatNumber)}`,
    ],
    [together(s.telephone), s.email],
  ]
    .map((line) => (typeof line === 'string' ? line : line.filter(Boolean).join(' · ')))
    .filter(Boolean)

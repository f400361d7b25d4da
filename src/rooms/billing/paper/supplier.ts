/** Who makes an offer, as its paper says. What isn't known is empty. */
export interface Supplier {
  readonly name: string
  readonly address: string
  readonly companyNumber: string
  readonly vatNumber: string
  readonly telephone: string
  readonly email: string
}

/** What stands under a supplier's name, a line each: address, numbers (Companies Act 2006, section 82; VAT), and how to be reached. */
export const supplierLines = (s: Supplier): string[] =>
  [
    s.address,
    [s.companyNumber && `Company number ${s.companyNumber}`, s.vatNumber && `VAT number ${s.vatNumber}`],
    [s.telephone, s.email],
  ]
    .map((line) => (typeof line === 'string' ? line : line.filter(Boolean).join(' · ')))
    .filter(Boolean)

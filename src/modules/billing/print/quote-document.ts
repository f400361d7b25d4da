import type { Currency } from '#kernel/money.ts'
import type { LineTotal } from '#kernel/money-totals.ts'
import { formatIsoDateAsUk, formatUkDate } from '#kernel/time.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { computeQuoteTotals, type QuoteTotalsLine, type SavedQuoteTotals } from '../lines/line.ts'
import type { PricedLineRow } from '../lines/line-vat.ts'
import {
  QUOTE_LINE_LIST_NAMES,
  type QuoteLineListName,
  type QuoteLineLists,
  type UpcomingInvoices,
} from '../lines/lines.ts'
import { describeBillingInterval, describeQuoteDiscount } from '../lines/payment-words.ts'

/** Replaces spaces with non-breaking spaces, so that a number is not split across lines. */
const together = (number: string) => number.replaceAll(' ', '\u00a0')

/** Seller's details, as printed on a document. Unknown fields are empty. */
export interface Supplier {
  readonly name: string
  readonly address: string
  /** Address parts required on a VAT invoice but missing, such as `postcode`; omitted if it is complete. */
  readonly addressLacks?: readonly string[]
  readonly companyNumber: string
  /** Part of the United Kingdom in which the company is registered, such as `Scotland`; omitted if unknown. */
  readonly registeredIn?: string
  readonly registeredOffice?: string
  readonly vatNumber: string
  /** Error in the format of the VAT number; omitted if there is none. */
  readonly vatNumberFault?: string
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

/** Seller in the sample e-mails. */
export const SAMPLE_SUPPLIER: Supplier = {
  name: 'The seller',
  address: '14 Wharf Street, Leeds, LS1 1AA',
  companyNumber: '01234567',
  vatNumber: 'GB 123 4567 82',
  telephone: '01632 960960',
  email: 'hello@seller.example',
}

const BANK = [
  ['Account name', 'accountName'],
  ['Bank', 'bankName'],
  ['Sort code', 'sortCode'],
  ['Account number', 'accountNumber'],
  ['IBAN', 'iban'],
  ['BIC', 'bic'],
] as const satisfies readonly (readonly [string, keyof BankAccount])[]

/** Returns the known details of a bank account, such as `Sort code 01-02-03`. */
export const formatBankAccountLines = (bank: BankAccount): string[] =>
  BANK.flatMap(([label, name]) => (bank[name] ? `${label.replace(' ', '\u00a0')}\u00a0${together(bank[name])}` : []))

const POSTCODE = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/g

/**
 * Returns the lines below the seller's name: address, registration (Company, Limited Liability Partnership and Business
 * (Names and Trading Disclosures) Regulations 2015, regulation 25; VAT) and contact details.
 */
export const formatSupplierLines = (s: Supplier): string[] =>
  [
    s.address.replace(POSTCODE, together),
    [
      s.registeredIn && `Registered in ${s.registeredIn}`,
      s.companyNumber && `Company\u00a0number\u00a0${together(s.companyNumber)}`,
      s.vatNumber && `VAT\u00a0number\u00a0${together(s.vatNumber)}`,
    ],
    s.registeredOffice ? `Registered office: ${s.registeredOffice.replace(POSTCODE, together)}` : '',
    [together(s.telephone), s.email],
  ]
    .map((line) => (typeof line === 'string' ? line : line.filter(Boolean).join(' · ')))
    .filter(Boolean)

/** A quote as the customer sees it on screen and in print, and as the builder previews it. Amounts are in pence. */
export interface QuoteDocument {
  readonly reference: string
  readonly state: string
  readonly company: string
  readonly contactName: string
  readonly currency: Currency
  readonly lines: readonly QuoteDocumentLine[]
  readonly totals: SavedQuoteTotals
  /** Description of the discount, such as `10% off for 3 periods`. */
  readonly discountWords: string | null
  /** Sentence about the start of regular billing and any charges before then; null if billing starts on acceptance. */
  readonly begins: string | null
  /** First invoices; null until they are calculated. */
  readonly next: UpcomingInvoices | null
  readonly sentAt: string | null
  readonly expiresAt: string | null
  readonly terms: string
  readonly message: string
  /** The owner's contact details and nothing else, because anybody with the link can read them. */
  readonly owner: { readonly name: string; readonly email: string; readonly telephone: string } | null
  readonly supplier: Supplier | null
}

/** Returns a sentence about the first invoices. The wording depends on whether the quote has been decided. */
export const upcomingInvoicesNote = (
  { state }: Pick<QuoteDocument, 'state'>,
  { accepted }: UpcomingInvoices,
): string =>
  state === 'draft' || state === 'open'
    ? `These amounts assume acceptance on ${formatIsoDateAsUk(accepted)} and include VAT.`
    : `These amounts are as offered for acceptance on ${formatIsoDateAsUk(accepted)} and include VAT.`

type Described = Pick<PricedLineRow, 'description' | 'quantity' | 'unitAmount'>

/** Returns the rows of the totals up to the subtotal, with the discounts of lines if there are any. */
export const subtotalRows = (
  { subtotal, lineDiscount }: Pick<SavedQuoteTotals, 'subtotal' | 'lineDiscount'>,
  money: (pence: number) => string,
): (readonly [string, string])[] => [
  ...(lineDiscount
    ? ([
        ['Before line discounts', money(subtotal + lineDiscount)],
        ['Line discounts', `−${money(lineDiscount)}`],
      ] as const)
    : []),
  ['Subtotal', money(subtotal)],
]

export interface QuoteDocumentLine extends LineTotal, Described {
  readonly list: QuoteLineListName
  /** Percentage of the line's own discount; omitted if it has none. */
  readonly discountPercent?: number
  /** Billing interval, such as `every month`. */
  readonly every: string | null
}

/** Fields of a quote that are printed, taken from the API record or from the form. */
export interface QuoteDocumentSource extends QuoteLineLists<QuoteTotalsLine & Described> {
  readonly reference: string
  readonly state: string
  readonly company: string
  readonly customer: { readonly contactName: string | null } | null
  readonly currency: Currency
  readonly taxPercent: number | null
  /** Start of billing in Unix seconds. */
  readonly billingCycleAnchor: number | null
  readonly prorate: boolean
  readonly nextInvoices: UpcomingInvoices | null
  readonly sentAt: string | null
  readonly expiresAt: string | null
  /** Saved totals; those of a sent quote are as sent. */
  readonly totals?: SavedQuoteTotals | null
  readonly terms: string
  readonly message: string
  readonly owner: QuoteDocument['owner']
  readonly supplier: Supplier | null
}

function beginsWords({
  billingCycleAnchor: at,
  prorate,
}: Pick<QuoteDocumentSource, 'billingCycleAnchor' | 'prorate'>): string | null {
  if (at === null) return null
  const until = prorate
    ? 'The days from acceptance until that date are charged pro rata.'
    : 'The days until that date are free of charge.'
  return `Regular billing starts on ${formatUkDate(Temporal.Instant.fromEpochMilliseconds(at * 1000))}. ${until}`
}

export function buildQuoteDocument(q: QuoteDocumentSource, coupon: CouponTerms | null): QuoteDocument {
  const lines = QUOTE_LINE_LIST_NAMES.flatMap((list) => q[list].map((line) => ({ list, line })))
  const { lines: sums, ...computed } = computeQuoteTotals({
    currency: q.currency,
    taxPercent: q.taxPercent ?? 0,
    // In a draft, a negative quantity is treated as zero.
    lines: lines.map(({ line }) => (line.quantity < 0 ? { ...line, quantity: 0 } : line)),
    coupon,
  })
  // Quotes that were not totalled store an empty object.
  const totals = q.state !== 'draft' && q.totals && 'afterwards' in q.totals ? q.totals : computed
  return {
    reference: q.reference,
    state: q.state,
    company: q.company,
    contactName: q.customer?.contactName ?? '',
    currency: q.currency,
    lines: lines.map(({ list, line }, i) => ({
      ...(sums[i] as LineTotal),
      list,
      description: line.description,
      quantity: line.quantity,
      unitAmount: line.unitAmount,
      ...(Number(line.discountPercent ?? 0) ? { discountPercent: Number(line.discountPercent) } : {}),
      every: line.interval ? describeBillingInterval(line.interval, line.intervalCount) : null,
    })),
    totals,
    discountWords: coupon ? describeQuoteDiscount(coupon, totals) : null,
    next: q.nextInvoices,
    begins: totals.afterwards.length ? beginsWords(q) : null,
    sentAt: q.sentAt,
    expiresAt: q.expiresAt,
    terms: q.terms,
    message: q.message,
    owner: q.owner && { name: q.owner.name, email: q.owner.email, telephone: q.owner.telephone },
    supplier: q.supplier,
  }
}

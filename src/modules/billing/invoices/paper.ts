import { isVatCharged, type TaxCode } from '#kernel/money/tax-codes.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { describeTaxTotal } from '#kernel/money-totals.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { type LineVat, toTaxTotalRate } from '../lines/line-vat.ts'
import type { FinancialDocument, LabelledValue } from '../print/financial-document.ts'
import { formatBankAccountLines, formatSupplierLines, type Supplier } from '../print/quote-document.ts'
import type { CreditNoteTotals, InvoiceTotals, ReverseChargeTotal } from './amounts.ts'

/** Buyer as printed on an invoice (VAT Notice 700, section 16.3). Unknown fields are empty. */
export interface Buyer {
  readonly name: string
  /** Name of the contact, for the attention line. */
  readonly contactName: string
  /** Address lines; for an address abroad, the last one is the country. */
  readonly address: readonly string[]
  /** Address parts required on a VAT invoice but missing, such as `postcode`; omitted if it is complete. */
  readonly addressLacks?: readonly string[]
  readonly vatNumber: string
  /** Error in the format of the VAT number; omitted if there is none. */
  readonly vatNumberFault?: string
  /** E-mail address for invoices. */
  readonly email: string
}

/** Returns the lines that are printed below the buyer's name. */
export const formatBuyerLines = ({ contactName, address, vatNumber }: Buyer): string[] =>
  [contactName, ...address, vatNumber && `VAT\u00a0number\u00a0${vatNumber.replaceAll(' ', '\u00a0')}`].filter(Boolean)

/** Fields common to invoices and credit notes. */
interface Common {
  readonly number: string
  readonly date: string | null
  readonly currency: Currency
  readonly exchangeRate: number | null
  readonly sterlingTax: number | null
  readonly supplier: Supplier | null
  readonly buyer: Buyer | null
  readonly poNumber: string
}

export interface PrintableInvoice extends Common {
  readonly state: string
  readonly origin?: string
  readonly taxPoint: string | null
  readonly suppliedOn?: string | null
  readonly dueOn: string | null
  readonly periodFrom: string | null
  readonly periodTo: string | null
  readonly percentOff: number | null
  readonly discountName: string
  readonly notes: string
  readonly reason: string
  readonly lines: readonly (LineVat & {
    readonly description: string
    readonly quantity: number
    readonly unitAmount: number
    readonly discountPercent?: number | null
    /** Pence before the invoice's discount. */
    readonly amount: number
    readonly discount: number
    readonly net: number
    readonly reversePercent?: number | null
    readonly from: string | null
    readonly to: string | null
  })[]
  readonly subtotal: number
  readonly discount: number
  readonly net: number
  readonly tax: number
  readonly total: number
  readonly totals: Partial<InvoiceTotals>
}

export interface PrintableCreditNote extends Common {
  readonly invoice: { readonly number: string; readonly date: string | null }
  readonly reason: string
  readonly lines: readonly (LineVat & {
    readonly description: string
    readonly quantity: number | null
    readonly net: number | null
    readonly reversePercent?: number | null
    readonly tax: number | null
  })[]
  readonly net: number
  readonly total: number
  readonly totals: Partial<CreditNoteTotals>
}

const days = (from: string | null, to: string | null) =>
  from && to ? (from === to ? formatIsoDateAsUk(from) : `${formatIsoDateAsUk(from)} to ${formatIsoDateAsUk(to)}`) : ''

/** Fixed text for a tax code's rate, such as `Exempt`; empty if the line's percentage is printed. */
const RATES: Readonly<Record<TaxCode, string>> = {
  standard: '',
  reduced: '',
  zero: '0%',
  exempt: 'Exempt',
  outside: 'None',
  reverse: 'Reverse charge',
}
function rateWords(line: LineVat & { readonly reversePercent?: number | null }): string {
  const { code, percent } = toTaxTotalRate(line)
  if (code === 'reverse' && line.reversePercent) return `${RATES[code]} ${line.reversePercent}%`
  return code && !isVatCharged(code) ? RATES[code] : `${percent}%`
}

const quantityWords = (n: number) => n.toLocaleString('en-GB', { maximumFractionDigits: 4 })

/** Returns whether the seller is registered for VAT and therefore issues VAT invoices. */
const isRegistered = ({ supplier }: Common) => Boolean(supplier?.vatNumber)

const parties = ({ supplier, buyer }: Common): Pick<FinancialDocument, 'supplier' | 'buyer'> => ({
  supplier: { name: supplier?.name ?? '', lines: supplier ? formatSupplierLines(supplier) : [] },
  buyer: { name: buyer?.name ?? '', lines: buyer ? formatBuyerLines(buyer) : [] },
})

const taxPairs = (
  { taxByRate = [], reverseCharge = [] }: Partial<CreditNoteTotals>,
  of: Common,
  money: (pence: number) => string,
): LabelledValue[] =>
  isRegistered(of)
    ? taxByRate.flatMap((t): LabelledValue[] =>
        t.code === 'reverse' && reverseCharge.length
          ? reverseCharge.map((one) => [describeReverseCharge(one, money), money(0)])
          : [[describeTaxTotal(t, money), money(t.tax)]],
      )
    : []

/** Describes the VAT that the customer accounts for (VAT Regulations 1995, regulation 14; HMRC, VATREVCON37100). */
const describeReverseCharge = ({ percent, net, tax }: ReverseChargeTotal, money: (pence: number) => string): string =>
  `Reverse charge: the customer accounts to HMRC for VAT of ${money(tax)}, ${percent}% on ${money(net)}`

const sterlingNote = ({ sterlingTax, exchangeRate, currency }: Common): string[] =>
  sterlingTax === null || exchangeRate === null
    ? []
    : [`VAT in sterling: ${formatMoney(sterlingTax, 'GBP')}, at ${exchangeRate} ${currency} per £1.`]

/** Returns the bank details for payment; none if the invoice is void. */
const bankNote = ({ supplier, state, number }: PrintableInvoice): string[] =>
  supplier?.bank && state !== 'void'
    ? [
        `To pay by bank transfer: ${formatBankAccountLines(supplier.bank).join(', ')}.${number ? ` Please quote ${number}.` : ''}`,
      ]
    : []

const fact = (what: string, value: string): LabelledValue[] => (value ? [[what, value]] : [])
const dayFact = (what: string, iso: string | null): LabelledValue[] => (iso ? [[what, formatIsoDateAsUk(iso)]] : [])

/**
 * Builds the printed invoice, with everything that VAT Notice 700, section 16.3, requires. A draft is printed as a pro
 * forma.
 */
export function buildInvoiceDocument(of: PrintableInvoice): FinancialDocument {
  const money = (pence: number) => formatMoney(pence, of.currency)
  const isDraft = of.state === 'draft'
  const hasDiscount = of.discount !== 0
  const hasLineDiscounts = of.lines.some((l) => l.discountPercent)
  const vat = isRegistered(of)
  return {
    kind: isDraft ? 'Pro forma invoice' : of.origin === 'interest' ? 'Debit note' : vat ? 'VAT invoice' : 'Invoice',
    number: of.number,
    warning: isDraft
      ? 'This is not a VAT invoice. A VAT invoice will follow.'
      : of.state === 'void'
        ? `Void: ${of.reason}`
        : '',
    ...parties(of),
    facts: [
      ...dayFact('Date', of.date),
      ...(of.taxPoint !== of.date ? dayFact('Tax point', of.taxPoint) : []),
      ...dayFact('Date of supply', of.suppliedOn ?? null),
      ...dayFact('Due', of.dueOn),
      ...fact('For', days(of.periodFrom, of.periodTo)),
      ...fact('Purchase order', of.poNumber),
    ],
    columns: [
      'Description',
      'Quantity',
      'Unit price',
      ...(hasLineDiscounts ? ['Discount'] : []),
      ...(vat ? ['VAT'] : []),
      // The amounts of the lines add up to the subtotal, from which the invoice's discount is deducted once.
      hasDiscount ? (hasLineDiscounts ? 'Subtotal' : 'Before discount') : vat ? 'Excluding VAT' : 'Amount',
    ],
    rows: of.lines.map((l) => ({
      cells: [
        l.description,
        quantityWords(l.quantity),
        money(l.unitAmount),
        ...(hasLineDiscounts ? [l.discountPercent ? `${l.discountPercent}%` : ''] : []),
        ...(vat ? [rateWords(l)] : []),
        money(l.amount),
      ],
      under: [days(l.from, l.to), l.discount ? `Discount ${money(l.discount)}, ${money(l.net)} after discount` : '']
        .filter(Boolean)
        .join(' · '),
    })),
    sums: [
      ...(hasDiscount
        ? ([
            ['Subtotal', money(of.subtotal)],
            [
              ['Discount', of.percentOff ? `${of.percentOff}%` : '', of.discountName].filter(Boolean).join(' '),
              `−${money(of.discount)}`,
            ],
          ] as const)
        : []),
      ...(vat ? ([['Total excluding VAT', money(of.net)]] as const) : []),
      ...taxPairs(of.totals, of, money),
    ],
    totals: [[vat ? 'Total including VAT' : 'Total', money(of.total)]],
    notes: [...sterlingNote(of), ...bankNote(of), ...(of.notes ? [of.notes] : [])],
  }
}

export function buildCreditNoteDocument(of: PrintableCreditNote): FinancialDocument {
  const money = (pence: number) => formatMoney(pence, of.currency)
  const vat = isRegistered(of)
  return {
    kind: 'Credit note',
    number: of.number,
    warning: '',
    ...parties(of),
    facts: [
      ...dayFact('Date', of.date),
      ['Credit for invoice', of.invoice.number],
      ...dayFact('of', of.invoice.date),
      ...fact('Purchase order', of.poNumber),
    ],
    columns: ['Description', 'Quantity', ...(vat ? ['VAT', 'Excluding VAT'] : ['Amount'])],
    rows: of.lines.map((l) => ({
      cells: [
        l.description,
        l.quantity === null ? '—' : quantityWords(l.quantity),
        ...(vat ? [rateWords(l)] : []),
        money(l.net ?? 0),
      ],
      under: '',
    })),
    sums: [...(vat ? ([['Total excluding VAT', money(of.net)]] as const) : []), ...taxPairs(of.totals, of, money)],
    totals: [[vat ? 'Total credited, including VAT' : 'Credited', money(of.total)]],
    notes: [of.reason, ...sterlingNote(of)],
  }
}

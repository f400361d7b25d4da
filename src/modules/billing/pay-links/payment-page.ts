import { type Currency, formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import type { InvoiceState } from '../invoices/invoice.ts'
import { type Buyer, formatBuyerLines } from '../invoices/paper.ts'
import type { FinancialDocument } from '../print/financial-document.ts'
import { formatSupplierLines, type Supplier } from '../print/quote-document.ts'

/** A completed payment, in pence, minus refunds. */
export interface ReceivedPayment {
  readonly day: string
  /** Method of payment, such as `Visa ending 4242`. */
  readonly method: string
  readonly amount: number
}

export interface PaymentPageData {
  readonly '@id': string
  readonly '@type': 'PaymentPage'
  readonly provider: string
  /** URL of the seller's logo; null if the seller has none. */
  readonly logo: string | null
  readonly number: string
  readonly company: string
  readonly date: string | null
  readonly dueOn: string | null
  readonly currency: Currency
  readonly lines: readonly { readonly description: string; readonly quantity: number; readonly net: number }[]
  readonly net: number
  readonly tax: number
  readonly total: number
  readonly amountDue: number
  readonly state: InvoiceState
  /** Completed payments, oldest first. */
  readonly payments: readonly ReceivedPayment[]
  readonly underWay: boolean
  readonly card: boolean
  /** Name on bank statements and days of notice, if a Direct Debit can be set up here; otherwise null. */
  readonly debit: { readonly serviceName: string; readonly noticeDays: number } | null
  /** The customer's Direct Debit Instruction that has not ended; null if there is none. */
  readonly mandate: {
    readonly last4: string
    readonly state: 'pending' | 'active'
    readonly serviceName: string
    readonly reference: string
    readonly signedAt: string
    /** Collection date that the notice states; null before the notice. */
    readonly collectOn: string | null
    /** True while the collection of this invoice is in progress. */
    readonly isCollecting: boolean
  } | null
  readonly bank: readonly string[]
}

interface ReceiptSource {
  readonly number: string
  readonly currency: Currency
  readonly total: number
  readonly amountDue: number
  readonly supplier: Supplier | null
  readonly buyer: Buyer | null
}

/** Builds the printed receipt for the payments of an invoice. */
export function buildReceiptDocument(of: ReceiptSource, payments: readonly ReceivedPayment[]): FinancialDocument {
  const money = (pence: number) => formatMoney(pence, of.currency)
  const { supplier, buyer } = of
  return {
    kind: 'Receipt',
    number: of.number,
    warning: '',
    supplier: { name: supplier?.name ?? '', lines: supplier ? formatSupplierLines(supplier) : [] },
    buyer: { name: buyer?.name ?? '', lines: buyer ? formatBuyerLines(buyer) : [] },
    facts: [
      ['For invoice', of.number],
      ['Invoice total', money(of.total)],
    ],
    columns: ['Payment', 'Date', 'Amount'],
    rows: payments.map(({ day, method, amount }) => ({
      cells: [method, formatIsoDateAsUk(day), money(amount)],
      under: '',
    })),
    sums: [['Received', money(payments.reduce((sum, { amount }) => sum + amount, 0))]],
    totals: [['Still due', money(of.amountDue)]],
    notes: ['This is not a VAT invoice.'],
  }
}

import { type Currency, formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { type Buyer, formatBuyerLines } from '../invoices/paper.ts'
import type { FinancialDocument } from '../print/financial-document.ts'
import { formatSupplierLines, type Supplier } from '../print/quote-document.ts'

/**
 * A transaction on a customer's account. The amount is in pence, and positive if it increases what the customer owes.
 */
export interface CustomerStatementLine {
  readonly day: string
  readonly description: string
  readonly amount: number
  readonly balance: number
}

/** Opening balance, transactions and closing balance of a customer. */
export interface CustomerStatement {
  readonly currency: Currency
  readonly from: string
  readonly to: string
  readonly opening: number
  readonly lines: readonly CustomerStatementLine[]
  readonly closing: number
  /** Part of the closing balance that is overdue. */
  readonly overdue: number
  readonly supplier: Supplier
  readonly buyer: Buyer
}

/** Returns the label of a balance. A negative balance is customer credit. */
const owedWords = (pence: number) => (pence < 0 ? 'In credit' : 'Amount due')

/** Builds the printed statement, as the customer sees it. */
export function buildCustomerStatementDocument(s: CustomerStatement): FinancialDocument {
  const money = (pence: number) => formatMoney(pence, s.currency)
  return {
    kind: 'Statement',
    number: '',
    warning: '',
    supplier: { name: s.supplier.name, lines: formatSupplierLines(s.supplier) },
    buyer: { name: s.buyer.name, lines: formatBuyerLines(s.buyer) },
    facts: [
      ['From', formatIsoDateAsUk(s.from)],
      ['To', formatIsoDateAsUk(s.to)],
    ],
    columns: ['Description', 'Date', 'Amount', 'Balance'],
    rows: [
      { cells: ['Balance brought forward', formatIsoDateAsUk(s.from), '', money(s.opening)], under: '' },
      ...s.lines.map((l) => ({
        cells: [l.description, formatIsoDateAsUk(l.day), money(l.amount), money(l.balance)],
        under: '',
      })),
    ],
    sums: s.overdue ? [['Overdue', money(s.overdue)]] : [],
    totals: [[`${owedWords(s.closing)} on ${formatIsoDateAsUk(s.to)}`, money(Math.abs(s.closing))]],
    notes: [],
  }
}

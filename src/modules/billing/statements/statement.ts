import { choice, date, instant, link, text } from '#kernel/fields.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { defineEmail, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { MAIL_STATES } from '#modules/crm/mail/message.ts'
import { customer } from '../customers/customer.ts'
import { composeSellerEmail, type InvoiceMailFacts, SAMPLE_INVOICE } from '../invoices/emails.ts'
import { type Buyer, formatBuyerLines } from '../invoices/paper.ts'
import type { FinancialDocument } from '../print/financial-document.ts'
import { formatSupplierLines, type Supplier } from '../print/quote-document.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/**
 * A transaction on a customer's account. The amount is in pence, and positive if it increases what the customer owes.
 */
export interface CustomerStatementLine {
  readonly day: string
  readonly description: string
  readonly amount: number
  readonly balance: number
}

/** Opening balance, transactions and closing balance of a customer, in one currency. */
export interface CustomerStatement {
  readonly currency: Currency
  /** Currencies for which the customer has a statement; the customer's own currency comes first. */
  readonly currencies: readonly Currency[]
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

const readonly = { readonly: true, notNull: true } as const
const ofMessage = (column: 'state' | 'error' | 'sent_at') =>
  `(SELECT m.${column} FROM message m WHERE m.client_id = t.client_id AND m.about = '/api/financial/statement_emails/' || t.id AND m.about <> '' AND NOT m.incoming ORDER BY m.id DESC LIMIT 1)`

/** An e-mail with a customer's statements, with the delivery status of its message. */
export const statementEmail = resource({
  type: 'StatementEmail',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'statement_emails',
  table: 'statement_email',
  tenant: 'own',
  order: ['-id'],
  emails: 'id',
  fields: {
    customer: link(() => customer, { ...readonly, filter: true, embed: ['companyName'] }),
    company: text({ ...readonly, default: '' }),
    recipient: text({ ...readonly, label: 'E-mail to' }),
    from: date({ ...readonly, column: 'first_day', label: 'From' }),
    to: date({ ...readonly, column: 'last_day', filter: true, label: 'To' }),
    queuedAt: instant({ readonly: true, visible: 'nobody' }),
    /** Delivery status; null until the e-mail has been queued. */
    state: choice(MAIL_STATES, { readonly: true, sql: ofMessage('state') }),
    error: text({ readonly: true, sql: ofMessage('error') }),
    /** Time at which the mail server accepted the e-mail. */
    sentAt: instant({ readonly: true, sql: ofMessage('sent_at'), label: 'Sent' }),
    author: text({ ...readonly, stamp: 'author', default: '', person: true, label: 'Requested by' }),
    createdAt: instant({ ...readonly, label: 'Requested' }),
  },
  allow: { read: SELLING_ROLES },
})

/** An account movement with the payment that it comes from. */
interface StatementMovement {
  readonly kind: string
  /** Type of the source record, such as `Charge`. */
  readonly source: string
  readonly day: string
  /** Description in the ledger. */
  readonly description: string
  /** Method and reference of the payment; empty for other movements. */
  readonly method: string
  readonly reference: string
}

const METHODS: Readonly<Record<string, string>> = { card: 'Card payment', debit: 'Direct Debit', bank: 'Bank transfer' }
const REVERSALS: Readonly<Record<string, string>> = {
  refund: 'refunded',
  failed: 'failed',
  dispute: 'disputed',
  won: 'dispute won',
}

/** Formats a day without its year, such as `27 Nov`. */
const formatDay = (iso: string) =>
  Temporal.PlainDate.from(iso).toLocaleString('en-GB', { day: 'numeric', month: 'short' })

/** Describes a movement in the customer's words, such as `Bank transfer, 27 Nov`. */
export function describeStatementMovement(m: StatementMovement): string {
  const { kind, source, day, description, reference } = m
  if (source !== 'Charge' && source !== 'Refund')
    return description === 'Payment received' ? `Payment, ${formatDay(day)}` : description
  const method = METHODS[m.method] ?? 'Payment'
  const event = source === 'Refund' && kind === 'failed' ? 'refund failed' : REVERSALS[kind]
  return `${method}${event ? ` ${event}` : ''}, ${formatDay(day)}${reference ? ` (${reference})` : ''}`
}

/** Returns the label of a balance. A negative balance is the customer's credit. */
const owedWords = (pence: number) => (pence < 0 ? 'In credit' : 'Amount due')

/** Builds the printed statement, as the customer sees it. */
export function buildCustomerStatementDocument(s: CustomerStatement): FinancialDocument {
  const money = (pence: number) => formatMoney(pence, s.currency)
  return {
    kind: s.currencies.length > 1 ? `Statement in ${s.currency}` : 'Statement',
    number: '',
    warning: '',
    supplier: { name: s.supplier.name, lines: formatSupplierLines(s.supplier) },
    buyer: { name: s.buyer.name, lines: formatBuyerLines(s.buyer) },
    facts: [
      ['From', formatIsoDateAsUk(s.from)],
      ['To', formatIsoDateAsUk(s.to)],
    ],
    isTable: true,
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

interface StatementMailFacts extends Pick<InvoiceMailFacts, 'buyer' | 'supplier' | 'provider'> {
  readonly to: string
  readonly balances: readonly Pick<CustomerStatement, 'currency' | 'closing' | 'overdue'>[]
}

/** E-mail with a customer's statements, one for each currency. */
export const statementMail = defineEmail<StatementMailFacts>({
  name: 'statement',
  title: 'Statement sent to a customer',
  subject: (f) => `Your statement to ${formatIsoDateAsUk(f.to)} from ${f.supplier?.name || f.provider}`,
  paragraphs: (f) =>
    composeSellerEmail(
      f,
      `Here is your statement to ${formatIsoDateAsUk(f.to)}. It is attached.`,
      f.balances
        .map(({ currency, closing, overdue }) => {
          const money = formatMoney(Math.abs(closing), currency)
          return closing < 0
            ? `Your account is in credit by ${money}.`
            : closing === 0
              ? `Nothing is due in ${currency}.`
              : `The amount due is ${money}${overdue > 0 ? `, of which ${formatMoney(overdue, currency)} is overdue` : ''}.`
        })
        .join(' '),
      'If you have already paid, thank you. If an entry is wrong, just reply to this e-mail or call us.',
    ),
  sample: {
    to: '2026-03-31',
    balances: [{ currency: 'GBP', closing: 12_000, overdue: 4_000 }],
    supplier: SAMPLE_INVOICE.supplier,
    buyer: SAMPLE_INVOICE.buyer,
    provider: PORTAL_NAME_PLACEHOLDER,
  },
})

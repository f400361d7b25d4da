import { type Currency, formatMoney } from '#kernel/money.ts'
import { defineEmail, emailGreeting, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { formatBankAccountLines, formatSupplierLines, SAMPLE_SUPPLIER, type Supplier } from '../print/quote-document.ts'
import type { Buyer } from './paper.ts'

/** Data used in e-mails about an invoice. */
export interface InvoiceMailFacts {
  readonly number: string
  readonly currency: Currency
  readonly total: number
  readonly amountDue: number
  readonly dueOn: string | null
  readonly supplier: Supplier | null
  readonly buyer: Buyer | null
  readonly provider: string
  /** Card and date of the automatic charge, if there will be one. */
  readonly charged?: { readonly card: string; readonly on: string } | undefined
  /** Bank account of a Direct Debit and day of its collection, if there will be one. */
  readonly collected?: { readonly account: string; readonly on: string } | undefined
  /** Link to the payment page, if the invoice can be paid by card. */
  readonly payUrl?: string | undefined
}

/** Adds a greeting and a closing to the paragraphs of an e-mail from a seller. */
export function composeSellerEmail(
  { buyer, supplier, provider }: Pick<InvoiceMailFacts, 'buyer' | 'supplier' | 'provider'>,
  ...parts: readonly (string | false | null)[]
) {
  const seller = [supplier?.name || provider, ...(supplier ? formatSupplierLines(supplier) : [])]
  return [emailGreeting(buyer?.contactName ?? ''), ...parts, ['Kind regards', '', ...seller].join('\n')]
}

const sellerOf = ({ supplier, provider }: InvoiceMailFacts) => supplier?.name || provider

export const SAMPLE_INVOICE: InvoiceMailFacts = {
  number: 'INV-00007',
  currency: 'GBP',
  total: 12_000,
  amountDue: 12_000,
  dueOn: '2026-03-15',
  supplier: SAMPLE_SUPPLIER,
  buyer: { name: 'Acme Ltd', contactName: 'Ann Carter', address: [], vatNumber: '', email: 'ann@acme.example' },
  provider: PORTAL_NAME_PLACEHOLDER,
}

/** E-mail with which an invoice is sent. */
export const invoiceEmail = defineEmail<InvoiceMailFacts>({
  name: 'invoice',
  title: 'Invoice sent to a customer',
  subject: (f) => `Your invoice ${f.number} from ${sellerOf(f)}`,
  paragraphs: (f) =>
    composeSellerEmail(
      f,
      `Here is our invoice ${f.number} for ${formatMoney(f.total, f.currency)}. It is attached.`,
      f.amountDue === 0
        ? 'There is nothing to pay.'
        : f.collected
          ? `You don’t need to do anything: we will collect ${formatMoney(f.amountDue, f.currency)} by Direct Debit from your ${f.collected.account} on ${formatIsoDateAsUk(f.collected.on)} or shortly after.`
          : f.charged
            ? `You don’t need to do anything: we will charge ${formatMoney(f.amountDue, f.currency)} to your card, ${f.charged.card}, on ${formatIsoDateAsUk(f.charged.on)}.`
            : `${f.amountDue === f.total ? 'It' : `Of this amount, ${formatMoney(f.amountDue, f.currency)}`} is due${f.dueOn ? ` on ${formatIsoDateAsUk(f.dueOn)}` : ''}. Please quote ${f.number} when you pay.`,
      f.amountDue !== 0 && !f.charged && !f.collected && f.payUrl !== undefined && `Pay online: ${f.payUrl}`,
      f.amountDue !== 0 &&
        !f.charged &&
        !f.collected &&
        f.supplier?.bank !== undefined &&
        `Pay by bank transfer: ${formatBankAccountLines(f.supplier.bank).join(', ')}. Reference: ${f.number}.`,
      'If you have a question, just reply to this e-mail or call us.',
    ),
  sample: SAMPLE_INVOICE,
})

export const proFormaEmail = defineEmail<InvoiceMailFacts>({
  name: 'pro-forma',
  title: 'Pro forma invoice sent to a customer',
  subject: (f) => `Your pro forma invoice from ${sellerOf(f)}`,
  paragraphs: (f) =>
    composeSellerEmail(
      f,
      `Here is a pro forma invoice for ${formatMoney(f.total, f.currency)}. It is attached.`,
      'This is not a VAT invoice. A VAT invoice will follow.',
    ),
  sample: SAMPLE_INVOICE,
})

export const invoiceVoidEmail = defineEmail<InvoiceMailFacts & { readonly reason: string }>({
  name: 'invoice-void',
  title: 'Invoice voided',
  subject: (f) => `Invoice ${f.number} has been voided`,
  paragraphs: (f) =>
    composeSellerEmail(
      f,
      `Please don’t pay our invoice ${f.number} for ${formatMoney(f.total, f.currency)}: it has been voided.`,
      `Reason: ${f.reason}`,
    ),
  sample: { ...SAMPLE_INVOICE, reason: 'It was issued to the wrong company.' },
})

interface CreditFacts extends InvoiceMailFacts {
  /** Number of the credit note, amount credited in pence, and reason. */
  readonly credit: string
  readonly credited: number
  readonly reason: string
}

export const creditNoteEmail = defineEmail<CreditFacts>({
  name: 'credit-note',
  title: 'Credit note sent to a customer',
  subject: (f) => `Credit note ${f.credit} from ${sellerOf(f)}`,
  paragraphs: (f) =>
    composeSellerEmail(
      f,
      `We have credited ${formatMoney(f.credited, f.currency)} against our invoice ${f.number}: ${f.reason}`,
      f.amountDue !== 0 && `The amount still due on the invoice is ${formatMoney(f.amountDue, f.currency)}.`,
      `Credit note ${f.credit} is attached.`,
    ),
  sample: {
    ...SAMPLE_INVOICE,
    credit: 'CN-00003',
    credited: 2_000,
    amountDue: 10_000,
    reason: 'One day was not used.',
  },
})

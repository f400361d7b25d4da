import { type Currency, formatMoney } from '#kernel/money.ts'
import { ukDay } from '#kernel/time.ts'
import { type Supplier, supplierLines } from '../print/supplier.ts'
import type { Buyer } from './buyer.ts'

/** Facts used in e-mails about an invoice. */
export interface InvoiceFacts {
  readonly number: string
  readonly currency: Currency
  readonly total: number
  readonly amountDue: number
  readonly dueOn: string | null
  readonly supplier: Supplier | null
  readonly buyer: Buyer | null
  readonly provider: string
  /** Set if a card is charged automatically. */
  readonly charged?: { readonly card: string; readonly on: string } | undefined
}

interface Mail {
  readonly subject: string
  readonly body: string
}

/** Adds greeting and closing to an e-mail. */
export function composeInvoiceMail(
  { buyer, supplier, provider }: Pick<InvoiceFacts, 'buyer' | 'supplier' | 'provider'>,
  ...parts: readonly string[]
): string {
  const seller = [supplier?.name || provider, ...(supplier ? supplierLines(supplier) : [])]
  const hello = `Hello${buyer?.contactName ? ` ${buyer.contactName}` : ''},`
  return [hello, ...parts.filter(Boolean), ['Kind regards', '', ...seller].join('\n')].join('\n\n')
}

const sellerOf = ({ supplier, provider }: InvoiceFacts) => supplier?.name || provider

/** E-mail that an invoice is sent with. */
export const invoiceMail = (f: InvoiceFacts): Mail => ({
  subject: `Your invoice ${f.number} from ${sellerOf(f)}`,
  body: composeInvoiceMail(
    f,
    `Here is our invoice ${f.number} for ${formatMoney(f.total, f.currency)}. It is attached.`,
    f.amountDue === 0
      ? 'There is nothing to pay.'
      : f.charged
        ? `You don’t need to do anything: we will charge ${formatMoney(f.amountDue, f.currency)} to your card, ${f.charged.card}, on ${ukDay(f.charged.on)}.`
        : `${f.amountDue === f.total ? 'It' : `Of it, ${formatMoney(f.amountDue, f.currency)}`} is due${f.dueOn ? ` on ${ukDay(f.dueOn)}` : ''}. Please quote ${f.number} when you pay.`,
    'If you have a question, just reply to this e-mail or call us.',
  ),
})

export const proFormaMail = (f: InvoiceFacts): Mail => ({
  subject: `Your pro forma invoice from ${sellerOf(f)}`,
  body: composeInvoiceMail(
    f,
    `Here is a pro forma invoice for ${formatMoney(f.total, f.currency)}. It is attached.`,
    'This is not a VAT invoice. A VAT invoice will follow.',
  ),
})

export const invoiceVoidMail = (f: InvoiceFacts & { readonly reason: string }): Mail => ({
  subject: `Invoice ${f.number} has been voided`,
  body: composeInvoiceMail(
    f,
    `Please don’t pay our invoice ${f.number} for ${formatMoney(f.total, f.currency)}: it has been voided.`,
    `Reason: ${f.reason}`,
  ),
})

export const creditNoteMail = (
  f: InvoiceFacts & { readonly credit: string; readonly credited: number; readonly reason: string },
): Mail => ({
  subject: `Credit note ${f.credit} from ${sellerOf(f)}`,
  body: composeInvoiceMail(
    f,
    `We have credited ${formatMoney(f.credited, f.currency)} of our invoice ${f.number}: ${f.reason}`,
    f.amountDue ? `The amount still due on the invoice is ${formatMoney(f.amountDue, f.currency)}.` : '',
    `Credit note ${f.credit} is attached.`,
  ),
})

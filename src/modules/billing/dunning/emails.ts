import { formatMoney } from '#kernel/money.ts'
import { defineEmail, SECRET_LINK_PLACEHOLDER, type SystemEmail } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { composeSellerEmail, type InvoiceMailFacts, SAMPLE_INVOICE } from '../invoices/emails.ts'
import { directDebitGuarantee } from '../payments/names.ts'
import type { FinalDunningStep, ReminderWording } from './plan.ts'

interface DunningMailFacts {
  readonly invoice: InvoiceMailFacts
}

const owedWords = ({ amountDue, currency, number }: InvoiceMailFacts) =>
  `${formatMoney(amountDue, currency)} for our invoice ${number}`
const PAY = `Pay here by card. You don’t need a password:\n\n${SECRET_LINK_PLACEHOLDER}`
const ASK = 'If you have a question or have already paid, just reply to this e-mail or call us.'
const lapseWords = (on: string) =>
  `From ${formatIsoDateAsUk(on)} until this invoice is paid, you will be able to read and export your subscription’s data, but not change it.`

interface PaymentReminderFacts extends DunningMailFacts {
  /** The client's own wording of the step, which replaces the portal's. */
  readonly wording?: Pick<ReminderWording, 'subject' | 'message'> | undefined
  /** Sentence about interest, if the settings require it. */
  readonly interest?: string | undefined
  readonly dueOn: string
  readonly today: string
  /** First day on which the subscription's modules are read-only. */
  readonly lapsesOn: string | null
}

/** Values of the placeholders that a client's own wording may contain. */
const PLACEHOLDERS: Readonly<Record<string, (f: PaymentReminderFacts) => string>> = {
  invoice: ({ invoice }) => invoice.number,
  amount: ({ invoice }) => formatMoney(invoice.amountDue, invoice.currency),
  'due date': ({ dueOn }) => formatIsoDateAsUk(dueOn),
  'days overdue': ({ dueOn, today }) => String(Math.max(0, daysBetween(dueOn, today))),
  customer: ({ invoice }) => invoice.buyer?.name ?? '',
}
export const REMINDER_PLACEHOLDERS = Object.keys(PLACEHOLDERS).map((name) => `{${name}}`)

const daysBetween = (from: string, to: string) =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days

const PLACEHOLDER = /\{+([^{}]*)\}+/g
/** Returns the placeholders in a text that reminders don't support. */
export const findUnknownPlaceholders = (words: string): string[] =>
  [...words.matchAll(PLACEHOLDER)].map(([whole]) => whole).filter((whole) => !REMINDER_PLACEHOLDERS.includes(whole))

const fillIn = (words: string, facts: PaymentReminderFacts) =>
  words.replaceAll(PLACEHOLDER, (whole, name: string) => PLACEHOLDERS[name]?.(facts) ?? whole)

const paymentReminder: Pick<SystemEmail<PaymentReminderFacts>, 'confidential' | 'subject' | 'paragraphs'> = {
  confidential: true,
  subject: (f) => {
    const { invoice, dueOn, today, wording } = f
    if (wording) return fillIn(wording.subject, f)
    return dueOn < today
      ? `Overdue: invoice ${invoice.number}`
      : `Invoice ${invoice.number} is due ${dueOn === today ? 'today' : `on ${formatIsoDateAsUk(dueOn)}`}`
  },
  paragraphs: (f) => {
    const { invoice, dueOn, today, lapsesOn, wording, interest } = f
    const isLate = dueOn < today
    return composeSellerEmail(
      invoice,
      wording
        ? fillIn(wording.message, f)
        : isLate
          ? `${owedWords(invoice)} was due on ${formatIsoDateAsUk(dueOn)}, and we have not received it yet.`
          : `${owedWords(invoice)} is due ${dueOn === today ? 'today' : `on ${formatIsoDateAsUk(dueOn)}`}.`,
      isLate && (interest ?? null),
      PAY,
      isLate && lapsesOn !== null && lapseWords(lapsesOn),
      ASK,
    )
  },
}

export const invoiceDueEmail = defineEmail<PaymentReminderFacts>({
  ...paymentReminder,
  name: 'invoice-due',
  title: 'Payment reminder before the due date',
  sample: { invoice: SAMPLE_INVOICE, dueOn: '2026-03-15', today: '2026-03-12', lapsesOn: '2026-03-30' },
})

export const invoiceOverdueEmail = defineEmail<PaymentReminderFacts>({
  ...paymentReminder,
  name: 'invoice-overdue',
  title: 'Payment reminder on or after the due date',
  sample: { invoice: SAMPLE_INVOICE, dueOn: '2026-03-15', today: '2026-03-16', lapsesOn: '2026-03-30' },
})

interface CardDeclinedFacts extends DunningMailFacts {
  readonly card: string
  /** Bank account of a Direct Debit, such as `account ending 1234`; undefined for a card. */
  readonly account?: string | undefined
  /** Reason given by the bank. */
  readonly why: string
  readonly hard: boolean
  /** Date of the next attempt; there is none after a permanent decline. */
  readonly retryOn: string | null
  readonly lapsesOn: string | null
}

export const cardDeclinedEmail = defineEmail<CardDeclinedFacts>({
  name: 'payment-failed',
  title: 'Card or Direct Debit declined',
  confidential: true,
  subject: ({ invoice: { number } }) => `Your payment for invoice ${number} has failed`,
  paragraphs: ({ invoice, card, account, why, hard, retryOn, lapsesOn }) =>
    composeSellerEmail(
      invoice,
      account
        ? `We could not collect ${owedWords(invoice)} by Direct Debit from your ${account}. The bank says: ${why}`
        : `We could not charge ${owedWords(invoice)} to your card${card ? `, ${card}` : ''}. The bank says: ${why}`,
      retryOn
        ? `We will try again on ${formatIsoDateAsUk(retryOn)}. You can also pay now, with ${account ? 'a card' : 'this card or another'}.`
        : hard
          ? account
            ? 'We will not collect from this account again. Please pay another way.'
            : 'We will not charge this card again. Please pay with another card.'
          : 'We will not try again automatically.',
      PAY,
      lapsesOn && lapseWords(lapsesOn),
      ASK,
    ),
  sample: {
    invoice: SAMPLE_INVOICE,
    card: 'Visa ending 0341',
    why: 'Your card was declined.',
    hard: false,
    retryOn: '2026-03-18',
    lapsesOn: '2026-03-30',
  },
})

const ENDS: Readonly<Record<FinalDunningStep, string>> = {
  cancel: 'We are cancelling your subscription today. You can still read and export its data.',
  keep: 'You can still read and export your subscription’s data. Full access will return once this invoice is paid.',
  uncollectible:
    'You can still read and export your subscription’s data. Full access will return once this invoice is paid.',
}

export const dunningEndedEmail = defineEmail<DunningMailFacts & { readonly final: FinalDunningStep }>({
  name: 'invoice-unpaid',
  title: 'Last e-mail about an unpaid invoice',
  confidential: true,
  subject: ({ invoice: { number } }) => `Invoice ${number} has not been paid`,
  paragraphs: ({ invoice, final }) =>
    composeSellerEmail(
      invoice,
      `${owedWords(invoice)} is still unpaid${invoice.dueOn ? `; it was due on ${formatIsoDateAsUk(invoice.dueOn)}` : ''}.`,
      ENDS[final],
      // A written-off invoice can't be paid online, because its payment link is closed.
      final === 'uncollectible' ? 'To pay, please call us.' : PAY,
      ASK,
    ),
  sample: { invoice: SAMPLE_INVOICE, final: 'keep' },
})

interface PaymentFacts extends DunningMailFacts {
  /** Name of the card that was charged automatically, or empty. */
  readonly card: string
  /** Bank account of the Direct Debit, or undefined. */
  readonly account?: string | undefined
  /** True if the payment has restored access. */
  readonly opens: boolean
}

export const paymentConfirmationEmail = defineEmail<PaymentFacts>({
  name: 'payment-received',
  title: 'Payment received',
  confidential: true,
  subject: ({ invoice: { number } }) => `Invoice ${number} is paid. Thank you`,
  paragraphs: ({ invoice, card, account, opens }) =>
    composeSellerEmail(
      invoice,
      account
        ? `We have collected our invoice ${invoice.number} from your ${account} by Direct Debit.`
        : card
          ? `We have charged our invoice ${invoice.number} to your card, ${card}.`
          : `Thank you. Our invoice ${invoice.number} for ${formatMoney(invoice.total, invoice.currency)} has been paid.`,
      opens && 'You have full access to your subscription again.',
    ),
  sample: { invoice: SAMPLE_INVOICE, card: 'Visa ending 4242', opens: true },
})

interface DebitNoticeFacts extends DunningMailFacts {
  /** Bank account, such as `account ending 1234`. */
  readonly account: string
  readonly serviceName: string
  readonly reference: string
  readonly collectOn: string
}

const onStatement = (serviceName: string, reference: string) =>
  `It will appear on your bank statement as ${serviceName}${reference ? `, reference ${reference}` : ''}.`

/** Advance notice, as the Direct Debit scheme requires before each collection. */
export const debitNoticeEmail = defineEmail<DebitNoticeFacts>({
  name: 'debit-notice',
  title: 'Advance notice of a Direct Debit',
  confidential: true,
  subject: ({ invoice, collectOn }) =>
    `Direct Debit of ${formatMoney(invoice.amountDue, invoice.currency)} on ${formatIsoDateAsUk(collectOn)}`,
  paragraphs: ({ invoice, account, serviceName, reference, collectOn }) =>
    composeSellerEmail(
      invoice,
      `You don’t need to do anything: we will collect ${owedWords(invoice)} by Direct Debit from your ${account} on ${formatIsoDateAsUk(collectOn)} or shortly after.`,
      onStatement(serviceName, reference),
      'If this amount or date is wrong, please tell us before then. The Direct Debit Guarantee protects this payment.',
      `You can also pay earlier:\n\n${SECRET_LINK_PLACEHOLDER}`,
    ),
  sample: {
    invoice: SAMPLE_INVOICE,
    account: 'account ending 1234',
    serviceName: 'BRIGHT SAFETY LTD',
    reference: 'DD0000071',
    collectOn: '2026-03-16',
  },
})

interface MandateFacts extends Pick<InvoiceMailFacts, 'supplier' | 'buyer' | 'provider'> {
  readonly holder: string
  readonly account: string
  readonly serviceName: string
  readonly reference: string
  readonly noticeDays: number
}

export const mandateConfirmationEmail = defineEmail<MandateFacts>({
  name: 'mandate-signed',
  title: 'Direct Debit Instruction confirmed',
  subject: () => 'Your Direct Debit Instruction',
  paragraphs: ({ holder, account, serviceName, reference, noticeDays, ...seller }) =>
    composeSellerEmail(
      seller,
      `Thank you for setting up a Direct Debit. Please check these details: account holder ${holder}, ${account}${reference ? `, reference ${reference}` : ''}. If anything is wrong, please tell us at once.`,
      `We will collect what is due on our invoices from this account. Before each collection you get an e-mail with the amount and the date, at least ${noticeDays} working days in advance. ${onStatement(serviceName, '')}`,
      `The Direct Debit Guarantee`,
      ...directDebitGuarantee(serviceName, noticeDays),
    ),
  sample: {
    ...SAMPLE_INVOICE,
    holder: 'Acme Ltd',
    account: 'account ending 1234',
    serviceName: 'BRIGHT SAFETY LTD',
    reference: 'DD0000071',
    noticeDays: 10,
  },
})

interface CardExpiryFacts extends Pick<InvoiceMailFacts, 'supplier' | 'buyer' | 'provider'> {
  readonly card: string
  readonly on: string
}

export const cardExpiryEmail = defineEmail<CardExpiryFacts>({
  name: 'card-expires',
  title: 'Card for a subscription expires soon',
  subject: ({ on }) => `Your card expires on ${formatIsoDateAsUk(on)}`,
  paragraphs: ({ card, on, ...seller }) =>
    composeSellerEmail(
      seller,
      `We charge your subscription to your card, ${card}. This card expires on ${formatIsoDateAsUk(on)}.`,
      'Do you have a new card? Please call us or reply to this e-mail, and we will send you a link to the page where you can enter its details. Please don’t send us the card number.',
    ),
  sample: { ...SAMPLE_INVOICE, card: 'Visa ending 4242', on: '2026-03-31' },
})

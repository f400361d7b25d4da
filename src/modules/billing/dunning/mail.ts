import { formatMoney } from '#kernel/money.ts'
import { ukDay } from '#kernel/time.ts'
import { LINK_PLACEHOLDER } from '#modules/portal/mail/letter.ts'
import { composeInvoiceMail, type InvoiceFacts } from '../invoices/mail.ts'
import type { FinalStep } from './settings.ts'

interface Mail {
  readonly subject: string
  readonly body: string
}

const owedWords = ({ amountDue, currency, number }: InvoiceFacts) =>
  `${formatMoney(amountDue, currency)} of our invoice ${number}`
const PAY = `Pay here by card. You don’t need a password:\n\n${LINK_PLACEHOLDER}`
const ASK = 'If you have a question or have already paid, just reply to this e-mail or call us.'

/** Reminder before or after the due date. `lapsesOn`: first day on which the subscription's modules are read-only. */
export function paymentReminderMail(f: InvoiceFacts, { dueOn, today, lapsesOn }: ReminderTerms): Mail {
  const isLate = dueOn < today
  return {
    subject: isLate
      ? `Overdue: invoice ${f.number}`
      : `Invoice ${f.number} is due ${dueOn === today ? 'today' : `on ${ukDay(dueOn)}`}`,
    body: composeInvoiceMail(
      f,
      isLate
        ? `${owedWords(f)} was due on ${ukDay(dueOn)}, and we have not received it yet.`
        : `${owedWords(f)} is due ${dueOn === today ? 'today' : `on ${ukDay(dueOn)}`}.`,
      PAY,
      isLate && lapsesOn ? lapseWords(lapsesOn) : '',
      ASK,
    ),
  }
}

export interface ReminderTerms {
  readonly dueOn: string
  readonly today: string
  readonly lapsesOn: string | null
}

const lapseWords = (on: string) =>
  `From ${ukDay(on)} until it is paid, you can read and export the data of your subscription but not change it.`

/** Notice of a declined card. `retryOn`: date of the next attempt; none after a permanent decline. */
export const declinedMail = (f: InvoiceFacts, { card, why, hard, retryOn, lapsesOn }: DeclinedTerms): Mail => ({
  subject: `Your payment for invoice ${f.number} has failed`,
  body: composeInvoiceMail(
    f,
    `We could not charge ${owedWords(f)} to your card${card ? `, ${card}` : ''}. The bank says: ${why}`,
    retryOn
      ? `We will try again on ${ukDay(retryOn)}. You can also pay now, with this card or another.`
      : hard
        ? 'We will not charge this card again. Please pay with another one.'
        : 'We will not try again automatically.',
    PAY,
    lapsesOn ? lapseWords(lapsesOn) : '',
    ASK,
  ),
})

export interface DeclinedTerms {
  readonly card: string
  readonly why: string
  readonly hard: boolean
  readonly retryOn: string | null
  readonly lapsesOn: string | null
}

const ENDS: Readonly<Record<FinalStep, string>> = {
  cancel: 'Your subscription is cancelled today. You can still read and export its data.',
  keep: 'You can still read and export the data of your subscription. Full access returns once this is paid.',
  uncollectible: 'You can still read and export the data of your subscription. Full access returns once this is paid.',
}

/** Notice that reminders have stopped. */
export const dunningEndedMail = (f: InvoiceFacts, final: FinalStep): Mail => ({
  subject: `Invoice ${f.number} has not been paid`,
  body: composeInvoiceMail(
    f,
    `${owedWords(f)} is still unpaid${f.dueOn ? `; it was due on ${ukDay(f.dueOn)}` : ''}.`,
    ENDS[final],
    // The payment link of a written-off invoice is closed.
    final === 'uncollectible' ? 'To pay, please call us.' : PAY,
    ASK,
  ),
})

/** Confirmation of a payment. `card`: charged automatically. `opens`: access has been restored by it. */
export const collectedMail = (
  f: InvoiceFacts,
  { card, opens }: { readonly card: string; readonly opens: boolean },
): Mail => ({
  subject: `Invoice ${f.number} is paid. Thank you`,
  body: composeInvoiceMail(
    f,
    card
      ? `We have charged our invoice ${f.number} to your card, ${card}.`
      : `Thank you. Our invoice ${f.number} for ${formatMoney(f.total, f.currency)} has been paid.`,
    opens ? 'You have full access to your subscription again.' : '',
  ),
})

/** Notice that the card on record expires soon. */
export const cardExpiryMail = (
  f: Pick<InvoiceFacts, 'supplier' | 'buyer' | 'provider'>,
  { card, on }: { readonly card: string; readonly on: string },
): Mail => ({
  subject: `Your card expires on ${ukDay(on)}`,
  body: composeInvoiceMail(
    f,
    `We charge your subscription to your card, ${card}. It expires on ${ukDay(on)}.`,
    'Do you have a new card? Please call us or reply to this e-mail, and we will send you the page on which to enter it. Please don’t send us the card number.',
  ),
})

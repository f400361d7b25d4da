import { formatMoney } from '#kernel/money.ts'
import { ukDay } from '#kernel/time.ts'
import { LINK } from '#modules/portal/mail/letter.ts'
import { type InvoiceFacts, letterOf } from '../invoices/mail.ts'
import type { Final } from './settings.ts'

interface Mail {
  readonly subject: string
  readonly body: string
}

const owedWords = ({ amountDue, currency, number }: InvoiceFacts) =>
  `${formatMoney(amountDue, currency)} of our invoice ${number}`
const PAY = `Pay it here by card. You need no password:\n\n${LINK}`
const ASK = 'If you have a question, or have paid it already, just answer this e-mail or ring us.'

/** Reminder before or after the due date. `lapsesOn`: first day on which the subscription's modules are read-only. */
export function reminderMail(f: InvoiceFacts, { dueOn, today, lapsesOn }: Reminding): Mail {
  const isLate = dueOn < today
  return {
    subject: isLate
      ? `Overdue: invoice ${f.number}`
      : `Invoice ${f.number} is due ${dueOn === today ? 'today' : `on ${ukDay(dueOn)}`}`,
    body: letterOf(
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

export interface Reminding {
  readonly dueOn: string
  readonly today: string
  readonly lapsesOn: string | null
}

const lapseWords = (on: string) =>
  `From ${ukDay(on)}, what your subscription opens can be read and exported, and not changed, until it is paid.`

/** Notice of a declined card. `retryOn`: date of the next attempt; none after a permanent decline. */
export const declinedMail = (f: InvoiceFacts, { card, why, hard, retryOn, lapsesOn }: Declined): Mail => ({
  subject: `Your payment for invoice ${f.number} has failed`,
  body: letterOf(
    f,
    `We could not take ${owedWords(f)} from your card${card ? `, ${card}` : ''}. The bank says: ${why}`,
    retryOn
      ? `We try it again on ${ukDay(retryOn)}. You can pay it at once, with this card or another.`
      : hard
        ? 'We will not try this card again. Please pay with another one.'
        : 'We will not try it again by ourselves.',
    PAY,
    lapsesOn ? lapseWords(lapsesOn) : '',
    ASK,
  ),
})

export interface Declined {
  readonly card: string
  readonly why: string
  readonly hard: boolean
  readonly retryOn: string | null
  readonly lapsesOn: string | null
}

const ENDS: Readonly<Record<Final, string>> = {
  cancel: 'Your subscription is cancelled today. What it opened can still be read and exported.',
  keep: 'What your subscription opens can be read and exported. It opens again once this is paid.',
  uncollectible: 'What your subscription opens can be read and exported. It opens again once this is paid.',
}

/** Notice that reminders have stopped. */
export const endedMail = (f: InvoiceFacts, final: Final): Mail => ({
  subject: `Invoice ${f.number} has not been paid`,
  body: letterOf(
    f,
    `${owedWords(f)} is still not paid${f.dueOn ? `; it was due on ${ukDay(f.dueOn)}` : ''}.`,
    ENDS[final],
    // The payment link of a written-off invoice is closed.
    final === 'uncollectible' ? 'To pay it, please ring us.' : PAY,
    ASK,
  ),
})

/** Confirmation of a payment. `card`: charged automatically. `opens`: access has been restored by it. */
export const collectedMail = (
  f: InvoiceFacts,
  { card, opens }: { readonly card: string; readonly opens: boolean },
): Mail => ({
  subject: `Invoice ${f.number} is paid. Thank you`,
  body: letterOf(
    f,
    card
      ? `We have taken the payment for our invoice ${f.number} from your card, ${card}.`
      : `Thank you: our invoice ${f.number} for ${formatMoney(f.total, f.currency)} is paid.`,
    opens ? 'All that your subscription opens is open as before.' : '',
  ),
})

/** Notice that the card on record expires soon. */
export const expiryMail = (
  f: Pick<InvoiceFacts, 'supplier' | 'buyer' | 'provider'>,
  { card, on }: { readonly card: string; readonly on: string },
): Mail => ({
  subject: `Your card ends on ${ukDay(on)}`,
  body: letterOf(
    f,
    `We take the payments for your subscription from your card, ${card}. It can be charged until ${ukDay(on)}.`,
    'Have you been sent a new one? Please ring us or answer this e-mail, and we give you the page on which you enter it. Please don’t write us its number.',
  ),
})

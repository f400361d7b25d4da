import { formatUkDate, type Instant } from '#kernel/time.ts'

/** Quote states, in the order of their numbers in the API. */
export const QUOTE_STATES = ['draft', 'open', 'accepted', 'declined', 'expired', 'cancelled'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

/** Status of a sent quote, as its recipient sees it. */
export type QuoteAcceptanceState = Exclude<QuoteState, 'draft'> | 'replaced'

interface QuoteStanding {
  readonly state: QuoteState
  readonly replacedBy: unknown
  readonly expiresAt: string | null
}

/**
 * Returns the status for the recipient. A quote past its expiry date is treated as expired, even before the expiry job
 * has run. A draft is treated as cancelled, because it can't be accepted or declined.
 */
export function quoteAcceptanceState(
  { state, replacedBy, expiresAt }: QuoteStanding,
  now: Instant,
): QuoteAcceptanceState {
  if (replacedBy) return 'replaced'
  if (state === 'open') return expiresAt && isPast(expiresAt, now) ? 'expired' : 'open'
  return state === 'draft' ? 'cancelled' : state
}

const isPast = (at: string, now: Instant) => Temporal.Instant.compare(Temporal.Instant.from(at), now) <= 0

interface Decided {
  readonly decidedAt: string | null
  readonly decidedBy: string
  /** Member of staff who recorded the acceptance by telephone. */
  readonly takenBy?: string | null
  readonly expiresAt: string | null
}

/**
 * Returns a sentence that tells the customer why a quote can no longer be accepted or declined, or an empty string if
 * it still can.
 */
export function describeClosedQuote(
  state: QuoteAcceptanceState,
  { decidedAt, decidedBy, takenBy, expiresAt }: Decided,
): string {
  const on = decidedAt ? ` on ${dayOf(decidedAt)}` : ''
  switch (state) {
    case 'open':
      return ''
    case 'accepted':
      return takenBy
        ? `${decidedBy} accepted this quote by telephone${on}.`
        : `${decidedBy} accepted and signed this quote${on}.`
    case 'declined':
      return `This quote was declined${on}. If you have changed your mind, please ask us for a new quote.`
    case 'expired':
      return `This quote was valid until${expiresAt ? ` ${dayOf(expiresAt)}` : ''} and can’t be accepted any more. Please ask us for a new one.`
    case 'replaced':
      return 'This quote has been replaced by a newer version. Please open our latest e-mail, or ask us to send it again.'
    case 'cancelled':
      return 'This quote has been withdrawn. If you didn’t expect this, please contact us.'
  }
}

const dayOf = (at: string) => formatUkDate(Temporal.Instant.from(at))

import { type Instant, ukDate } from '#kernel/time.ts'

/** The states of a quote, by the numbers that clients of the API know. */
export const STATES = ['draft', 'open', 'accepted', 'declined', 'expired', 'cancelled'] as const
export type QuoteState = (typeof STATES)[number]

/** How a quote stands to whoever was sent it. */
export type AcceptanceState = Exclude<QuoteState, 'draft'> | 'replaced'

/** What a quote's standing depends on. */
interface Standing {
  readonly state: QuoteState
  readonly replacedBy: unknown
  readonly expiresAt: string | null
}

/** Expired is what is past its day, whether or not anybody has written it down yet. A draft is nobody's to decide. */
export function stateOf({ state, replacedBy, expiresAt }: Standing, now: Instant): AcceptanceState {
  if (replacedBy) return 'replaced'
  if (state === 'open') return expiresAt && isPast(expiresAt, now) ? 'expired' : 'open'
  return state === 'draft' ? 'cancelled' : state
}

const isPast = (at: string, now: Instant) => Temporal.Instant.compare(Temporal.Instant.from(at), now) <= 0

interface Decided {
  readonly decidedAt: string | null
  readonly decidedBy: string
  /** Who took it, by telephone. */
  readonly takenBy?: string | null
  readonly expiresAt: string | null
}

/** What has become of a quote that can't be decided any more, to its customer; nothing for one that can. */
export function closedSentence(state: AcceptanceState, { decidedAt, decidedBy, takenBy, expiresAt }: Decided): string {
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
      return `This quote was valid until${expiresAt ? ` ${dayOf(expiresAt)}` : ''} and can't be accepted any more. Please ask us for a new one.`
    case 'replaced':
      return 'A newer version has replaced this quote. Please open the newest e-mail from us, or ask us to send it again.'
    case 'cancelled':
      return 'This quote has been withdrawn. Please ask us if you expected otherwise.'
  }
}

const dayOf = (at: string) => ukDate(Temporal.Instant.from(at))

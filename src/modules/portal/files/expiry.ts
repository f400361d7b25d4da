import { ukDay } from '#kernel/time.ts'

/** Days in advance for the reminder: the default and the maximum. */
export const USUAL_NOTICE = 30
export const LONGEST_NOTICE = 365

interface Expiring {
  readonly expires: string | null
  readonly remindDays: number | null
}

/** Expiry status of a file. It is valid through its expiry date. */
export type Expiry =
  | { readonly stands: 'never' }
  | { readonly stands: 'holds' | 'soon' | 'expired'; readonly days: number; readonly words: string }

/** Expiry status of a file on a day; `soon` from the day of the reminder. */
export function expiryOf({ expires, remindDays }: Expiring, today: string): Expiry {
  if (!expires) return { stands: 'never' }
  const days = Temporal.PlainDate.from(today).until(Temporal.PlainDate.from(expires)).days
  if (days < 0) return { stands: 'expired', days, words: 'Expired' }
  const on = ukDay(expires)
  if (days > (remindDays ?? USUAL_NOTICE)) return { stands: 'holds', days, words: `Expires ${on}` }
  return {
    stands: 'soon',
    days,
    words: days === 0 ? 'Expires today' : days === 1 ? 'Expires tomorrow' : `Expires in ${days} days`,
  }
}

import { ukDay } from '#kernel/time.ts'

/** Days before a file expires at which its keeper is told, unless somebody says otherwise; and the most. */
export const USUAL_NOTICE = 30
export const LONGEST_NOTICE = 365

interface Expiring {
  readonly expires: string | null
  readonly remindDays: number | null
}

/** Where a file stands with the day on which it expires: that is the last on which it holds. */
export type Expiry =
  | { readonly stands: 'never' }
  | { readonly stands: 'holds' | 'soon' | 'expired'; readonly days: number; readonly words: string }

/** How near its end a file is on a day; `soon` from when its keeper is told. */
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

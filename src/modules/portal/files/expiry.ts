import { ukDay } from '#kernel/time.ts'

/** Days in advance for the reminder: the default and the maximum. */
export const DEFAULT_REMINDER_DAYS = 30
export const MAX_REMINDER_DAYS = 365

interface Expiring {
  readonly expires: string | null
  readonly remindDays: number | null
}

/** Expiry status of a file. It is valid through its expiry date. */
export type FileExpiry =
  | { readonly stands: 'never' }
  | { readonly stands: 'holds' | 'soon' | 'expired'; readonly days: number; readonly words: string }

/** Expiry status of a file on a day; `soon` from the day of the reminder. */
export function fileExpiry({ expires, remindDays }: Expiring, today: string): FileExpiry {
  if (!expires) return { stands: 'never' }
  const days = Temporal.PlainDate.from(today).until(Temporal.PlainDate.from(expires)).days
  if (days < 0) return { stands: 'expired', days, words: 'Expired' }
  const on = ukDay(expires)
  if (days > (remindDays ?? DEFAULT_REMINDER_DAYS)) return { stands: 'holds', days, words: `Expires ${on}` }
  return {
    stands: 'soon',
    days,
    words: days === 0 ? 'Expires today' : days === 1 ? 'Expires tomorrow' : `Expires in ${days} days`,
  }
}

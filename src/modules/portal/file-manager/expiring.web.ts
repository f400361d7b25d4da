import type { Params } from '#web/api/client.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { USUAL_NOTICE } from '../files/expiry.ts'

/** What the files can be narrowed to by the day on which they expire. */
export const EXPIRING = [
  { value: '', label: 'Whenever they expire' },
  { value: 'soon', label: `Expire within ${USUAL_NOTICE} days` },
  { value: 'expired', label: 'Expired' },
] as const

export const expiringParams = (chosen: string): Params =>
  chosen === 'expired'
    ? { 'expires[strictly_before]': londonToday() }
    : chosen === 'soon'
      ? {
          'expires[after]': londonToday(),
          'expires[before]': Temporal.PlainDate.from(londonToday()).add({ days: USUAL_NOTICE }).toString(),
        }
      : {}

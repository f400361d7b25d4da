import { formatUkDate, formatUkDateTime, fromUnixSeconds, type Instant, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { ukNationForPostcode } from '#kernel/working-days.ts'
import type { LeadRecord } from '../contacts/data.web.ts'
import { decideOutcome, type OutcomeRule, proposeOutcomeDate } from '../outcomes/decide.ts'
import { trayLabel } from '../staff/trays.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const weekday = (at: Instant) => WEEKDAYS[at.toZonedDateTimeISO(LONDON_TIME_ZONE).dayOfWeek - 1]

/** Formats a date, such as `Mon 05/10/2026`. */
const dayOf = (at: Instant): string => `${weekday(at)} ${formatUkDate(at)}`

/** Formats a date and time, such as `Mon 05/10/2026 10:00`. */
export const formatCallbackTime = (at: Instant): string => `${weekday(at)} ${formatUkDateTime(at)}`

/**
 * Returns text for an outcome's key: the date that the outcome will set, or its other effect on the lead. The server
 * calculates both with the same functions.
 */
export function formatOutcomeDate(
  outcome: OutcomeRule,
  now: Instant,
  lead: Pick<LeadRecord, 'callbackDate' | 'postcode'>,
): string {
  const nation = ukNationForPostcode(lead.postcode)
  const date = proposeOutcomeDate(outcome, now, nation)
  if (date) return `${dayOf(date.at)}${date.afterHoliday ? ', after the bank holiday' : ''}${outcome.asks ? ' …' : ''}`
  const d = decideOutcome(outcome, now, undefined, nation)
  if (outcome.owner === 'tray' && outcome.tray) return `moves to ${trayLabel(outcome.tray)}`
  if (d.callbackDate === null) return 'no date'
  return lead.callbackDate ? `stays ${formatUkDate(fromUnixSeconds(lead.callbackDate))}` : 'no change'
}

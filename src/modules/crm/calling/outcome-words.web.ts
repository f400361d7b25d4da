import { fromUnix, type Instant, LONDON, ukDate, ukDateTime } from '#kernel/time.ts'
import { nationOfPostcode } from '#kernel/working-days.ts'
import type { LeadRecord } from '../contacts/data.web.ts'
import { decideOutcome, type OutcomeRule, outcomeDate } from '../outcomes/decide.ts'
import { trayLabel } from '../staff/trays.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

const weekday = (at: Instant) => WEEKDAYS[at.toZonedDateTimeISO(LONDON).dayOfWeek - 1]

/** `Mon 05/10/2026` */
const dayOf = (at: Instant): string => `${weekday(at)} ${ukDate(at)}`

/** `Mon 05/10/2026 10:00` */
export const formatCallbackTime = (at: Instant): string => `${weekday(at)} ${ukDateTime(at)}`

/** The date that an outcome will set, as calculated by the server; shown on its key. */
export function outcomeDateText(
  outcome: OutcomeRule,
  now: Instant,
  lead: Pick<LeadRecord, 'callbackDate' | 'postcode'>,
): string {
  const nation = nationOfPostcode(lead.postcode)
  const date = outcomeDate(outcome, now, nation)
  if (date) return `${dayOf(date.at)}${date.afterHoliday ? ', after the bank holiday' : ''}${outcome.asks ? ' …' : ''}`
  const d = decideOutcome(outcome, now, undefined, nation)
  if (outcome.owner === 'tray' && outcome.tray) return `to the tray “${trayLabel(outcome.tray)}”`
  if (d.callbackDate === null) return 'no date'
  return lead.callbackDate ? `stays ${ukDate(fromUnix(lead.callbackDate))}` : 'no change'
}

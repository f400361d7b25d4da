import { fromUnix, type Instant, LONDON, ukDate, ukDateTime } from '#kernel/time.ts'
import { nationOf } from '#kernel/working-days.ts'
import type { Lead } from '../contacts/data.web.ts'
import { dateOf, decide, type Rule } from '../outcomes/decide.ts'
import { trayWords } from '../staff/trays.ts'

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const weekday = (at: Instant) => WEEKDAYS[at.toZonedDateTimeISO(LONDON).dayOfWeek - 1]

/** `Mon 05/10/2026` */
const dayOf = (at: Instant): string => `${weekday(at)} ${ukDate(at)}`
/** `Mon 05/10/2026 10:00` */
export const momentOf = (at: Instant): string => `${weekday(at)} ${ukDateTime(at)}`

/** The date that an outcome will set, as the server calculates it; shown on its key. */
export function dateWords(outcome: Rule, now: Instant, lead: Pick<Lead, 'callbackDate' | 'postcode'>): string {
  const nation = nationOf(lead.postcode)
  const date = dateOf(outcome, now, nation)
  if (date) return `${dayOf(date.at)}${date.afterHoliday ? ', after the bank holiday' : ''}${outcome.asks ? ' …' : ''}`
  const d = decide(outcome, now, undefined, nation)
  if (outcome.owner === 'tray' && outcome.tray) return `to the tray “${trayWords(outcome.tray)}”`
  if (d.callbackDate === null) return 'no date'
  return lead.callbackDate ? `stays ${ukDate(fromUnix(lead.callbackDate))}` : 'no change'
}

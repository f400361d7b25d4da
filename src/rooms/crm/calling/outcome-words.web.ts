import { fromUnix, type Instant, LONDON, ukDate, ukDateTime } from '#kernel/time.ts'
import type { Lead } from '../contacts/data.web.ts'
import { decide, type Outcome } from '../contacts/outcomes.ts'

const TRAYS: Readonly<Record<string, string>> = {
  after5: 'After 5',
  dead: 'Dead',
  duplicates: 'Duplicates',
  baddetails: 'Bad details',
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const weekday = (at: Instant) => WEEKDAYS[at.toZonedDateTimeISO(LONDON).dayOfWeek - 1]

/** `Mon 05/10/2026` */
const dayOf = (at: Instant): string => `${weekday(at)} ${ukDate(at)}`
/** `Mon 05/10/2026 10:00` */
export const momentOf = (at: Instant): string => `${weekday(at)} ${ukDateTime(at)}`

/** The date that an outcome sets, as the server will: beside its key, before it is chosen. */
export function dateWords(outcome: Outcome, now: Instant, lead: Pick<Lead, 'callbackDate'>): string {
  const d = decide(outcome, now)
  const at = d.callbackDate ?? d.expiry
  if (at) return `${dayOf(fromUnix(at))}${outcome.asks ? ' …' : ''}`
  if (d.tray) return `to the tray “${TRAYS[d.tray] ?? d.tray}”`
  return lead.callbackDate ? `stays ${ukDate(fromUnix(lead.callbackDate))}` : 'no change'
}

import { formatUkDate, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { formatRelativeTime } from '#web/dates/relative-time.ts'
import { parseInstant } from '#web/dates/temporal.ts'
import { numberToDial } from '#web/ui/phone.ts'
import type { LeadRecord, TimelineNote } from '../contacts/data.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'

/** Returns one line that says why the lead is due. Lateness is worded as in the list. */
export function describeDueReason(
  lead: Pick<LeadRecord, 'callbackDate' | 'expiry' | 'lastResult' | 'wonAt'>,
  now: Temporal.Instant,
): string {
  if (lead.wonAt) return `Customer since ${formatUkDate(parseInstant(lead.wonAt))}, so no longer in the call queue.`
  if (lead.callbackDate !== null) {
    const { text, late } = formatRelativeTime(parseInstant(lead.callbackDate), now, true)
    if (text === 'now') return 'Callback due now.'
    return late ? `Callback, ${text}.` : `Next callback ${text}.`
  }
  if (lead.expiry !== null && lead.expiry * 1000 > now.epochMilliseconds)
    return `Not due until ${formatUkDate(parseInstant(lead.expiry))}.`
  return lead.lastResult ? 'Due for another call.' : 'New lead, not called yet.'
}

/** Returns text with the number of calls so far, counted from the notes; empty until the notes have loaded. */
export function describeCallAttempts(
  { lastResult }: Pick<LeadRecord, 'lastResult'>,
  notes: readonly TimelineNote[] | undefined,
  outcomes: ReadonlyMap<number, Pick<OutcomeRecord, 'call'>>,
): string {
  if (!notes || !outcomes.size) return ''
  const calls = notes
    .filter((n) => n.lastResult !== null && outcomes.get(n.lastResult.id)?.call)
    .toSorted((a, b) => b.id - a.id)
  // Imported leads may have a result without recorded calls.
  if (!calls[0]) return lastResult ? '' : 'Not called yet'
  const times =
    calls.length === 1 ? 'Called once' : calls.length === 2 ? 'Called twice' : `Called ${calls.length} times`
  return calls[0].timestamp ? `${times}, last on ${formatUkDate(Temporal.Instant.from(calls[0].timestamp))}` : times
}

/** Dialling codes of countries with a single time zone, and their time zones. */
const ZONES: readonly (readonly [string, string])[] = [
  ['+44', LONDON_TIME_ZONE],
  ['0', LONDON_TIME_ZONE],
  ['+353', 'Europe/Dublin'],
  ['+33', 'Europe/Paris'],
  ['+49', 'Europe/Berlin'],
  ['+31', 'Europe/Amsterdam'],
  ['+32', 'Europe/Brussels'],
  ['+39', 'Europe/Rome'],
  ['+48', 'Europe/Warsaw'],
]

/** Returns the time zone that the dialling code of a number belongs to; `undefined` if it is unknown. */
export function timeZoneForPhoneNumber(number: string): string | undefined {
  const dialled = numberToDial(number) ?? ''
  return ZONES.find(([begin]) => dialled.startsWith(begin))?.[1]
}

/** Formats the time of day in a time zone, such as `14:32`. */
export const formatTimeInZone = (at: Temporal.Instant, zone: string): string =>
  at.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' })

import { LONDON, ukDate } from '#kernel/time.ts'
import { relative } from '#web/dates/relative-time.ts'
import { readInstant } from '#web/dates/temporal.ts'
import { numberToDial } from '#web/ui/phone.ts'
import type { Lead, Note } from '../contacts/data.web.ts'
import type { Outcome } from '../outcomes/data.web.ts'

/** Whose turn it is, in a line: lateness in the words of the list. */
export function whyNow(
  lead: Pick<Lead, 'callbackDate' | 'expiry' | 'lastResult' | 'wonAt'>,
  now: Temporal.Instant,
): string {
  if (lead.wonAt) return `A customer, signed on ${ukDate(readInstant(lead.wonAt))}: out of the calling queue.`
  if (lead.callbackDate !== null) {
    const { text, late } = relative(readInstant(lead.callbackDate), now, true)
    return late ? `A callback, ${text}.` : `A callback is agreed for ${text === 'now' ? 'now' : `${text}`}.`
  }
  if (lead.expiry !== null && lead.expiry * 1000 > now.epochMilliseconds)
    return `Resting until ${ukDate(readInstant(lead.expiry))}.`
  return lead.lastResult ? 'Its time has come round again.' : 'A new lead: nobody has rung yet.'
}

/** How often they have been rung, as far as the notes tell; empty until they are there. */
export function attemptsWords(
  { lastResult }: Pick<Lead, 'lastResult'>,
  notes: readonly Note[] | undefined,
  outcomes: ReadonlyMap<number, Pick<Outcome, 'call'>>,
): string {
  if (!notes || !outcomes.size) return ''
  const calls = notes
    .filter((n) => n.lastResult !== null && outcomes.get(n.lastResult.id)?.call)
    .toSorted((a, b) => b.id - a.id)
  // An import may bring a result whose calls nobody has noted here.
  if (!calls[0]) return lastResult ? '' : 'Not rung yet'
  const times = calls.length === 1 ? 'Rung once' : calls.length === 2 ? 'Rung twice' : `Rung ${calls.length} times`
  return calls[0].timestamp ? `${times}, last on ${ukDate(Temporal.Instant.from(calls[0].timestamp))}` : times
}

/** Countries with one time for all, by what their numbers begin with. */
const ZONES: readonly (readonly [string, string])[] = [
  ['+44', LONDON],
  ['0', LONDON],
  ['+353', 'Europe/Dublin'],
  ['+33', 'Europe/Paris'],
  ['+49', 'Europe/Berlin'],
  ['+31', 'Europe/Amsterdam'],
  ['+32', 'Europe/Brussels'],
  ['+39', 'Europe/Rome'],
  ['+48', 'Europe/Warsaw'],
]

/** Where a number rings, as far as its beginning tells. */
export function zoneOf(number: string): string | undefined {
  const dialled = numberToDial(number) ?? ''
  return ZONES.find(([begin]) => dialled.startsWith(begin))?.[1]
}

/** `14:32` in a time zone. */
export const ukTime = (at: Temporal.Instant, zone: string): string =>
  at.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' })

import { addDays } from '#kernel/time.ts'
import type { RequestPart } from '../leave-rules/request-part.ts'

/** Octets of a line, after which RFC 5545 requires a fold. */
const MAX_LINE_OCTETS = 75

/** An entry of a calendar feed. */
export interface FeedEvent extends RequestPart {
  readonly id: string
  readonly title: string
  readonly isTentative: boolean
}

const escapeText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(';', '\\;').replaceAll(',', '\\,').replaceAll(/\r?\n/g, '\\n')

const compact = (iso: string): string => iso.replaceAll(/[-:]/g, '')

/** Folds a line between characters, so that no line is longer than RFC 5545 allows. */
function foldLine(line: string): string {
  const lines: string[] = ['']
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_LINE_OCTETS) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += character
    octets += size
  }
  return lines.join('\r\n')
}

/** Times are local ones of the reader's calendar, as the working day is. Half a day starts or ends at noon. */
function timesOf({ firstDay, lastDay, portion, from, until }: RequestPart): readonly string[] {
  if (portion === 'day')
    return [`DTSTART;VALUE=DATE:${compact(firstDay)}`, `DTEND;VALUE=DATE:${compact(addDays(lastDay, 1))}`]
  const start = portion === 'hours' ? from : portion === 'morning' ? '00:00' : '12:00'
  const end = portion === 'hours' ? until : portion === 'morning' ? '12:00' : '00:00'
  const endDay = (end ?? '') > (start ?? '') ? firstDay : addDays(firstDay, 1)
  const at = (day: string, time: string | null) => `${compact(day)}T${compact(time ?? '00:00')}00`
  return [`DTSTART;TZID=Europe/London:${at(firstDay, start)}`, `DTEND;TZID=Europe/London:${at(endDay, end)}`]
}

/** Returns a calendar in the format of RFC 5545. */
export function formatCalendar(events: readonly FeedEvent[], stampedAt: Temporal.Instant): string {
  const stamp = `${compact(stampedAt.toString({ smallestUnit: 'second' }).replace('Z', ''))}Z`
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Stanchion//Leave//EN',
    'X-WR-CALNAME:Leave',
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${event.id}`,
      `DTSTAMP:${stamp}`,
      ...timesOf(event),
      `SUMMARY:${escapeText(event.title)}`,
      `STATUS:${event.isTentative ? 'TENTATIVE' : 'CONFIRMED'}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}

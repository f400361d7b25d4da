import { formatUkDateTime } from '#kernel/time.ts'

/** What a calendar e-mail (RFC 5546) says about an appointment. */
export interface CalendarAnswer {
  readonly answer: 'accepted' | 'declined' | 'tentative' | 'proposed' | 'invited' | 'cancelled'
  readonly summary: string
  readonly comment: string
  /**
   * Time of the appointment or, if another one is proposed, the proposed time: an instant in ISO 8601 format, a date, or
   * a local time in an unknown time zone as written.
   */
  readonly start: string
}

/** Windows names of the time zones that Outlook writes, with their IANA names. */
const WINDOWS_ZONES: Readonly<Record<string, string>> = {
  'GMT Standard Time': 'Europe/London',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'W. Europe Standard Time': 'Europe/Berlin',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'Romance Standard Time': 'Europe/Paris',
  'Eastern Standard Time': 'America/New_York',
  UTC: 'UTC',
}
const MAX_CALENDAR_LENGTH = 200_000
const MAX_WORDS = 300

interface Property {
  readonly name: string
  readonly params: string
  readonly value: string
}

/** Parses the lines of a calendar (RFC 5545, section 3.1). */
const propertiesOf = (text: string): Property[] =>
  text
    .slice(0, MAX_CALENDAR_LENGTH)
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]/g, '')
    .split('\n')
    .flatMap((line) => {
      const colon = /^(?:[^":]|"[^"]*")*:/.exec(line)?.[0].length ?? 0
      if (!colon) return []
      const head = line.slice(0, colon - 1)
      const name = head.split(';', 1)[0] ?? ''
      return [{ name: name.toUpperCase(), params: head.slice(name.length), value: line.slice(colon) }]
    })

const unescapeText = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, c: string) => (/n/i.test(c) ? ' ' : c)).slice(0, MAX_WORDS)

/** Parses a calendar. Returns `undefined` if it contains no appointment, or is only published. */
export function parseCalendar(text: string, methodInHeader = ''): CalendarAnswer | undefined {
  const all = propertiesOf(text)
  const first = all.findIndex(({ name, value }) => name === 'BEGIN' && /^(vevent|vtodo)$/i.test(value.trim()))
  if (first < 0) return undefined
  const last = all.findIndex(
    ({ name, value }, n) => n > first && name === 'END' && /^(vevent|vtodo)$/i.test(value.trim()),
  )
  const event = all.slice(first + 1, last < 0 ? undefined : last)
  const one = (name: string) => event.find((property) => property.name === name)
  const method = (all.find(({ name }) => name === 'METHOD')?.value || methodInHeader).trim().toUpperCase()
  const answers = event.flatMap(({ name, params }) =>
    name === 'ATTENDEE' ? (/PARTSTAT="?([A-Z-]+)/i.exec(params)?.[1]?.toUpperCase() ?? []) : [],
  )
  const answer = answerOf(method, answers)
  return (
    answer && {
      answer,
      summary: unescapeText(one('SUMMARY')?.value ?? ''),
      comment: unescapeText(one('COMMENT')?.value ?? ''),
      start: startOf(one('DTSTART')),
    }
  )
}

function answerOf(method: string, given: readonly string[]): CalendarAnswer['answer'] | undefined {
  if (method === 'COUNTER') return 'proposed'
  if (method === 'REQUEST') return 'invited'
  if (method === 'CANCEL') return 'cancelled'
  if (method !== 'REPLY') return undefined
  if (given.includes('ACCEPTED')) return 'accepted'
  if (given.includes('DECLINED')) return 'declined'
  return given.includes('TENTATIVE') ? 'tentative' : undefined
}

/** Converts a DTSTART to an instant if its time zone is known. */
function startOf(property: Property | undefined): string {
  const [, year, month, day, hour, minute, zulu] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z)?)?$/.exec(property?.value.trim() ?? '') ?? []
  if (!year) return ''
  const date = `${year}-${month}-${day}`
  const named = /TZID="?([^";:]+)/i.exec(property?.params ?? '')?.[1] ?? 'Europe/London'
  const zone = zulu ? 'UTC' : (WINDOWS_ZONES[named] ?? named)
  try {
    if (!hour) return Temporal.PlainDate.from(date).toString()
    return Temporal.ZonedDateTime.from(`${date}T${hour}:${minute}[${zone}]`).toInstant().toString()
  } catch {
    return hour ? `${day}.${month}.${year} ${hour}:${minute} (${named.slice(0, 60)})` : ''
  }
}

const WORDS: Readonly<Record<CalendarAnswer['answer'], string>> = {
  accepted: 'accepted the appointment',
  declined: 'declined the appointment',
  tentative: 'tentatively accepted the appointment',
  proposed: 'proposed another time for the appointment',
  invited: 'sent an invitation to an appointment',
  cancelled: 'cancelled the appointment',
}

/** Describes a time in a calendar for a sentence. */
export const describeStart = (start: string): string =>
  /Z$/.test(start)
    ? formatUkDateTime(Temporal.Instant.from(start))
    : start.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')

/** Describes a calendar answer: "accepted the appointment “Your visit”, 02/12/2026 10:00". `what` replaces the word. */
export function describeCalendarAnswer(
  { answer, summary, comment, start }: CalendarAnswer,
  what = 'appointment',
): string {
  const when = start ? `${answer === 'proposed' ? ': ' : ', '}${describeStart(start)}` : ''
  const words = WORDS[answer].replace('appointment', what)
  return `${words}${summary ? ` “${summary}”` : ''}${when}${comment ? `. Comment: ${comment}` : ''}`
}

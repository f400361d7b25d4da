import { formatUkDateTime } from '#kernel/time.ts'
import { foldEmail } from '#kernel/validate.ts'

/** Maximum length of the text and of the quoted text, in characters. Longer text is also stored as a file. */
export const MAX_TEXT_CHARACTERS = 20_000

/** Kinds of received e-mails, by their headers. Only a reply (`answer`) was written by a person. */
export const RECEIVED_KINDS = [
  { value: 'answer', label: 'Reply' },
  { value: 'automatic', label: 'Automatic reply' },
  { value: 'calendar', label: 'Calendar reply' },
  { value: 'failed', label: 'Returned' },
  { value: 'delayed', label: 'Delayed, still trying' },
  { value: 'delivered', label: 'Delivery confirmed' },
  { value: 'relayed', label: 'Passed on without confirmation' },
  { value: 'expanded', label: 'Passed on to a list' },
  { value: 'displayed', label: 'Read receipt: displayed' },
  { value: 'deleted', label: 'Read receipt: deleted unread' },
] as const

export type ReceivedKind = (typeof RECEIVED_KINDS)[number]['value']

/** Returns the words for the kind of a received e-mail, such as "Automatic reply". */
export const receivedKindLabel = (kind: string | null | undefined): string | undefined =>
  RECEIVED_KINDS.find(({ value }) => value === kind)?.label

/** Details of a received e-mail that screens show in addition to its text. */
export interface ReceivedMailSummary {
  /** API URL of the e-mail. */
  readonly '@id': string
  readonly kind: ReceivedKind
  /** True if the e-mail has quoted text or a signature, in its field `quoted`. */
  readonly quoted: boolean
  readonly files: readonly {
    readonly id: number
    readonly name: string
    readonly size: number
    readonly type: string
    readonly url: string
    /** Null unless the file is a picture. */
    readonly thumbnailUrl: string | null
  }[]
  /** Attached files that were not stored, with the reason as a sentence. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[]
  /** Number of small pictures within the text that are not stored, such as a logo. */
  readonly inlinePictures: number
  /** Sentences about what could not be read or was not checked. */
  readonly remarks: readonly string[]
}

/** Report about one recipient in a delivery status notification (RFC 3464). */
export interface DeliveryReport {
  readonly recipients: readonly string[]
  readonly action: DeliveryAction
  /** Enhanced status code (RFC 3463), for example `5.1.1`. */
  readonly status: string
  /** The mail server's own words or, if there are none, the status. */
  readonly reason: string
}

/** Actions, best first. */
const ACTIONS = ['delivered', 'relayed', 'expanded', 'delayed', 'failed'] as const
type DeliveryAction = (typeof ACTIONS)[number]

/** Header lookup; returns an empty string if there is no such header. */
type Header = (name: string) => string

/** Parses groups of header-like fields (RFC 3464, section 2.1), separated by empty lines. */
const fieldGroups = (text: string): ReadonlyMap<string, string>[] =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map((group) => {
      const fields = new Map<string, string>()
      for (const line of group.split('\n')) {
        const colon = line.indexOf(':')
        const name = line.slice(0, colon).trim().toLowerCase()
        if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
      }
      return fields
    })

/** Removes the type from a field such as `rfc822; ann@acme.example`. */
const withoutType = (value = ''): string => value.replace(/^[\w-]+\s*;\s*/, '').trim()

const MAX_REPORTS = 100
const MAX_REASON_LENGTH = 1000

/** Parses the text of a delivery status notification. */
export const parseDeliveryReports = (text: string): DeliveryReport[] =>
  fieldGroups(text)
    .flatMap((fields) => {
      const action = ACTIONS.find((one) => one === /^[a-z]+/.exec(fields.get('action')?.toLowerCase() ?? '')?.[0])
      if (!action) return []
      const diagnosis = withoutType(fields.get('diagnostic-code')).slice(0, MAX_REASON_LENGTH)
      const given = /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? ''
      const status = given || (/\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(diagnosis)?.[0] ?? '')
      const recipients = ['final-recipient', 'original-recipient'].map((name) =>
        withoutType(fields.get(name)).replace(/^<|>$/g, ''),
      )
      return [{ recipients: recipients.filter(Boolean), action, status, reason: diagnosis || status }]
    })
    .slice(0, MAX_REPORTS)

const rankOf = ({ action }: DeliveryReport) => ACTIONS.indexOf(action)

/** Returns the best report in an e-mail, about any recipient. */
export const bestReport = (reports: readonly DeliveryReport[]): DeliveryReport | undefined =>
  reports.toSorted((a, b) => rankOf(a) - rankOf(b))[0]

/**
 * Returns the report that determines the status of an e-mail to this recipient: the worst of the reports about the
 * recipient. Reports about others, such as members of a list, are ignored.
 */
export const decisiveReport = (reports: readonly DeliveryReport[], recipient: string): DeliveryReport | undefined =>
  reports
    .filter(({ recipients }) => recipients.some((one) => foldEmail(one) === foldEmail(recipient)))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .at(-1)

/** Words with which mail servers state that a mailbox does not exist. */
const UNKNOWN_RECIPIENT =
  /\b(?:user|recipient|mailbox|address|account|addressee|person|alias)s?\b[^.;]{0,60}?\b(?:unknown|not found|not exist|doesn['’]?t exist|no longer|not valid|invalid|disabled|inactive|deactivated|suspended)\b|\baccess denied\b|\b(?:unknown|invalid|no such|non-?existent|bad destination) (?:or \w+ )?(?:local )?(?:user|recipient|mailbox|address|account|person|addressee)|\bno mailbox\b|\bnot our customer\b|\brecipient (?:address )?(?:rejected|not found)|\b550\b.{0,60}mailbox unavailable|\bdomain\b[^;]{0,80}\b(?:does not|doesn['’]?t) exist/i
/** Words with which mail servers refuse an e-mail for its content, its sender or the time. */
const REFUSED_FOR_OTHER_REASON =
  /\b(?:spam|junk|dmarc|dkim|spf|virus|malware|content|reputation|black ?-?list(?:ed)?|block ?-?list(?:ed)?|blocked|listed|rbl|dnsbl|policy|policies|gr[ae]ylist\w*|rate|throttl\w*|quota|full|over ?quota|too (?:many|large|big)|authenticat\w*|relay\w*|sender|timed? ?out|timeout|no answer|unreachable|connection)\b/i

/**
 * True if a failure means that the address does not exist, so that no further e-mail may be sent to it. A full mailbox,
 * a spam refusal or a bad sender doesn't mean this.
 */
export function isAddressGone({ status, reason: given }: Pick<DeliveryReport, 'status' | 'reason'>): boolean {
  const reason = given.slice(0, MAX_REASON_LENGTH)
  const reply = /^\s*([45])\d\d\b/.exec(reason)?.[1]
  const [kind, subject, detail] = (status || (reply ? `${reply}.0.0` : '')).split('.').map(Number)
  if (kind !== 5 || (subject === 2 && detail === 2)) return false
  if (subject === 1) return detail === 0 ? UNKNOWN_RECIPIENT.test(reason) : detail !== 7 && detail !== 8
  const isOther = REFUSED_FOR_OTHER_REASON.test(reason)
  if (subject === 4) return detail === 1 ? !isOther : UNKNOWN_RECIPIENT.test(reason)
  return UNKNOWN_RECIPIENT.test(reason) && !isOther
}

/** Parses a read receipt (RFC 8098): whether the e-mail was displayed or deleted, and the e-mail's Message-ID. */
export function parseReadReceipt(text: string): { kind: ReceivedKind; about: string } {
  const fields = new Map(fieldGroups(text).flatMap((group) => [...group]))
  const disposition = /;\s*([a-z]+)/.exec(fields.get('disposition')?.toLowerCase() ?? '')?.[1]
  const kind = disposition === 'displayed' || disposition === 'deleted' ? disposition : 'automatic'
  return { kind, about: fields.get('original-message-id') ?? '' }
}

/** Headers of automatic replies that programs add besides `Auto-Submitted`, with the values that indicate one. */
const AUTOMATIC_HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  // RFC 3834: any value except "no".
  ['auto-submitted', /^(?!no\b)\S/i],
  // RFC 3834 does not define this header, and e-mails written by people may have it with the value "All".
  ['x-auto-response-suppress', /^(?!(?:none|all)\b)\S/i],
  ['precedence', /^(?:auto[_-]?reply|bulk|junk)\b/i],
  ['return-path', /^<\s*>/],
  ['x-autoreply', /^(?!no\b)\S/i],
  ['x-autorespond', /\S/],
  ['x-autoresponder', /\S/],
  ['x-autoreply-from', /\S/],
  ['x-mail-autoreply', /\S/],
  ['x-autogenerated', /\S/],
  ['x-failed-recipients', /\S/],
  ['x-ms-exchange-generated-message-source', /agent|rules/i],
  ['feedback-type', /\S/],
]

/** True if an e-mail's headers say that a program wrote it. Its words are not considered. */
export const isAutomatic = (header: Header): boolean =>
  AUTOMATIC_HEADERS.some(([name, value]) => value.test(header(name))) ||
  /^mailer-daemon@/i.test(/[^\s<]+@/.exec(header('from'))?.[0] ?? '')

/** Content of a calendar e-mail (RFC 5546) about an appointment. */
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

/** Parses a calendar. Returns `undefined` if it contains no appointment, or was only published. */
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

/** Describes a calendar time for use in a sentence. */
export const describeStart = (start: string): string =>
  start.endsWith('Z')
    ? formatUkDateTime(Temporal.Instant.from(start))
    : start.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')

/**
 * Describes a calendar answer: "accepted the appointment “Your visit”, 02/12/2026 10:00". `what` replaces the word
 * “appointment”.
 */
export function describeCalendarAnswer(
  { answer, summary, comment, start }: CalendarAnswer,
  what = 'appointment',
): string {
  const when = start ? `${answer === 'proposed' ? ': ' : ', '}${describeStart(start)}` : ''
  const words = WORDS[answer].replace('appointment', what)
  return `${words}${summary ? ` “${summary}”` : ''}${when}${comment ? `. Comment: ${comment}` : ''}`
}

import {
  addInLondonTime,
  ceilToQuarterHour,
  formatUkDate,
  formatUkDateTime,
  fromUnixSeconds,
  type Instant,
  LONDON_TIME_ZONE,
  toUnixSeconds,
} from '#kernel/time.ts'
import { firstWorkingDayFrom } from '#kernel/working-days.ts'

/** Effect of an outcome on a lead (specification, section 4). */
export interface LegacyOutcome {
  readonly result: number
  readonly label: string
  /** Status of the lead after the outcome, if it changes. */
  readonly becomes?: number
  /**
   * When to contact the lead again. `callback`: on the given date, or in seven days. A span: no earlier than the end of
   * the span. `clear`: never. `keep`: as before.
   */
  readonly when: 'callback' | 'clear' | 'keep' | { readonly days: number } | { readonly months: number }
  readonly tray?: string
  readonly dead?: boolean
  /** Whether a date is requested before saving. */
  readonly asks: boolean
  readonly note: (date: string) => string
  /** Meaning of the outcome, which determines the colour and label of its button. */
  readonly meaning: 'forward' | 'later' | 'away'
}

export const LEGACY_DEFAULT_REST = { days: 7 }

/** All outcomes, in the order of their shortcut keys. */
export const LEGACY_OUTCOMES: readonly LegacyOutcome[] = [
  {
    result: 47,
    label: 'No answer',
    becomes: 3,
    when: LEGACY_DEFAULT_REST,
    asks: false,
    note: (d) => `No answer. Callback by ${d}`,
    meaning: 'later',
  },
  { result: 31, label: 'Callback', when: 'callback', asks: true, note: (d) => `Callback on ${d}`, meaning: 'forward' },
  {
    result: 5,
    label: 'Pitched for pack',
    when: 'callback',
    asks: true,
    note: (d) => `Pitched for pack. Callback on ${d}`,
    meaning: 'forward',
  },
  {
    result: 30,
    label: 'Plan a demo',
    when: 'callback',
    asks: true,
    note: (d) => `Demo planned for ${d}`,
    meaning: 'forward',
  },
  {
    result: 54,
    label: 'Walk through completed',
    when: 'callback',
    asks: true,
    note: (d) => `Walk through completed. Callback on ${d}`,
    meaning: 'forward',
  },
  {
    result: 3,
    label: 'Not at this time',
    when: { months: 9 },
    asks: false,
    note: (d) => `(FCR) Not at this time. Callback by ${d}`,
    meaning: 'later',
  },
  {
    result: 43,
    label: 'Not interested',
    becomes: 3,
    when: { months: 9 },
    asks: false,
    note: (d) => `(FCR) Not interested. Callback by ${d}`,
    meaning: 'away',
  },
  {
    result: 18,
    label: 'Call after 5',
    becomes: 19,
    when: 'clear',
    tray: 'after5',
    asks: false,
    note: () => 'Call after 5',
    meaning: 'later',
  },
  { result: 49, label: 'Skipped', when: 'keep', asks: false, note: () => 'Skipped this lead.', meaning: 'later' },
  {
    result: 4,
    label: 'Dead',
    when: 'clear',
    tray: 'dead',
    dead: true,
    asks: false,
    note: () => 'Dead do not call',
    meaning: 'away',
  },
  {
    result: 48,
    label: 'Bad Details',
    when: 'keep',
    tray: 'baddetails',
    asks: false,
    note: () => 'Bad Details',
    meaning: 'away',
  },
  {
    result: 11,
    label: 'Duplicate - Mark Delete',
    when: 'keep',
    tray: 'duplicates',
    asks: false,
    note: () => 'Duplicate - Mark Delete',
    meaning: 'away',
  },
  {
    result: 32,
    label: 'Follow-up call',
    when: 'callback',
    asks: true,
    note: (d) => `Callback planned for ${d}`,
    meaning: 'forward',
  },
  {
    result: 46,
    label: 'Clip move',
    when: 'callback',
    asks: true,
    note: (d) => `Clip move. Callback on ${d}`,
    meaning: 'forward',
  },
  {
    result: 13,
    label: 'Pitched for pack (follow-up)',
    when: 'callback',
    asks: true,
    note: (d) => `Pitched for pack. Callback on ${d}`,
    meaning: 'forward',
  },
]

export const SKIPPED_RESULT = 49
export const EDITED_RESULT = 40
/**
 * Result that records a sent quote. It is treated as a call if the quote was sent during a call, but users cannot
 * select it as an outcome.
 */
export const QUOTE_SENT_RESULT = 6

export interface LegacyOutcomeDecision {
  readonly lastResult: number | undefined
  /** Unix time in seconds; `null` removes the value, and `undefined` leaves it unchanged. */
  readonly expiry: number | null | undefined
  readonly callbackDate: number | null | undefined
  readonly tray: string | undefined
  readonly dead: boolean
  readonly note: string
}

/** Office hours. A call outside them is promised only on explicit request. */
const [OPENS, CLOSES] = ['09:00', '17:00'].map((time) => Temporal.PlainTime.from(time)) as [
  Temporal.PlainTime,
  Temporal.PlainTime,
]
const withinHours = (time: Temporal.PlainTime): Temporal.PlainTime =>
  Temporal.PlainTime.compare(time, OPENS) < 0 ? OPENS : Temporal.PlainTime.compare(time, CLOSES) > 0 ? CLOSES : time

/**
 * Proposes a callback this span from now, rounded to a quarter of an hour within office hours, on the first working day
 * from then on.
 */
export function proposeLegacyCallback(now: Instant, span: { days?: number; months?: number }): Instant {
  const there = ceilToQuarterHour(addInLondonTime(now, span)).toZonedDateTimeISO(LONDON_TIME_ZONE)
  return firstWorkingDayFrom(there.toPlainDate())
    .toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: withinHours(there.toPlainTime()) })
    .toInstant()
}

/**
 * Returns the effect of an outcome at a time, with or without a given date. The function is pure, so the button can
 * show what the server will do.
 */
export function decideLegacyOutcome(
  outcome: LegacyOutcome,
  now: Instant,
  given?: number | null,
): LegacyOutcomeDecision {
  const base = {
    lastResult: outcome.result === SKIPPED_RESULT ? undefined : (outcome.becomes ?? outcome.result),
    tray: outcome.tray,
    dead: outcome.dead ?? false,
  }
  if (outcome.when === 'keep') return { ...base, expiry: undefined, callbackDate: undefined, note: outcome.note('') }
  if (outcome.when === 'clear') return { ...base, expiry: null, callbackDate: null, note: outcome.note('') }
  if (outcome.when === 'callback') {
    const at = given ? fromUnixSeconds(given) : proposeLegacyCallback(now, LEGACY_DEFAULT_REST)
    return {
      ...base,
      expiry: toUnixSeconds(at),
      callbackDate: toUnixSeconds(at),
      note: outcome.note(formatUkDateTime(at)),
    }
  }
  // The call that was due has now been made, so no call is due before the new date.
  const at = given ? fromUnixSeconds(given) : proposeLegacyCallback(now, outcome.when)
  return { ...base, expiry: toUnixSeconds(at), callbackDate: null, note: outcome.note(formatUkDate(at)) }
}

export const isCallResult = (result: number): boolean =>
  result === QUOTE_SENT_RESULT || (result !== SKIPPED_RESULT && findLegacyOutcome(result) !== undefined)

export const findLegacyOutcome = (result: number): LegacyOutcome | undefined =>
  LEGACY_OUTCOMES.find((o) => o.result === result)

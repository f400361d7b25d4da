import { idFromAnyIri } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
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
import { bankHolidays, firstWorkingDayFrom, type UkNation } from '#kernel/working-days.ts'
import type { callOutcome } from './outcome.ts'

type Row = RowOf<typeof callOutcome>

/** The fields that determine the effect of an outcome, either stored or from the API. */
export type OutcomeRule = Pick<
  Row,
  'id' | 'effect' | 'interval' | 'unit' | 'workingDays' | 'owner' | 'tray' | 'notes' | 'asks'
> & { readonly becomes: number | string | null }

/**
 * Results that the portal sets automatically: 40 for edited details, and 6 for a sent quote. A quote that is sent
 * during a call is counted as the call.
 */
export const EDITED_RESULT_CODE = 40

export const QUOTE_SENT_RESULT_CODE = 6

interface DateSpan {
  readonly days?: number
  readonly months?: number
}

/** Time until a lead is due again if no date was agreed. */
export const DEFAULT_REST_PERIOD: DateSpan = { days: 7 }

export interface OutcomeDecision {
  /** The lead's new result. If it is `undefined`, the result remains unchanged. */
  readonly lastResult: number | undefined
  /** Date before which the lead is not due, in Unix seconds. If it is `undefined`, the date remains unchanged. */
  readonly expiry: number | null | undefined
  readonly callbackDate: number | null | undefined
  /** Username of the tray to which the lead is moved. */
  readonly tray: string | undefined
  /** New owner if the lead is not moved to a tray: the caller, or none (`team`). */
  readonly owner: 'caller' | 'team' | undefined
  /** Whether the lead must not be called again. */
  readonly dead: boolean
  readonly note: string
}

/** Office hours. A callback is set outside them only if the caller enters such a time. */
const [OPENS, CLOSES] = ['09:00', '17:00'].map((time) => Temporal.PlainTime.from(time)) as [
  Temporal.PlainTime,
  Temporal.PlainTime,
]

const withinHours = (time: Temporal.PlainTime): Temporal.PlainTime =>
  Temporal.PlainTime.compare(time, OPENS) < 0 ? OPENS : Temporal.PlainTime.compare(time, CLOSES) > 0 ? CLOSES : time

interface Proposal {
  readonly at: Instant
  /** Whether a bank holiday was skipped. */
  readonly afterHoliday: boolean
}

/**
 * Options for calculating a date: the nation in which the lead is located, and whether the date must be a working day.
 */
interface Roll {
  readonly nation?: UkNation | undefined
  readonly workingDays?: boolean
}

/**
 * Calculates the date and time at the end of a span. The time is rounded up to the quarter-hour and moved into office
 * hours. A date that is not a working day is moved to the next working day, unless `workingDays` is false.
 */
export function proposeCallbackDate(now: Instant, span: DateSpan, { nation, workingDays = true }: Roll = {}): Proposal {
  const there = ceilToQuarterHour(addInLondonTime(now, span)).toZonedDateTimeISO(LONDON_TIME_ZONE)
  const wanted = there.toPlainDate()
  const day = workingDays ? firstWorkingDayFrom(wanted, nation) : wanted
  const passed = Array.from({ length: wanted.until(day).days }, (_, n) => wanted.add({ days: n }))
  return {
    at: day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: withinHours(there.toPlainTime()) }).toInstant(),
    afterHoliday: passed.some((d) => bankHolidays(d.year, nation).has(d.toString())),
  }
}

export const proposeCallbackTime = (now: Instant, span: DateSpan, nation?: UkNation): Instant =>
  proposeCallbackDate(now, span, { nation }).at

export const outcomeSetsDate = ({ effect }: Pick<OutcomeRule, 'effect'>): boolean =>
  effect === 'callback' || effect === 'rest'

/** Returns the date that an outcome sets automatically, or `undefined` if it sets none. */
export function proposeOutcomeDate(rule: OutcomeRule, now: Instant, nation?: UkNation): Proposal | undefined {
  if (!outcomeSetsDate(rule)) return undefined
  const span = rule.interval === null ? DEFAULT_REST_PERIOD : { [rule.unit]: rule.interval }
  return proposeCallbackDate(now, span, { nation, workingDays: rule.workingDays })
}

const MERGED = /\{([^{}]*)\}/g

const FIELDS = ['date']

/** Returns the error in a note's text, or `undefined` if the text is valid. */
export function findOutcomeNoteError(note: string, dated: boolean): string | undefined {
  const unknown = [...note.matchAll(MERGED)].map(([, name = '']) => name).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) return `“{${unknown}}” is not a known field. The only field allowed in a note is {date}`
  if (/[{}]/.test(note.replaceAll(MERGED, '')))
    return 'There is an unmatched brace. The only field allowed in a note is {date}'
  return !dated && note.includes('{date}') ? 'This outcome sets no date, so its note can’t contain {date}' : undefined
}

const noteText = (note: string, date = ''): string => note.replaceAll('{date}', date)

/**
 * Returns the effect of an outcome at a given time, with or without a date entered by hand. This is a pure function, so
 * an outcome's button can show exactly what the server will do.
 */
export function decideOutcome(
  rule: OutcomeRule,
  now: Instant,
  given?: number | null,
  nation?: UkNation,
): OutcomeDecision {
  const becomes = typeof rule.becomes === 'string' ? idFromAnyIri(rule.becomes) : rule.becomes
  const base = {
    lastResult: rule.effect === 'skip' ? undefined : (becomes ?? rule.id),
    tray: rule.owner === 'tray' ? (rule.tray ?? undefined) : undefined,
    owner: rule.owner === 'caller' || rule.owner === 'team' ? rule.owner : undefined,
    dead: rule.effect === 'bar',
  }
  const at = given && outcomeSetsDate(rule) ? fromUnixSeconds(given) : proposeOutcomeDate(rule, now, nation)?.at
  if (at && rule.effect === 'callback')
    return {
      ...base,
      expiry: toUnixSeconds(at),
      callbackDate: toUnixSeconds(at),
      note: noteText(rule.notes, formatUkDateTime(at)),
    }
  // The due call has now been made, so the lead is not due again before the new date.
  if (at)
    return { ...base, expiry: toUnixSeconds(at), callbackDate: null, note: noteText(rule.notes, formatUkDate(at)) }
  const date = rule.effect === 'clear' || rule.effect === 'bar' ? null : undefined
  return { ...base, expiry: date, callbackDate: date, note: noteText(rule.notes) }
}

/** Returns the active outcomes that have a shortcut key, in the order of their keys. */
export const outcomesWithKeys = <R extends { readonly key: number | null; readonly retired: boolean | null }>(
  rows: readonly R[],
): R[] => rows.filter((r) => r.key !== null && !r.retired).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0))

import { choice, flag, integer, link, text } from '#kernel/fields.ts'
import { idAtEnd } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import {
  addLondonTime,
  ceilToQuarterHour,
  fromUnix,
  type Instant,
  LONDON,
  toUnix,
  ukDate,
  ukDateTime,
} from '#kernel/time.ts'
import { bankHolidays, firstWorkingDayFrom, type UkNation } from '#kernel/working-days.ts'
import { TRAY_LABELS } from '../staff/trays.ts'

/** Lists of leads by last result, in tab order (specification, section 3). */
export const CATEGORY_LABELS = {
  NEW: 'New',
  PFP: 'Pitched for pack',
  DOWNL: 'Downloads',
  DEMO: 'Demos',
  CB: 'Call back',
  QUOTE: 'Quotes',
} as const

export type LeadCategory = keyof typeof CATEGORY_LABELS
export const LEAD_CATEGORIES = Object.keys(CATEGORY_LABELS) as readonly LeadCategory[]

/** Categories of a result: a list, or none. */
const CATEGORY_OPTIONS = [
  { value: 'NEW', label: CATEGORY_LABELS.NEW },
  { value: 'PFP', label: CATEGORY_LABELS.PFP },
  { value: 'DOWNL', label: CATEGORY_LABELS.DOWNL },
  { value: 'DEMO', label: CATEGORY_LABELS.DEMO },
  { value: 'CB', label: CATEGORY_LABELS.CB },
  { value: 'QUOTE', label: CATEGORY_LABELS.QUOTE },
  { value: 'DEAD', label: 'In no list: do not call' },
  { value: 'NOTE', label: 'In no list: note only' },
] as const

/** Result of the last call with a lead, and the list that it puts the lead in. */
export const lastResult = resource({
  service: 'crm',
  tenant: 'shared',
  unpaginated: true,
  type: 'LastResult',
  path: 'last_results',
  table: 'last_result',
  title: 'text',
  order: ['id'],
  fields: {
    text: text({ required: true, order: true }),
    uri: text({ readonly: true }),
    category: text({ readonly: true, filter: true }),
    /** Meaning for the sale: forward, later, away (`callOutcome`). */
    meaning: text({ readonly: true, filter: true, default: 'later' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})

/** Number of outcomes that can have a key: a digit for the first nine, 0 and a digit for the others. */
export const MAX_OUTCOME_KEYS = 18
/** The longest interval, in days and in months. */
export const MAX_INTERVAL = { days: 730, months: 24 } as const

/**
 * Effects of an outcome on the lead and its dates. Those that set a date require an interval. `skip` and `none` are
 * reserved for the portal.
 */
export const OUTCOME_EFFECTS = [
  { value: 'callback', label: 'Call back on a date' },
  { value: 'rest', label: 'Not before a date' },
  { value: 'clear', label: 'Clear the date' },
  { value: 'keep', label: 'Leave the dates unchanged' },
  { value: 'bar', label: 'Clear the date and do not call' },
  { value: 'skip', label: 'Postpone until tomorrow' },
  { value: 'none', label: 'Set by the portal' },
] as const

/** Effects that can be applied without a call. */
export const EFFECTS_WITHOUT_CALL = OUTCOME_EFFECTS.map(({ value }) => value).filter(
  (effect) => effect !== 'skip' && effect !== 'none',
)

const trayOptions = Object.entries(TRAY_LABELS).map(([value, label]) => ({ value, label }))

/**
 * The rule of an outcome of calls, or a result written by the portal. Its id is the code of the result (specification,
 * section 4).
 */
export const callOutcome = resource({
  type: 'Outcome',
  service: 'crm',
  path: 'outcomes',
  table: 'last_result',
  tenant: 'shared',
  unpaginated: true,
  title: 'text',
  order: ['key', 'id'],
  fields: {
    text: text({ required: true, order: true, max: 60, label: 'Outcome', stripInvisible: true }),
    category: choice(CATEGORY_OPTIONS, {
      required: true,
      filter: true,
      label: 'List',
      help: 'The list of leads with this outcome. It can’t be changed: another list needs another outcome.',
    }),
    effect: choice(OUTCOME_EFFECTS, { required: true, filter: true, order: true, label: 'Effect' }),
    interval: integer({
      column: 'interval_count',
      min: 1,
      max: MAX_INTERVAL.days,
      label: 'Interval',
      help: 'Time until the date that it sets, unless another date is entered.',
    }),
    unit: choice(
      [
        { value: 'days', label: 'Days' },
        { value: 'months', label: 'Months' },
      ],
      { column: 'interval_unit', default: 'days', label: 'Unit' },
    ),
    workingDays: flag({
      default: true,
      label: 'Working days only',
      help: 'A date on a weekend or bank holiday is moved to the next working day at the lead’s location.',
    }),
    becomes: link(() => lastResult, {
      label: 'Result',
      help: 'The lead’s result, if different from the outcome itself.',
    }),
    owner: choice(
      [
        { value: 'keep', label: 'Owner unchanged' },
        { value: 'caller', label: 'Assign to the caller' },
        { value: 'team', label: 'Remove the owner' },
        { value: 'tray', label: 'Move to a tray' },
      ],
      { column: 'owner_rule', default: 'keep', label: 'Owner' },
    ),
    tray: choice(trayOptions, { label: 'Tray' }),
    notes: text({ default: '', max: 200, label: 'Note', help: '{date} is replaced by the date that it sets.' }),
    key: integer({
      min: 1,
      max: MAX_OUTCOME_KEYS,
      order: true,
      label: 'Key',
      help: 'From 10 on: press 0, then 1 to 9.',
    }),
    asks: flag({ label: 'Asks for a date', help: 'Asks for a date before saving.' }),
    meaning: choice(
      [
        { value: 'forward', label: 'Progressed' },
        { value: 'later', label: 'Later' },
        { value: 'away', label: 'Lost' },
      ],
      { default: 'later', filter: true, label: 'Sales result' },
    ),
    /** Notes with this result count as calls. */
    call: flag({ readonly: true, column: 'is_call' }),
    /** Incremented by each change of the rule. */
    version: integer({ readonly: true, default: 1 }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})

type Row = RowOf<typeof callOutcome>
/** The fields of an outcome that determine its effect, stored or from the API. */
export type OutcomeRule = Pick<
  Row,
  'id' | 'effect' | 'interval' | 'unit' | 'workingDays' | 'owner' | 'tray' | 'notes' | 'asks'
> & { readonly becomes: number | string | null }

/**
 * Results written by the portal itself: edited details, and a sent quote, which counts as a call if it was sent during
 * one.
 */
export const RESULT_EDITED = 40
export const RESULT_QUOTE_SENT = 6

interface DateSpan {
  readonly days?: number
  readonly months?: number
}

/** Time until a lead is due again, if nothing else was agreed. */
export const DEFAULT_REST: DateSpan = { days: 7 }

export interface OutcomeDecision {
  /** The lead's new result; `undefined` leaves it unchanged. */
  readonly lastResult: number | undefined
  /** Unix seconds; `undefined` leaves it unchanged. */
  readonly expiry: number | null | undefined
  readonly callbackDate: number | null | undefined
  /** The tray that the lead is moved to. */
  readonly tray: string | undefined
  /** Otherwise the new owner: the caller, or nobody. */
  readonly owner: 'caller' | 'team' | undefined
  /** The lead must not be called again. */
  readonly dead: boolean
  readonly note: string
}

/** Office hours: a callback outside them is set only on request. */
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

/** How a date is calculated: location of the lead, and whether it must be a working day. */
interface Roll {
  readonly nation?: UkNation | undefined
  readonly workingDays?: boolean
}

/**
 * The time after a span, rounded up to a quarter of an hour within office hours, on the first working day from then on;
 * with `workingDays` false, on that day.
 */
export function proposeDate(now: Instant, span: DateSpan, { nation, workingDays = true }: Roll = {}): Proposal {
  const there = ceilToQuarterHour(addLondonTime(now, span)).toZonedDateTimeISO(LONDON)
  const wanted = there.toPlainDate()
  const day = workingDays ? firstWorkingDayFrom(wanted, nation) : wanted
  const passed = Array.from({ length: wanted.until(day).days }, (_, n) => wanted.add({ days: n }))
  return {
    at: day.toZonedDateTime({ timeZone: LONDON, plainTime: withinHours(there.toPlainTime()) }).toInstant(),
    afterHoliday: passed.some((d) => bankHolidays(d.year, nation).has(d.toString())),
  }
}

export const proposedInstant = (now: Instant, span: DateSpan, nation?: UkNation): Instant =>
  proposeDate(now, span, { nation }).at

/** Whether the rule sets a date. */
export const setsDate = ({ effect }: Pick<OutcomeRule, 'effect'>): boolean => effect === 'callback' || effect === 'rest'

/** The date that an outcome sets automatically; `undefined` if it sets none. */
export function outcomeDate(rule: OutcomeRule, now: Instant, nation?: UkNation): Proposal | undefined {
  if (!setsDate(rule)) return undefined
  const span = rule.interval === null ? DEFAULT_REST : { [rule.unit]: rule.interval }
  return proposeDate(now, span, { nation, workingDays: rule.workingDays })
}

const MERGED = /\{([^{}]*)\}/g
const FIELDS = ['date']

/** Error in a note's text; `undefined` if there is none. */
export function noteTextError(note: string, dated: boolean): string | undefined {
  const unknown = [...note.matchAll(MERGED)].map(([, name = '']) => name).find((name) => !FIELDS.includes(name))
  if (unknown !== undefined) return `“{${unknown}}” is not a known field. A note can contain {date}`
  if (/[{}]/.test(note.replaceAll(MERGED, ''))) return 'There is an unmatched brace. A note can contain {date}'
  return !dated && note.includes('{date}') ? 'This outcome sets no date for the note' : undefined
}

const noteText = (note: string, date = ''): string => note.replaceAll('{date}', date)

/**
 * Effect of an outcome at a time, with or without an entered date. A pure function, so that the key shows what the
 * server will do.
 */
export function decideOutcome(
  rule: OutcomeRule,
  now: Instant,
  given?: number | null,
  nation?: UkNation,
): OutcomeDecision {
  const becomes = typeof rule.becomes === 'string' ? idAtEnd(rule.becomes) : rule.becomes
  const base = {
    lastResult: rule.effect === 'skip' ? undefined : (becomes ?? rule.id),
    tray: rule.owner === 'tray' ? (rule.tray ?? undefined) : undefined,
    owner: rule.owner === 'caller' || rule.owner === 'team' ? rule.owner : undefined,
    dead: rule.effect === 'bar',
  }
  const at = given && setsDate(rule) ? fromUnix(given) : outcomeDate(rule, now, nation)?.at
  if (at && rule.effect === 'callback')
    return { ...base, expiry: toUnix(at), callbackDate: toUnix(at), note: noteText(rule.notes, ukDateTime(at)) }
  // A due call has been made: it is not due again before the new date.
  if (at) return { ...base, expiry: toUnix(at), callbackDate: null, note: noteText(rule.notes, ukDate(at)) }
  const date = rule.effect === 'clear' || rule.effect === 'bar' ? null : undefined
  return { ...base, expiry: date, callbackDate: date, note: noteText(rule.notes) }
}

/** Outcomes that have a key, in key order. */
export const outcomesWithKeys = <R extends { readonly key: number | null; readonly retired: boolean | null }>(
  rows: readonly R[],
): R[] => rows.filter((r) => r.key !== null && !r.retired).toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0))

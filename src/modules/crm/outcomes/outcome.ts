import { choice, flag, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { TRAY_LABELS } from '../staff/trays.ts'

/** Labels of the lead lists, in tab order (specification, section 3). A lead's last result determines its list. */
export const LEAD_CATEGORY_LABELS = {
  NEW: 'New',
  PFP: 'Pitched for pack',
  DOWNL: 'Downloads',
  DEMO: 'Demos',
  CB: 'Call back',
  QUOTE: 'Quotes',
} as const

export type LeadCategory = keyof typeof LEAD_CATEGORY_LABELS
export const LEAD_CATEGORIES = Object.keys(LEAD_CATEGORY_LABELS) as readonly LeadCategory[]

/** Options for the category of a result: one of the lead lists, or none of them. */
const CATEGORY_OPTIONS = [
  { value: 'NEW', label: LEAD_CATEGORY_LABELS.NEW },
  { value: 'PFP', label: LEAD_CATEGORY_LABELS.PFP },
  { value: 'DOWNL', label: LEAD_CATEGORY_LABELS.DOWNL },
  { value: 'DEMO', label: LEAD_CATEGORY_LABELS.DEMO },
  { value: 'CB', label: LEAD_CATEGORY_LABELS.CB },
  { value: 'QUOTE', label: LEAD_CATEGORY_LABELS.QUOTE },
  { value: 'DEAD', label: 'Do not call (not shown in any list)' },
  { value: 'NOTE', label: 'Note only (not shown in any list)' },
] as const

/** Result of the last call to a lead. It determines in which list the lead appears. */
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
    /** Meaning of the result for the sale: `forward`, `later` or `away` (see `callOutcome`). */
    meaning: text({ readonly: true, filter: true, default: 'later' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})

/**
 * Maximum number of outcomes with a shortcut key. The first nine keys are single digits; the others are 0 followed by a
 * digit.
 */
export const MAX_OUTCOME_KEYS = 18
export const MAX_OUTCOME_INTERVAL = { days: 730, months: 24 } as const

/**
 * Effects that an outcome can have on the lead and its dates. Effects that set a date require an interval. `skip` and
 * `none` are reserved for the portal.
 */
export const OUTCOME_EFFECTS = [
  { value: 'callback', label: 'Call back on a date' },
  { value: 'rest', label: 'Don’t call before a date' },
  { value: 'clear', label: 'Clear the date' },
  { value: 'keep', label: 'Leave the dates unchanged' },
  { value: 'bar', label: 'Clear the date and do not call' },
  { value: 'skip', label: 'Postpone until tomorrow' },
  { value: 'none', label: 'Set by the portal' },
] as const

/** Effects that can be applied to a lead without a call. */
export const EFFECTS_WITHOUT_CALL = OUTCOME_EFFECTS.map(({ value }) => value).filter(
  (effect) => effect !== 'skip' && effect !== 'none',
)

const trayOptions = Object.entries(TRAY_LABELS).map(([value, label]) => ({ value, label }))

/**
 * Rule for a call outcome, or a result that the portal sets automatically. The ID is the code of the result
 * (specification, section 4).
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
      help: 'The list that shows leads with this outcome. The list can’t be changed later. For another list, create another outcome.',
    }),
    effect: choice(OUTCOME_EFFECTS, { required: true, filter: true, order: true, label: 'Effect' }),
    interval: integer({
      column: 'interval_count',
      min: 1,
      max: MAX_OUTCOME_INTERVAL.days,
      label: 'Interval',
      help: 'Time until the date that this outcome sets, unless the caller enters another date.',
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
      help: 'The outcome shown as the lead’s last result, if it is not this one.',
    }),
    owner: choice(
      [
        { value: 'keep', label: 'Leave the owner unchanged' },
        { value: 'caller', label: 'Assign to the caller' },
        { value: 'team', label: 'Remove the owner' },
        { value: 'tray', label: 'Move to a tray' },
      ],
      { column: 'owner_rule', default: 'keep', label: 'Owner' },
    ),
    tray: choice(trayOptions, { label: 'Tray' }),
    notes: text({
      default: '',
      max: 200,
      label: 'Note',
      help: '{date} is replaced by the date that this outcome sets.',
    }),
    key: integer({
      min: 1,
      max: MAX_OUTCOME_KEYS,
      order: true,
      label: 'Key',
      help: 'For key 10 and above, press 0 and then a digit from 1 to 9.',
    }),
    asks: flag({ label: 'Asks for a date', help: 'The caller is asked for a date before the outcome is saved.' }),
    meaning: choice(
      [
        { value: 'forward', label: 'Progressed' },
        { value: 'later', label: 'Later' },
        { value: 'away', label: 'Lost' },
      ],
      { default: 'later', filter: true, label: 'Sales result' },
    ),
    /** Whether notes with this result are counted as calls. */
    call: flag({ readonly: true, column: 'is_call' }),
    /** Version of the rule, incremented each time the rule changes. */
    version: integer({ readonly: true, default: 1 }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})

import { choice, flag, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { TRAYS } from '../staff/trays.ts'
import { CATEGORY_OPTIONS } from './categories.ts'
import { lastResult } from './last-result.ts'

/** Number of outcomes that can have a key: a digit for the first nine, 0 and a digit for the others. */
export const MOST_KEYS = 18
/** The longest interval, in days and in months. */
export const MOST = { days: 730, months: 24 } as const

/**
 * Effects of an outcome on the lead and its dates. Those that set a date require an interval. `skip` and `none` are
 * reserved for the portal.
 */
export const EFFECTS = [
  { value: 'callback', label: 'Ring again at a date' },
  { value: 'rest', label: 'Not before a date' },
  { value: 'clear', label: 'No date' },
  { value: 'keep', label: 'The dates stay' },
  { value: 'bar', label: 'No date, and never rung again' },
  { value: 'skip', label: 'Put off until tomorrow' },
  { value: 'none', label: 'Written by the portal' },
] as const

/** Effects that can be applied without a call. */
export const GIVEN = EFFECTS.map(({ value }) => value).filter((effect) => effect !== 'skip' && effect !== 'none')

const trayOptions = Object.entries(TRAYS).map(([value, label]) => ({ value, label }))

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
      help: 'Which list a lead stands in after it. It stays: another list needs another outcome.',
    }),
    effect: choice(EFFECTS, { required: true, filter: true, order: true, label: 'What it does' }),
    interval: integer({
      column: 'interval_count',
      min: 1,
      max: MOST.days,
      label: 'After how many',
      help: 'How long until the date that it sets, where no other is given.',
    }),
    unit: choice(
      [
        { value: 'days', label: 'Days' },
        { value: 'months', label: 'Months' },
      ],
      { column: 'interval_unit', default: 'days', label: 'Days or months' },
    ),
    workingDays: flag({
      default: true,
      label: 'On a working day',
      help: 'A date at a weekend or on a bank holiday becomes the next working day, where the lead is.',
    }),
    becomes: link(() => lastResult, {
      label: 'Leaves the lead as',
      help: 'The result that the lead is left with, where it is another than the outcome itself.',
    }),
    owner: choice(
      [
        { value: 'keep', label: 'Stays whose it is' },
        { value: 'caller', label: 'Becomes the caller’s' },
        { value: 'team', label: 'Becomes nobody’s' },
        { value: 'tray', label: 'Goes to a tray' },
      ],
      { column: 'owner_rule', default: 'keep', label: 'Owner' },
    ),
    tray: choice(trayOptions, { label: 'Tray' }),
    notes: text({ default: '', max: 200, label: 'Note', help: '{date} is the date that it sets.' }),
    key: integer({ min: 1, max: MOST_KEYS, order: true, label: 'Key', help: 'From 10 on: 0, and then 1 to 9.' }),
    asks: flag({ label: 'Asks for a date', help: 'Offers a date before it is saved.' }),
    meaning: choice(
      [
        { value: 'forward', label: 'Going forward' },
        { value: 'later', label: 'Later' },
        { value: 'away', label: 'Lost' },
      ],
      { default: 'later', filter: true, label: 'For the sale' },
    ),
    /** Notes with this result count as calls. */
    call: flag({ readonly: true, column: 'is_call' }),
    /** Incremented by each change of the rule. */
    version: integer({ readonly: true, default: 1 }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})

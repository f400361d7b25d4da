import { choice, date, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { customForm, customFormAnswer } from '../custom-forms/custom-form.ts'

/** Intervals of a form schedule, in display order. */
export const FORM_INTERVAL_OPTIONS = [
  { value: 'day', label: 'Every day' },
  { value: 'working day', label: 'Every working day (Monday to Friday)' },
  { value: 'week', label: 'Every week' },
  { value: 'fortnight', label: 'Every two weeks' },
  { value: 'month', label: 'Every month' },
  { value: 'quarter', label: 'Every three months' },
  { value: 'year', label: 'Every year' },
] as const
export type FormInterval = (typeof FORM_INTERVAL_OPTIONS)[number]['value']

type Day = Temporal.PlainDate

const DAYS: Partial<Record<FormInterval, number>> = { week: 7, fortnight: 14 }
const MONTHS: Partial<Record<FormInterval, number>> = { month: 1, quarter: 3, year: 12 }
const FRIDAY = 5

/** Returns the following Monday for a day at the weekend, otherwise the day itself. */
const workingDay = (day: Day): Day => (day.dayOfWeek > FRIDAY ? day.add({ days: 8 - day.dayOfWeek }) : day)

/**
 * Returns the first due date of a schedule on or after a day. Months are counted from the first due date: a schedule
 * that starts on the 31st is due on the last day of shorter months, and on the 31st again afterwards.
 */
export function firstDueDateFrom(every: FormInterval, startsOn: Day, from: Day): Day {
  const first = every === 'working day' ? workingDay(startsOn) : startsOn
  if (Temporal.PlainDate.compare(from, first) <= 0) return first
  if (every === 'day') return from
  if (every === 'working day') return workingDay(from)
  const days = DAYS[every]
  if (days !== undefined) return first.add({ days: Math.ceil(first.until(from).days / days) * days })
  const months = MONTHS[every] ?? 1
  const gone = Math.floor(first.until(from, { largestUnit: 'months' }).months / months)
  for (let n = gone; ; n++) {
    const due = first.add({ months: n * months })
    if (Temporal.PlainDate.compare(due, from) >= 0) return due
  }
}

/** Returns the next due date after a form was completed on or after its due date. */
export const nextDueDateAfter = (every: FormInterval, startsOn: Day, filledIn: Day): Day =>
  firstDueDateFrom(every, startsOn, filledIn.add({ days: 1 }))

/**
 * Schedule of a form: assignee, interval and next due date. Completing the form moves the schedule to its next due
 * date.
 */
export const formSchedule = resource({
  type: 'FormSchedule',
  service: 'safety',
  path: 'form_schedules',
  table: 'form_schedule',
  tenant: 'own',
  title: 'title',
  order: ['dueOn'],
  fields: {
    form: link(() => customForm, { required: 'Please choose the form', filter: true, embed: ['live', 'retired'] }),
    /** Title of the form when the schedule was created. */
    title: text({ readonly: true, notNull: true, filter: 'partial', order: true }),
    /** ID of the employee whose account is the assignee's; empty if the account belongs to no employee. */
    employee: integer({ column: 'employee_id', filter: true }),
    /** User ID of the assignee. Choosing an employee sets it. */
    user: integer({
      required: 'Please choose who will complete the form',
      column: 'user_id',
      filter: true,
      label: 'To be completed by',
    }),
    /** Name of the assignee. */
    person: text({ readonly: true, notNull: true, order: true }),
    every: choice(FORM_INTERVAL_OPTIONS, {
      default: 'week',
      required: 'Please choose how often the form is due',
      label: 'How often',
    }),
    startsOn: date({ required: 'Please choose the first due date', label: 'First due on' }),
    dueOn: date({ editable: 'nobody', notNull: true, filter: true, order: true, label: 'Next due' }),
    place: text({ default: '', max: 200, label: 'Site or place' }),
    /** Latest completed form that moved the schedule to its next due date. */
    answer: link(() => customFormAnswer, { editable: 'nobody', embed: ['number', 'createdAt'] }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    retired: flag({ filter: true, label: 'Ended' }),
  },
  allow: {
    read: DOCUMENT_READER_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    update: DOCUMENT_AUTHOR_ROLES,
    rows: [{ unless: [], only: only.ofReadable('form') }],
  },
  pack: 'safety',
})

export type FormScheduleRecord = RecordOf<typeof formSchedule>

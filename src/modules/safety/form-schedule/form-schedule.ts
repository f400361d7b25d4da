import { choice, date, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { type RecordOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_AUTHORS, DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { customForm, customFormAnswer } from '../custom-forms/custom-form.ts'
import { FORM_INTERVALS } from './intervals.ts'

/** Schedule of a form: assignee, interval and next due date. Completing the form advances the due date. */
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
    /** Title of the form when it was scheduled. */
    title: text({ readonly: true, notNull: true, filter: 'partial', order: true }),
    user: integer({
      required: 'Please choose who completes it',
      column: 'user_id',
      filter: true,
      label: 'Completed by',
    }),
    /** Name of the assignee. */
    person: text({ readonly: true, notNull: true, order: true }),
    every: choice(FORM_INTERVALS, { default: 'week', required: 'Please choose how often', label: 'How often' }),
    startsOn: date({ required: 'Please choose the first due date', label: 'First due on' }),
    dueOn: date({ editable: 'nobody', notNull: true, filter: true, order: true, label: 'Next due' }),
    place: text({ default: '', max: 200, label: 'Site or place' }),
    /** Latest completion that advanced the schedule. */
    answer: link(() => customFormAnswer, { editable: 'nobody', embed: ['number', 'createdAt'] }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true }),
    retired: flag({ filter: true, label: 'Ended' }),
  },
  allow: {
    read: DOCUMENT_READERS,
    create: DOCUMENT_AUTHORS,
    update: DOCUMENT_AUTHORS,
    rows: [{ unless: [], only: only.ofReadable('form') }],
  },
  pack: 'safety',
})

export type FormScheduleRecord = RecordOf<typeof formSchedule>

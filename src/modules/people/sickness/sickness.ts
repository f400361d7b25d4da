import { date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { employee } from '../employees/employee.ts'
import { LEAVE_ROWS } from '../leave/access.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

const ofHr = { confidential: 'ROLE_HR_PRIVATE' } as const
const byHr = { editable: HR_ROLES } as const

/** Calendar days that an employee certifies without a fit note (SI 1985/1604 regulation 2). */
const SELF_CERTIFIED_DAYS = 7

/** Sickness of an employee. Reasons are confidential; the days are not. */
export const sicknessAbsence = resource({
  type: 'SicknessAbsence',
  service: 'employees',
  path: 'sickness_absences',
  table: 'sickness_absence',
  tenant: 'own',
  order: ['-firstDay'],
  fields: {
    employee: link(() => employee, { required: 'Please choose an employee', embed: ['name'], filter: true }),
    firstDay: date({ required: 'Please enter the first day', filter: true, order: true, label: 'First day' }),
    lastDay: date({ filter: true, label: 'Last day', help: 'Empty while the absence lasts.' }),
    /** Calendar days up to today. */
    days: integer({
      readonly: true,
      notNull: true,
      sql: 'greatest(coalesce(t.last_day, london_today()) - t.first_day + 1, 0)',
    }),
    reason: longText({ default: '', max: 2000, ...ofHr }),
    protected: flag({
      label: 'Related to a disability or pregnancy',
      help: 'Such absences are not counted in the Bradford score.',
      ...ofHr,
    }),
    selfCertifiedOn: date({ label: 'Self-certificate received on', ...byHr }),
    fitNoteUntil: date({ label: 'Fit note until', ...byHr }),
    fitNoteSeenOn: date({ label: 'Fit note seen on', ...byHr }),
    /** True if the absence is longer than an employee certifies, and no fit note covers it. */
    fitNoteDue: flag({
      readonly: true,
      sql: `(coalesce(t.last_day, london_today()) - t.first_day + 1 > ${SELF_CERTIFIED_DAYS} AND coalesce(t.fit_note_until < coalesce(t.last_day, london_today()), true))`,
      filter: true,
      label: 'Fit note due',
    }),
    returnedOn: date({ label: 'Return-to-work talk on', ...byHr }),
    returnNotes: longText({ default: '', max: 4000, label: 'Notes of the return-to-work talk', ...ofHr }),
    retired: flag({ filter: true }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, create: EMPLOYEE_READER_ROLES, update: HR_ROLES, rows: LEAVE_ROWS },
  pack: 'holidays',
})

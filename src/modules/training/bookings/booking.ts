import { choice, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { IN_SERVICE } from '#modules/people/employees/employee-fields.ts'
import { client } from '#modules/portal/clients/client.ts'
import { trainingCourse } from '../courses/course.ts'
import { trainingPlan } from '../plan/plan.ts'
import { trainingRecord } from '../records/record.ts'
import { SESSION_HOLDER_ROLES, TRAINING_READER_ROLES, TRAINING_ROLES } from '../rights.ts'
import { trainingSession } from './session.ts'

export const ATTENDANCE = [
  { value: 'passed', label: 'Passed' },
  { value: 'attended', label: 'Attended' },
  { value: 'failed', label: 'Failed' },
  { value: 'absent', label: 'Absent' },
] as const

const attendance = choice(ATTENDANCE, { required: 'Please choose the attendance', label: 'Attendance' })

/** Seat of a person in a training session, or a place in its queue. */
export const trainingBooking = resource({
  type: 'TrainingBooking',
  service: 'employees',
  path: 'training_bookings',
  table: 'training_booking',
  tenant: 'own',
  order: ['id'],
  pack: 'safety',
  state: 'state',
  emails: 'id',
  bulk: [{ action: 'recordAttendance', input: ['attendance'] }],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    session: link(() => trainingSession, { required: 'Please choose a session', embed: ['startsAt'], filter: true }),
    employee: link(() => employee, {
      required: 'Please choose a person',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
      label: 'Person',
    }),
    /** Course of the company that the session counts as. */
    course: link(() => trainingCourse, {
      notNull: true,
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
      label: 'Counts as',
      help: 'Empty: your copy of the course of the session. If you have none, it is copied from the catalogue.',
    }),
    state: choice(
      [
        { value: 'waiting', label: 'Waiting list' },
        { value: 'booked', label: 'Booked' },
        { value: 'tookPart', label: 'Took part' },
        { value: 'absent', label: 'Absent' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
      { readonly: true, notNull: true, default: 'waiting', filter: true, count: true, label: 'Status' },
    ),
    queuePosition: integer({
      readonly: true,
      sql: `(CASE WHEN t.state = 'waiting' THEN (SELECT count(*) FROM training_booking b WHERE b.session_id = t.session_id AND b.state = 'waiting' AND b.id <= t.id) END)`,
      label: 'Place in the queue',
    }),
    plan: link(() => trainingPlan, { readonly: true, hideUnreadable: true, label: 'Planned training' }),
    record: link(() => trainingRecord, { readonly: true, hideUnreadable: true, label: 'Training record' }),
    reason: text({ readonly: true, default: '', label: 'Reason' }),
    joiningRequestedAt: instant({ readonly: true, label: 'Joining e-mail requested' }),
    /** Start of the session in the latest joining e-mail. */
    announcedStartAt: instant({ readonly: true, visible: 'nobody' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Booked by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, label: 'Entered' }),
  },
  allow: {
    read: TRAINING_READER_ROLES,
    create: TRAINING_ROLES,
    allTenants: 'ROLE_STAFF',
    whileImpersonating: ['create'],
    rows: [{ unless: TRAINING_ROLES, only: only.inSet('employee', 'employees_in_charge'), butWide: true }],
  },
  actions: {
    cancel: {
      path: 'cancel',
      title: 'Cancel the booking',
      allow: [...TRAINING_ROLES, ...SESSION_HOLDER_ROLES],
      from: ['waiting', 'booked'],
      to: 'cancelled',
      input: {},
    },
    recordAttendance: {
      path: 'record-attendance',
      title: 'Record the attendance, which adds the training record',
      allow: SESSION_HOLDER_ROLES,
      from: ['booked', 'tookPart', 'absent'],
      input: {
        attendance,
        externalNumber: text({ default: '', max: 100, stripInvisible: true, label: 'Certificate number' }),
        reason: text({ default: '', max: 500, label: 'Reason for the correction' }),
      },
    },
  },
})

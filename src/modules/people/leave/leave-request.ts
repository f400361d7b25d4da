import { choice, date, flag, instant, integer, link, longText, rows, text, typedJson } from '#kernel/fields.ts'
import { type Resource, type RowOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { TIME_OF_DAY } from '#kernel/time.ts'
import { employee } from '../employees/employee.ts'
import { PORTIONS } from '../leave-rules/request-part.ts'
import type { StatutoryRule } from '../leave-rules/statutory-leave.ts'
import { EMPLOYEE_READER_ROLES, HR_PRIVATE_ROLE, HR_ROLES } from '../rights.ts'
import { DECIDER_ROWS, LEAVE_ROWS, ofMyself, REQUEST_ROWS } from './access.ts'

const TIME = { regex: TIME_OF_DAY, message: 'Please enter a time such as 09:30' }

/** Kind of leave with its statutory rules, from published law. Annual leave is deducted from the balance. */
export const leaveKind = resource({
  type: 'LeaveKind',
  service: 'employees',
  path: 'leave_kinds',
  table: 'leave_kind',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  order: ['id'],
  fields: {
    code: text({ required: true, filter: true }),
    name: text({ required: true, order: true }),
    amount: text({ required: true, max: 500 }),
    service: text({ required: true, max: 500, label: 'Service needed' }),
    pay: text({ required: true, max: 500 }),
    reference: text({ required: true, max: 500 }),
    notes: text({ default: '', max: 1000 }),
    noticeText: text({ default: '', max: 500, label: 'Notice needed' }),
    link: text({ default: '', max: 300, label: 'Source' }),
    /** Conditions that can be computed; null for annual leave. */
    rule: typedJson<StatutoryRule>()({}),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member' },
})

/** Part of a request: whole days, half a day, or hours of a day. */
export const leaveRequestPart = resource({
  type: 'LeaveRequestPart',
  service: 'employees',
  path: 'leave_request_parts',
  table: 'leave_request_part',
  tenant: 'own',
  order: ['firstDay'],
  fields: {
    request: link((): Resource => leaveRequest, { required: true, filter: true }),
    employee: link(() => employee, { editable: 'nobody', filter: true }),
    position: integer({ default: 0, editable: 'nobody' }),
    firstDay: date({ required: 'Please enter the first day', filter: true, order: true, label: 'First day' }),
    lastDay: date({ required: 'Please enter the last day', filter: true, label: 'Last day' }),
    portion: choice(PORTIONS, { default: 'day' }),
    from: text({ column: 'from_time', max: 5, pattern: TIME, label: 'From' }),
    until: text({ column: 'until_time', max: 5, pattern: TIME, label: 'Until' }),
    /** True while the request waits or is approved. */
    live: flag({ readonly: true, default: true, filter: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, rows: LEAVE_ROWS },
  pack: 'holidays',
})

/** Code of the leave kind that is deducted from the balance. */
export const ANNUAL_LEAVE = 'annual'

export const LIVE_STATES = ['requested', 'approved'] as const

/** Facts that the employee and human resources state and read. */
const ofEmployeeAndHr = { editable: EMPLOYEE_READER_ROLES, owner: 'account' } as const

/** A request for leave. Saving sends it; afterwards it is decided, withdrawn or cancelled, and never edited. */
export const leaveRequest = resource({
  type: 'LeaveRequest',
  service: 'employees',
  path: 'leave_requests',
  table: 'leave_request',
  tenant: 'own',
  order: ['-firstDay'],
  state: 'state',
  fields: {
    employee: link(() => employee, { required: 'Please choose an employee', embed: ['name'], filter: true }),
    kind: link(() => leaveKind, { required: 'Please choose a kind of leave', embed: ['code', 'name'], filter: true }),
    parts: rows(() => leaveRequestPart, { by: 'request', label: 'Dates' }),
    notes: longText({ default: '', max: 2000, label: 'Message to the approver' }),
    /** Day from which the law counts notice or service of this kind of leave, such as the due date of a child. */
    eventOn: date({
      ...ofEmployeeAndHr,
      confidential: HR_ROLES,
      label: 'Day that the notice or service is counted from',
    }),
    noticeOn: date({
      editable: HR_ROLES,
      label: 'Notice given on',
      help: 'Empty if the request itself is the notice.',
    }),
    details: longText({ default: '', max: 2000, ...ofEmployeeAndHr, confidential: HR_PRIVATE_ROLE, label: 'Details' }),
    /** User ID of the employee, who may see the confidential fields above. */
    account: integer({
      readonly: true,
      visible: 'nobody',
      sql: '(SELECT user_id FROM employee WHERE client_id = t.client_id AND id = t.employee_id)::int',
    }),
    /** True if the leave is deducted from the balance. */
    deducted: flag({ editable: 'nobody', filter: true }),
    firstDay: date({ editable: 'nobody', notNull: true, filter: true, order: true, label: 'First day' }),
    lastDay: date({ editable: 'nobody', notNull: true, filter: true, order: true, label: 'Last day' }),
    /** Paid working time that the request took when it was sent. */
    minutes: integer({ editable: 'nobody', notNull: true }),
    state: choice(
      [
        { value: 'requested', label: 'Waiting for approval' },
        { value: 'approved', label: 'Approved' },
        { value: 'declined', label: 'Declined' },
        { value: 'withdrawn', label: 'Withdrawn' },
        { value: 'cancelled', label: 'Cancelled' },
      ],
      { readonly: true, default: 'requested', notNull: true, filter: true, order: true, label: 'Status' },
    ),
    decision: longText({ readonly: true, default: '', notNull: true, label: 'Reason of the decision' }),
    decidedBy: text({ readonly: true, person: true, label: 'Decided by' }),
    decidedAt: instant({ readonly: true, label: 'Decided at' }),
    author: text({ readonly: true, stamp: 'author', filter: true, label: 'Requested by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, create: EMPLOYEE_READER_ROLES, rows: REQUEST_ROWS },
  pack: 'holidays',
  actions: {
    approve: {
      path: 'approve',
      title: 'Approve',
      allow: EMPLOYEE_READER_ROLES,
      rows: DECIDER_ROWS,
      from: ['requested'],
      to: 'approved',
      input: {},
    },
    decline: {
      path: 'decline',
      title: 'Decline',
      allow: EMPLOYEE_READER_ROLES,
      rows: DECIDER_ROWS,
      from: ['requested'],
      to: 'declined',
      input: { reason: longText({ required: 'Please give a reason', max: 2000, label: 'Reason' }) },
    },
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw',
      allow: EMPLOYEE_READER_ROLES,
      rows: [{ unless: HR_ROLES, only: only.either(ofMyself, only.mine('author')) }],
      from: ['requested'],
      to: 'withdrawn',
      input: {},
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel leave',
      allow: EMPLOYEE_READER_ROLES,
      rows: DECIDER_ROWS,
      from: ['approved'],
      to: 'cancelled',
      input: { reason: longText({ required: 'Please give a reason', max: 2000, label: 'Reason' }) },
    },
  },
})

export type LeaveRequest = RowOf<typeof leaveRequest>

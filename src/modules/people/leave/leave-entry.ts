import { choice, date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { type Resource, type RowOf, resource } from '#kernel/resource.ts'
import { employee } from '../employees/employee.ts'
import { CARRY_OVER_REASONS } from '../leave-rules/carry-over.ts'
import { LEDGER_KINDS } from '../leave-rules/leave-history.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { LEAVE_ROWS } from './access.ts'
import { leaveRequest } from './leave-request.ts'

export const MAX_ENTRY_MINUTES = 1_000_000

export const LEAVE_PART_OPTIONS = [
  { value: 'reg13', label: 'Four weeks (regulation 13)' },
  { value: 'reg13A', label: '1.6 weeks (regulation 13A)' },
  { value: 'additional', label: 'Above the statutory leave' },
] as const

/**
 * Row of the leave ledger. The portal appends entitlement, bookings, cancellations, bank holidays and agreed carry-over;
 * people enter adjustments, pay in lieu and carry-over for a statutory reason.
 */
export const leaveEntry = resource({
  type: 'LeaveEntry',
  service: 'employees',
  path: 'leave_entries',
  table: 'leave_entry',
  tenant: 'own',
  appendOnly: true,
  order: ['id'],
  fields: {
    employee: link(() => employee, { required: 'Please choose an employee', embed: ['name'], filter: true }),
    year: date({
      required: 'Please enter the leave year',
      filter: true,
      order: true,
      label: 'First day of the leave year',
    }),
    kind: choice(LEDGER_KINDS, { required: 'Please choose a kind', filter: true, label: 'Kind' }),
    part: choice(LEAVE_PART_OPTIONS, { filter: true, label: 'Rule' }),
    minutes: integer({
      required: 'Please enter the minutes',
      min: -MAX_ENTRY_MINUTES,
      max: MAX_ENTRY_MINUTES,
      help: 'Leave that is taken or paid is negative.',
    }),
    request: link((): Resource => leaveRequest, { filter: true, editable: 'nobody' }),
    day: date({ editable: 'nobody', label: 'Bank holiday' }),
    expiresOn: date({ editable: 'nobody', label: 'Use by' }),
    carryReason: choice(CARRY_OVER_REASONS, { label: 'Reason of the carry-over' }),
    /** True if a person entered the row. */
    entered: flag({ editable: 'nobody', filter: true }),
    formula: longText({ default: '', editable: 'nobody' }),
    reason: longText({ default: '', max: 2000 }),
    author: text({ readonly: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, rows: LEAVE_ROWS },
  pack: 'holidays',
})

export type LeaveEntry = RowOf<typeof leaveEntry>

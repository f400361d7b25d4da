import { choice, date, flag, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { department, employee } from '../employees/employee.ts'
import { CARRY_OVER_REASONS } from '../leave-rules/carry-over.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { LEAVE_PART_OPTIONS, MAX_ENTRY_MINUTES } from './leave-entry.ts'

const year = date({ required: 'Please enter the leave year', label: 'First day of the leave year' })
const reason = longText({ required: 'Please give a reason', max: 2000, label: 'Reason' })
const part = choice(LEAVE_PART_OPTIONS, { required: 'Please choose a rule', label: 'Rule' })
const minutes = integer({ required: 'Please enter the minutes', min: 1, max: MAX_ENTRY_MINUTES, label: 'Minutes' })

/** An employee whose leave the actor may read: themselves, their people, or for human resources everyone. */
export const leaveAccount = resource({
  type: 'LeaveAccount',
  service: 'employees',
  path: 'leave_accounts',
  table: 'employee',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ readonly: true, notNull: true, order: true, filter: 'partial' }),
    department: link(() => department, { readonly: true, filter: true, embed: ['name'] }),
    manager: link(() => employee, { readonly: true, filter: true }),
    startDate: date({ readonly: true, column: 'ext_c_start_date', label: 'Employment start date' }),
    leavingDate: date({ readonly: true }),
    subcontractor: flag({ readonly: true, filter: true, column: 'is_subby' }),
    user: integer({ readonly: true, column: 'user_id', visible: 'nobody' }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    rows: [
      {
        unless: HR_ROLES,
        only: only.either(
          only.inSet('id', 'employees_in_charge'),
          only.whose('department', only.whose('approver', only.mine('user'))),
        ),
      },
    ],
  },
  pack: 'holidays',
  actions: {
    adjust: {
      path: 'adjust',
      title: 'Adjust leave',
      allow: HR_ROLES,
      input: {
        year,
        minutes: integer({
          required: 'Please enter the minutes',
          min: -MAX_ENTRY_MINUTES,
          max: MAX_ENTRY_MINUTES,
          label: 'Minutes',
          help: 'Negative to deduct leave.',
        }),
        reason,
      },
    },
    carryOver: {
      path: 'carry-over',
      title: 'Carry leave over',
      allow: HR_ROLES,
      input: {
        year: { ...year, help: 'Leave year of the unused leave.' },
        part,
        minutes,
        carryReason: choice(CARRY_OVER_REASONS, {
          required: 'Please choose a reason',
          label: 'Reason of the law',
        }),
        reason,
      },
    },
    payInLieu: {
      path: 'pay-in-lieu',
      title: 'Record pay in lieu',
      allow: HR_ROLES,
      input: { year, part, minutes, reason },
    },
  },
})

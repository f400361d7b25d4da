import { date, flag, integer, link, text, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { employee } from '../employees/employee.ts'
import { type CycleDays, MAX_CYCLE_DAYS } from '../leave-rules/work-pattern.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { LEAVE_ROWS } from './access.ts'

/** Minutes of a leap year. */
const MAX_PERIOD_MINUTES = 527_040
const manage = { create: HR_ROLES, update: HR_ROLES } as const
const ofEmployees = { read: EMPLOYEE_READER_ROLES, ...manage, delete: HR_ROLES, rows: LEAVE_ROWS } as const

/** Shifts of a cycle of days, which employees work from a day. A pattern that is in use keeps its shifts. */
export const workPattern = resource({
  type: 'WorkPattern',
  service: 'employees',
  path: 'work_patterns',
  table: 'work_pattern',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  fields: {
    name: text({ required: 'Please enter a name', max: 120, stripInvisible: true, filter: 'partial', order: true }),
    days: typedJson<CycleDays>()({
      required: 'Please enter the shifts',
      max: MAX_CYCLE_DAYS,
      label: 'Shifts of each day in the cycle',
      help: 'A list for each day, with `from`, `until` and `breakMinutes` of each shift. A shift that ends at or before its start ends on the next day.',
    }),
    retired: flag({ filter: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, ...manage },
  pack: 'holidays',
})

/** Pattern of an employee from a day. Without a pattern, the hours are irregular or the worker is a part-year worker. */
export const employeeWorkPattern = resource({
  type: 'EmployeeWorkPattern',
  service: 'employees',
  path: 'employee_work_patterns',
  table: 'employee_work_pattern',
  tenant: 'own',
  order: ['employee', 'from'],
  fields: {
    employee: link(() => employee, {
      required: 'Please choose an employee',
      embed: ['name'],
      filter: true,
      order: true,
    }),
    pattern: link(() => workPattern, {
      embed: ['name'],
      filter: true,
      help: 'Empty for irregular hours and part-year workers, whose leave is 12.07 % of the hours worked.',
    }),
    from: date({
      required: 'Please enter the first day',
      column: 'first_day',
      filter: true,
      order: true,
      label: 'From',
    }),
    /** First day of the cycle. If left out, the Monday of the first week for cycles of whole weeks, otherwise `from`. */
    cycleStart: date({ notNull: true, label: 'First day of the cycle' }),
  },
  allow: ofEmployees,
  pack: 'holidays',
})

/** Hours worked in a pay period by an irregular-hours or part-year worker. */
export const leavePayPeriod = resource({
  type: 'LeavePayPeriod',
  service: 'employees',
  path: 'leave_pay_periods',
  table: 'leave_pay_period',
  tenant: 'own',
  order: ['employee', '-until'],
  fields: {
    employee: link(() => employee, {
      required: 'Please choose an employee',
      embed: ['name'],
      filter: true,
      order: true,
    }),
    until: date({
      required: 'Please enter the last day',
      column: 'last_day',
      filter: true,
      order: true,
      label: 'Last day of the pay period',
    }),
    minutes: integer({
      required: 'Please enter the minutes',
      min: 0,
      max: MAX_PERIOD_MINUTES,
      label: 'Minutes worked',
    }),
  },
  allow: ofEmployees,
  pack: 'holidays',
})

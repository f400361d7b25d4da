import { choice, date, decimal, link, longText } from '#kernel/fields.ts'
import { department } from '../employees/employee.ts'

export const MASS_UPDATE_URL = '/api/employees/leave_mass_updates'

/** Input of an update of many employees: a shutdown that books leave, or an adjustment of the allowance. */
export const massUpdateFields = {
  kind: choice(
    [
      { value: 'shutdown', label: 'Shutdown: book leave for everyone' },
      { value: 'allowance', label: 'Allowance: add or deduct days' },
    ],
    { required: 'Please choose a kind', label: 'Update' },
  ),
  department: link(() => department, { embed: ['name'], help: 'Empty for the whole company.' }),
  firstDay: date({ label: 'First day', help: 'Of the shutdown.' }),
  lastDay: date({ label: 'Last day', help: 'Of the shutdown.' }),
  year: date({ label: 'First day of the leave year', help: 'Of the allowance.' }),
  days: decimal({
    min: -366,
    max: 366,
    label: 'Days',
    help: 'Added to the allowance, of each employee’s average day. Negative to deduct.',
  }),
  reason: longText({ required: 'Please give a reason', max: 2000, label: 'Reason' }),
} as const

/** Effect on an employee, before the update is applied. */
export interface MassUpdateRow {
  readonly employee: number
  readonly name: string
  /** Minutes of the leave year before and after; for a shutdown over the year end, of its first year. */
  readonly before: number
  readonly after: number
  readonly dayMinutes: number
  /** Reason why the employee is left out; empty if not. */
  readonly problem: string
}

import { date, flag, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { department } from '../employees/employee.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

/** Days on which employees of a department, or of the company, cannot request leave. */
export const leaveBlackout = resource({
  type: 'LeaveBlackout',
  service: 'employees',
  path: 'leave_blackouts',
  table: 'leave_blackout',
  tenant: 'own',
  order: ['firstDay'],
  fields: {
    firstDay: date({ required: 'Please enter the first day', filter: true, order: true, label: 'First day' }),
    lastDay: date({ required: 'Please enter the last day', filter: true, label: 'Last day' }),
    department: link(() => department, { embed: ['name'], filter: true, help: 'Empty for the whole company.' }),
    reason: text({ required: 'Please give a reason', max: 200, stripInvisible: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, create: HR_ROLES, update: HR_ROLES },
  pack: 'holidays',
})

import { choice, date, flag, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { department, employee } from '../employees/employee.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { incidentSite } from '../sites/incident-site.ts'

/** Fields of an employee that a change of job sets. */
export const JOB_FIELDS = ['jobtitlename', 'department', 'manager', 'site'] as const

const EVENTS = [
  { value: 'start', label: 'Started' },
  { value: 'change', label: 'Changed' },
  { value: 'leave', label: 'Left' },
  { value: 'return', label: 'Returned' },
] as const

/**
 * An employee's job from a day on. The database adds a row whenever the job of an employee changes; a row with a later
 * day sets the job on that day.
 */
export const employeeJob = resource({
  type: 'EmployeeJob',
  service: 'employees',
  path: 'jobs',
  table: 'employee_job',
  tenant: 'own',
  order: ['-from', '-id'],
  pack: 'employees',
  fields: {
    employee: link(() => employee, { required: true, filter: true }),
    /** First day of the job. Null if the employment start date is not known. */
    from: date({ column: 'first_day', filter: true, order: true, label: 'First day' }),
    event: choice(EVENTS, { readonly: true, default: 'change', notNull: true }),
    jobtitlename: text({ default: '', max: 100, label: 'Job title' }),
    department: link(() => department, { embed: ['name'], offers: IN_SERVICE }),
    manager: link(() => employee, { embed: ['name'], offers: IN_SERVICE }),
    site: link(() => incidentSite, { embed: ['name'], offers: IN_SERVICE }),
    /** Fields that a change dated ahead sets. */
    sets: strings({ readonly: true, default: [], notNull: true }),
    /** False for a change dated ahead. */
    applied: flag({ readonly: true, filter: true }),
    /** Reason why the change could not take effect on its day; empty if it could, or if the day has not come. */
    refusal: text({ readonly: true, default: '', notNull: true, visible: HR_ROLES }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    create: HR_ROLES,
    delete: HR_ROLES,
    rows: [{ unless: HR_ROLES, only: only.ofReadable('employee', () => employeeRecord) }],
  },
})

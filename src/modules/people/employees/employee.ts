import { choice, date, email, type Field, flag, integer, link, phone, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { user } from '#modules/identity/people/user.ts'
import { suggestedCounty } from '#modules/portal/places/country.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES, WORK_DETAIL_ROLES } from '../rights.ts'
import { incidentSite } from '../sites/incident-site.ts'

const forAuthors = { visible: WORK_DETAIL_ROLES } as const
const forHr = { visible: HR_ROLES } as const

const NATIONS = [
  { value: 'england', label: 'England' },
  { value: 'wales', label: 'Wales' },
  { value: 'scotland', label: 'Scotland' },
  { value: 'northernIreland', label: 'Northern Ireland' },
] as const

const LEAVING_REASONS = [
  { value: 'resigned', label: 'Resigned' },
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'redundant', label: 'Redundant' },
  { value: 'contractEnded', label: 'End of contract' },
  { value: 'retirement', label: 'Retirement' },
  { value: 'died', label: 'Died' },
  { value: 'other', label: 'Other' },
] as const

const workFields = {
  forename: text({ required: true, max: 100, stripInvisible: true, filter: 'partial', order: true, search: true }),
  surname: text({ required: true, max: 100, stripInvisible: true, filter: 'partial', order: true, search: true }),
  name: text({ readonly: true, notNull: true, order: true }),
  email: email({ default: '', filter: 'partial', label: 'E-mail', ...forAuthors }),
  payroll: text({ default: '', max: 50, label: 'Payroll number', ...forAuthors }),
  jobtitlename: text({ default: '', max: 100, label: 'Job title', ...forAuthors }),
  extCStartDate: date({ label: 'Employment start date', ...forAuthors }),
  isSubby: flag({ filter: true, label: 'Subcontractor' }),
  manager: link((): Resource => employee, { filter: true, ...forAuthors }),
  department: link((): Resource => department, { filter: true, ...forAuthors }),
  site: link(() => incidentSite, { filter: true, embed: ['name'], ...forAuthors }),
  /** Nation whose bank holidays apply. */
  nation: choice(NATIONS, { filter: true, ...forHr }),
  leavingDate: date({ filter: true, order: true, ...forHr }),
  leavingReason: choice(LEAVING_REASONS, { filter: true, label: 'Reason for leaving', ...forHr }),
  /** Account with which the employee signs in. An account belongs to at most one employee. */
  user: link(() => user, { filter: true, label: 'Account', visible: 'ROLE_CLIENT_ADMIN' }),
  retired: flag({ filter: true }),
}

/** Returns the private fields of an employee, with the roles that may see them. */
const privateFields = (access: Pick<Field, 'confidential'>) => ({
  address1: text({ default: '', label: 'Address line 1', ...access }),
  address2: text({ default: '', label: 'Address line 2', ...access }),
  city: text({ default: '', ...access }),
  county: text({ default: '', ...suggestedCounty, ...access }),
  postcode: text({ default: '', max: 12, ...access }),
  telephone: phone({ default: '', ...access }),
  dob: date({ label: 'Date of birth', ...access }),
  /** Age in completed years; 0 if the date of birth is not known. */
  age: integer({
    readonly: true,
    notNull: true,
    sql: 'coalesce(age_in_years(t.dob, london_today()), 0)',
    ...access,
  }),
  sex: integer({ default: 0, min: 0, max: 2, help: '1 male, 2 female, 0 not stated', ...access }),
})

/** A person who works for a client, with or without an account. */
export const employee = resource({
  type: 'Employee',
  service: 'employees',
  path: 'employees',
  table: 'employee',
  tenant: 'own',
  title: 'name',
  order: ['forename', 'surname'],
  pack: 'safety',
  fields: { ...workFields, ...privateFields({ confidential: DOCUMENT_AUTHOR_ROLES }) },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    create: 'ROLE_CLIENT_ADMIN',
    update: 'ROLE_CLIENT_ADMIN',
  },
})

/** The same employees with their private fields in lists, for forms that fill them in. */
export const employeeWithDetails = resource({
  ...employee,
  fields: { ...workFields, ...privateFields({}) },
  allow: { read: DOCUMENT_AUTHOR_ROLES },
})

/** A department of a company. Its members are the employees whose `department` it is. */
export const department = resource({
  type: 'Department',
  service: 'employees',
  path: 'departments',
  table: 'department',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  unpaginated: true,
  pack: 'safety',
  fields: {
    name: text({
      required: 'Please enter the name of the department',
      max: 120,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    head: link(() => employee, { filter: true, embed: ['name'] }),
    deputy: link(() => employee, { filter: true, embed: ['name'] }),
    /** Employee who approves the leave of members; the manager of each member if empty. */
    approver: link(() => employee, { filter: true, embed: ['name'] }),
    /** Number of members that must be at work; null if none is set. */
    minimumCover: integer({ min: 0, max: 10_000 }),
    retired: flag({ filter: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, create: HR_ROLES, update: HR_ROLES },
})

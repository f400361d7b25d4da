import { date, email, type Field, flag, integer, link, phone, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { user } from '#modules/identity/people/user.ts'
import { suggestedCounty } from '#modules/portal/places/country.ts'

/** Roles that may choose an employee by name, for example when they report an incident. */
const EMPLOYEE_READER_ROLES = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_EMPLOYEE'] as const

const forAuthors = { visible: DOCUMENT_AUTHOR_ROLES } as const

const workFields = {
  forename: text({ required: true, max: 100, stripInvisible: true, filter: 'partial', order: true, search: true }),
  surname: text({ required: true, max: 100, stripInvisible: true, filter: 'partial', order: true, search: true }),
  name: text({ readonly: true, notNull: true, order: true }),
  email: email({ default: '', filter: 'partial', label: 'E-mail', ...forAuthors }),
  payroll: text({ default: '', max: 50, label: 'Payroll number', ...forAuthors }),
  jobtitlename: text({ default: '', max: 100, label: 'Job title', ...forAuthors }),
  extCStartDate: date({ label: 'Employment start date', ...forAuthors }),
  isSubby: flag({ filter: true, label: 'Subcontractor' }),
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

import { choice, date, flag, integer, link, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { defineAccountRecordRelation } from '#modules/identity/people/account-record.ts'
import { user } from '#modules/identity/people/user.ts'
import { EMPLOYEE_PACKS, EMPLOYEE_READER_ROLES, HR_ROLES, WORK_DETAIL_ROLES } from '../rights.ts'
import {
  hrFields,
  IN_SERVICE,
  LEAVING_REASONS,
  nameFields,
  personnelFields,
  privateFields,
  workDetailFields,
} from './employee-fields.ts'

const ADMIN = 'ROLE_CLIENT_ADMIN'
const forWork = { visible: WORK_DETAIL_ROLES } as const

const workFields = {
  ...nameFields,
  ...workDetailFields(forWork),
  manager: link((): Resource => employee, { filter: true, offers: IN_SERVICE, ...forWork }),
  department: link((): Resource => department, { filter: true, offers: IN_SERVICE, ...forWork }),
  /** Account with which the employee signs in. An account belongs to at most one employee. */
  user: link(() => user, { filter: true, label: 'Account', visible: ADMIN, editable: ADMIN }),
  retired: flag({ filter: true }),
}

/** A person who works for a client, with or without an account. */
export const employee = resource({
  type: 'Employee',
  service: 'employees',
  path: 'employees',
  table: 'employee',
  tenant: 'own',
  title: 'name',
  order: ['forename', 'surname'],
  bulk: ['department', 'manager', 'site', 'nation', 'jobtitlename'],
  pack: EMPLOYEE_PACKS,
  fields: {
    ...workFields,
    ...hrFields,
    /** Day on which the identity was erased. The record remains under a number, and never changes again. */
    erasedOn: date({ readonly: true, visible: HR_ROLES, label: 'Identity erased on' }),
    /** Employee who takes over when this one leaves: direct reports, departments and open actions. */
    successor: link((): Resource => employee, { offers: IN_SERVICE, label: 'Work handed on to', visible: HR_ROLES }),
    /** True to add an employee even if another has the same name and date of birth. */
    keepBoth: flag({
      writeOnly: true,
      help: 'Confirms that two people with the same name and date of birth are intended.',
    }),
    ...privateFields({ confidential: WORK_DETAIL_ROLES }),
    ...personnelFields({}),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    create: HR_ROLES,
    update: HR_ROLES,
  },
  actions: {
    endEmployment: {
      path: 'end-employment',
      title: 'Retire',
      allow: HR_ROLES,
      input: {
        leavingDate: date({
          required: true,
          label: 'Last day',
          help: 'If it is in the future, the employee is retired after it.',
        }),
        leavingReason: choice(LEAVING_REASONS, { required: true, label: 'Reason for leaving' }),
        successor: link((): Resource => employee, {
          offers: IN_SERVICE,
          label: 'Hand on to',
          help: 'Takes over direct reports, departments and open corrective actions. By default, this is the manager.',
        }),
      },
    },
    erase: {
      path: 'erase',
      title: 'Erase the identity after its retention; evidence remains under a number',
      allow: HR_ROLES,
      input: { confirmed: flag({ label: 'I confirm that the person asked for this, and that it can’t be undone' }) },
    },
    resumeEmployment: { path: 'resume-employment', title: 'Restore', allow: HR_ROLES, input: {} },
  },
})

const { actions: _actions, bulk: _bulk, ...sameEmployee } = employee

/** The same employees with their private fields in lists, for forms that fill them in. */
export const employeeWithDetails = resource({
  ...sameEmployee,
  fields: { ...workFields, ...privateFields({}) },
  allow: { read: DOCUMENT_AUTHOR_ROLES },
})

/**
 * Employee and account are one person. The relation survives a change of name, retirement and return; a record can't
 * pass to another account.
 */
export const employeeAccount = defineAccountRecordRelation({
  resource: employee,
  account: 'user',
  follows: [],
  holds: 'their personal details',
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
  pack: ['employees', 'holidays'],
  fields: {
    name: text({
      required: 'Please enter the name of the department',
      max: 120,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    head: link(() => employee, { filter: true, embed: ['name'], offers: IN_SERVICE }),
    deputy: link(() => employee, { filter: true, embed: ['name'], offers: IN_SERVICE }),
    /** Employee who approves the leave of members; the manager of each member if empty. */
    approver: link(() => employee, { filter: true, embed: ['name'], offers: IN_SERVICE }),
    /** Number of members that must be at work; null if none is set. */
    minimumCover: integer({ min: 0, max: 10_000 }),
    retired: flag({ filter: true }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, create: HR_ROLES, update: HR_ROLES },
})

import { choice, date, flag, integer, link } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { department, employee } from './employee.ts'
import {
  hrFields,
  LOGIN_STATES,
  nameFields,
  personnelFields,
  privateFields,
  workDetailFields,
} from './employee-fields.ts'

/** Stages of an employment. Derived from its dates, except that only human resources retire a record. */
const STATES = [
  { value: 'starting', label: 'Starting' },
  { value: 'employed', label: 'Employed' },
  { value: 'leaving', label: 'Leaving' },
  { value: 'left', label: 'Left' },
] as const

/** Written statement of particulars, due on the first day of employment (Employment Rights Act 1996, section 1). */
const STATEMENT_STATES = [
  { value: 'complete', label: 'Complete' },
  { value: 'due', label: 'Due on the first day' },
  { value: 'missing', label: 'Missing' },
  { value: 'none', label: 'Not needed: subcontractor' },
] as const

/**
 * The same employees with the details of their work, for the employee, everybody above them, the head and deputy of their
 * department, and human resources. Records that belong to an employee take their readers from here, with
 * `only.ofReadable('employee', () => employeeRecord)`.
 */
export const employeeRecord = resource({
  type: 'EmployeeRecord',
  service: 'employees',
  path: 'records',
  table: employee.table,
  tenant: 'own',
  title: 'name',
  order: ['forename', 'surname'],
  pack: 'employees',
  bulk: ['sendLoginDetails'],
  asksProof: true,
  fields: {
    ...nameFields,
    ...workDetailFields({}),
    manager: link(() => employee, { filter: true, embed: ['name'] }),
    department: link(() => department, { filter: true, embed: ['name'] }),
    /** Account of the employee; null for readers who can't open it. */
    user: link(() => user, { filter: true, hideUnreadable: true, label: 'Account' }),
    linked: flag({ readonly: true, filter: true, sql: 't.user_id IS NOT NULL', label: 'Has an account' }),
    state: choice(STATES, {
      readonly: true,
      notNull: true,
      filter: true,
      sql: "CASE WHEN t.retired THEN 'left' WHEN t.ext_c_start_date > london_today() THEN 'starting' WHEN t.leaving_date IS NOT NULL THEN 'leaving' ELSE 'employed' END",
    }),
    retired: flag({ filter: true }),
    login: choice([{ value: 'none', label: 'Not sent yet' }, ...LOGIN_STATES], {
      readonly: true,
      notNull: true,
      filter: true,
      sql: 'latest_login_state(t.client_id, t.id)',
      label: 'Login details',
    }),
    /** Whether a contract that is a written statement of particulars is complete. */
    statement: choice(STATEMENT_STATES, {
      readonly: true,
      notNull: true,
      filter: true,
      sql: "CASE WHEN t.is_subby THEN 'none' WHEN has_written_statement(t.client_id, t.id) THEN 'complete' WHEN t.ext_c_start_date > london_today() THEN 'due' ELSE 'missing' END",
      label: 'Written statement',
    }),
    ...hrFields,
    erasedOn: date({ readonly: true, visible: HR_ROLES, label: 'Identity erased on' }),
    successor: link(() => employee, { embed: ['name'], label: 'Work handed on to', visible: HR_ROLES }),
    ...privateFields({ confidential: HR_ROLES, owner: 'account' }),
    ...personnelFields({ owner: 'account' }),
    /** User ID of the employee, who may see the confidential fields above. */
    account: integer({ column: 'user_id', readonly: true, visible: 'nobody' }),
  },
  allow: {
    read: EMPLOYEE_READER_ROLES,
    rows: [{ unless: HR_ROLES, only: only.inSet('id', 'employees_in_charge') }],
  },
  actions: {
    /** Creates the employee's account if there is none, and e-mails a link to choose a password. */
    sendLoginDetails: { path: 'send-login-details', title: 'Send Login Details', allow: HR_ROLES, input: {} },
  },
})

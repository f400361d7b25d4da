import { choice, email, instant, link, text } from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { employee } from '../employees/employee.ts'
import { LOGIN_STATES } from '../employees/employee-fields.ts'
import { HR_ROLES } from '../rights.ts'

/** Days for which a link or a code works. */
export const LOGIN_DAYS = 7
export const FIRST_SIGN_IN_URL = '/api/employees/first_sign_in'
export const LOGIN_LETTERS_URL = '/api/employees/login_letters'
export const MAX_LETTERS = 25
export const LOGIN_PREVIEW_URL = '/api/employees/login_preview'

const METHODS = [
  { value: 'email', label: 'E-mail' },
  { value: 'letter', label: 'Printed letter' },
] as const

/**
 * Login details of an employee, as sent or printed once. Later ones end earlier ones. An e-mail has a password link of
 * the account, a letter a code. Only hashes of them are stored.
 */
export const employeeLogin = resource({
  type: 'EmployeeLogin',
  service: 'employees',
  path: 'logins',
  table: 'employee_login',
  tenant: 'own',
  order: ['-id'],
  emails: 'id',
  fields: {
    employee: link(() => employee, { readonly: true, notNull: true, embed: ['name'], filter: true }),
    user: link(() => user, { readonly: true, notNull: true, hideUnreadable: true, label: 'Account' }),
    method: choice(METHODS, { readonly: true, notNull: true, default: 'email', label: 'Sent by' }),
    email: email({ readonly: true, default: '', label: 'E-mail' }),
    state: choice(LOGIN_STATES, {
      readonly: true,
      notNull: true,
      filter: true,
      sql: 'login_state(t)',
      label: 'Login details',
    }),
    author: text({ readonly: true, stamp: 'author', label: 'Author' }),
    createdAt: instant({ readonly: true, notNull: true }),
    /** Null while the e-mail waits for the daily limit. */
    queuedAt: instant({ readonly: true, visible: 'nobody' }),
    /** Time at which a mail server accepted the e-mail. */
    sentAt: instant({ readonly: true, label: 'Sent' }),
    openedAt: instant({ readonly: true, label: 'Opened' }),
    signedInAt: instant({ readonly: true, label: 'Signed in' }),
    /** End of the link or code; null until the e-mail is sent. */
    until: instant({ readonly: true, label: 'Ends' }),
    endedAt: instant({ readonly: true, label: 'Ended' }),
    linkHash: text({ readonly: true, default: '', visible: 'nobody' }),
    codeHash: text({ readonly: true, default: '', visible: 'nobody' }),
  },
  allow: { read: HR_ROLES },
  pack: 'employees',
})

export type EmployeeLogin = RowOf<typeof employeeLogin>

/** Effect of sending login details to the employees of a list. */
export interface LoginPreview {
  readonly '@id': string
  readonly '@type': 'LoginPreview'
  /** IDs of the employees who would get an e-mail. Those who have signed in are left out. */
  readonly employees: readonly number[]
  /** IDs of the employees without an e-mail address, who get a printed letter. */
  readonly letters: readonly number[]
  /** E-mails that the company's daily limit allows today, and on later days. */
  readonly today: number
  readonly later: number
  readonly perDay: number
  readonly signedIn: number
  readonly refusals: number
  /** The first reasons why an employee gets no e-mail. */
  readonly reasons: readonly { readonly name: string; readonly reason: string }[]
}

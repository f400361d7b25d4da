import { choice, date, email, type Field, flag, integer, link, phone, text, typedJson } from '#kernel/fields.ts'
import { suggestedCounty } from '#modules/portal/places/country.ts'
import { HR_PRIVATE_ROLE, HR_ROLES } from '../rights.ts'
import { incidentSite } from '../sites/incident-site.ts'
import type { EmergencyContact } from './private-details.ts'

/** Nations of the United Kingdom, which differ in bank holidays. */
const NATIONS = [
  { value: 'england', label: 'England' },
  { value: 'wales', label: 'Wales' },
  { value: 'scotland', label: 'Scotland' },
  { value: 'northernIreland', label: 'Northern Ireland' },
] as const

export const LEAVING_REASONS = [
  { value: 'resigned', label: 'Resigned' },
  { value: 'dismissed', label: 'Dismissed' },
  { value: 'redundant', label: 'Redundant' },
  { value: 'contractEnded', label: 'End of contract' },
  { value: 'retirement', label: 'Retirement' },
  { value: 'died', label: 'Died' },
  { value: 'other', label: 'Other' },
] as const

/** Progress of login details. */
export const LOGIN_STATES = [
  { value: 'waiting', label: 'Waiting for tomorrow’s e-mails' },
  { value: 'sending', label: 'Being sent' },
  { value: 'sent', label: 'Sent' },
  { value: 'letter', label: 'Letter created' },
  { value: 'opened', label: 'Opened' },
  { value: 'signedIn', label: 'Signed in' },
  { value: 'failed', label: 'Not sent' },
  { value: 'unclear', label: 'Sending not confirmed' },
  { value: 'expired', label: 'Expired' },
  { value: 'ended', label: 'Ended' },
] as const

/** Filter of the records that inputs offer. */
export const IN_SERVICE = { retired: 'false' } as const

type Visibility = Pick<Field, 'visible'>

export const nameFields = {
  forename: text({ required: true, max: 100, stripInvisible: true, filter: 'partial', order: true, search: true }),
  surname: text({ required: true, max: 100, stripInvisible: true, filter: 'partial', order: true, search: true }),
  name: text({ readonly: true, notNull: true, order: true }),
}

/** Returns details of an employee's work that their own table stores, with the roles that see them. */
export const workDetailFields = (access: Visibility) => ({
  email: email({ default: '', filter: 'partial', label: 'E-mail', ...access }),
  payroll: text({ default: '', max: 50, label: 'Payroll number', ...access }),
  jobtitlename: text({ default: '', max: 100, label: 'Job title', ...access }),
  extCStartDate: date({ filter: true, order: true, label: 'Employment start date', ...access }),
  isSubby: flag({ filter: true, label: 'Subcontractor' }),
  site: link(() => incidentSite, { filter: true, embed: ['name'], offers: IN_SERVICE, ...access }),
})

/** Details of an employee's work for human resources. */
export const hrFields = {
  /** Nation whose bank holidays apply. */
  nation: choice(NATIONS, { filter: true, visible: HR_ROLES }),
  /** Last day of employment. The portal retires the employee when it has passed. */
  leavingDate: date({ filter: true, order: true, label: 'Last day', visible: HR_ROLES }),
  leavingReason: choice(LEAVING_REASONS, { filter: true, label: 'Reason for leaving', visible: HR_ROLES }),
}

/** Returns the private fields of an employee, with the roles that may see them. */
export const privateFields = (access: Pick<Field, 'confidential' | 'owner'>) => ({
  address1: text({ default: '', label: 'Address line 1', ...access }),
  address2: text({ default: '', label: 'Address line 2', ...access }),
  city: text({ default: '', ...access }),
  county: text({ default: '', ...suggestedCounty, ...access }),
  postcode: text({ default: '', max: 12, ...access }),
  telephone: phone({ default: '', ...access }),
  mobile: phone({ default: '', ...access }),
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

/** Returns confidential fields that only human resources see. `owner` names the field with the employee's user ID. */
export const personnelFields = (of: Pick<Field, 'owner'>) => {
  const [forHr, forPrivateHr] = [HR_ROLES, HR_PRIVATE_ROLE].map((confidential) => ({ confidential, ...of }))
  return {
    /** Up to three contacts; a slot may be empty. */
    emergencyContacts: typedJson<readonly EmergencyContact[]>()({ default: [], max: 3, ...forHr }),
    nationalInsuranceNumber: text({ default: '', max: 13, label: 'National Insurance number', ...forPrivateHr }),
    accountHolder: text({ default: '', max: 70, label: 'Account holder', ...forPrivateHr }),
    sortCode: text({ default: '', max: 8, label: 'Sort code', ...forPrivateHr }),
    accountNumber: text({ default: '', max: 8, label: 'Account number', ...forPrivateHr }),
  }
}

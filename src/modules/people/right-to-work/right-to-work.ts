import { choice, date, flag, instant, integer, link, longText, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { department, employee } from '../employees/employee.ts'
import { nameFields } from '../employees/employee-fields.ts'
import { EMPLOYEE_READER_ROLES, HR_PRIVATE_ROLE, HR_ROLES } from '../rights.ts'
import { CHECK_METHODS, DOCUMENT_VALIDITIES, DUE_DAYS, RETENTION_YEARS } from './rules.ts'

const ofPrivateHr = { confidential: HR_PRIVATE_ROLE } as const

/** Most copies of a check, for example front and back of a document. */
export const MAX_COPIES = 20

/** Documents that prove a right to work, by the Home Office's lists A and B. A document with a `refusal` proves nothing. */
export const rightToWorkDocument = resource({
  type: 'RightToWorkDocument',
  service: 'employees',
  path: 'right_to_work_documents',
  table: 'right_to_work_document',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  order: ['id'],
  fields: {
    code: text({ required: true, filter: true }),
    name: text({ required: true, max: 500, order: true }),
    list: choice(['A', 'B'] as const, { filter: true }),
    documentGroup: integer({ label: 'Group' }),
    methods: strings({ default: [] }),
    validity: choice(DOCUMENT_VALIDITIES, { required: true }),
    refusal: text({ default: '', max: 500, label: 'Why it is no proof' }),
    retired: flag({ filter: true }),
  },
  allow: { read: HR_ROLES },
})

const STATES = [
  { value: 'notChecked', label: 'Not checked' },
  { value: 'valid', label: 'Valid' },
  { value: 'due', label: `Due within ${DUE_DAYS} days` },
  { value: 'overdue', label: 'Overdue' },
  { value: 'retained', label: 'Left, retained' },
  { value: 'toDestroy', label: 'Left, to be destroyed' },
  { value: 'destroyed', label: 'Destroyed' },
] as const

const DESTROY_FROM_SQL = `CASE WHEN t.retired AND (current_right_to_work_check(t.client_id, t.id)).id IS NOT NULL
  THEN (t.leaving_date + interval '${RETENTION_YEARS} years' + interval '1 day')::date END`
const GAP_SQL = '(SELECT max(g.day) FROM right_to_work_gaps(t.client_id, t.id) g)'

/** The same employees with the status of their right to work: all of them for human resources, otherwise oneself. */
export const rightToWorkStatus = resource({
  type: 'RightToWorkStatus',
  service: 'employees',
  path: 'right_to_work',
  table: employee.table,
  tenant: 'own',
  title: 'name',
  order: ['forename', 'surname'],
  pack: 'employees',
  fields: {
    ...nameFields,
    extCStartDate: date({ filter: true, label: 'Employment start date' }),
    subcontractor: flag({ column: 'is_subby', filter: true }),
    department: link(() => department, { filter: true, embed: ['name'] }),
    retired: flag({ filter: true }),
    leavingDate: date({ filter: true, label: 'Last day', visible: HR_ROLES }),
    state: choice(STATES, {
      readonly: true,
      notNull: true,
      filter: true,
      sql: `right_to_work_state(t.client_id, t.id, t.retired, ${DESTROY_FROM_SQL})`,
      label: 'Status',
    }),
    checkedOn: date({
      readonly: true,
      sql: '(current_right_to_work_check(t.client_id, t.id)).checked_on',
      label: 'Last checked on',
    }),
    /** Last day of the statutory defence; null if it has no end. */
    nextCheckBy: date({
      readonly: true,
      filter: true,
      sql: '(current_right_to_work_check(t.client_id, t.id)).next_check_by',
      label: 'Check again by',
    }),
    /** Day before which there is no statutory defence; null if all checks were in time, or the first day is not known. */
    noDefenceBefore: date({ readonly: true, sql: GAP_SQL, label: 'No defence before' }),
    late: flag({ readonly: true, filter: true, sql: `${GAP_SQL} IS NOT NULL`, label: 'Checked late' }),
    /** First day on which the checks may be destroyed; null while employed, or without checks. */
    destroyFrom: date({ readonly: true, sql: DESTROY_FROM_SQL, visible: HR_ROLES, label: 'Destroy from' }),
    account: integer({ column: 'user_id', readonly: true, visible: 'nobody' }),
  },
  allow: { read: EMPLOYEE_READER_ROLES, rows: [{ unless: HR_ROLES, only: only.mine('account') }] },
  actions: {
    destroy: {
      path: 'destroy',
      title: 'Destroy the checks after their retention',
      allow: HR_ROLES,
      input: {
        confirmed: flag({ label: 'I confirm that the checks and copies are destroyed, and that this can’t be undone' }),
      },
    },
  },
})

/** A check of an employee's right to work. It never changes: a later one supersedes it, or corrects it. */
export const rightToWorkCheck = resource({
  type: 'RightToWorkCheck',
  service: 'employees',
  path: 'right_to_work_checks',
  table: 'right_to_work_check',
  tenant: 'own',
  order: ['-checkedOn', '-id'],
  pack: 'employees',
  fields: {
    employee: link(() => employee, { required: 'Please choose an employee', embed: ['name'], filter: true }),
    method: choice(CHECK_METHODS, { required: 'Please choose a method', ...ofPrivateHr }),
    document: link(() => rightToWorkDocument, {
      required: 'Please choose a document',
      embed: ['name', 'list', 'documentGroup'],
      ...ofPrivateHr,
    }),
    checkedBy: link(() => employee, {
      required: 'Please choose who made the check',
      embed: ['name'],
      label: 'Checked by',
    }),
    checkedOn: date({ required: 'Please enter the day of the check', filter: true, order: true, label: 'Checked on' }),
    expiresOn: date({ label: 'Document or permission ends on', ...ofPrivateHr }),
    noticeOn: date({ label: 'Date of the Positive Verification Notice', ...ofPrivateHr }),
    shareCode: text({ default: '', max: 11, label: 'Share code', ...ofPrivateHr }),
    shareCodeDeletedOn: date({ readonly: true, label: 'Share code deleted on' }),
    notes: longText({ default: '', max: 2000, ...ofPrivateHr }),
    corrects: link((): Resource => rightToWorkCheck, { filter: true, label: 'Corrects the check' }),
    correction: longText({ default: '', max: 1000, label: 'Reason for the correction', ...ofPrivateHr }),
    corrected: flag({
      readonly: true,
      sql: 'EXISTS (SELECT FROM right_to_work_check n WHERE n.client_id = t.client_id AND n.corrects_id = t.id)',
    }),
    /** Last day of the statutory defence, calculated from document and dates; null if it has no end. */
    nextCheckBy: date({ readonly: true, filter: true, order: true, label: 'Check again by' }),
    /** Set if there was no statutory defence before this check: it was not before the first day, or after an expiry. */
    noDefenceBefore: date({
      readonly: true,
      sql: '(SELECT g.day FROM right_to_work_gaps(t.client_id, t.employee_id) g WHERE g.check_id = t.id)',
      label: 'No defence before',
    }),
    copies: integer({
      readonly: true,
      notNull: true,
      sql: '(SELECT count(*)::int FROM right_to_work_copy f WHERE f.client_id = t.client_id AND f.check_id = t.id)',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Recorded' }),
  },
  allow: {
    read: HR_ROLES,
    create: HR_PRIVATE_ROLE,
    rows: [{ unless: [], only: only.ofReadable('employee', () => rightToWorkStatus) }],
  },
})

/** Copy of a document that was checked. Each opening is logged. */
export const rightToWorkCopy = resource({
  type: 'RightToWorkCopy',
  service: 'employees',
  path: 'right_to_work_copies',
  table: 'right_to_work_copy',
  tenant: 'own',
  title: 'name',
  order: ['id'],
  pack: 'employees',
  fields: {
    ...storedFileFields,
    check: link(() => rightToWorkCheck, { readonly: true, filter: true }),
    name: text({ readonly: true, notNull: true }),
  },
  allow: { read: HR_PRIVATE_ROLE, rows: [{ unless: [], only: only.ofReadable('check') }] },
})

export const destructionNumbers = defineSequence({
  name: 'right-to-work-destruction',
  prefix: 'RTW-',
  per: 'client and year',
  gapless: true,
  digits: 4,
})

/** Certificate that a person confirmed the destruction of a former employee's checks. It contains none of their details. */
export const rightToWorkDestruction = resource({
  type: 'RightToWorkDestruction',
  service: 'employees',
  path: 'right_to_work_destructions',
  table: 'right_to_work_destruction',
  tenant: 'own',
  title: 'number',
  order: ['-id'],
  pack: 'employees',
  appendOnly: true,
  fields: {
    number: text({ readonly: true, default: '', filter: true }),
    employee: link(() => employee, { required: true, embed: ['name'], filter: true }),
    employmentEndedOn: date({ required: true, label: 'Employment ended on' }),
    checks: integer({ required: true, min: 1, label: 'Checks destroyed' }),
    copies: integer({ default: 0, min: 0, label: 'Copies destroyed' }),
    /** SHA-256 of the numbers of the checks, the times at which they were recorded, and the checksums of the copies. */
    digest: text({ required: true, label: 'Fingerprint' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', label: 'Confirmed by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Confirmed' }),
  },
  allow: { read: HR_ROLES },
})

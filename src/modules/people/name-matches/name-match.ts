import { choice, instant, integer, link, text, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { INCIDENT_READER_ROLE } from '#modules/incidents/rights.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'

/** Places whose typed names are compared with the employees. */
export const NAME_SOURCES = [
  { value: 'assessment', label: 'Hazard of a risk assessment, in draft' },
  { value: 'document', label: 'Document, in draft' },
  { value: 'action', label: 'Corrective action, open' },
  { value: 'attendee', label: 'Talk, attendee who has not signed' },
  { value: 'incident', label: 'Accident book, injured party' },
] as const
export type NameSource = (typeof NAME_SOURCES)[number]['value']

export const MATCH_STATES = [
  { value: 'proposed', label: 'Proposed' },
  { value: 'ambiguous', label: 'Ambiguous' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'rejected', label: 'Rejected' },
] as const

/** ID of a row, or path in a document. */
export type LinkedPlace = number | string

/** Address that starts the comparison of typed names with the employees. */
export const FIND_NAME_MATCHES_URL = '/api/employees/name_matches/find'

/**
 * A typed name in a record that can still change, and the employee who has this name. Several employees with the name
 * make it ambiguous. Names of injured parties are confidential, as in the accident book.
 */
export const nameMatch = resource({
  type: 'NameMatch',
  service: 'employees',
  path: 'name_matches',
  table: 'name_match',
  tenant: 'own',
  title: 'name',
  order: ['name', 'id'],
  pack: 'employees',
  state: 'state',
  bulk: ['confirm', 'reject', 'reconsider'],
  fields: {
    name: text({ readonly: true, notNull: true, filter: 'partial', order: true, label: 'Name as typed' }),
    source: choice(NAME_SOURCES, { readonly: true, notNull: true, filter: true, count: true, label: 'Place' }),
    /** ID of the record: a document, an action, an attendee, or a person of an incident. */
    row: integer({ column: 'row_id', readonly: true, notNull: true, label: 'Record ID' }),
    record: text({ readonly: true, notNull: true, order: true }),
    employee: link(() => employee, { readonly: true, embed: ['name', 'retired'], filter: true }),
    candidates: integer({ readonly: true, notNull: true, label: 'Employees with this name' }),
    state: choice(MATCH_STATES, {
      readonly: true,
      notNull: true,
      filter: true,
      count: true,
      default: 'proposed',
      label: 'Status',
    }),
    /** Places that the confirmation linked: IDs of rows, or paths in a document. */
    linked: typedJson<readonly LinkedPlace[]>()({ readonly: true, default: [], visible: 'nobody' }),
    decidedBy: text({ readonly: true, person: true }),
    decidedAt: instant({ readonly: true, label: 'Decided on' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Found on' }),
  },
  allow: {
    read: HR_ROLES,
    rows: [{ unless: INCIDENT_READER_ROLE, only: only.notAmong('source', ['incident']) }],
  },
  actions: {
    confirm: {
      path: 'confirm',
      title: 'Confirm',
      allow: HR_ROLES,
      from: ['proposed'],
      to: 'confirmed',
      undo: 'reconsider',
      input: {},
    },
    reject: {
      path: 'reject',
      title: 'Reject',
      allow: HR_ROLES,
      from: ['proposed'],
      to: 'rejected',
      undo: 'reconsider',
      input: {},
    },
    reconsider: {
      path: 'reconsider',
      title: 'Undo the decision',
      allow: HR_ROLES,
      from: ['confirmed', 'rejected'],
      to: 'proposed',
      input: {},
    },
  },
})

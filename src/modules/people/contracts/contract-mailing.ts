import { flag, instant, integer, link, text } from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { department, employee } from '../employees/employee.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { HR_ROLES } from '../rights.ts'
import { incidentSite } from '../sites/incident-site.ts'
import { contractTemplate } from './contract-template.ts'

const MAX_DAYS = 365
const countOf = (condition: string) =>
  `(SELECT count(*)::int FROM employment_contract k WHERE k.client_id = t.client_id AND k.mailing_id = t.id${condition})`

/** A template that is sent to one employee, or to all employees of a department and site. Saving it sends the contracts. */
export const contractMailing = resource({
  type: 'ContractMailing',
  service: 'employees',
  path: 'contract_mailings',
  table: 'contract_mailing',
  tenant: 'own',
  order: ['-id'],
  fields: {
    template: link(() => contractTemplate, {
      required: 'Please choose a template',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
    }),
    /** Version that the sender has read. */
    templateVersion: integer({ required: true, min: 1, label: 'Version' }),
    employee: link(() => employee, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    department: link(() => department, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    site: link(() => incidentSite, { embed: ['name'], filter: true, offers: IN_SERVICE }),
    joiners: flag({
      filter: true,
      label: 'Also send to future joiners',
      help: 'Everybody who joins the company, department or site later gets the version of that day.',
    }),
    countersigner: link(() => employee, {
      required: 'Please choose the person who countersigns',
      embed: ['name'],
      filter: true,
      offers: IN_SERVICE,
      label: 'Countersigned by',
    }),
    days: integer({ required: 'Please enter the days to sign', min: 1, max: MAX_DAYS, label: 'Days to sign' }),
    contracts: integer({ readonly: true, notNull: true, sql: countOf(" AND k.state <> 'cancelled'") }),
    signed: integer({ readonly: true, notNull: true, sql: countOf(" AND k.state IN ('signed', 'complete')") }),
    complete: integer({ readonly: true, notNull: true, sql: countOf(" AND k.state = 'complete'") }),
    /** Batch job that sends to a group; null for one employee. */
    run: integer({ column: 'run_id', readonly: true }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Sent by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, label: 'Sent' }),
    /** True once joiners get no contracts any more. */
    retired: flag({ readonly: true, filter: true, label: 'Ended' }),
  },
  allow: { read: HR_ROLES, create: HR_ROLES },
  pack: 'employees',
  actions: {
    stop: { path: 'stop', title: 'Stop sending to joiners', allow: HR_ROLES, input: {} },
  },
})

export type ContractMailing = RowOf<typeof contractMailing>

export const MAILING_PREVIEW_URL = `${contractMailing.url}/preview`

/** Employee who would get a contract, before it is sent. */
export interface MailingRow {
  readonly employee: number
  readonly name: string
  /** Address of the link; empty if the employee signs in the portal. */
  readonly email: string
  /** Reason why the employee gets no contract; empty if there is none. */
  readonly problem: string
}

export interface MailingPreview {
  readonly rows: readonly MailingRow[]
  /** E-mails that the company’s daily limit allows today; the others follow from tomorrow. */
  readonly emailsToday: number
  /** Text of the first contract that would be sent; empty if there is none. */
  readonly sample: string
}

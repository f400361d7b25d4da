import { choice, date, email, instant, link, strings, text } from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { incidentFacts } from '../incident-facts.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import { incidentPerson } from './incident-person.ts'

/** Days for which a witness can give a statement by link. */
export const STATEMENT_LINK_DAYS = 30

/** Request to a witness without an account for a statement, by a secret link in an e-mail. */
export const incidentStatementRequest = resource({
  type: 'IncidentStatementRequest',
  service: 'safety',
  path: 'incident_statement_requests',
  table: 'incident_statement_request',
  tenant: 'own',
  order: ['id'],
  state: 'state',
  emails: 'id',
  fields: {
    report: link(() => incidentFacts, { readonly: true, notNull: true, filter: true }),
    person: link(() => incidentPerson, { required: 'Please choose a witness', filter: true, label: 'Witness' }),
    email: email({ required: 'Please enter the e-mail address of the witness', max: 255, label: 'E-mail' }),
    /** Last day on which the link works. */
    until: date({ readonly: true, notNull: true, label: 'Valid until' }),
    state: choice(
      [
        { value: 'open', label: 'Waiting for the statement' },
        { value: 'received', label: 'Statement received' },
        { value: 'withdrawn', label: 'Link withdrawn' },
      ],
      { readonly: true, default: 'open', notNull: true, filter: true, label: 'Status' },
    ),
    /** Hashes of the secrets: one for each attempt to send the e-mail. */
    hashes: strings({ readonly: true, default: [], visible: 'nobody' }),
    /** Time at which a mail server accepted the e-mail; null until then. */
    emailedAt: instant({ readonly: true, label: 'E-mail sent' }),
    openedAt: instant({ readonly: true, label: 'Link opened' }),
    receivedAt: instant({ readonly: true, label: 'Statement received' }),
    withdrawnAt: instant({ readonly: true, label: 'Link withdrawn' }),
    author: text({ readonly: true, stamp: 'author', label: 'Requested by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Requested' }),
  },
  allow: {
    read: INCIDENT_READER_ROLE,
    create: INCIDENT_READER_ROLE,
    rows: [{ unless: [], only: only.ofReadable('report') }],
  },
  pack: 'safety',
  actions: {
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw the link',
      allow: INCIDENT_READER_ROLE,
      from: ['open'],
      to: 'withdrawn',
      input: {},
    },
  },
})

export type StatementRequest = RowOf<typeof incidentStatementRequest>

/** Maximum number of valid links for one request. */
export const MAX_STATEMENT_SECRETS = 5

/** A request as shown to the witness by link: the place, the day and their own words. */
export interface LinkedStatement {
  readonly '@id': string
  readonly '@type': 'LinkedStatement'
  readonly company: string
  readonly logo: string | null
  /** Reason why no statement can be given; empty while one can. */
  readonly sentence: string
  /** Undefined if the link shows nothing any more. */
  readonly incident?: { readonly place: string; readonly day: string }
  /** Last day on which a statement can be given. */
  readonly until?: string
  /** Statement as received, and the time. */
  readonly received?: { readonly statement: string; readonly at: string }
}

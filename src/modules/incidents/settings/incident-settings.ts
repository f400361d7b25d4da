import { instant, strings, text, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { HARM_LEVELS } from '../harm-levels.ts'
import { type INCIDENT_BOOK_ROLES, INCIDENT_REPORTER_ROLES } from '../rights.ts'

/** Kinds of new reports, each with its own recipients of notifications. */
export const NOTIFIED_LEVELS = [
  { value: 'nearMiss', label: 'Near miss' },
  ...HARM_LEVELS,
  { value: 'unknown', label: 'Severity not stated' },
] as const
export type NotifiedLevel = (typeof NOTIFIED_LEVELS)[number]['value']

/** Roles whose holders can be notified. All of them can read the accident book. */
export const RECIPIENT_ROLES: Readonly<Record<(typeof INCIDENT_BOOK_ROLES)[number], string>> = {
  ROLE_CLIENT_ADMIN: 'Company administrators',
  ROLE_SAFETY_ADMIN: 'Safety administrators',
  ROLE_SAFETY_AUTHOR: 'Safety authors',
  ROLE_INCIDENT_READER: 'Incident readers',
}

/** Recipients of a notification: everybody with one of the roles, and these users by ID. */
export interface Recipients {
  readonly roles: readonly string[]
  readonly users: readonly number[]
}

export type RecipientsByLevel = Readonly<Partial<Record<NotifiedLevel, Recipients>>>

type Severity = Exclude<NotifiedLevel, 'nearMiss' | 'unknown'>

/** Returns the level of a report: the reporter’s answer or, for an entry by the office, the severity entered. */
export const levelOfReport = ({
  nearMiss,
  reportedHarm,
  actualSeverity,
}: {
  readonly nearMiss: boolean
  readonly reportedHarm: Severity | null
  readonly actualSeverity: Severity | null
}): NotifiedLevel => (nearMiss ? 'nearMiss' : (reportedHarm ?? actualSeverity ?? 'unknown'))

/** A company's settings for reports of incidents: the part of the client record that approvers change. */
export const incidentSettings = resource({
  type: 'IncidentSettings',
  service: 'safety',
  path: 'incident_settings',
  table: 'client',
  tenant: 'self',
  title: 'company',
  fields: {
    company: text({ readonly: true }),
    requiredAnswers: strings({
      default: [],
      column: 'incident_required_answers',
      label: 'Questions that a reporter must answer',
    }),
    /** Recipients by level. Levels without an entry notify company and safety administrators. */
    recipients: typedJson<RecipientsByLevel>()({
      default: {},
      column: 'incident_recipients',
      visible: DOCUMENT_APPROVER_ROLES,
      label: 'Recipients of new reports',
    }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: INCIDENT_REPORTER_ROLES, update: DOCUMENT_APPROVER_ROLES },
  pack: 'safety',
})

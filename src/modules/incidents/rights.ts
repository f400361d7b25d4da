import type { Actor } from '#kernel/roles.ts'
import type { AccessRule } from '#kernel/row-rules.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'

/** Role that reads health details of incidents. */
export const INCIDENT_READER_ROLE = 'ROLE_INCIDENT_READER'
/** Roles that read the accident book and its entries. Health details require `INCIDENT_READER_ROLE` as well. */
export const INCIDENT_BOOK_ROLES = [...DOCUMENT_AUTHOR_ROLES, INCIDENT_READER_ROLE] as const
/** Roles that may report an incident: everybody at a company. */
export const INCIDENT_REPORTER_ROLES = [...INCIDENT_BOOK_ROLES, 'ROLE_EMPLOYEE'] as const

/** Other users read only their own reports, and change only their own drafts. */
export const INCIDENT_ACCESS_RULES: readonly AccessRule[] = [
  { unless: INCIDENT_BOOK_ROLES, only: only.mine('author') },
  { unless: INCIDENT_BOOK_ROLES, only: only.among('state', ['draft', 'reported']), verbs: ['create'] },
]

/**
 * Returns true if the actor impersonates a user and the incident has been reported. Impersonators can change only
 * drafts.
 */
export const isReportedDuringVisit = (actor: Actor, { state }: { readonly state?: string | null }): boolean =>
  actor.original !== undefined && state !== 'draft'

/** Returns the user ID of a reporter; null for visitors, and while impersonating. */
export const reporterId = (actor: Actor): number | null => (actor.original || actor.kind ? null : actor.userId)

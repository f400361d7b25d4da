import { type Violation, violation } from '#kernel/errors.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'

/**
 * Readers of a document in force: holders of these roles, or everyone in the company if the list is empty. Approvers
 * can read all documents, and authors can read their own.
 */
export type Audience = readonly string[]

export const EVERYONE_AUDIENCE: Audience = []
export const MANAGEMENT_AUDIENCE: Audience = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN']
const WRITERS: Audience = DOCUMENT_AUTHOR_ROLES

export const AUDIENCE_CHOICES: readonly { readonly label: string; readonly value: Audience }[] = [
  { label: 'Everyone in the company', value: EVERYONE_AUDIENCE },
  { label: 'Authors of safety documents', value: WRITERS },
  { label: 'Management only', value: MANAGEMENT_AUDIENCE },
]

export const audienceLabel = (roles: Audience): string =>
  AUDIENCE_CHOICES.find(({ value }) => value.length === roles.length && value.every((role) => roles.includes(role)))
    ?.label ??
  roles
    .map((role) =>
      role
        .replace(/^ROLE_/, '')
        .toLowerCase()
        .replaceAll('_', ' '),
    )
    .join(', ')

const ROLE = /^ROLE_[A-Z0-9_]{1,60}$/
const MAX_ROLES = 20

/**
 * Returns the audience of a document: the chosen roles, otherwise the type's audience. `audienceProblems` rejects roles
 * outside the type's audience.
 */
export const effectiveAudience = (kind: Audience, chosen: Audience | null | undefined): Audience =>
  chosen?.length ? [...new Set(chosen)] : kind

export function audienceProblems(kind: Audience, chosen: Audience): Violation[] {
  const refuse = (message: string) => [violation('audience', message)]
  if (chosen.length > MAX_ROLES) return refuse(`Please choose at most ${MAX_ROLES} roles`)
  const unknown = chosen.find((role) => !ROLE.test(role))
  if (unknown !== undefined) return refuse(`"${unknown.slice(0, 60)}" is not a role`)
  const wider = kind.length > 0 && chosen.some((role) => !kind.includes(role))
  return wider ? refuse(`The audience can’t be wider than: ${audienceLabel(kind)}`) : []
}

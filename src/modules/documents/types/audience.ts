import { type Violation, violation } from '#kernel/errors.ts'
import { AUTHORS } from '../rights.ts'

/**
 * Who reads a document that is in force: people with one of these roles; everybody of the company, where none is named. Whoever
 * approves reads all of them, and authors their own.
 */
export type Audience = readonly string[]

export const EVERYBODY: Audience = []
/** Those who run the company. */
export const MANAGEMENT: Audience = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN']
/** Those who write its safety documents. */
const WRITERS: Audience = AUTHORS

/** What a person is offered. */
export const AUDIENCES: readonly { readonly label: string; readonly value: Audience }[] = [
  { label: 'Everybody in the company', value: EVERYBODY },
  { label: 'Those who write safety documents', value: WRITERS },
  { label: 'Management only', value: MANAGEMENT },
]

/** An audience in words. */
export const audienceLabel = (roles: Audience): string =>
  AUDIENCES.find(({ value }) => value.length === roles.length && value.every((role) => roles.includes(role)))?.label ??
  roles
    .map((role) =>
      role
        .replace(/^ROLE_/, '')
        .toLowerCase()
        .replaceAll('_', ' '),
    )
    .join(', ')

const ROLE = /^ROLE_[A-Z0-9_]{1,60}$/
const MOST = 20

/** The audience of one document of a kind: what was chosen, never wider than the kind's. */
export const audienceWithin = (kind: Audience, chosen: Audience | null | undefined): Audience =>
  chosen?.length ? [...new Set(chosen)] : kind

/** What is wrong with an audience that somebody chose. */
export function audienceProblems(kind: Audience, chosen: Audience): Violation[] {
  const refuse = (message: string) => [violation('audience', message)]
  if (chosen.length > MOST) return refuse(`Please name at most ${MOST} roles`)
  const unknown = chosen.find((role) => !ROLE.test(role))
  if (unknown !== undefined) return refuse(`"${unknown.slice(0, 60)}" is not a role`)
  const wider = kind.length > 0 && chosen.some((role) => !kind.includes(role))
  return wider ? refuse(`This is for fewer people: ${audienceLabel(kind)}`) : []
}

import type { DocumentKind } from './kind.ts'
import { isSelfApproved } from './self-approval.ts'
import { type Shown, STATES, type State } from './states.ts'

type Kind = Pick<DocumentKind, 'approval'>

/** True if documents of the type need approval; otherwise they are in force when complete. */
export const isApproved = ({ approval }: Kind): boolean => approval !== false

export const wasInForce = ({ state }: { readonly state: State }): boolean => state === 'current' || state === 'replaced'

/** True if one revision is in force per client, whatever its number. Templates are always per number. */
export const isOneInClient = (
  { current }: Pick<DocumentKind, 'current'>,
  { isTemplate }: { readonly isTemplate?: unknown },
): boolean => current === 'per client' && isTemplate !== true

export const statesOf = (kind: Kind): readonly State[] =>
  isApproved(kind) ? STATES : STATES.filter((state) => state !== 'complete' && state !== 'rejected')

/** Texts about completion: for the button and afterwards. */
export const completingWords = (kind: Kind) =>
  isApproved(kind)
    ? { button: 'Complete and seal', done: 'is complete and sealed' }
    : { button: 'Complete and bring into force', done: 'is complete, sealed and in force' }

interface Decided {
  readonly author: string | null
  readonly authorUsername: string | null
  readonly approvedAt: string | null
  readonly completedBy: string | null
  readonly completedAt: string | null
  readonly isTemplate?: boolean | null
}

/** Text with the person who put a revision in force, and the time. */
export function inForceWords(kind: Kind, record: Decided, { day, name }: Shown): string {
  if (!isApproved(kind))
    return `Completed by ${name(record.completedBy ?? record.author)} on ${day(record.completedAt)}, in force since.`
  const self = isSelfApproved(record) ? ', its author,' : ''
  return `Approved by ${name(record.authorUsername)}${self} on ${day(record.approvedAt)}, in force.`
}

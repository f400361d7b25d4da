import type { DocumentKind } from './kind.ts'
import { isSelfApproved } from './self-approval.ts'
import { type Shown, STATES, type State } from './states.ts'

type Kind = Pick<DocumentKind, 'approval'>

/** Does somebody approve documents of this kind? Otherwise what is complete is in force. */
export const isApproved = ({ approval }: Kind): boolean => approval !== false

/** Is a revision in force, or was it? */
export const wasInForce = ({ state }: { readonly state: State }): boolean => state === 'current' || state === 'replaced'

/** Is one revision in force in the client, whatever its number? Of templates one of each number is: they are there to be chosen from. */
export const isOneInClient = (
  { current }: Pick<DocumentKind, 'current'>,
  { isTemplate }: { readonly isTemplate?: unknown },
): boolean => current === 'per client' && isTemplate !== true

/** The states that documents of a kind come into. */
export const statesOf = (kind: Kind): readonly State[] =>
  isApproved(kind) ? STATES : STATES.filter((state) => state !== 'complete' && state !== 'rejected')

/** What completing does, as it is said beside it: on its button, and when it is done. */
export const completingWords = (kind: Kind) =>
  isApproved(kind)
    ? { button: 'Complete and seal', done: 'is complete and sealed' }
    : { button: 'Complete, and put in force', done: 'is complete, sealed and in force' }

interface Decided {
  readonly author: string | null
  readonly authorUsername: string | null
  readonly approvedAt: string | null
  readonly completedBy: string | null
  readonly completedAt: string | null
  readonly isTemplate?: boolean | null
}

/** Who put a revision in force, and when. */
export function inForceWords(kind: Kind, record: Decided, { day, name }: Shown): string {
  if (!isApproved(kind))
    return `Completed by ${name(record.completedBy ?? record.author)} on ${day(record.completedAt)}, and in force since.`
  const self = isSelfApproved(record) ? ', its author,' : ''
  return `Approved by ${name(record.authorUsername)}${self} on ${day(record.approvedAt)}, and in force.`
}

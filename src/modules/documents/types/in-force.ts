import type { DocumentKind } from './kind.ts'
import { isSelfApproved } from './self-approval.ts'
import { type DateAndNameFormatters, DOCUMENT_STATES, type DocumentState } from './transitions.ts'

type Kind = Pick<DocumentKind, 'approval'>

/** Returns true if documents of the type need approval. Documents of other types are in force once complete. */
export const needsApproval = ({ approval }: Kind): boolean => approval !== false

export const wasInForce = ({ state }: { readonly state: DocumentState }): boolean =>
  state === 'current' || state === 'replaced'

/**
 * Returns true if a client has only one revision in force across document numbers. Templates always have one per
 * number.
 */
export const allowsOneInForcePerClient = (
  { current }: Pick<DocumentKind, 'current'>,
  { isTemplate }: { readonly isTemplate?: unknown },
): boolean => current === 'per client' && isTemplate !== true

export const documentStatesFor = (kind: Kind): readonly DocumentState[] =>
  needsApproval(kind)
    ? DOCUMENT_STATES
    : DOCUMENT_STATES.filter((state) => state !== 'complete' && state !== 'rejected')

/** Returns the button label for completing a document of the type, and the text shown after completion. */
export const completionTexts = (kind: Kind) =>
  needsApproval(kind)
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

/** Returns the text that states who put a revision in force, and when. */
export function inForceText(kind: Kind, record: Decided, { day, name }: DateAndNameFormatters): string {
  if (!needsApproval(kind))
    return `Completed by ${name(record.completedBy ?? record.author)} on ${day(record.completedAt)}, and in force since.`
  const self = isSelfApproved(record) ? ' (author)' : ''
  return `Approved by ${name(record.authorUsername)}${self} on ${day(record.approvedAt)}, and in force.`
}

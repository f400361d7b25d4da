import type { Roles } from '#kernel/roles.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_AUTHOR_ROLES, type DocumentRoles } from '../rights.ts'

/**
 * Lifecycle of a revision: a draft is completed, then approved or rejected; an approved revision is current until the
 * next revision replaces it. Retiring a revision hides it and keeps its state.
 */
export type DocumentState = 'draft' | 'complete' | 'current' | 'rejected' | 'replaced'

export const DOCUMENT_STATES: readonly DocumentState[] = ['draft', 'complete', 'current', 'rejected', 'replaced']
const SEALED_STATES: readonly DocumentState[] = DOCUMENT_STATES.filter((state) => state !== 'draft')

/** Displayed status. A retired revision is shown as deleted or withdrawn, but a rejected one remains rejected. */
export type DocumentStatus = DocumentState | 'retired' | 'withdrawn'

export function toDocumentStatus({
  state,
  retired,
}: {
  readonly state: DocumentState
  readonly retired: boolean
}): DocumentStatus {
  if (!isDeletedOrWithdrawn({ state, retired })) return state
  return state === 'current' ? 'withdrawn' : 'retired'
}

export const DOCUMENT_STATUS_LABELS: Readonly<Record<DocumentStatus, string>> = {
  draft: 'Incomplete',
  complete: 'Awaiting approval',
  current: 'Current',
  rejected: 'Rejected',
  replaced: 'Replaced',
  retired: 'Deleted',
  withdrawn: 'Withdrawn',
}

interface EndedDocument {
  readonly state: DocumentState
  readonly retired: boolean
  readonly endedBy?: string | null
  readonly endedAt?: string | null
}

/**
 * Returns a text that states who withdrew, rejected or deleted a revision, and when. Returns an empty string if nobody
 * did or this is unknown.
 */
export function endedByText(record: EndedDocument, { day, name }: DateAndNameFormatters): string {
  if (!record.endedBy) return ''
  return `${DOCUMENT_STATUS_LABELS[toDocumentStatus(record)]} by ${name(record.endedBy)} on ${day(record.endedAt ?? null)}`
}

export interface DateAndNameFormatters {
  readonly day: (instant: string | null) => string
  /** Returns a person's name by username. */
  readonly name: (username: string | null) => string
}

/**
 * Returns true if the revision was deleted or withdrawn. Returns false for rejected revisions, because they are listed
 * like others.
 */
export const isDeletedOrWithdrawn = (record: { readonly state: DocumentState; readonly retired: boolean }): boolean =>
  record.retired && record.state !== 'rejected'

export const DOCUMENT_STATUS_OPTIONS = Object.entries(DOCUMENT_STATUS_LABELS).map(([value, label]) => ({
  value,
  label,
}))

export const DOCUMENT_STATE_OPTIONS = DOCUMENT_STATES.map((value) => ({ value, label: DOCUMENT_STATUS_LABELS[value] }))

/** Returns the flags in the record for a state. The database enforces the same rule. */
export const stateFlags = (state: DocumentState, retired: boolean) => ({
  state,
  retired,
  complete: state !== 'draft',
  current: state === 'current' && !retired,
})

export type TransitionName =
  | 'edit'
  | 'complete'
  | 'approve'
  | 'reject'
  | 'replace'
  | 'move review'
  | 'change audience'
  | 'withdraw'
  | 'retire'
  | 'restore'
  | 'reinstate'
  | 'revise'

export type TransitionCheck =
  | 'not deleted'
  | 'whole'
  | 'no other draft'
  | 'no second draft'
  | 'not overtaken'
  | 'by another'
  | 'a reason'
  | 'papers in force'

/** Effects of a transition besides the new state, in the same transaction and in this order. */
export type TransitionEffect =
  | 'replace the current revision'
  | 'give way to a later revision'
  | 'let go of what is hidden'
  | 'keep the settings that hold'
  | 'stamp the completion'
  | 'stamp the approval'
  | 'stamp the review'
  | 'stamp who set the review'
  | 'keep the reason'
  | 'take back the reason'
  | 'stamp the end'
  | 'take back the end'
  | 'keep the audience'

/** Name of a transition in the audit chain. */
export type SealEvent =
  | 'completed'
  | 'approved'
  | 'rejected'
  | 'replaced'
  | 'review moved'
  | 'audience changed'
  | 'withdrawn'
  | 'retired'
  | 'restored'

/** Revision details for the error about a transition that is not allowed. */
export interface RevisionState {
  readonly documentNumber: string
  readonly revision: number
  readonly state: DocumentState
}

export interface DocumentTransition {
  readonly from: readonly DocumentState[]
  /** New state; `same` if the revision is only deleted or restored. */
  readonly to: DocumentState | 'same'
  /** True to delete the revision, false to restore it; undefined to leave it as it is. */
  readonly retired?: boolean
  readonly may: Roles
  /** When the transition is refused while impersonating a user: always, or only for a sealed revision. */
  readonly notWhileImpersonating?: 'always' | 'if sealed'
  /** Verb in the permission error. */
  readonly called: string
  readonly checks: readonly TransitionCheck[]
  readonly effects: readonly TransitionEffect[]
  /** Event added to the audit chain if the revision is sealed. */
  readonly seals?: SealEvent
  /** Returns the error if the revision is in any other state. */
  readonly refusal?: (revision: RevisionState) => string
}

export type DocumentTransitions = Readonly<Record<TransitionName, DocumentTransition>>

/**
 * All transitions of a revision, used by every route (save, action, templates, demo data). The states and permissions
 * of the declared actions are also derived from `from` and `may`.
 */
export const DOCUMENT_TRANSITIONS: DocumentTransitions = {
  edit: {
    from: ['draft'],
    to: 'draft',
    may: DOCUMENT_AUTHOR_ROLES,
    called: 'change',
    checks: [],
    effects: [],
    refusal: ({ documentNumber, revision }) =>
      `${documentNumber} revision ${revision} is complete and can’t be changed. Start the next revision instead.`,
  },
  complete: {
    from: ['draft'],
    to: 'complete',
    may: DOCUMENT_AUTHOR_ROLES,
    called: 'complete',
    checks: ['not deleted', 'whole'],
    effects: ['let go of what is hidden', 'keep the settings that hold', 'stamp the completion'],
    seals: 'completed',
  },
  approve: {
    from: ['complete'],
    to: 'current',
    may: DOCUMENT_APPROVER_ROLES,
    notWhileImpersonating: 'always',
    called: 'approve',
    checks: ['not deleted', 'not overtaken', 'by another'],
    effects: ['replace the current revision', 'stamp the approval', 'keep the audience'],
    seals: 'approved',
    refusal: () => 'Only a complete revision awaiting approval can be approved.',
  },
  reject: {
    from: ['complete'],
    to: 'rejected',
    retired: true,
    may: DOCUMENT_APPROVER_ROLES,
    notWhileImpersonating: 'always',
    called: 'reject',
    checks: ['not deleted'],
    effects: ['keep the reason', 'stamp the end'],
    seals: 'rejected',
  },
  /** Replaces the current revision when the next one is approved. */
  replace: {
    from: ['current'],
    to: 'replaced',
    may: DOCUMENT_APPROVER_ROLES,
    called: 'replace',
    checks: [],
    effects: [],
    seals: 'replaced',
  },
  /** Sets the review date and review mark of a sealed revision; approvers only. */
  'move review': {
    from: SEALED_STATES,
    to: 'same',
    may: DOCUMENT_APPROVER_ROLES,
    notWhileImpersonating: 'always',
    called: 'change the review date of',
    checks: [],
    effects: ['stamp who set the review'],
    seals: 'review moved',
  },
  'change audience': {
    from: SEALED_STATES,
    to: 'same',
    may: DOCUMENT_APPROVER_ROLES,
    notWhileImpersonating: 'always',
    called: 'change the readers of',
    checks: [],
    effects: ['keep the audience'],
    seals: 'audience changed',
  },
  /** Retires the revision in force without a replacement. */
  withdraw: {
    from: ['current'],
    to: 'same',
    retired: true,
    may: DOCUMENT_APPROVER_ROLES,
    notWhileImpersonating: 'always',
    called: 'withdraw',
    checks: ['not deleted', 'a reason'],
    effects: ['keep the reason', 'stamp the end'],
    seals: 'withdrawn',
  },
  retire: {
    from: DOCUMENT_STATES,
    to: 'same',
    retired: true,
    may: DOCUMENT_AUTHOR_ROLES,
    notWhileImpersonating: 'if sealed',
    called: 'delete',
    checks: [],
    effects: ['stamp the end'],
    seals: 'retired',
  },
  /**
   * Restores a deleted revision. A rejected revision can't be restored, because it is retired but not deleted: the next
   * revision starts from it.
   */
  restore: {
    from: ['draft', 'complete', 'replaced'],
    to: 'same',
    retired: false,
    may: DOCUMENT_AUTHOR_ROLES,
    notWhileImpersonating: 'if sealed',
    called: 'restore',
    checks: ['no second draft'],
    effects: ['take back the end'],
    seals: 'restored',
    refusal: ({ documentNumber, revision }) =>
      `${documentNumber} revision ${revision} was rejected. Start the next revision to correct it.`,
  },
  /** Puts a withdrawn revision back in force; approvers only. */
  reinstate: {
    from: ['current'],
    to: 'same',
    retired: false,
    may: DOCUMENT_APPROVER_ROLES,
    notWhileImpersonating: 'always',
    called: 'restore',
    checks: [],
    effects: ['take back the reason', 'take back the end', 'give way to a later revision'],
    seals: 'restored',
  },
  /** Starts the next revision. `from` and the checks refer to the previous revision. */
  revise: {
    from: ['complete', 'current', 'rejected'],
    to: 'draft',
    may: DOCUMENT_AUTHOR_ROLES,
    called: 'revise',
    checks: ['no other draft'],
    effects: [],
    refusal: () => 'Only a complete, current or rejected revision can be followed by another.',
  },
}

const noApproval: Partial<DocumentTransition> = {
  from: [],
  may: 'nobody',
  refusal: () => 'This document needs no approval: it comes into force as soon as it is complete.',
}

/** Differences for types without approval, for which authors decide. */
const WITHOUT_APPROVAL: Readonly<Partial<Record<TransitionName, Partial<DocumentTransition>>>> = {
  complete: {
    to: 'current',
    notWhileImpersonating: 'always',
    checks: ['not deleted', 'whole', 'not overtaken'],
    effects: ['replace the current revision', 'stamp the completion', 'stamp the review'],
  },
  approve: noApproval,
  reject: noApproval,
  replace: { may: DOCUMENT_AUTHOR_ROLES },
  'move review': { may: DOCUMENT_AUTHOR_ROLES },
  'change audience': { may: DOCUMENT_AUTHOR_ROLES },
  withdraw: { may: DOCUMENT_AUTHOR_ROLES },
  reinstate: { may: DOCUMENT_AUTHOR_ROLES },
}

export const restoreTransitionName = ({ state }: { readonly state?: DocumentState | undefined }): TransitionName =>
  state === 'current' ? 'reinstate' : 'restore'

const unapproved = Object.fromEntries(
  Object.entries(DOCUMENT_TRANSITIONS).map(([name, t]) => [
    name,
    { ...t, ...WITHOUT_APPROVAL[name as TransitionName] },
  ]),
) as DocumentTransitions

/** Transitions for types that are shared as a pack. A shared pack can't come into force with a withdrawn part. */
const handedOver: DocumentTransitions = {
  ...DOCUMENT_TRANSITIONS,
  approve: { ...DOCUMENT_TRANSITIONS.approve, checks: [...DOCUMENT_TRANSITIONS.approve.checks, 'papers in force'] },
}

/** Returns the transitions of a type, depending on whether it needs approval, is shared as a pack, and on its roles. */
export function transitionsFor(
  { approval, shared }: { readonly approval?: false; readonly shared?: true },
  { authors, approvers }: Pick<DocumentRoles, 'authors' | 'approvers'>,
): DocumentTransitions {
  const of = approval === false ? unapproved : shared ? handedOver : DOCUMENT_TRANSITIONS
  const rolesOf = ({ may }: DocumentTransition) =>
    may === DOCUMENT_AUTHOR_ROLES ? authors : may === DOCUMENT_APPROVER_ROLES ? approvers : may
  return Object.fromEntries(
    Object.entries(of).map(([name, transition]) => [name, { ...transition, may: rolesOf(transition) }]),
  ) as DocumentTransitions
}

/** Returns the error if the state does not allow the transition; otherwise undefined. */
export function transitionRejectionMessage(
  { from, refusal }: DocumentTransition,
  revision: RevisionState,
): string | undefined {
  if (from.includes(revision.state)) return undefined
  return (
    refusal?.(revision) ??
    `This can’t be done while the document is ${DOCUMENT_STATUS_LABELS[revision.state].toLowerCase()}.`
  )
}

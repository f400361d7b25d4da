import type { Roles } from '#kernel/roles.ts'
import { APPROVERS, AUTHORS } from '../rights.ts'
import { SEALED, STATE_WORDS, STATES, type State } from './states.ts'

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

/** What must hold before a transition. */
export type Check =
  | 'not deleted'
  | 'whole'
  | 'no other draft'
  | 'no second draft'
  | 'not overtaken'
  | 'by another'
  | 'a reason'
  | 'papers in force'

/** What a transition does beside changing the state; in the same transaction, in the order of its row. */
export type Effect =
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

/** How the chain of the client calls a transition. */
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

/** What a refusal is about. */
export interface Standing {
  readonly documentNumber: string
  readonly revision: number
  readonly state: State
}

/** One way for a revision from a state to another. */
export interface Transition {
  readonly from: readonly State[]
  /** `same` where only its being deleted changes. */
  readonly to: State | 'same'
  /** Deletes the revision, or restores it; without it, that stays as it is. */
  readonly retired?: boolean
  readonly may: Roles
  /** What somebody else is told that they may not do. */
  readonly called: string
  readonly checks: readonly Check[]
  readonly effects: readonly Effect[]
  /** What is added to the chain, where the revision is sealed. */
  readonly seals?: SealEvent
  /** What is said in any other state. */
  readonly refusal?: (revision: Standing) => string
}

export type Transitions = Readonly<Record<TransitionName, Transition>>

/**
 * The life of a revision, whole: every door (a save, an action, the templates, the demo world) makes these transitions and no
 * others. The declared actions take `from` and `may` from here too.
 */
export const TRANSITIONS: Transitions = {
  edit: {
    from: ['draft'],
    to: 'draft',
    may: AUTHORS,
    called: 'change',
    checks: [],
    effects: [],
    refusal: ({ documentNumber, revision }) =>
      `${documentNumber} revision ${revision} is complete and stands as it is. Begin the next revision to change it.`,
  },
  complete: {
    from: ['draft'],
    to: 'complete',
    may: AUTHORS,
    called: 'complete',
    checks: ['not deleted', 'whole'],
    effects: ['let go of what is hidden', 'keep the settings that hold', 'stamp the completion'],
    seals: 'completed',
  },
  approve: {
    from: ['complete'],
    to: 'current',
    may: APPROVERS,
    called: 'approve',
    checks: ['not deleted', 'not overtaken', 'by another'],
    effects: ['replace the current revision', 'stamp the approval', 'keep the audience'],
    seals: 'approved',
    refusal: () => 'Only a complete revision that waits for approval can be approved.',
  },
  reject: {
    from: ['complete'],
    to: 'rejected',
    retired: true,
    may: APPROVERS,
    called: 'reject',
    checks: ['not deleted'],
    effects: ['keep the reason', 'stamp the end'],
    seals: 'rejected',
  },
  /** What the approval of the next revision does to the current one. */
  replace: {
    from: ['current'],
    to: 'replaced',
    may: APPROVERS,
    called: 'replace',
    checks: [],
    effects: [],
    seals: 'replaced',
  },
  /** The day by which a sealed revision is to be reviewed, and that it was: who decides what is in force decides for how long. */
  'move review': {
    from: SEALED,
    to: 'same',
    may: APPROVERS,
    called: 'move the review of',
    checks: [],
    effects: ['stamp who set the review'],
    seals: 'review moved',
  },
  /** Who reads a sealed revision: who decides what is in force decides for whom. */
  'change audience': {
    from: SEALED,
    to: 'same',
    may: APPROVERS,
    called: 'change the readers of',
    checks: [],
    effects: ['keep the audience'],
    seals: 'audience changed',
  },
  /** Deletes the revision in force, so that the number has none. */
  withdraw: {
    from: ['current'],
    to: 'same',
    retired: true,
    may: APPROVERS,
    called: 'withdraw',
    checks: ['not deleted', 'a reason'],
    effects: ['keep the reason', 'stamp the end'],
    seals: 'withdrawn',
  },
  retire: {
    from: STATES,
    to: 'same',
    retired: true,
    may: AUTHORS,
    called: 'delete',
    checks: [],
    effects: ['stamp the end'],
    seals: 'retired',
  },
  /** Brings back what somebody deleted. A rejected revision is put away, not deleted: the next one is begun from it. */
  restore: {
    from: ['draft', 'complete', 'replaced'],
    to: 'same',
    retired: false,
    may: AUTHORS,
    called: 'restore',
    checks: ['no second draft'],
    effects: ['take back the end'],
    seals: 'restored',
    refusal: ({ documentNumber, revision }) =>
      `${documentNumber} revision ${revision} was rejected. Begin the next revision to put it right.`,
  },
  /** Puts what was withdrawn in force again: for those who decide what is. */
  reinstate: {
    from: ['current'],
    to: 'same',
    retired: false,
    may: APPROVERS,
    called: 'restore',
    checks: [],
    effects: ['take back the reason', 'take back the end', 'give way to a later revision'],
    seals: 'restored',
  },
  /** Begins the next revision: `from` and the checks are about the one before it. */
  revise: {
    from: ['complete', 'current', 'rejected'],
    to: 'draft',
    may: AUTHORS,
    called: 'revise',
    checks: ['no other draft'],
    effects: [],
    refusal: () => 'Only a revision that is complete, current or rejected can be followed by another.',
  },
}

const noApproval: Partial<Transition> = {
  from: [],
  may: 'nobody',
  refusal: () => 'Nobody approves this: it is in force as soon as it is complete.',
}

/** What is otherwise in the life of a kind that nobody approves: who writes it decides. */
const WITHOUT_APPROVAL: Readonly<Partial<Record<TransitionName, Partial<Transition>>>> = {
  complete: {
    to: 'current',
    checks: ['not deleted', 'whole', 'not overtaken'],
    effects: ['replace the current revision', 'stamp the completion', 'stamp the review'],
  },
  approve: noApproval,
  reject: noApproval,
  replace: { may: AUTHORS },
  'move review': { may: AUTHORS },
  'change audience': { may: AUTHORS },
  withdraw: { may: AUTHORS },
  reinstate: { may: AUTHORS },
}

/** How a deleted revision comes back. */
export const wayBack = ({ state }: { readonly state?: State | undefined }): TransitionName =>
  state === 'current' ? 'reinstate' : 'restore'

const unapproved = Object.fromEntries(
  Object.entries(TRANSITIONS).map(([name, t]) => [name, { ...t, ...WITHOUT_APPROVAL[name as TransitionName] }]),
) as Transitions

/** What is handed over with all its papers is not put in force with one that nobody works by any more. */
const handedOver: Transitions = {
  ...TRANSITIONS,
  approve: { ...TRANSITIONS.approve, checks: [...TRANSITIONS.approve.checks, 'papers in force'] },
}

/** The life of a kind: with approval or without, handed over with its papers or by itself. */
export const transitionsFor = ({
  approval,
  shared,
}: {
  readonly approval?: false
  readonly shared?: true
}): Transitions => (approval === false ? unapproved : shared ? handedOver : TRANSITIONS)

/** Why a revision can't make the transition from the state that it is in; `undefined` where it can. */
export function refusalOf({ from, refusal }: Transition, revision: Standing): string | undefined {
  if (from.includes(revision.state)) return undefined
  return refusal?.(revision) ?? `This can't be done while it is ${STATE_WORDS[revision.state].toLowerCase()}.`
}

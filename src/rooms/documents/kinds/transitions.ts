import type { Roles } from '#kernel/roles.ts'
import { APPROVERS, AUTHORS } from '../rights.ts'
import { SEALED, STATES, type State } from './states.ts'

export type TransitionName =
  | 'edit'
  | 'complete'
  | 'approve'
  | 'reject'
  | 'replace'
  | 'move review'
  | 'withdraw'
  | 'retire'
  | 'restore'
  | 'reinstate'
  | 'revise'

/** What must hold before a transition. */
export type Check = 'not deleted' | 'whole' | 'no other draft' | 'not overtaken' | 'by another'

/** What a transition does beside changing the state; in the same transaction, in the order of its row. */
export type Effect =
  | 'replace the current revision'
  | 'give way to a later revision'
  | 'let go of what is hidden'
  | 'stamp the completion'
  | 'stamp the approval'
  | 'keep the reason'

/** How the chain of the client calls a transition. */
export type SealEvent =
  | 'completed'
  | 'approved'
  | 'rejected'
  | 'replaced'
  | 'review moved'
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
  readonly checks: readonly Check[]
  readonly effects: readonly Effect[]
  /** What is added to the chain, where the revision is sealed. */
  readonly seals?: SealEvent
  /** What is said in any other state. */
  readonly refusal?: (revision: Standing) => string
}

/**
 * The life of a revision, whole: every door (a save, an action, the templates, the demo world) makes these transitions and no
 * others. The declared actions take `from` and `may` from here too.
 */
export const TRANSITIONS: Readonly<Record<TransitionName, Transition>> = {
  edit: {
    from: ['draft'],
    to: 'draft',
    may: AUTHORS,
    checks: [],
    effects: [],
    refusal: ({ documentNumber, revision }) =>
      `${documentNumber} revision ${revision} is complete and stands as it is. Begin the next revision to change it.`,
  },
  complete: {
    from: ['draft'],
    to: 'complete',
    may: AUTHORS,
    checks: ['not deleted', 'whole'],
    effects: ['let go of what is hidden', 'stamp the completion'],
    seals: 'completed',
  },
  approve: {
    from: ['complete'],
    to: 'current',
    may: APPROVERS,
    checks: ['not deleted', 'not overtaken', 'by another'],
    effects: ['replace the current revision', 'stamp the approval'],
    seals: 'approved',
    refusal: () => 'Only a complete revision that waits for approval can be approved.',
  },
  reject: {
    from: ['complete'],
    to: 'rejected',
    retired: true,
    may: APPROVERS,
    checks: ['not deleted'],
    effects: ['keep the reason'],
    seals: 'rejected',
  },
  /** What the approval of the next revision does to the current one. */
  replace: { from: ['current'], to: 'replaced', may: APPROVERS, checks: [], effects: [], seals: 'replaced' },
  /** The day by which a sealed revision is to be reviewed, and that it was: who decides what is in force decides for how long. */
  'move review': { from: SEALED, to: 'same', may: APPROVERS, checks: [], effects: [], seals: 'review moved' },
  /** Deletes the revision in force, so that the number has none. */
  withdraw: {
    from: ['current'],
    to: 'same',
    retired: true,
    may: APPROVERS,
    checks: [],
    effects: [],
    seals: 'withdrawn',
  },
  retire: { from: STATES, to: 'same', retired: true, may: AUTHORS, checks: [], effects: [], seals: 'retired' },
  restore: {
    from: STATES,
    to: 'same',
    retired: false,
    may: AUTHORS,
    checks: [],
    effects: ['give way to a later revision'],
    seals: 'restored',
  },
  /** Puts what was withdrawn in force again: for those who decide what is. */
  reinstate: {
    from: ['current'],
    to: 'same',
    retired: false,
    may: APPROVERS,
    checks: [],
    effects: ['give way to a later revision'],
    seals: 'restored',
  },
  /** Begins the next revision: `from` and the checks are about the one before it. */
  revise: {
    from: ['complete', 'current', 'rejected'],
    to: 'draft',
    may: AUTHORS,
    checks: ['no other draft'],
    effects: [],
    refusal: () => 'Only a revision that is complete, current or rejected can be followed by another.',
  },
}

/** Why a revision can't make the transition from the state that it is in; `undefined` where it can. */
export function refusalOf(name: TransitionName, revision: Standing): string | undefined {
  const { from, refusal } = TRANSITIONS[name]
  if (from.includes(revision.state)) return undefined
  return refusal?.(revision) ?? `This can't be done while it is ${revision.state}.`
}

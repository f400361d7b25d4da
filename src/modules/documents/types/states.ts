/**
 * Lifecycle of a revision: a draft is completed, then approved or rejected; the approved one is current until the next
 * one replaces it. Retiring hides any of them and keeps their state.
 */
export type State = 'draft' | 'complete' | 'current' | 'rejected' | 'replaced'

export const STATES: readonly State[] = ['draft', 'complete', 'current', 'rejected', 'replaced']
export const SEALED: readonly State[] = STATES.filter((state) => state !== 'draft')

/** Displayed status: a retired revision is deleted or withdrawn; a rejected one remains rejected. */
export type Standing = State | 'retired' | 'withdrawn'

export function standingOf({ state, retired }: { readonly state: State; readonly retired: boolean }): Standing {
  if (!isPutAway({ state, retired })) return state
  return state === 'current' ? 'withdrawn' : 'retired'
}

export const STATE_WORDS: Readonly<Record<Standing, string>> = {
  draft: 'Incomplete',
  complete: 'Awaiting approval',
  current: 'Current',
  rejected: 'Rejected',
  replaced: 'Replaced',
  retired: 'Deleted',
  withdrawn: 'Withdrawn',
}

interface Ended {
  readonly state: State
  readonly retired: boolean
  readonly endedBy?: string | null
  readonly endedAt?: string | null
}

/** Text with the person who withdrew, rejected or deleted a revision, and the time; empty otherwise or if unknown. */
export function endedWords(record: Ended, { day, name }: Shown): string {
  if (!record.endedBy) return ''
  return `${STATE_WORDS[standingOf(record)]} by ${name(record.endedBy)} on ${day(record.endedAt ?? null)}`
}

export interface Shown {
  readonly day: (instant: string | null) => string
  /** Returns a person's name by username. */
  readonly name: (username: string | null) => string
}

/** True if deleted or withdrawn; rejected revisions are listed like others. */
export const isPutAway = (record: { readonly state: State; readonly retired: boolean }): boolean =>
  record.retired && record.state !== 'rejected'

export const STANDING_OPTIONS = Object.entries(STATE_WORDS).map(([value, label]) => ({ value, label }))

export const STATE_OPTIONS = STATES.map((value) => ({ value, label: STATE_WORDS[value] }))

/** Flags of a state in the record. The database enforces the same. */
export const flagsOf = (state: State, retired: boolean) => ({
  state,
  retired,
  complete: state !== 'draft',
  current: state === 'current' && !retired,
})

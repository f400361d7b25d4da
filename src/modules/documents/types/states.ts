/**
 * The life of a revision: a draft is completed, then approved or rejected; the approved one is current until the next one
 * replaces it. Retiring puts any of them away without forgetting what it was.
 */
export type State = 'draft' | 'complete' | 'current' | 'rejected' | 'replaced'

export const STATES: readonly State[] = ['draft', 'complete', 'current', 'rejected', 'replaced']
/** What a revision can be once its words stand. */
export const SEALED: readonly State[] = STATES.filter((state) => state !== 'draft')

/** Where a revision stands for a person: what was put away is that, whatever it was before; a rejected one always is. */
export type Standing = State | 'retired' | 'withdrawn'

export function standingOf({ state, retired }: { readonly state: State; readonly retired: boolean }): Standing {
  if (!isPutAway({ state, retired })) return state
  return state === 'current' ? 'withdrawn' : 'retired'
}

/** As a person reads it: a complete revision waits for approval. */
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

/** Who withdrew, rejected or deleted a revision, and when; nothing of one that stands, or where nobody wrote it down. */
export function endedWords(record: Ended, { day, name }: Shown): string {
  if (!record.endedBy) return ''
  return `${STATE_WORDS[standingOf(record)]} by ${name(record.endedBy)} on ${day(record.endedAt ?? null)}`
}

/** How a day and a person are told. */
export interface Shown {
  /** An instant as a day. */
  readonly day: (instant: string | null) => string
  /** What somebody is called, by their username. */
  readonly name: (username: string | null) => string
}

/** Who writes looks for a rejected one as for any other: what is deleted or withdrawn alone is away. */
export const isPutAway = (record: { readonly state: State; readonly retired: boolean }): boolean =>
  record.retired && record.state !== 'rejected'

export const STANDING_OPTIONS = Object.entries(STATE_WORDS).map(([value, label]) => ({ value, label }))

export const STATE_OPTIONS = STATES.map((value) => ({ value, label: STATE_WORDS[value] }))

/** What goes with a state in the record's flags. The database holds to the same. */
export const flagsOf = (state: State, retired: boolean) => ({
  state,
  retired,
  complete: state !== 'draft',
  current: state === 'current' && !retired,
})

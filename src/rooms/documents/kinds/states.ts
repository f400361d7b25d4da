/**
 * The life of a revision: a draft is completed, then approved or rejected; the approved one is current until the next one
 * replaces it. Retiring puts any of them away without forgetting what it was.
 */
export type State = 'draft' | 'complete' | 'current' | 'rejected' | 'replaced'

export const STATES: readonly State[] = ['draft', 'complete', 'current', 'rejected', 'replaced']
/** What a revision can be once its words stand. */
export const SEALED: readonly State[] = STATES.filter((state) => state !== 'draft')

/** As a person reads it: retired outweighs the state, and a complete revision waits for approval. */
export const STATE_WORDS: Readonly<Record<State | 'retired', string>> = {
  draft: 'Incomplete',
  complete: 'Awaiting approval',
  current: 'Current',
  rejected: 'Rejected',
  replaced: 'Replaced',
  retired: 'Deleted',
}

export const STATE_OPTIONS = STATES.map((value) => ({ value, label: STATE_WORDS[value] }))

/** What goes with a state in the record's flags. The database holds to the same. */
export const flagsOf = (state: State, retired: boolean) => ({
  state,
  retired,
  complete: state !== 'draft',
  current: state === 'current' && !retired,
})

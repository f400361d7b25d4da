/**
 * The life of a revision: a draft is completed, then approved or rejected; the approved one is current until the next one
 * replaces it. Retiring puts any of them away without forgetting what it was.
 */
export type State = 'draft' | 'complete' | 'current' | 'rejected' | 'replaced'

export const STATES: readonly State[] = ['draft', 'complete', 'current', 'rejected', 'replaced']

/** As a person reads it: retired outweighs the state, and a complete revision waits for approval. */
export const STATE_WORDS: Readonly<Record<State | 'retired', string>> = {
  draft: 'Incomplete',
  complete: 'Awaiting approval',
  current: 'Current',
  rejected: 'Rejected',
  replaced: 'Replaced',
  retired: 'Deleted',
}

/** What the lifecycle's rules look at. */
export interface Standing {
  readonly id: number
  readonly state: State
  readonly retired: boolean
  /** Flagged current. */
  readonly current: boolean
  readonly complete: boolean
}

/** What goes with a state in the record's flags. The database holds to the same. */
export const flagsOf = (state: State, retired: boolean) => ({
  state,
  retired,
  complete: state !== 'draft',
  current: state === 'current' && !retired,
})

/**
 * The revision that counts: the one flagged current; if none is, the latest complete one that is not retired, by the
 * highest id (safety specification, section 4).
 */
export function currentOf<T extends Pick<Standing, 'id' | 'current' | 'complete' | 'retired'>>(
  revisions: readonly T[],
): T | undefined {
  return (
    revisions.find((r) => r.current) ??
    revisions
      .filter((r) => r.complete && !r.retired)
      .reduce<T | undefined>((a, b) => (a && a.id > b.id ? a : b), undefined)
  )
}

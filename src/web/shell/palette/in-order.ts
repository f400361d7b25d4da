/** A group of the palette, and whether its answer is still on its way. */
export interface Asked {
  readonly pending: boolean
}

/** The groups from the top down to the first that is still awaited: what is shown never moves when a slower answer comes. */
export function inOrder<G extends Asked>(groups: readonly G[]): readonly G[] {
  const awaited = groups.findIndex((g) => g.pending)
  return awaited < 0 ? groups : groups.slice(0, awaited)
}

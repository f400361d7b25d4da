/** Group of the command palette. `pending` is true until its response has arrived. */
export interface PaletteGroup {
  readonly pending: boolean
}

/**
 * Returns the groups above the first pending group. The groups below it are withheld, because a slower response would
 * move them.
 */
export function paletteGroupsBeforePending<G extends PaletteGroup>(groups: readonly G[]): readonly G[] {
  const awaited = groups.findIndex((g) => g.pending)
  return awaited < 0 ? groups : groups.slice(0, awaited)
}

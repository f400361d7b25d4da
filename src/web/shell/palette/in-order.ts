/** A group of the palette, and whether its response is pending. */
export interface PaletteGroup {
  readonly pending: boolean
}

/**
 * Returns the groups from the top down to the first pending one, so that nothing moves when a slower response arrives.
 */
export function paletteGroupsBeforePending<G extends PaletteGroup>(groups: readonly G[]): readonly G[] {
  const awaited = groups.findIndex((g) => g.pending)
  return awaited < 0 ? groups : groups.slice(0, awaited)
}

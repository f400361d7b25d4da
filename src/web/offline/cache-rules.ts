/** Where a copy is: whose it is, when it was read in ms since 1970, its characters as JSON, and of which query. */
export type EntryKey = readonly [owner: string, at: number, size: number, hash: string]

/** How much one person's copies may be: ms of age, characters of one and of all, and how many. */
export const CACHE_LIMITS = { age: 14 * 86_400_000, one: 2_000_000, all: 20_000_000, count: 600 } as const

/** The copies that have to go where these are written: those of the same queries, the old, and the oldest of what is too much. */
export function entriesToRemove(there: readonly EntryKey[], written: readonly EntryKey[], now: number): EntryKey[] {
  const anew = new Set(written.map(([, , , hash]) => hash))
  const staying = there.filter(([, at, , hash]) => !anew.has(hash) && now - at < CACHE_LIMITS.age)
  let module: number = CACHE_LIMITS.all
  let places: number = CACHE_LIMITS.count
  for (const [, , size] of written) {
    module -= size
    places--
  }
  const kept = new Set<EntryKey>()
  for (const place of staying.toSorted(([, a], [, b]) => b - a)) {
    module -= place[2]
    places--
    if (module < 0 || places < 0) break
    kept.add(place)
  }
  return there.filter((place) => !kept.has(place))
}

import type { InitialDataPart } from '#server/engine/initial-data.ts'

/**
 * Sorts parts so that each follows those it needs, otherwise in the given order. Throws for duplicate names, unknown
 * needs and cycles.
 */
export function sortByDependencies<P extends InitialDataPart>(parts: readonly P[]): P[] {
  const byName = new Map<string, P>()
  for (const part of parts) {
    if (byName.has(part.name)) throw new Error(`Two parts are called "${part.name}"`)
    byName.set(part.name, part)
  }
  const placed = new Set<P>()
  const place = (part: P, way: readonly P[]) => {
    if (placed.has(part)) return
    if (way.includes(part)) throw new Error(`"${part.name}" needs itself, by way of others`)
    for (const need of part.needs ?? []) {
      const needed = byName.get(need)
      if (!needed) throw new Error(`"${part.name}" needs "${need}", which no module brings`)
      place(needed, [...way, part])
    }
    placed.add(part)
  }
  for (const part of parts) place(part, [])
  return [...placed]
}

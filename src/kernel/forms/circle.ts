import type { FormSchema } from './schema.ts'

/**
 * Returns the labels of fields whose conditions form a cycle, the first repeated at the end; undefined if there is
 * none. A field depends on its own conditions and on those of its group and step.
 */
export function findConditionCycle({ steps }: Pick<FormSchema, 'steps'>): readonly string[] | undefined {
  const watched = new Map<string, Set<string>>()
  const labels = new Map<string, string>()
  for (const step of steps)
    for (const group of step.groups)
      for (const field of group.fields) {
        const when = [step.when, group.when, field.when].flatMap((conditions) => conditions ?? [])
        const all = watched.get(field.name) ?? new Set()
        watched.set(field.name, all)
        for (const { watch } of when) all.add(watch)
        labels.set(field.name, field.label || field.name)
      }
  const done = new Set<string>()
  const follow = (name: string, way: readonly string[]): readonly string[] | undefined => {
    const at = way.indexOf(name)
    if (at >= 0) return [...way.slice(at), name]
    if (done.has(name)) return undefined
    for (const next of watched.get(name) ?? []) {
      const circle = follow(next, [...way, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  for (const name of watched.keys()) {
    const circle = follow(name, [])
    if (circle) return circle.map((one) => labels.get(one) ?? one)
  }
  return undefined
}

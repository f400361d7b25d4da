import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'

/**
 * Settings with a few fixed values: each value is a separate trait. Any other setting is a single trait, regardless of
 * its value.
 */
const VALUES = new Set(['tenant', 'filter', 'search', 'stamp'])

const traitsOf = (what: string, spec: object): string[] =>
  Object.entries(spec).flatMap(([key, value]) =>
    value === undefined || value === false ? [] : [`${what} ${key}${VALUES.has(key) ? ` ${value}` : ''}`],
  )

/**
 * Returns the traits of a resource that the engine may treat differently: the tenant mode, each kind of field with its
 * settings, verbs, actions and states.
 */
const shapeOf = (r: Resource): string[] => [
  ...traitsOf('resource', r),
  ...traitsOf(`allow of ${r.tenant}`, r.allow),
  ...Object.values<Field>(r.fields).flatMap((f) => traitsOf(f.kind, f)),
  ...Object.values(r.actions ?? {}).flatMap((action) => [
    ...traitsOf('action', action),
    ...Object.values<Field>(action.input).flatMap((f) => traitsOf(`input ${f.kind}`, f)),
  ]),
]

/**
 * Picks a small set of resources that together have every trait. The choice is greedy: each step picks the resource
 * that adds most traits.
 */
export function pickOneOfEachShape(resources: readonly Resource[]): Resource[] {
  const shapes = new Map(resources.map((r) => [r, new Set(shapeOf(r))]))
  const missing = new Set(resources.flatMap(shapeOf))
  const added = (r: Resource) => shapes.get(r)?.intersection(missing).size ?? 0
  const chosen: Resource[] = []
  while (missing.size) {
    const best = resources.reduce((a, b) => (added(b) > added(a) ? b : a))
    chosen.push(best)
    for (const trait of shapes.get(best) ?? []) missing.delete(trait)
  }
  return chosen
}

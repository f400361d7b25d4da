import { type BulkAction, bulkActions } from '#kernel/bulk.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { fieldsOf } from '#kernel/row-rules.ts'
import type { AnyBehaviour } from './behaviour.ts'
import type { Module } from './module.ts'

/** What each resource does that its declaration can't say. Throws where two modules would say it: the one would undo the other's rules. */
export function behavioursOf(modules: readonly Module[]): ReadonlyMap<Resource, AnyBehaviour> {
  const all = new Map<Resource, AnyBehaviour>()
  for (const [r, behaviour] of modules.flatMap((module) => module.behaviours ?? [])) {
    if (all.has(r))
      throw new Error(`${r.type} has two behaviours. What another module does about it listens to an event.`)
    all.set(r, behaviour)
  }
  return all
}

/** Throws for a mistake in the wiring: it stops the start, not a customer. */
export function checkWiring(resources: readonly Resource[], behaviours: ReadonlyMap<Resource, AnyBehaviour>): void {
  const seen = new Set<string>()
  for (const r of resources) {
    for (const key of [`type ${r.type}`, `address ${r.url}`]) {
      if (seen.has(key)) throw new Error(`Two resources share the ${key}`)
      seen.add(key)
    }
    const actions = behaviours.get(r)?.actions as Readonly<Record<string, unknown>> | undefined
    for (const [name, spec] of Object.entries(r.actions ?? {}))
      if (!actions?.[name] && !spec.to) throw new Error(`${r.type}.${name} is declared but has no behaviour`)
    for (const [name, f] of Object.entries<Field>(r.fields))
      if (f.kind === 'link' && !isListed(resources, (f.target as () => Resource)()))
        throw new Error(`${r.type}.${name} links to a resource that no module lists`)
    const rules = [...(r.allow.rows ?? []), ...Object.values(r.actions ?? {}).flatMap((spec) => spec.rows ?? [])]
    for (const name of rules.flatMap((rule) => fieldsOf(rule.only)))
      if (name !== 'id' && !r.columns[name])
        throw new Error(`${r.type} has a row rule about "${name}", which is no column`)
    const bulk = bulkActions(r)
    for (const { name, undo } of bulk)
      if (undo && !bulk.some((other) => other.name === undo && !needsInput(other)))
        throw new Error(`${r.type}.${name} is undone by "${undo}", which its lists don't offer without input`)
  }
  for (const r of behaviours.keys())
    if (!resources.includes(r)) throw new Error(`${r.type} has behaviour but no module lists it`)
}

/**
 * Is it the resource of a module, or a stand-in for one of an area above that says the same of whose it is and who reads it? The
 * columns of its fields are those of the resource.
 */
const isListed = (resources: readonly Resource[], target: Resource): boolean =>
  resources.some(
    (r) =>
      r === target ||
      (r.type === target.type &&
        sayOf(r) === sayOf(target) &&
        Object.entries(target.columns).every(([name, c]) => r.columns[name] === c)),
  )

const sayOf = ({ type, url, table, tenant, pack, only, title, allow }: Resource) =>
  JSON.stringify([
    type,
    url,
    table,
    tenant,
    pack,
    only,
    title,
    allow.read,
    allow.allTenants,
    allow.resellerScope,
    allow.resellerCounts,
    allow.rows,
  ])

const needsInput = ({ input }: BulkAction) => Object.values(input).some((f) => f.required)

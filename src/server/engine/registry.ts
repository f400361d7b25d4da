import { type BulkAction, bulkActions, retiredFieldName } from '#kernel/bulk.ts'
import type { EventType } from '#kernel/event.ts'
import type { EvidenceSpec } from '#kernel/evidence.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { conditionFieldNames } from '#kernel/row-rules.ts'
import type { SystemEmail } from '#kernel/system-email.ts'
import type { DeclaredBehaviour } from './behaviour.ts'
import type { DeclaredGuard, GuardedBehaviour } from './guard.ts'
import type { EventHandler } from './handler.ts'
import type { BeforeCommit, Module, NotificationType, SecretLink } from './module.ts'
import type { BatchJobType, Schedule } from './schedule.ts'
import type { Context, Engine } from './types.ts'

const registries = new WeakMap<Engine, Registry>()

/** Returns the registry of an engine's modules. */
export function registryOf(engine: Engine): Registry {
  const registry = registries.get(engine)
  if (!registry) throw new Error('This engine has no modules')
  return registry
}

/**
 * Declarations of all modules, by name. Throws for incorrect declarations. The portal then fails at startup rather than
 * during a request.
 */
export class Registry {
  readonly modules: readonly Module[]
  readonly resources: readonly Resource[]
  readonly behaviours: ReadonlyMap<Resource, GuardedBehaviour>
  readonly handlers: ReadonlyMap<string, EventHandler>
  readonly schedules: ReadonlyMap<string, Schedule>
  readonly batchJobs: ReadonlyMap<string, BatchJobType>
  readonly notifications: ReadonlyMap<string, NotificationType>
  readonly emails: ReadonlyMap<string, SystemEmail>
  readonly links: ReadonlyMap<string, SecretLink>
  readonly evidence: readonly EvidenceSpec[]
  /** Evidence of records whose every save is sealed, by table. */
  readonly savedEvidence: ReadonlyMap<string, EvidenceSpec>
  readonly beforeCommit: readonly BeforeCommit[]
  private readonly handled: ReadonlySet<EventType>

  constructor(engine: Engine, modules: readonly Module[]) {
    const all = <T>(list: (module: Module) => readonly T[] | undefined) => modules.flatMap((m) => list(m) ?? [])
    this.modules = modules
    this.resources = all((m) => m.resources)
    this.behaviours = behavioursOf(
      all((m) => m.behaviours),
      all((m) => m.guards),
    )
    this.batchJobs = byName(
      'batch jobs',
      all((m) => m.batchJobs),
      (job) => job.kind,
    )
    const handlers = [...all((m) => m.handlers), ...[...this.batchJobs.values()].map((job) => job.handler)]
    this.handlers = byName('handlers', handlers, (handler) => handler.name)
    this.handled = new Set(handlers.map(({ event }) => event))
    this.schedules = byName(
      'schedules',
      all((m) => m.schedules),
      (schedule) => schedule.name,
    )
    this.notifications = byName(
      'notifications',
      all((m) => m.notifications),
      (notification) => notification.kind,
    )
    this.emails = byName(
      'e-mails',
      all((m) => m.emails),
      (email) => email.name,
    )
    this.links = byName(
      'secret links',
      all((m) => m.links),
      (link) => link.kind,
    )
    this.evidence = all((m) => m.evidence)
    this.beforeCommit = all((m) => m.beforeCommit)
    this.savedEvidence = byName(
      'tables with evidence',
      this.evidence.filter(({ savedWithout }) => savedWithout),
      ({ of }) => of.table,
    )
    byName('events', [...this.handled], (event) => event.kind)
    byName('types', this.resources, (r) => r.type)
    byName('addresses', this.resources, (r) => r.url)
    for (const r of this.resources) checkResource(r, this)
    for (const [r, { guards }] of this.behaviours) {
      if (!this.resources.includes(r)) throw new Error(`${r.type} has behaviour or guards, but no module lists it`)
      if (!retiredFieldName(r) && !r.allow.delete && guards.some(({ retire }) => retire))
        throw new Error(`A guard checks the retirement of ${r.type} records, which can't be retired`)
    }
    registries.set(engine, this)
  }

  hasHandler<Given>(event: EventType<unknown, Given>): boolean {
    return this.handled.has(event as unknown as EventType)
  }
}

/** Indexes a list by name. Throws for duplicate names. */
function byName<T>(what: string, list: readonly T[], nameOf: (one: T) => string): ReadonlyMap<string, T> {
  const found = new Map<string, T>()
  for (const one of list) {
    const name = nameOf(one)
    if (found.has(name)) throw new Error(`Two ${what} are called "${name}"`)
    found.set(name, one)
  }
  return found
}

/**
 * Combines behaviours with their guards. Throws if two features declare a behaviour for one resource, because one
 * behaviour would undo the other's rules.
 */
function behavioursOf(
  list: readonly (readonly [Resource, DeclaredBehaviour])[],
  guards: readonly (readonly [Resource, DeclaredGuard])[],
): ReadonlyMap<Resource, GuardedBehaviour> {
  const found = new Map<Resource, GuardedBehaviour>()
  for (const [r, behaviour] of list) {
    if (found.has(r))
      throw new Error(`${r.type} has two behaviours. A second feature must use a guard or an event handler instead.`)
    found.set(r, { ...behaviour, guards: [] })
  }
  for (const [r, g] of guards) found.set(r, { ...found.get(r), guards: [...(found.get(r)?.guards ?? []), g] })
  return found
}

function checkResource(r: Resource, { resources, behaviours }: Pick<Registry, 'resources' | 'behaviours'>): void {
  const actions = behaviours.get(r)?.actions as Readonly<Record<string, unknown>> | undefined
  for (const [name, spec] of Object.entries(r.actions ?? {}))
    if (!actions?.[name] && !spec.to) throw new Error(`${r.type}.${name} is declared but has no behaviour`)
  for (const [name, f] of Object.entries<Field>(r.fields))
    if (f.kind === 'link' && !isListed(resources, (f.target as () => Resource)()))
      throw new Error(`${r.type}.${name} links to a resource that no module lists`)
  for (const [name, f] of Object.entries<Field>(r.fields))
    if (f.embed?.some((inner) => f.target?.().fields[inner]?.confidential))
      throw new Error(`${r.type}.${name} embeds a confidential field, whose reads would not be logged`)
  const rules = [...(r.allow.rows ?? []), ...Object.values(r.actions ?? {}).flatMap((spec) => spec.rows ?? [])]
  for (const name of rules.flatMap((rule) => conditionFieldNames(rule.only)))
    if (name !== 'id' && !r.columns[name])
      throw new Error(`${r.type} has a row rule about "${name}", which is not a column`)
  const bulk = bulkActions(r)
  for (const { name, undo } of bulk)
    if (undo && !bulk.some((other) => other.name === undo && !needsInput(other)))
      throw new Error(`${r.type}.${name} is undone by "${undo}", which is not a bulk action without required input`)
}

/**
 * True if a module lists the resource itself, or another declaration with the same type and access rules that has all
 * the resource's columns.
 */
const isListed = (resources: readonly Resource[], target: Resource): boolean =>
  resources.some(
    (r) =>
      r === target ||
      (r.type === target.type &&
        accessOf(r) === accessOf(target) &&
        Object.entries(target.columns).every(([name, c]) => r.columns[name] === c)),
  )

const accessOf = ({ type, url, table, tenant, pack, only, title, allow }: Resource) =>
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

/** Runs what modules do at the end of each transaction, with the records that it saved. */
export async function runBeforeCommit(c: Context): Promise<void> {
  for (const run of registryOf(c.engine).beforeCommit) await run(c)
}

import { accessScopeFor, can, canRunAction, isActionAllowedOnRecord } from '#kernel/can.ts'
import { packState } from '#kernel/packs.ts'
import type { AccessVerb, Resource } from '#kernel/resource.ts'
import { type Actor, createSystemActor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { RowCondition } from '#kernel/row-rules.ts'
import type { Row } from '#server/data/plan.ts'
import { recordByIdQuery } from '#server/data/queries.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { isRouteInPersonOnly } from '#server/http/endpoints.ts'
import type { PermissionMatrixCase, PermissionMatrixWorld, RequiredPermission } from './matrix-cases.ts'
import type { TestActor as Person } from './world.ts'

/** HTTP statuses of refusals that can be derived from the resource declarations. */
const REFUSALS = ['401', '403', '404', '405']

const isRefusal = (cell: string): boolean => REFUSALS.includes(cell)

/**
 * Returns true if a decision matches a matrix cell. A decision of 200 also matches the statuses that follow the
 * permission check (409, 422 …), because they depend on behaviour.
 */
export const decisionMatchesCell = (decision: string, cell: string): boolean =>
  decision === cell || (decision === '200' && !isRefusal(cell) && !cell.includes('+'))

/** Returns true if a condition, or one on a related record, needs an SQL function. */
function usesSet(r: Resource, c: RowCondition): boolean {
  if ('any' in c) return c.any.some((one) => usesSet(r, one))
  if ('all' in c) return c.all.some((one) => usesSet(r, one))
  if ('setOf' in c) return true
  if (!('is' in c) || c.is !== 'readable') return false
  const target = c.as?.() ?? r.fields[c.field]?.target?.()
  return target?.allow.rows?.some((rule) => usesSet(target, rule.only)) ?? false
}

type Decide = (c: PermissionMatrixCase, person: Person) => Promise<string>

/**
 * Returns a function that predicts the matrix cell of a case for a user, by running the permission functions on the
 * records in the database.
 */
export function predictPermissionMatrixCells(
  engine: Engine,
  { world, rowOf, subjectOf }: PermissionMatrixWorld,
  actors: ReadonlyMap<Person, Actor | undefined>,
): Decide {
  const loaded = new Map<string, Promise<Row | undefined>>()
  const load = async (r: Resource, clientId: number, id: number): Promise<Row | undefined> => {
    const q = recordByIdQuery(r, createSystemActor(clientId, 'matrix'), 'read', id, { everything: true })
    const [stored] = q ? await engine.db.read.arrays(q.query, q.values) : []
    return q && stored && { ...q.plan.row(stored), clientId: r.tenant === 'shared' ? PROVIDER_CLIENT_ID : clientId }
  }
  const rowIn = (r: Resource, clientId: number, id = rowOf(r, clientId)) => {
    const key = `${r.type} ${id}`
    const row = loaded.get(key) ?? load(r, clientId, id)
    loaded.set(key, row)
    return row
  }

  const mayOn = async (actor: Actor | undefined, verb: AccessVerb, r: Resource, clientId: number) => {
    const row = await rowIn(r, clientId)
    return row !== undefined && can(actor, verb, r, row) && (await isInSet(actor, r, rowOf(r, clientId)))
  }

  /** Returns true if no rule needs an SQL function, or if the functions admit the actor, which only the database knows. */
  const isInSet = async (actor: Actor | undefined, r: Resource, id: number): Promise<boolean> => {
    const { only } = accessScopeFor(actor, 'read', r)
    if (!only || !usesSet(r, only)) return true
    const q = recordByIdQuery(r, actor, 'read', id)
    return q !== undefined && (await engine.db.read.arrays(q.query, q.values)).length > 0
  }

  const routes = registryOf(engine).modules.flatMap((module) => module.routes ?? [])

  async function onRecord(actor: Actor, { r, verb, action, row }: RequiredPermission, person: Person): Promise<string> {
    const clientId = row === 'own' ? person.clientId : world.other.id
    if (!(await mayOn(actor, 'read', r, clientId))) return '404'
    if (action && !isActionAllowedOnRecord(actor, action, r, (await rowIn(r, clientId)) as Row)) return '403'
    return (await mayOn(actor, verb, r, clientId)) ? '200' : '403'
  }

  async function ofResource(c: PermissionMatrixCase, needs: RequiredPermission, person: Person): Promise<string> {
    const { r, verb, action, row } = needs
    const actor = actors.get(person)
    if (verb !== 'read' && r.allow[verb] === undefined) {
      const route = routes.find((one) => one.method === c.method && one.path === c.path)
      return route ? ofRoute({ ...c, route, changes: true }, person) : '405'
    }
    if (!actor) return c.anonymous && verb === 'read' && !action ? '200' : '401'
    if (action ? !canRunAction(actor, action, r) : accessScopeFor(actor, verb, r).tenants === 'none') return '403'
    if (row) return onRecord(actor, needs, person)
    if (!c.foreign) return '200'
    const clients = [...new Set([...actors.keys()].map((a) => a.clientId)), world.other.id, world.carried.id]
    const foreign = new Set(c.foreign(person))
    const seen = await Promise.all(
      clients.filter((id) => foreign.delete(rowOf(r, id))).map((id) => mayOn(actor, 'read', r, id)),
    )
    const count = seen.filter(Boolean).length
    return `200${count ? ` +${count}` : ''}`
  }

  async function ofRoute(
    { route, anonymous, changes, others, path }: PermissionMatrixCase,
    person: Person,
  ): Promise<string> {
    const actor = actors.get(person)
    if (route && actor?.original && isRouteInPersonOnly(route)) return '403'
    if (!route || anonymous) return '200'
    if (!actor) return '401'
    const pack = packState(actor, route.pack)
    const isClosed =
      pack === 'none' || (pack === 'lapsed' && changes) || (route.provider && actor.clientId !== PROVIDER_CLIENT_ID)
    if (isClosed || !hasRole(actor, route.allow)) return '403'
    return others && !(await mayOn(actor, 'read', subjectOf(path), world.other.id)) ? '404' : '200'
  }

  return (c, person) => (c.needs ? ofResource(c, c.needs, person) : ofRoute(c, person))
}

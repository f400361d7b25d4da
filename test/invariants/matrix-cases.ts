import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bulkActions } from '#kernel/bulk.ts'
import type { PackChoice } from '#kernel/packs.ts'
import { type AccessVerb, actionsWithUrl, type Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { countableFields } from '#server/data/totals.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Route } from '#server/engine/route.ts'
import type { TestPortal } from '#test/support/portal.ts'
import { sortAsCommitted } from '#test/support/scope.ts'
import { COMMISSION_CASES, type CommissionRows, insertCommissionRows } from './sales-rows.ts'
import {
  CLIENT_MARKS,
  type InvariantWorld,
  insertRow,
  makeActors,
  makeInvariantWorld,
  makeRequestBody,
  OF_LEADS,
  type TestActor,
} from './world.ts'

/** Public URLs of the engine itself. */
const HYDRA = ['/api', '/api/docs.jsonld', '/api/docs.json', '/api/contexts/Entrypoint', '/api/contexts/Contact']
export const UNKNOWN_ID = 987_654_321

type Body = Record<string, unknown>

/** Permission that a case needs: a verb on the list, on the user's row or on another client's row, or an action. */
export interface RequiredPermission {
  readonly r: Resource
  readonly verb: AccessVerb
  readonly action?: string
  /** Whether the case requests a record of the user's own client, or of an inaccessible client. */
  readonly row?: 'own' | 'other'
}

/** One line of the matrix: a method and a URL, requested as every user. */
export interface PermissionMatrixCase {
  readonly method: string
  readonly path: string
  readonly note: string
  readonly url: (a: TestActor) => string | Promise<string>
  readonly body?: (a: TestActor) => Promise<Body> | Body
  /** IDs of other clients' rows that may occur in the list. */
  readonly foreign?: (a: TestActor) => readonly number[]
  /** Whether the URL is a row of an inaccessible client. */
  readonly others?: boolean
  readonly resource?: Resource
  readonly needs?: RequiredPermission
  readonly route?: Route
  readonly pack?: PackChoice | undefined
  readonly anonymous: boolean
  /** Whether the request changes something, regardless of its method. */
  readonly changes?: boolean
}

export interface PermissionMatrixWorld {
  readonly world: InvariantWorld
  readonly actors: readonly TestActor[]
  readonly cases: readonly PermissionMatrixCase[]
  /** Resource at the start of a route's path; the ID in the path refers to it. */
  readonly subjectOf: (path: string) => Resource
  readonly rowOf: (r: Resource, clientId: number) => number
}

/** Creates a row of each resource in each client, all users, and all cases. */
export async function makePermissionMatrixWorld(portal: TestPortal): Promise<PermissionMatrixWorld> {
  const { engine } = portal
  const world = await makeInvariantWorld(portal)
  const actors = await makeActors(world)
  const rows = await makeRows(world, actors)
  const rowOf = (r: Resource, clientId: number) => rows.get(r)?.get(r.tenant === 'shared' ? 0 : clientId) as number
  const resourceOf = (type: string) => engine.resources.find((r) => r.type === type) as Resource
  const byLength = [...engine.addressed].sort((a, b) => b.url.length - a.url.length)
  const subjectOf = (path: string) => byLength.find((r) => path.startsWith(`${r.url}/`)) ?? resourceOf('Contact')
  const sales = new Map<number, CommissionRows>()
  for (const id of new Set(actors.map((a) => a.clientId)))
    sales.set(id, await insertCommissionRows(portal, id, rowOf(resourceOf('User'), id), rowOf(resourceOf('Staff'), id)))

  function casesOf(r: Resource): PermissionMatrixCase[] {
    const at = `${r.url}/{id}`
    const own = (a: TestActor) => `${r.url}/${rowOf(r, a.clientId)}`
    const others = () => `${r.url}/${rowOf(r, world.other.id)}`
    const body = (a: TestActor) => makeRequestBody(world, r.fields, a.clientId, 'Plain')
    const anonymous = hasRole(undefined, r.allow.read ?? 'member')
    const c = (
      method: string,
      path: string,
      right: Omit<RequiredPermission, 'r'>,
      more: Pick<PermissionMatrixCase, 'url'> & Partial<PermissionMatrixCase>,
    ): PermissionMatrixCase => ({
      method,
      path,
      note: '',
      anonymous,
      resource: r,
      pack: r.pack,
      needs: { r, ...right },
      ...more,
    })
    const shared = r.tenant === 'shared'
    const foreign = (a: TestActor) =>
      shared
        ? []
        : [...(rows.get(r) ?? [])]
            // All users may read templates.
            .filter(([id]) => id !== a.clientId && !(id === 0 && r.tenant === 'own or template'))
            .map(([, id]) => id)
    const pair = (
      method: string,
      path: string,
      right: Omit<RequiredPermission, 'r' | 'row'>,
      { suffix = '', send }: { suffix?: string; send?: PermissionMatrixCase['body'] } = {},
    ): PermissionMatrixCase[] => {
      const sends = send ? { body: send } : {}
      const mine = { note: shared ? '' : 'own', url: (a: TestActor) => own(a) + suffix, ...sends }
      const theirs = { note: "other's", url: () => others() + suffix, others: true, ...sends }
      return [
        c(method, path, { ...right, row: 'own' }, mine),
        ...(shared ? [] : [c(method, path, { ...right, row: 'other' }, theirs)]),
      ]
    }
    const restore = (one: PermissionMatrixCase): PermissionMatrixCase => ({
      ...one,
      url: () => `${r.url}/bulk`,
      others: false,
      body: (a) => ({ action: 'restore', ids: [rowOf(r, one.others ? world.other.id : a.clientId)] }),
      needs: { r, verb: 'update' },
    })
    return [
      c(
        'GET',
        r.url,
        { verb: 'read' },
        {
          url: () => `${r.url}?${[...(rows.get(r)?.values() ?? [])].map((id) => `id[]=${id}`).join('&')}`,
          foreign,
        },
      ),
      c('GET', r.url, { verb: 'read' }, { note: 'unfiltered', url: () => `${r.url}?itemsPerPage=100`, foreign }),
      c('GET', `${r.url}/export.csv`, { verb: 'read' }, { url: () => `${r.url}/export.csv` }),
      ...countableFields(r)
        .slice(0, 1)
        .map((by) => c('GET', `${r.url}/counts`, { verb: 'read' }, { url: () => `${r.url}/counts?by=${by}` })),
      ...pair('GET', at, { verb: 'read' }),
      c('POST', r.url, { verb: 'create' }, { url: () => r.url, body }),
      // This restores a record that is not retired, which changes nothing.
      ...(bulkActions(r).some(({ name }) => name === 'restore')
        ? pair('POST', `${r.url}/bulk`, { verb: 'update' }).map(restore)
        : []),
      ...['PUT', 'PATCH'].flatMap((method) =>
        r.allow.update
          ? pair(method, at, { verb: 'update' }, { send: body })
          : [c(method, at, { verb: 'update' }, { url: own, body })],
      ),
      ...actionsWithUrl(r).flatMap(([name, action]) =>
        pair(
          'POST',
          `${at}/${action.path}`,
          { verb: 'read', action: name },
          {
            suffix: `/${action.path}`,
            send: (a) => makeRequestBody(world, action.input, a.clientId, 'Plain'),
          },
        ),
      ),
      ...(r.allow.delete
        ? pair('DELETE', at, { verb: 'delete' })
        : [c('DELETE', at, { verb: 'delete' }, { url: own })]),
    ]
  }

  function casesOfRoute(route: Route): PermissionMatrixCase[] {
    const sends = route.method === 'GET' || route.method === 'DELETE' || route.upload ? {} : { body: () => ({}) }
    const at = (id: number | string) => route.path.replace(/\{\w+\}/, String(id))
    const c = (note: string, url: PermissionMatrixCase['url'], others = false): PermissionMatrixCase => ({
      method: route.method,
      path: route.path,
      note,
      route,
      pack: route.pack,
      changes: route.writesOnGet === true || route.method !== 'GET',
      anonymous: hasRole(undefined, route.allow),
      url,
      others,
      ...sends,
    })
    const pair = (r: Resource, own: PermissionMatrixCase['url']) => [
      c('own', own),
      c("other's", () => at(rowOf(r, world.other.id)), true),
    ]
    if (!route.path.includes('{')) return [c('', () => route.path)]
    // Industries are shared and have similar forms, so one of them is enough.
    if (route.path.includes('{industry}')) return [c('', () => at(1))]
    if (/\{(token|job)\}/.test(route.path)) return [c('unknown', () => at('nonsense'))]
    if (route.path === '/api/security/sessions/{id}') return [c('unknown', () => at(UNKNOWN_ID))]
    // IDs in these paths refer to users.
    if (route.path === '/api/portal/user_tokens/{id}') return pair(resourceOf('User'), (a) => at(a.userId))
    // The specification uses `message` in this path and `messages` elsewhere.
    if (route.path === '/api/email/message/resend/{id}') {
      const letter = resourceOf('Message')
      return pair(letter, (a) => at(rowOf(letter, a.clientId)))
    }
    const r = subjectOf(route.path)
    return pair(r, (a) => at(rowOf(r, a.clientId)))
  }

  const cases = [
    ...HYDRA.map((path): PermissionMatrixCase => ({ method: 'GET', path, note: '', anonymous: true, url: () => path })),
    ...engine.addressed.flatMap(casesOf),
    ...registryOf(engine)
      .modules.flatMap((module) => module.routes ?? [])
      .filter((route) => !(route.method === 'POST' && engine.resources.some((r) => r.url === route.path)))
      .flatMap(casesOfRoute),
    ...COMMISSION_CASES.map(({ url, body, ...one }): PermissionMatrixCase => {
      const rowsOf = (a: TestActor) => sales.get(a.clientId) as CommissionRows
      const sends = one.method === 'GET' ? {} : { body: (a: TestActor) => body?.(rowsOf(a)) ?? {} }
      return { ...one, anonymous: false, url: (a) => url(rowsOf(a)), ...sends }
    }),
  ]
  const width = Math.max(...cases.map((c) => c.path.length)) + 2
  const lineOf = ({ method, path, note }: PermissionMatrixCase) =>
    `${method.padEnd(7)}${path.padEnd(width)}${note.padEnd(12)}`
  return { world, actors, cases: sortAsCommitted(cases, committed, lineOf), subjectOf, rowOf }
}

const committed = readFileSync(join(import.meta.dirname, 'matrix.txt'), 'utf8')

async function makeRows(
  w: InvariantWorld,
  actors: readonly TestActor[],
): Promise<ReadonlyMap<Resource, ReadonlyMap<number, number>>> {
  const marks = new Map([
    [w.other.id, CLIENT_MARKS.other],
    [w.carried.id, CLIENT_MARKS.carried],
    [w.home.id, CLIENT_MARKS.home],
  ])
  const clients = new Set([...actors.map((a) => a.clientId), ...marks.keys()])
  const rows = new Map<Resource, Map<number, number>>()
  for (const r of sortAsCommitted(w.portal.engine.addressed, committed, ({ url }) => ` ${url} `)) {
    const ids = new Map<number, number>()
    for (const id of r.tenant === 'shared' ? [0] : clients)
      ids.set(id, await insertRow(w, r, id, marks.get(id) ?? 'Plain'))
    rows.set(r, ids)
  }
  // For clients whose callers see only their own leads, all leads are assigned to a colleague.
  for (const { clientId } of actors.filter((a) => a.asks === OF_LEADS))
    await w.portal.db.tx('system', async (tx) => {
      const [colleague] = await tx.rows<{ id: number }>(
        "INSERT INTO staff (client_id, username, name) VALUES ($1, 'colleague', 'Colleague') ON CONFLICT DO NOTHING RETURNING id",
        [clientId],
      )
      if (colleague) await tx.rows('UPDATE contact SET owner_id = $2 WHERE client_id = $1', [clientId, colleague.id])
    })
  await placeEmployees(w, actors, rows)
  return rows
}

/**
 * Joins the employee's account to their record, and makes the foreman the manager of everybody at home, and the head the
 * head of their department.
 */
async function placeEmployees(
  w: InvariantWorld,
  actors: readonly TestActor[],
  rows: ReadonlyMap<Resource, ReadonlyMap<number, number>>,
): Promise<void> {
  const home = w.home.id
  const userOf = (name: string) => actors.find((a) => a.name === name)?.userId
  const record = [...rows].find(([r]) => r.type === 'EmployeeRecord')?.[1].get(home)
  await w.portal.db.tx('system', async (tx) => {
    const everybody = (set: string, id: number | undefined) =>
      tx.rows(`UPDATE employee SET ${set} = $2 WHERE client_id = $1 AND id <> $2`, [home, id])
    const add = async (name: string): Promise<number | undefined> => {
      const [row] = await tx.rows<{ id: number }>(
        "INSERT INTO employee (client_id, forename, surname, user_id) VALUES ($1, $2, 'Plain', $3) RETURNING id",
        [home, name, userOf(name)],
      )
      return row?.id
    }
    await tx.rows('UPDATE employee SET user_id = $3 WHERE client_id = $1 AND id = $2', [
      home,
      record,
      userOf('employee'),
    ])
    await everybody('manager_id', await add('foreman'))
    const [led] = await tx.rows<{ id: number }>(
      "INSERT INTO department (client_id, name, head_id) VALUES ($1, 'Plain', $2) RETURNING id",
      [home, await add('head')],
    )
    await tx.rows('UPDATE employee SET department_id = $2 WHERE client_id = $1', [home, led?.id])
  })
}

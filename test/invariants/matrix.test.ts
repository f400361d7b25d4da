import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { bulkActions } from '#kernel/bulk.ts'
import { ERROR_CODES, type ErrorCode, VIOLATION_CODES } from '#kernel/error-codes.ts'
import type { Violation } from '#kernel/errors.ts'
import { addressedActions, type Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { countedFields } from '#server/data/counts.ts'
import type { Route } from '#server/engine/route.ts'
import { type Answer, testPortal } from '#test/support/portal.ts'
import { makeSalesRows, SALES_CASES, type SalesRows } from './sales-rows.ts'
import { type Actor, bodyFor, MARK, makeActors, makeRow, makeWorld, picture, type World } from './world.ts'

// Every declared address × verb as everybody. The outcome is `matrix.txt`: a change in who sees what shows in its diff.
// UPDATE_MATRIX=1 writes it anew.

const FILE = join(import.meta.dirname, 'matrix.txt')
/** Addresses of the engine itself, open to everybody. */
const HYDRA = ['/api', '/api/docs.jsonld', '/api/docs.json', '/api/contexts/Entrypoint', '/api/contexts/Contact']
const UNKNOWN = 987_654_321

interface Case {
  readonly method: string
  readonly path: string
  readonly note: string
  readonly url: (a: Actor) => string | Promise<string>
  readonly body?: (a: Actor) => Promise<Record<string, unknown>> | Record<string, unknown>
  /** Rows of other clients that may be in the list, by id. */
  readonly foreign?: (a: Actor) => readonly number[]
  /** The address of a row of a client that is none of theirs. */
  readonly others?: boolean
  readonly resource?: Resource
  /** The pack that it belongs to. */
  readonly pack?: string | undefined
  readonly anonymous: boolean
  /** By a verb that reads, too. */
  readonly changes?: boolean
}
interface Outcome {
  readonly actor: Actor
  readonly answer: Answer
  readonly shown: string
}

const portal = await testPortal()
const { engine } = portal
let world: World
let actors: Actor[]
const outcomes = new Map<Case, Outcome[]>()
const before = new Map<string, [string, string]>()

const contact = engine.resources.find((r) => r.type === 'Contact') as Resource
/** Whose id stands in a route's address: the resource that the address begins with. */
const subject = (path: string): Resource =>
  [...engine.addressed].sort((a, b) => b.url.length - a.url.length).find((r) => path.startsWith(`${r.url}/`)) ?? contact

/** Rows of each resource by tenant. */
const rows = new Map<Resource, Map<number, number>>()
const rowOf = (r: Resource, clientId: number) => rows.get(r)?.get(r.tenant === 'shared' ? 0 : clientId) as number

async function prepare(): Promise<void> {
  world = await makeWorld(portal)
  actors = await makeActors(world)
  const marks = new Map([
    [world.other.id, MARK.other],
    [world.carried.id, MARK.carried],
    [world.home.id, MARK.home],
  ])
  for (const r of engine.addressed) {
    const mine = new Map<number, number>()
    rows.set(r, mine)
    const tenants = r.tenant === 'shared' ? [0] : [...new Set([...actors.map((a) => a.clientId), ...marks.keys()])]
    for (const id of tenants) mine.set(id, await makeRow(world, r, id, marks.get(id) ?? 'Plain'))
  }
  // Where callers see their own leads, these are a colleague's.
  for (const { clientId } of actors.filter((a) => a.asks && !a.wide))
    await portal.db.tx('system', async (tx) => {
      const [colleague] = await tx.rows<{ id: number }>(
        "INSERT INTO staff (client_id, username, name) VALUES ($1, 'colleague', 'Colleague') ON CONFLICT DO NOTHING RETURNING id",
        [clientId],
      )
      if (colleague) await tx.rows('UPDATE contact SET owner_id = $2 WHERE client_id = $1', [clientId, colleague.id])
    })
  const [people, sellers] = [resourceOf('User'), resourceOf('Staff')]
  for (const id of new Set(actors.map((a) => a.clientId)))
    salesRows.set(id, await makeSalesRows(portal, id, rowOf(people, id), rowOf(sellers, id)))
}

const resourceOf = (type: string) => engine.resources.find((r) => r.type === type) as Resource
/** By tenant: what stands beside each resource's own row. */
const salesRows = new Map<number, SalesRows>()
const casesOfSales = SALES_CASES.map(({ url, body, ...one }): Case => {
  const rowsOf = (a: Actor) => salesRows.get(a.clientId) as SalesRows
  return {
    ...one,
    anonymous: false,
    url: (a) => url(rowsOf(a)),
    ...(one.method === 'GET' ? {} : { body: (a: Actor) => body?.(rowsOf(a)) ?? {} }),
  }
})

function casesOf(r: Resource): Case[] {
  const at = `${r.url}/{id}`
  const own = (a: Actor) => `${r.url}/${rowOf(r, a.clientId)}`
  const others = () => `${r.url}/${rowOf(r, world.other.id)}`
  const body = (a: Actor) => bodyFor(world, r.fields, a.clientId, 'Plain')
  const anonymous = hasRole(undefined, r.allow.read ?? 'member')
  const c = (method: string, path: string, note: string, more: Pick<Case, 'url'> & Partial<Case>): Case => ({
    method,
    path,
    note,
    anonymous,
    resource: r,
    pack: r.pack,
    ...more,
  })
  const shared = r.tenant === 'shared'
  const foreign = (a: Actor) =>
    shared
      ? []
      : [...(rows.get(r) ?? [])]
          // System templates are everybody's to read.
          .filter(([id]) => id !== a.clientId && !(id === 0 && r.tenant === 'own or template'))
          .map(([, id]) => id)
  const pair = (method: string, path: string, suffix: string, send?: Case['body']): Case[] => [
    c(method, path, shared ? '' : 'own', { url: (a) => own(a) + suffix, ...(send ? { body: send } : {}) }),
    ...(shared
      ? []
      : [c(method, path, "other's", { url: () => others() + suffix, others: true, ...(send ? { body: send } : {}) })]),
  ]
  return [
    c('GET', r.url, '', {
      url: () => `${r.url}?${[...(rows.get(r)?.values() ?? [])].map((id) => `id[]=${id}`).join('&')}`,
      foreign,
    }),
    c('GET', r.url, 'unfiltered', { url: () => `${r.url}?itemsPerPage=100`, foreign }),
    c('GET', `${r.url}/export.csv`, '', { url: () => `${r.url}/export.csv` }),
    ...countedFields(r)
      .slice(0, 1)
      .map((by) => c('GET', `${r.url}/counts`, '', { url: () => `${r.url}/counts?by=${by}` })),
    ...pair('GET', at, ''),
    c('POST', r.url, '', { url: () => r.url, body }),
    ...bulkActions(r)
      // Of what is not retired, restoring changes nothing that later cases look at.
      .filter(({ name }) => name === 'restore')
      .flatMap(({ name: action }) => {
        const chosen = (id: number) => ({ action, ids: [id] })
        return pair('POST', `${r.url}/bulk`, '').map((one) => ({
          ...one,
          url: () => `${r.url}/bulk`,
          others: false,
          body: (a: Actor) => chosen(rowOf(r, one.others ? world.other.id : a.clientId)),
        }))
      }),
    ...(r.allow.update
      ? [...pair('PUT', at, '', body), ...pair('PATCH', at, '', body)]
      : [c('PUT', at, '', { url: own, body }), c('PATCH', at, '', { url: own, body })]),
    ...addressedActions(r).flatMap(([, action]) =>
      pair('POST', `${at}/${action.path}`, `/${action.path}`, (a) => bodyFor(world, action.input, a.clientId, 'Plain')),
    ),
    ...(r.allow.delete ? pair('DELETE', at, '') : [c('DELETE', at, '', { url: own })]),
  ]
}

function casesOfRoute(route: Route): Case[] {
  const anonymous = hasRole(undefined, route.allow)
  const send = route.method === 'GET' || route.method === 'DELETE' || route.upload ? {} : { body: () => ({}) }
  const at = (id: number | string) => route.path.replace(/\{\w+\}/, String(id))
  const c = (note: string, url: Case['url'], others = false): Case => ({
    method: route.method,
    path: route.path,
    note,
    pack: route.pack,
    changes: route.writesOnGet === true || route.method !== 'GET',
    anonymous,
    url,
    others,
    ...send,
  })
  if (!route.path.includes('{')) return [c('', () => route.path)]
  // An industry is shared, and the form is the same for each.
  if (route.path.includes('{industry}')) return [c('', () => at(1))]
  if (/\{(token|job)\}/.test(route.path)) return [c('unknown', () => at('nonsense'))]
  if (route.path === '/api/security/sessions/{id}') return [c('unknown', () => at(UNKNOWN))]
  // These are of people, by their ids.
  if (route.path === '/api/portal/user_tokens/{id}')
    return [c('own', (a) => at(a.userId)), c("other's", () => at(rowOf(resourceOf('User'), world.other.id)), true)]
  const r = subject(route.path)
  return [c('own', (a) => at(rowOf(r, a.clientId))), c("other's", () => at(rowOf(r, world.other.id)), true)]
}

async function ask(a: Actor, method: string, url: string, body?: Record<string, unknown>): Promise<Answer> {
  const token = await (url.startsWith('/api/security/') ? a.token() : a.usual())
  return portal.anonymous.send(method, url, {
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' } : {}),
    },
    ...(body ? { body } : {}),
  })
}

const cases: Case[] = [
  ...HYDRA.map((path): Case => ({ method: 'GET', path, note: '', anonymous: true, url: () => path })),
  ...engine.addressed.flatMap(casesOf),
  ...engine.modules
    .flatMap((module) => module.routes ?? [])
    .filter((route) => !(route.method === 'POST' && engine.resources.some((r) => r.url === route.path)))
    .flatMap(casesOfRoute),
  ...casesOfSales,
]

beforeAll(async () => {
  await prepare()
  for (const actor of actors) {
    const start = await picture(world, world.other.id)
    for (const c of cases) {
      if (actor.asks && !actor.asks.test(c.path)) continue
      const answer = await ask(actor, c.method, await c.url(actor), await c.body?.(actor))
      const members: { id: number }[] = answer.body?.['hydra:member'] ?? []
      const seen = c.foreign?.(actor).filter((id) => members.some((m) => m.id === id)).length
      const shown = `${answer.status}${seen ? ` +${seen}` : ''}`
      outcomes.set(c, [...(outcomes.get(c) ?? []), { actor, answer, shown }])
    }
    before.set(actor.name, [start, await picture(world, world.other.id)])
  }
})

const all = () => [...outcomes].flatMap(([c, list]) => list.map((o) => ({ c, ...o })))
/** An answer without what whoever asked for many by their ids is told of those that it doesn't know: the ids are their own words. */
function withoutUnknown({ text, body }: Answer): string {
  const refused: unknown = body?.refused
  if (!Array.isArray(refused)) return text
  return JSON.stringify({ ...body, refused: refused.filter((one) => one.code !== 'not_found' || one.title !== null) })
}

const say = ({ c, actor, answer }: { c: Case; actor: Actor; answer: Answer }) =>
  `${c.method} ${c.path} ${c.note} as ${actor.name}: ${answer.status}`

describe('nobody, whatever they ask,', () => {
  test('makes the server fail', () => {
    expect(
      all()
        .filter((o) => o.answer.status >= 500)
        .map(say),
    ).toEqual([])
  })

  test('is refused without a code from the list', () => {
    const refused = all().filter((o) => o.answer.status >= 400 && o.c.path.startsWith('/api'))
    const fits = ({ status, body }: Answer) =>
      ERROR_CODES[body?.code as ErrorCode]?.status === status &&
      (body.violations ?? []).every((v: Violation) => v.code in VIOLATION_CODES)
    expect(refused.filter((o) => !fits(o.answer)).map(say)).toEqual([])
  })

  test('is given a list by a route that is documented as an object', () => {
    const routes = engine.modules.flatMap((module) => module.routes ?? [])
    const undeclared = all().filter(
      ({ c, answer }) =>
        answer.body?.['@type'] === 'hydra:Collection' &&
        routes.some((route) => route.method === c.method && route.path === c.path && !route.listOf),
    )
    expect(undeclared.map(say)).toEqual([])
  })

  test('is let in without having signed in', () => {
    const open = all().filter(
      (o) => o.actor.name === 'nobody' && !o.c.anonymous && ![401, 405].includes(o.answer.status),
    )
    expect(open.map(say)).toEqual([])
  })

  test('but those whose work is with every client is told anything of another one', () => {
    const told = all().filter(({ c, actor, answer }) => {
      // A PDF's bytes are compressed: anything may stand in them.
      if (actor.wide || answer.headers['content-type'] === 'application/pdf') return false
      const text = withoutUnknown(answer)
      const body = text.replaceAll('/api/portal/clients/', '@')
      const carried =
        actor.name === 'reseller' && (c.resource?.tenant === 'self' || c.resource?.allow.resellerScope !== undefined)
      return (
        text.includes(MARK.other) ||
        new RegExp(`@${world.other.id}\\b`).test(body) ||
        (!carried && answer.text.includes(MARK.carried)) ||
        (actor.clientId !== world.home.id && answer.text.includes(MARK.home))
      )
    })
    expect(told.map(say)).toEqual([])
  })

  test('but those is given rows of other clients in a list, or reaches one by its address', () => {
    const reached = all().filter(
      ({ c, actor, answer, shown }) =>
        !actor.wide && ((shown.includes('+') && actor.name !== 'reseller') || (c.others && answer.status < 400)),
    )
    expect(reached.map(say)).toEqual([])
  })

  test('but those changes anything of another client', () => {
    const changed = actors
      .filter((a) => !a.wide && before.get(a.name)?.[0] !== before.get(a.name)?.[1])
      .map((a) => a.name)
    expect(changed).toEqual([])
  })

  test('is told more of a client that is not theirs than of one that does not exist', async () => {
    const odd: string[] = []
    for (const { c, actor, answer } of all().filter((o) => o.c.others && !o.actor.wide)) {
      const url = (await c.url(actor)).replace(
        String(rowOf(c.resource ?? subject(c.path), world.other.id)),
        String(UNKNOWN),
      )
      const unknown = await ask(actor, c.method, url, await c.body?.(actor))
      if (unknown.status !== answer.status || ![401, 403, 404, 405, 410, 415].includes(answer.status))
        odd.push(`${say({ c, actor, answer })}, unknown: ${unknown.status}`)
    }
    expect(odd).toEqual([])
  })
})

describe('a client whose pack has lapsed', () => {
  const ofPack = () => all().filter(({ c, actor }) => actor.name === 'lapsed' && c.pack !== undefined && !c.anonymous)

  /** Is it refused to those of its roles who have the packs, too? Then it is for others. */
  const isForOthers = (c: Case) =>
    outcomes
      .get(c)
      ?.filter(({ actor }) => actor.name === 'admin' || actor.name === 'books')
      .every(({ answer }) => answer.status === 403)

  test('changes nothing of it by any door, and is told why', () => {
    const doors = ofPack().filter(({ c }) => c.method !== 'GET' && !isForOthers(c))
    const isRefused = ({ status, body }: Answer) =>
      status === 405 ||
      (status === 403 && body.code === 'pack_lapsed' && /has lapsed.*read and exported/.test(body.detail))
    expect(doors.filter(({ answer }) => !isRefused(answer)).map(say)).toEqual([])
    expect(new Set(doors.map(({ c }) => c.method))).toEqual(new Set(['POST', 'PUT', 'PATCH', 'DELETE']))
    expect(doors.filter(({ answer }) => answer.status === 403).length).toBeGreaterThan(200)
  })

  test('goes on reading it and exporting it, where somebody of its roles does who has it', () => {
    const read = ofPack().filter(({ c }) => c.method === 'GET' && !c.changes)
    expect(read.filter(({ c, answer }) => answer.status === 403 && !isForOthers(c)).map(say)).toEqual([])
    expect(
      read.filter(({ c, answer }) => c.path.endsWith('/export.csv') && answer.status === 200).length,
    ).toBeGreaterThan(10)
  })
})

test('who may do what is as it was (UPDATE_MATRIX=1 writes it anew)', () => {
  const width = Math.max(...cases.map((c) => c.path.length)) + 2
  const line = (method: string, path: string, note: string, cells: string[]) =>
    `${method.padEnd(7)}${path.padEnd(width)}${note.padEnd(12)}${cells.map((s) => s.padEnd(10)).join('')}`.trimEnd()
  const text = [
    'Status of every address × verb for everybody; in lists, +n rows of other clients (out of one row in each).',
    '',
    line(
      '',
      '',
      '',
      actors.map((a) => a.name),
    ),
    ...cases
      .filter((c) => c.note !== 'unfiltered')
      .map((c) => {
        const shown = new Map(outcomes.get(c)?.map((o) => [o.actor, o.shown]))
        const cells = actors.map((a) => shown.get(a) ?? '-')
        return line(c.method, c.path, c.note, cells)
      }),
    '',
  ].join('\n')
  if (process.env.UPDATE_MATRIX) writeFileSync(FILE, text)
  expect(text).toBe(readFileSync(FILE, 'utf8'))
})

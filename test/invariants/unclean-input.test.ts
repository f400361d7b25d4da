import type { FastifyInstance } from 'fastify'
import { beforeAll, expect } from 'vitest'
import { modules } from '#app/modules.ts'
import type { Field, Fields } from '#kernel/fields.ts'
import { actionsWithUrl, type Resource } from '#kernel/resource.ts'
import { createEngine } from '#server/engine/engine.ts'
import type { Route } from '#server/engine/route.ts'
import { createHttpApp } from '#server/http/app.ts'
import { type TestUser, testPortal } from '#test/support/portal.ts'
import { sampleShapes, sampleUnlessFullRun, testEach } from '#test/support/scope.ts'
import { PropertyRecorder } from '../support/listener.ts'
import { ALL_PROVIDER_ROLES, type InvariantWorld, insertRow, makeInvariantWorld, makeRequestBody } from './world.ts'

// Sends text that the database cannot store to every URL, in the path, query, body and headers. Such text must never
// cause an internal server error.

const ZERO = 'a\u0000b\ud800'
/** The server cuts this text at an odd length, which always splits a surrogate pair. */
const LONG = `x${'💩'.repeat(1500)}`
const VALUES: readonly unknown[] = [ZERO, [ZERO], { [ZERO]: ZERO }, LONG, [{ name: ZERO, [ZERO]: [ZERO] }]]
const IN_ADDRESS = ['%00', '12%00', encodeURIComponent(LONG.slice(0, 101))]

type RequestBody = Record<string, unknown> | undefined

const portal = await testPortal()
const { sessions, db } = portal
const bodies = new Map<Route, PropertyRecorder>()
const queries = new Map<Route, PropertyRecorder>()
const all = modules.map((module) => ({ ...module, routes: module.routes?.map(listening) ?? [] }))
const resources = all.flatMap((module) => module.resources)
const routes = all.flatMap((module) => module.routes)
const ids = new Map<Resource, number>()
let world: InvariantWorld
let app: FastifyInstance
let people: (TestUser | undefined)[]

/** Wraps a route so that the test records the names that its handler reads from body and query. */
function listening(route: Route): Route {
  const [body, query] = [new PropertyRecorder(), new PropertyRecorder()]
  const it: Route = {
    ...route,
    handle: (c) => route.handle({ ...c, body: body.listen(c.body), query: query.listen(c.query) }),
  }
  bodies.set(it, body)
  queries.set(it, query)
  return it
}

beforeAll(async () => {
  world = await makeInvariantWorld(portal)
  const engine = createEngine(db, portal.engine.config, all)
  app = await createHttpApp(engine, (token) => sessions.authenticate(token), false)
  for (const r of resources) ids.set(r, await insertRow(world, r, 0, 'Plain'))
  people = [
    undefined,
    await world.home.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }),
    await portal.provider.user({ roles: ALL_PROVIDER_ROLES }),
  ]
})

const tokens = new Map<TestUser, string>()
async function tokenOf(user: TestUser, url: string): Promise<string> {
  // A sign-in route may end the session that sent the request, so each request to such a route gets a new token.
  const known = url.startsWith('/api/security/') ? undefined : tokens.get(user)
  if (known) return known
  const { token } = await sessions.open(
    { clientId: user.clientId, userId: user.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  tokens.set(user, token)
  return token
}

let count = 0
async function failures(method: string, url: string, body?: RequestBody): Promise<string[]> {
  const failed: string[] = []
  for (const user of people) {
    const json = body && JSON.stringify(body)
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(user ? { authorization: `Bearer ${await tokenOf(user, url)}` } : {}),
        ...(json ? { 'content-type': type } : {}),
        ...(method === 'POST' ? { 'idempotency-key': `\u0000${++count}` } : {}),
        'user-agent': ZERO,
        cookie: 'stanchion_session=a%00b',
      },
      ...(json ? { payload: json } : {}),
    })
    if (answer.statusCode >= 500)
      failed.push(`${answer.statusCode} ${method} ${url.slice(0, 120)} ${json?.slice(0, 200) ?? ''} ${user?.username}`)
  }
  return failed
}

const withQuery = (url: string, names: Iterable<string>, value: string) =>
  `${url}?${['q', ...names, value].map((name) => `${encodeURIComponent(name)}=${value}`).join('&')}`

/** Builds a plausible body with unclean values in all its texts. */
async function uncleanBody(fields: Fields): Promise<RequestBody> {
  const body = await makeRequestBody(world, fields, 0, 'Plain')
  for (const [name, f] of Object.entries<Field>(fields)) {
    if (f.readonly) continue
    if (['text', 'longText', 'richText'].includes(f.kind)) body[name] = `${ZERO}${++count}`
    else if (f.kind === 'strings') body[name] = [ZERO]
    else if (f.kind === 'json') body[name] = { [ZERO]: [ZERO, LONG] }
    else if (f.kind === 'rows') body[name] = [await uncleanBody((f.target as () => Resource)().fields)]
  }
  return body
}

testEach(
  'a resource refuses every unclean input without an internal failure',
  sampleShapes(resources),
  (r) => r.url,
  async (r) => {
    const { url } = r
    const failed: string[] = []
    const at = `${url}/${ids.get(r)}`
    const names = [...Object.keys(r.fields), ...Object.keys(r.fields).map((name) => `${name}[]`)]
    for (const value of IN_ADDRESS) {
      failed.push(...(await failures('GET', withQuery(url, names, value))))
      for (const method of ['GET', 'PUT', 'DELETE'])
        failed.push(...(await failures(method, `${url}/${value}`, method === 'PUT' ? {} : undefined)))
    }
    const body = await uncleanBody(r.fields)
    for (const [method, to] of [
      ['PUT', at],
      ['PATCH', at],
      ['POST', url],
    ] as const)
      failed.push(...(await failures(method, to, body)))
    for (const [, a] of actionsWithUrl(r))
      for (const sent of [await uncleanBody(a.input), { [ZERO]: ZERO }])
        failed.push(...(await failures('POST', `${at}/${a.path}`, sent)))
    expect(failed).toEqual([])
  },
)

/** Returns the URL of a route, with an existing ID for its record and `unknown` for other parameters. */
function addressOf({ path }: Route): string {
  const subject = [...ids.keys()]
    .filter((r) => path.startsWith(`${r.url}/`))
    .sort((a, b) => b.url.length - a.url.length)
  return path.replace(/\{id\}|\{client\}/, String(subject[0] ? ids.get(subject[0]) : 0)).replace(/\{\w+\}/g, 'unknown')
}

testEach(
  'a route refuses every unclean input without an internal failure',
  sampleUnlessFullRun(routes, (route) => [`path: '${route.path}'`]),
  (route) => `${route.method} ${route.path}`,
  async (route) => {
    const failed: string[] = []
    const url = addressOf(route)
    const [body, query] = [bodies.get(route), queries.get(route)]
    const sends = route.method !== 'GET' && route.method !== 'DELETE' && !route.upload
    // The handler first reads some names and, if they are present, further names within them.
    for (const value of [undefined, {}, [{}]])
      failed.push(...(await failures(route.method, url, sends ? body?.body(value) : undefined)))
    if (sends) for (const value of VALUES) failed.push(...(await failures(route.method, url, body?.body(value))))
    for (const value of IN_ADDRESS) {
      const sent = sends ? body?.body(ZERO) : undefined
      failed.push(...(await failures(route.method, withQuery(url, query?.heard ?? [], value), sent)))
      if (route.path.includes('{'))
        failed.push(...(await failures(route.method, route.path.replace(/\{\w+\}/g, value), sent)))
    }
    expect(failed).toEqual([])
  },
)

import { randomUUID } from 'node:crypto'
import cookies from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, holds, type Roles } from '#kernel/roles.ts'
import { now } from '#kernel/time.ts'
import { type RequestFacts, type Route, RouteAnswer } from '#server/behaviour.ts'
import type { Query } from '#server/data/filters.ts'
import type { Sent } from '#server/data/plan.ts'
import type { Change, Engine } from '#server/engine.ts'
import { docsUrl, originOf } from '#server/hydra/origin.ts'
import { collection, paging } from './collection.ts'
import { errorAnswer } from './errors.ts'
import { idempotent } from './idempotency.ts'
import { etagOf, type Format, isHeld, negotiate } from './negotiate.ts'

/** Who a token belongs to; `undefined` for one that is unknown or over. */
export type Authenticate = (token: string, facts: RequestFacts) => Promise<Actor | undefined>

const BODY_LIMIT = 2 * 1024 * 1024
const JSON_TYPES = ['application/json', 'application/ld+json']
const MERGE = 'application/merge-patch+json'

/** What a handler gets, and what it answers with. */
interface Call {
  readonly actor: Actor | undefined
  readonly facts: RequestFacts
  readonly query: Query
  readonly rawQuery: string
  readonly params: Record<string, string>
  readonly body: Sent
  readonly format: Format
  readonly change: Change
}
type Answer = { status: number; text: string; headers?: Record<string, string> }
interface Endpoint {
  readonly method: string
  readonly url: string
  readonly allow: Roles
  readonly upload?: boolean
  /** May be called without a body. */
  readonly bare?: boolean
  readonly run: (c: Call) => Promise<Answer>
}

/** The server: one address for each declaration and route, one pipeline for all of them. */
export async function makeApp(
  engine: Engine,
  authenticate: Authenticate,
  logger: FastifyBaseLogger | false,
): Promise<FastifyInstance> {
  const onEvery = (request: FastifyRequest) => ({
    'x-request-id': request.id,
    link: `<${docsUrl(originOf(engine.config, request))}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`,
    vary: 'Accept',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'Link, Location, Content-Location, ETag, Allow, Idempotency-Replayed, X-Request-Id',
  })
  const fail = (e: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = errorAnswer(e, request.headers.accept)
    if (answer.status >= 500) request.log.error(e)
    return reply.code(answer.status).headers(answer.headers).type(answer.type).send(answer.body)
  }
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT,
    trustProxy: engine.config.trustProxy,
    routerOptions: { maxParamLength: 500 },
    // An address that can't be read reaches no hook and no handler.
    frameworkErrors: (e, request, reply) => void fail(e, request, reply.headers(onEvery(request))),
  }) as unknown as FastifyInstance
  await app.register(cookies)
  await app.register(multipart, { limits: { fileSize: 1024 * 1024 * 1024, files: 1 } })
  for (const type of ['application/json', 'text/plain']) app.removeContentTypeParser(type)
  // Read as it comes: who asks, and what of, is looked at before the body is.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))

  const methods = new Map<string, string[]>()
  for (const e of [
    ...engine.rooms.flatMap((room) => (room.routes ?? []).map((r) => fromRoute(engine, r))),
    ...engine.resources.flatMap((r) => fromResource(engine, r)),
  ]) {
    const url = e.url.replace(/\{(\w+)\}/g, ':$1')
    methods.set(url, [...(methods.get(url) ?? []), e.method])
    app.route({
      method: e.method as 'GET',
      url,
      exposeHeadRoute: e.method === 'GET',
      handler: (request, reply) => serve(request, reply, e),
    })
  }
  for (const [url, allowed] of methods)
    app.route({
      method: (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).filter(
        (m) => !allowed.includes(m === 'HEAD' ? 'GET' : m),
      ),
      url,
      exposeHeadRoute: false,
      handler: () => {
        throw problem.method([...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
      },
    })

  app.all('/api/*', () => {
    throw problem.notFound()
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!request.url.startsWith('/api')) return
    reply.headers(onEvery(request))
    // Clients send one with everything; an unreadable one would be refused before anybody looks.
    if (request.method === 'DELETE') delete request.raw.headers['content-type']
    if (request.method === 'OPTIONS')
      return reply
        .headers({
          'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
          'access-control-allow-headers':
            'Authorization, Content-Type, If-None-Match, If-Match, Idempotency-Key, Accept',
          'access-control-max-age': '86400',
        })
        .code(204)
        .send()
  })
  app.addHook('onResponse', async (request, reply) => {
    const facts = {
      method: request.method,
      url: request.url.split('?')[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (reply.statusCode >= 500) request.log.error(facts)
    else if (request.method !== 'GET' || reply.elapsedTime > 1000) request.log.info(facts)
  })
  app.setErrorHandler(fail)
  async function serve(request: FastifyRequest, reply: FastifyReply, e: Endpoint) {
    const format = negotiate(request.headers.accept)
    const facts = factsOf(request)
    const actor = facts.token === undefined ? undefined : await authenticate(facts.token, facts)
    if (!actor && !holds(undefined, e.allow))
      throw problem.signIn(facts.token === undefined ? undefined : 'Your session has ended. Please sign in again.')
    if (!holds(actor, e.allow)) throw problem.forbidden()
    const [, rawQuery = ''] = request.url.split(/\?(.*)/s)
    const call: Call = {
      actor,
      facts,
      format,
      query: request.query as Query,
      rawQuery,
      params: request.params as Record<string, string>,
      body: bodyOf(request, e),
      change: {
        actor: actor as Actor,
        requestId: request.id,
        query: request.query as Query,
        ...ifMatch(request),
      },
    }
    const key = request.headers['idempotency-key']
    const answer =
      e.method === 'POST' && typeof key === 'string' && actor
        ? await idempotent(engine, actor, key, request, call.body, () => e.run(call))
        : await e.run(call)
    if (answer.headers) reply.headers(answer.headers)
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', actor ? 'private, no-cache' : 'no-store')
    const text = format === 'application/json' ? plain(answer.text) : answer.text
    if (answer.status === 204) return reply.code(204).send()
    if (!reply.hasHeader('content-type')) reply.type(`${format}; charset=utf-8`)
    if (e.method === 'GET' && answer.status === 200) {
      const etag = etagOf(text)
      reply.header('etag', etag)
      if (isHeld(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-type').send()
    }
    return reply.code(answer.status).send(text)
  }
  return app
}

function factsOf(request: FastifyRequest): RequestFacts {
  const authorization = request.headers.authorization
  return {
    id: request.id,
    address: request.ip,
    agent: String(request.headers['user-agent'] ?? '').slice(0, 300),
    token: authorization?.startsWith('Bearer ') ? authorization.slice(7).trim() : undefined,
    cookies: request.cookies ?? {},
    headers: request.headers,
    ...(request.isMultipart() ? { parts: () => request.parts() } : {}),
  }
}

/** The body, checked for its type: merge-patch for PATCH, JSON for the rest, a file only where one is expected. */
function bodyOf(request: FastifyRequest, e: Endpoint): Sent {
  if (e.method === 'GET' || e.method === 'DELETE' || e.upload) return {}
  const type = String(request.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  const accepted = e.method === 'PATCH' ? [MERGE] : JSON_TYPES
  const text = typeof request.body === 'string' ? request.body.trim() : ''
  if (text === '' && e.bare && !request.isMultipart()) return {}
  if (type ? !accepted.includes(type) : text !== '') throw problem.mediaType(accepted.join(' or '))
  if (text === '') throw problem.badRequest('The body is empty.')
  const body = parsed(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw problem.badRequest('The body must be a JSON object.')
  return body as Sent
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem.badRequest('The body is not valid JSON.')
  }
}

/** The record as it is against the ETag the caller has, in either format. */
function ifMatch(request: FastifyRequest): Pick<Change, 'matches'> | undefined {
  const header = request.headers['if-match']
  if (!header || header === '*') return undefined
  const tags = header.split(/\s*,\s*/)
  return {
    matches: (current) => {
      const text = item(String(current['@type']), current)
      return [text, plain(text)].some((t) => tags.includes(etagOf(t)))
    },
  }
}

const item = (type: string, sent: Sent) => `{"@context":"/api/contexts/${type}",${JSON.stringify(sent).slice(1)}`

/** Plain JSON from JSON-LD: no `@` keys; a list is its members. */
function plain(text: string): string {
  const body = JSON.parse(text, function (this: unknown, key, value) {
    return key.startsWith('@') && key !== '@id' ? undefined : value
  })
  const strip = (v: unknown): unknown =>
    Array.isArray(v)
      ? v.map(strip)
      : v && typeof v === 'object'
        ? Object.fromEntries(Object.entries(v).flatMap(([k, x]) => (k === '@id' ? [] : [[k, strip(x)]])))
        : v
  const members = (body as Sent)['hydra:member']
  return JSON.stringify(strip(members ?? body))
}

function fromResource(engine: Engine, r: Resource): Endpoint[] {
  const at = `${r.url}/{id}`
  const one = (c: Call) => engine.idOf(r, c.actor, c.params.id as string)
  const read = r.allow.read ?? 'member'
  const sent = (status: number, body: Sent, headers: Record<string, string> = {}): Answer => ({
    status,
    text: item(r.type, body),
    headers,
  })
  const located = (body: Sent) => ({ 'content-location': String(body['@id']) })
  const update = async (c: Call) => {
    const body = await engine.update(r, await one(c), c.body, c.change)
    return sent(200, body, located(body))
  }
  const endpoints: Endpoint[] = [
    {
      method: 'GET',
      url: r.url,
      allow: read,
      run: async (c) => {
        const p = paging(r, c.query)
        return {
          status: 200,
          text: collection(
            r,
            c.rawQuery,
            p,
            await engine.list(r, c.actor, c.query, p, { count: !p.partial && !p.whole }),
          ),
        }
      },
    },
    {
      method: 'GET',
      url: at,
      allow: read,
      run: async (c) =>
        sent(200, await engine.one(r, c.actor, await one(c)), r.allow.update ? { 'accept-patch': MERGE } : {}),
    },
  ]
  if (r.allow.create)
    endpoints.push({
      method: 'POST',
      url: r.url,
      allow: r.allow.create,
      run: async (c) => {
        if ('@id' in c.body) throw problem.badRequest('A new record can\'t bring its own "@id".')
        const body = await engine.create(r, c.body, c.change)
        return sent(201, body, { location: String(body['@id']), ...located(body) })
      },
    })
  if (r.allow.update)
    for (const method of ['PUT', 'PATCH']) endpoints.push({ method, url: at, allow: r.allow.update, run: update })
  if (r.allow.delete)
    endpoints.push({
      method: 'DELETE',
      url: at,
      allow: r.allow.delete,
      run: async (c) => {
        await engine.remove(r, await one(c), c.change)
        return { status: 204, text: '' }
      },
    })
  for (const [name, a] of Object.entries(r.actions ?? {}))
    endpoints.push({
      method: 'POST',
      url: `${at}/${a.path}`,
      allow: a.allow,
      bare: true,
      run: async (c) => {
        const body = await engine.act(r, name, await one(c), c.body, c.change)
        return { status: 200, text: JSON.stringify({ '@id': `${r.url}/${c.params.id}/${a.path}`, ...body }) }
      },
    })
  return endpoints
}

function fromRoute(engine: Engine, r: Route): Endpoint {
  return {
    method: r.method,
    url: r.path,
    allow: r.allow,
    bare: true,
    ...(r.upload ? { upload: true } : {}),
    run: async (c) => {
      const { actor, facts: request, query, params, body } = c
      const answer = await r.handle({ actor, me: actor as Actor, now: now(), query, params, body, engine, request })
      if (!(answer instanceof RouteAnswer))
        return { status: 200, text: JSON.stringify(identified(engine, c, r, answer)) }
      const text =
        typeof answer.body === 'string'
          ? answer.body
          : answer.body
            ? JSON.stringify(identified(engine, c, r, answer.body))
            : ''
      return { status: answer.status, text, headers: answer.headers }
    },
  }
}

/** Every body is an object with an `@id`: the address it came from, unless it names its own. A list also says what its keys mean. */
function identified(engine: Engine, c: Call, r: Route, body: Sent): Sent {
  const path = r.path.replace(/\{(\w+)\}/g, (_, k: string) => encodeURIComponent(c.params[k] ?? ''))
  if (body['@type'] !== 'hydra:Collection')
    return '@id' in body ? body : { '@id': `${path}${c.rawQuery ? `?${c.rawQuery}` : ''}`, ...body }
  const type = (body['hydra:member'] as Sent[] | undefined)?.[0]?.['@type']
  const known = engine.resources.some((one) => one.type === type)
  return { '@context': `/api/contexts/${known ? String(type) : 'Entrypoint'}`, '@id': path, ...body }
}

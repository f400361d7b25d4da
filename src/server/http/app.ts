import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import { Readable } from 'node:stream'
import cookies from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { canUsePortalDuringMaintenance } from '#kernel/maintenance.ts'
import { createPackProblem, packState } from '#kernel/packs.ts'
import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { AttemptTooEarlyProblem } from '#server/auth/attempts.ts'
import type { Config } from '#server/config.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { DbUnavailableError } from '#server/db/unavailable.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { RequestDetails } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { sanitiseRequestText } from './clean.ts'
import { compressTextResponses } from './compression.ts'
import type { Endpoint, EndpointCall } from './endpoint.ts'
import { endpointForRoute, endpointsForResource } from './endpoints.ts'
import { addSecurityHeaders, corsHeaders, frameworkErrorHeaders, PREFLIGHT_HEADERS } from './headers.ts'
import { readIdempotencyKey, respondOnce } from './idempotency.ts'
import { etagOf, matchesCachedEtag, negotiateFormat } from './negotiate.ts'
import { documentationLink, originOf } from './origin.ts'
import { toPlainJson } from './represent.ts'
import { createIfMatchCheck, parseRequestBody, requestDetails } from './request.ts'
import { limitConnectionsWithoutRequests, RequestLimits } from './request-limits.ts'
import { ApiRouter, requestPattern, toRoutePattern } from './router.ts'
import { endSlowRequests, waiveBodyTimeLimit } from './slow-requests.ts'
import { buildErrorResponse, createHttpParserProblem, rejectOnSocket, rejectUnparsedRequests } from './unread-bodies.ts'

/** Function that returns the actor for a token; `undefined` if the token is unknown or expired. */
export type TokenAuthenticator = (token: string, facts: RequestDetails) => Promise<Actor | undefined>

const MAX_BODY_BYTES = 2 * 1024 * 1024
/**
 * Limits for a multipart form that contains a file and a few short texts. The file size here is the largest that the
 * configuration allows. The handler checks the actual limit, because its error can name the file.
 */
const FORM_LIMITS = { fields: 10, fieldSize: 10_000, files: 1, fileSize: 501 * 1024 * 1024, parts: 12, headerPairs: 20 }
/** Content type, known only inside the server, of a body that its handler reads itself. */
const STREAMED_TYPE = 'application/x-streamed'
/** Milliseconds allowed for receiving the headers. */
const HEADERS_TIMEOUT_MS = 25_000
/** Milliseconds between checks for late requests. With the limit above, headers must arrive within 30 seconds. */
const CHECK_INTERVAL_MS = 5000
const REQUEST_TIMEOUT_MS = 10 * 60_000
const SILENCE_TIMEOUT_MS = 30_000
/** Milliseconds allowed for receiving a body without a file. An authorised upload has ten minutes. */
const TEXT_BODY_TIMEOUT_MS = 60_000
/** Maximum number of open connections to one process. */
const MAX_CONNECTIONS = 2000
/** Maximum number of connections from one IP address that have not sent a request yet. */
const MAX_SILENT_CONNECTIONS = 500

declare module 'fastify' {
  interface FastifyRequest {
    /** Actor of the request, for the log entry if it fails. */
    asker: Actor | undefined
  }
}

/** Returns Fastify's setting for the trusted proxies. Hop 0 is the connection to this process. */
function trustOf({ trustProxy }: Config): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (trustProxy === false) return false
  return typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : [...trustProxy]
}

/** True for an error that requests proof of identity, which is not logged as a rejection. */
const isProofRequired = (e: unknown) => e instanceof Problem && e.code === 'proof_required'

const READ_ONLY_REFUSAL = 'You have read-only access. Choose “Allow changes” and enter a reason, then try again.'

/**
 * True if a request by a signed-in actor may change data. Public endpoints are excluded, because they are available
 * during read-only impersonation too.
 */
const isWrite = (e: Endpoint): boolean => (e.method !== 'GET' || !!e.writesOnGet) && !hasRole(undefined, e.allow)

/**
 * Routes declare no schemas, because the engine validates and serialises. Fastify's two schema compilers therefore need
 * not be loaded.
 */
const refuseSchema = () => {
  throw new Error('A route has a schema, but no schema compiler is loaded')
}
const NO_SCHEMAS = {
  schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
}

/** Removes the body from a response to HEAD, which has the same headers as the response to GET. */
function withoutBody(
  { method }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (method !== 'HEAD') {
    done(null, payload)
    return
  }
  if (payload instanceof Readable) payload.on('error', () => {}).destroy()
  else {
    const isThere = typeof payload === 'string' || Buffer.isBuffer(payload)
    reply.header('content-length', isThere ? Buffer.byteLength(payload) : 0)
  }
  done(null, null)
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Keeps the connection of a refused request open while its body still arrives, whatever the sender asked for. The body is
 * discarded, within the limits for slow requests. Closing would reset the connection, and the sender would lose the
 * response.
 */
function keepOpenForBody(reply: FastifyReply): void {
  reply.removeHeader('connection')
  reply.raw.shouldKeepAlive = true
}

const TAGGED_METHODS = new Set(['GET', 'PUT', 'PATCH'])

/** Creates the HTTP server. All resource endpoints and routes are processed in the same way. */
export async function createHttpApp(
  engine: Engine,
  authenticate: TokenAuthenticator,
  logger: FastifyBaseLogger | false,
): Promise<FastifyInstance> {
  const onEvery = (request: FastifyRequest) => ({
    'x-request-id': request.id,
    link: documentationLink(originOf(engine.config, request)),
    ...corsHeaders(engine.config, request),
  })
  const { maintenance } = engine.config
  /** True if a status means a failure. Announced maintenance is not a failure. */
  const isFailure = (status: number) => status >= 500 && !(status === 503 && maintenance !== undefined)
  const fail = (e: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const answer = buildErrorResponse(e, request.headers.accept)
    // A database outage is logged once, not for each request.
    if (isFailure(answer.status) && !(e instanceof DbUnavailableError)) request.log.error(e)
    const { asker } = request
    if (e instanceof AttemptTooEarlyProblem)
      engine.security.note(
        'locked',
        e.told?.about ?? asker,
        requestDetails(request),
        e.told?.detail ?? routeForLog(request),
      )
    if (!reply.hasHeader('link')) reply.headers(onEvery(request))
    if (!request.raw.complete && hasBody(request)) keepOpenForBody(reply)
    if (answer.status === 403 && asker && !isProofRequired(e))
      engine.security.note('refused', asker, requestDetails(request), routeForLog(request))
    return reply.code(answer.status).headers(answer.headers).type(answer.type).send(answer.body)
  }
  const app = Fastify({
    ...NO_SCHEMAS,
    ...(logger ? { loggerInstance: logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustOf(engine.config),
    requestTimeout: REQUEST_TIMEOUT_MS,
    // For a request without a Host header, Node would send a 400 without a body. This server sends its own problem
    // response instead.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      requireHostHeader: false,
    },
    rewriteUrl: normaliseRequestTarget,
    clientErrorHandler: (e, socket) => rejectOnSocket(socket, createHttpParserProblem(e), engine.config),
    routerOptions: { maxParamLength: 500 },
    // For a URL that can't be decoded, Fastify runs no hook or handler.
    frameworkErrors: (e, request, reply) => void fail(e, request, reply.headers(frameworkErrorHeaders(engine.config))),
  }) as unknown as FastifyInstance
  app.decorateRequest('asker', undefined)
  addSecurityHeaders(app, engine.config)
  compressTextResponses(app)
  await app.register(cookies)
  await app.register(multipart, { limits: FORM_LIMITS })
  app.server.maxConnections = MAX_CONNECTIONS
  const server = app.server as Server
  rejectUnparsedRequests(server, engine.config)
  endSlowRequests(server, { silence: SILENCE_TIMEOUT_MS, whole: TEXT_BODY_TIMEOUT_MS }, (socket) =>
    rejectOnSocket(socket, problem.notInTime(), engine.config),
  )
  // Not applied behind a load balancer, because all connections then come from one IP address.
  if (engine.config.trustProxy === false) limitConnectionsWithoutRequests(server, MAX_SILENT_CONNECTIONS)
  for (const type of ['application/json', 'text/plain']) app.removeContentTypeParser(type)
  // The body is read as text, because permissions are checked before it is parsed.
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
  app.addContentTypeParser(STREAMED_TYPE, (_request, body, done) => done(null, body))

  const shares = new RequestLimits(engine.config.pool)
  const toPlain = toPlainJson(engine.resources)
  const addresses = new ApiRouter(app)
  const isOfApi = ({ url }: { readonly url: string }) => url.startsWith('/api/')
  for (const e of [
    ...registryOf(engine).modules.flatMap((module) => (module.routes ?? []).map((r) => endpointForRoute(engine, r))),
    ...engine.addressed.flatMap((r) => endpointsForResource(engine, r)),
  ]) {
    if (isOfApi(e)) addresses.add(e)
    else
      app.route({
        method: e.method as 'GET',
        url: toRoutePattern(e),
        exposeHeadRoute: e.method === 'GET',
        config: { secret: e.secret === true },
        handler: (request, reply) => serve(request, reply, e),
      })
  }
  // No static files are served below /api, so every other request gets an API error.
  app.all('/api/*', { onSend: withoutBody }, (request, reply) =>
    request.address ? serve(request, reply, request.address.endpoint) : app.answerOthers(request, reply),
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    requireSingleHost(request.raw)
    if (isOfApi(request)) addresses.look(request)
    if (request.address?.endpoint.streamed) request.raw.headers['content-type'] = STREAMED_TYPE
    sanitiseRequestText(request)
    if (!request.url.startsWith('/api')) return
    reply.headers(onEvery(request))
    // Some clients send a content type with every request. On DELETE, an invalid one would cause a rejection before any
    // check, so it is removed.
    if (request.method === 'DELETE') delete request.raw.headers['content-type']
    if (request.method === 'OPTIONS' && reply.hasHeader('access-control-allow-origin')) reply.headers(PREFLIGHT_HEADERS)
  })
  app.addHook('preClose', async () => {
    for (const close of engine.onClose) close()
  })
  app.addHook('onResponse', async (request, reply) => {
    const facts = requestLogLine(request, reply)
    if (isFailure(reply.statusCode)) request.log.error(facts)
    else if (request.method !== 'GET' || reply.elapsedTime > 1000) request.log.info(facts)
  })
  app.setErrorHandler(fail)
  async function serve(request: FastifyRequest, reply: FastifyReply, e: Endpoint) {
    const format = negotiateFormat(e.bytes ? undefined : request.headers.accept)
    const facts = requestDetails(request, e)
    const actor = facts.token === undefined ? undefined : await authenticate(facts.token, facts)
    request.asker = actor
    const closed = maintenance !== undefined && !e.duringMaintenance
    // During maintenance, any expired token leads to the error for an ended session, because the token may be an
    // administrator's.
    if (!actor && (closed ? facts.token !== undefined : !hasRole(undefined, e.allow)))
      throw facts.token === undefined ? problem.signIn() : problem.sessionEnded()
    if (closed && !canUsePortalDuringMaintenance(actor)) throw problem.closed(maintenance)
    if (!hasRole(actor, e.allow) || (e.provider && actor?.clientId !== PROVIDER_CLIENT_ID)) throw problem.forbidden()
    if (actor?.looksOnly && isWrite(e) && !e.whileReadOnly)
      throw problem.forbidden(READ_ONLY_REFUSAL, 'visit_read_only')
    if (actor?.original && e.inPersonOnly) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
    const pack = packState(actor, e.pack)
    if (actor && (pack === 'none' || (pack === 'lapsed' && e.method !== 'GET')) && !hasRole(undefined, e.allow))
      throw createPackProblem(actor, e.pack)
    if (e.upload && actor) waiveBodyTimeLimit(request.raw)
    // HEAD only checks whether the endpoint may be called, without running it.
    if (e.writesOnGet && request.method === 'HEAD') return reply.code(200).send()
    const [, rawQuery = ''] = request.url.split(/\?(.*)/s)
    const call: EndpointCall = {
      actor,
      facts,
      format,
      query: request.query as RequestQuery,
      rawQuery,
      params: request.params as Record<string, string>,
      body: parseRequestBody(request, e),
      change: {
        actor: actor as Actor,
        requestId: request.id,
        from: facts,
        ...createIfMatchCheck(request, engine),
      },
    }
    const key = readIdempotencyKey(request.headers)
    const answer = await shares.run(actor, e, () =>
      e.method === 'POST' && key !== undefined && actor && !e.secret
        ? respondOnce(engine, key, request, call, e)
        : e.run(call),
    )
    if (answer.headers) reply.headers(answer.headers)
    if (!reply.hasHeader('cache-control'))
      reply.header('cache-control', actor && !e.secret ? 'private, no-store' : 'no-store')
    if (answer.bytes || (e.bytes && !answer.text)) return reply.code(answer.status).send(answer.bytes ?? '')
    if (answer.status === 204) return reply.code(204).send()
    // A response with its own content type, such as a CSV report, is sent without conversion.
    const isMadePlain = format === 'application/json' && !answer.plain && !reply.hasHeader('content-type')
    const text = isMadePlain ? toPlain(answer.text) : answer.text
    if (!reply.hasHeader('content-type')) reply.type(`${format}; charset=utf-8`)
    // The response to a change has the same ETag that a read of the changed record would have. The next change can be
    // based on this ETag.
    if (answer.status === 200 && TAGGED_METHODS.has(e.method)) {
      const etag = etagOf(text)
      reply.header('etag', etag)
      if (e.method === 'GET' && matchesCachedEtag(request.headers['if-none-match'], etag))
        return reply.code(304).removeHeader('content-type').send()
    }
    return reply.code(answer.status).send(text)
  }
  return app
}

/** Returns the method and route pattern for the log. The URL itself is not logged, because it may contain a secret. */
const routeForLog = (request: FastifyRequest): string => `${request.method} ${requestPattern(request) ?? NO_ROUTE}`

const NO_ROUTE = 'none'

const requestLogLine = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: requestPattern(request) ?? NO_ROUTE,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
})

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Returns the path and query from a request line. An absolute URL, as sent to a proxy, overrides the Host header (RFC
 * 9112). `OPTIONS *` concerns the server as a whole and is treated like a request for its home page.
 */
function normaliseRequestTarget(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const url = request.url ?? '/'
  if (url.startsWith('/')) return url
  if (url === '*') return '/'
  const [start, host] = ABSOLUTE.exec(url) ?? []
  if (start === undefined) return url
  request.headers.host = host
  const rest = url.slice(start.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Throws 400 for a request with several Host headers, or with none. HTTP/1.0 requires no Host header. */
function requireSingleHost({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0')
    throw problem.badRequest('The request must name its host in the Host header.')
  let count = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) throw problem.badRequest('The request names several hosts.')
}

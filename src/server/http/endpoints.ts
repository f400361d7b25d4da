import { Readable } from 'node:stream'
import { create as disposition } from 'content-disposition'
import { bulkActions, canUndoBulkAction } from '#kernel/bulk.ts'
import { problem } from '#kernel/errors.ts'
import { actionsWithUrl, type Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { applyBulkActionToEachRecord, type BulkRequest, parseBulkRequest } from '#server/bulk/bulk.ts'
import { ConcurrencyLimiter, limiterKeyOf, withRequester } from '#server/concurrency-limiter.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { toPlainQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { listQueryParameters } from '#server/data/parameters.ts'
import { countableFields, countByField } from '#server/data/totals.ts'
import { needsRowInspection } from '#server/engine/field-access.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  EXPORT_CONTENT_TYPES,
  type ExportFile,
  type ExportFormat,
  readExport,
  writeExport,
} from '#server/exports/export.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { bulkActionJob } from '#server/jobs/list-bulk.ts'
import {
  type Endpoint,
  type EndpointCall,
  type EndpointResponse,
  MERGE_PATCH_TYPE,
  withReplacedResponse,
  withStoredResponse,
} from './endpoint.ts'
import {
  buildHydraSearch,
  formatListPage,
  MINIMAL_RESPONSE_HEADERS,
  parsePaging,
  prefersMinimal,
} from './list-route.ts'
import type { ResponseFormat } from './negotiate.ts'
import { recordJsonLd, recordJsonLdFromText } from './represent.ts'

/** Returns the endpoints for a list as a whole: export, counts and bulk actions. */
const listEndpoints = (engine: Engine, r: Resource): Endpoint[] => [
  ...(Object.keys(EXPORT_CONTENT_TYPES) as ExportFormat[]).map((format) => exportEndpoint(engine, r, format)),
  ...(countableFields(r).length ? [countsEndpoint(engine, r)] : []),
  ...(bulkActions(r).length ? [bulkEndpoint(engine, r)] : []),
]

/** Maximum number of records for a bulk action within a request. More records need a batch job. */
const BULK_AT_ONCE = 100

/**
 * `POST {list}/bulk`: runs an action on selected records, or on all records that match the list's filters. More than a
 * hundred records become a batch job. Rejected records are listed in the response and don't stop the others.
 */
const bulkEndpoint = (engine: Engine, r: Resource): Endpoint => ({
  method: 'POST',
  url: `${r.url}/bulk`,
  allow: r.allow.read ?? 'member',
  run: async (c) => {
    const { query, body, change } = c
    const ask = await parseBulkRequest(engine, r, change.actor, query, body)
    if (ask.keys.length + ask.unknown.length > BULK_AT_ONCE) return startBulk(engine, r, c, ask)
    const { name, undo } = ask.action
    const done = await applyBulkActionToEachRecord(engine, r, change, ask)
    const answer = { '@id': `${r.url}/bulk`, '@type': 'BulkResult', action: name, ...done, undo: undo ?? null }
    return { status: 200, text: JSON.stringify(answer) }
  },
})

/** Starts a batch job for many records. Responds with 202 and the batch job. The client polls the job until it ends. */
async function startBulk(engine: Engine, r: Resource, c: EndpointCall, ask: BulkRequest): Promise<EndpointResponse> {
  const { action, input, query, keys, unknown } = ask
  const given = {
    list: r.url,
    action: action.name,
    input,
    query: toPlainQuery(query),
    undo: action.undo ?? null,
    givesBack: action.undo === undefined && canUndoBulkAction(action),
    unknown,
  }
  const runs = engine.resources.find(({ type }) => type === 'Run')
  if (!runs) throw new Error('No module lists the resource Run')
  const { actor } = c.change
  const answer = (run: ApiRecord): EndpointResponse => ({
    status: 202,
    text: recordJsonLd(runs.type, run),
    headers: { location: String(run['@id']) },
  })
  const started = await engine.inTenant<ApiRecord>(actor.clientId, withStoredResponse(c, answer), async (unit) => {
    const id = await startBatchJob(unit, bulkActionJob, given, { total: keys.length + unknown.length })
    return () => engine.one(runs, actor, id)
  })
  return answer(started)
}

/** `GET {list}/counts?by=state`: the number of matching records for each value of a field. */
const countsEndpoint = (engine: Engine, r: Resource): Endpoint => ({
  method: 'GET',
  url: `${r.url}/counts`,
  allow: r.allow.read ?? 'member',
  run: async ({ actor, query, rawQuery }) => {
    if (!actor) throw problem.signIn()
    const by = typeof query.by === 'string' ? query.by : ''
    const counts = await countByField(engine.db.read, r, actor, query, by, engine.extraFilters(r, query))
    const filters = listQueryParameters(r).filter(({ variable }) => !variable.startsWith('order['))
    const body = {
      '@id': `${r.url}/counts?${rawQuery}`,
      '@type': 'Counts',
      by,
      counts,
      'hydra:search': buildHydraSearch(`${r.url}/counts`, [
        { variable: 'by', property: '', required: true },
        ...filters,
      ]),
    }
    return { status: 200, text: JSON.stringify(body) }
  },
})

/**
 * `GET {list}/export.csv`: exports the matching records to a file. The query contains the filters, the order and
 * `columns=`.
 */
const exportEndpoint = (engine: Engine, r: Resource, format: ExportFormat): Endpoint => ({
  method: 'GET',
  url: `${r.url}/export.${format}`,
  allow: r.allow.read ?? 'member',
  bytes: true,
  // Exports are audited, but a HEAD request must not be.
  writesOnGet: true,
  run: async ({ actor, query }) => {
    if (!actor) throw problem.signIn()
    return sendFile(await writeExport(engine, { resource: r, actor, query, format }), format)
  },
})

/**
 * Returns the response that sends the file. The file is deleted after it has been sent or when the client disconnects.
 */
const sendFile = ({ fd, name, bytes }: ExportFile, format: ExportFormat): EndpointResponse => ({
  status: 200,
  text: '',
  bytes: readExport({ fd }),
  headers: {
    'content-type': EXPORT_CONTENT_TYPES[format],
    'content-length': String(bytes),
    'content-disposition': disposition(name, { type: 'attachment' }),
    'cache-control': 'private, no-store',
  },
})

/** Headers for a record that can be changed. */
const PATCHED = { 'accept-patch': MERGE_PATCH_TYPE }

const PLAIN = 'application/json' satisfies ResponseFormat

/**
 * Returns the endpoints of a resource: list, record and actions. Only those whose verb is allowed to some role are
 * included.
 */
export function endpointsForResource(engine: Engine, r: Resource): Endpoint[] {
  const at = `${r.url}/{id}`
  const one = (c: EndpointCall) => engine.idOf(r, c.actor, c.params.id)
  const read = r.allow.read ?? 'member'
  const sent = (status: number, body: ApiRecord, headers: Record<string, string> = {}): EndpointResponse => ({
    status,
    text: recordJsonLd(r.type, body),
    headers,
  })
  const located = (body: ApiRecord) => ({ 'content-location': String(body['@id']) })
  const update = async (c: EndpointCall) => {
    const body = await engine.update(r, await one(c), c.body, c.change)
    return sent(200, body, located(body))
  }
  const endpoints: Endpoint[] = [
    {
      method: 'GET',
      url: r.url,
      allow: read,
      run: async (c) => {
        const p = parsePaging(r, c.query)
        const listed = await engine.list(r, c.actor, c.query, p, { count: !p.partial && !p.whole })
        if (c.format === PLAIN) return { status: 200, text: listed.text('plain'), plain: true }
        const minimal = prefersMinimal(c.facts.headers.prefer)
        return {
          status: 200,
          text: formatListPage(r, c.rawQuery, p, listed, minimal),
          ...(minimal ? { headers: MINIMAL_RESPONSE_HEADERS } : {}),
        }
      },
    },
    {
      method: 'GET',
      url: at,
      allow: read,
      run: async (c): Promise<EndpointResponse> => {
        const id = await one(c)
        const headers = r.allow.update ? PATCHED : {}
        if (needsRowInspection(r)) return sent(200, await engine.one(r, c.actor, id), headers)
        const plain = c.format === PLAIN
        const text = await engine.oneText(r, c.actor, id, plain ? 'plain' : 'linked')
        return {
          status: 200,
          headers,
          ...(plain ? { text: `{${text}}`, plain } : { text: recordJsonLdFromText(r.type, text) }),
        }
      },
    },
  ]
  if (r.allow.create)
    endpoints.push({
      method: 'POST',
      url: r.url,
      allow: r.allow.create,
      run: async (c) => {
        if ('@id' in c.body) throw problem.badRequest('Leave out "@id" when you create a record.')
        const answer = (body: ApiRecord) => sent(201, body, { location: String(body['@id']), ...located(body) })
        return answer(await engine.create(r, c.body, withStoredResponse(c, answer)))
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
  for (const [name, a] of actionsWithUrl(r))
    endpoints.push({
      method: 'POST',
      url: `${at}/${a.path}`,
      allow: a.allow,
      bodyOptional: true,
      ...(a.secret ? { secret: a.secret } : {}),
      run: async (c) => {
        const answer = (body: ApiRecord): EndpointResponse => ({
          status: 200,
          text: JSON.stringify({ '@id': `${r.url}/${c.params.id}/${a.path}`, ...body }),
        })
        const change = withStoredResponse(c, answer)
        const request = a.filters ? { ...change, query: c.query } : change
        return answer(await engine.act(r, name, await one(c), c.body, request))
      },
    })
  return [...endpoints, ...listEndpoints(engine, r)]
}

/** Limiter for concurrent uploads by one person. Each upload uses disk space and may need image processing. */
const uploads = new ConcurrencyLimiter(4)

/** Returns the declared parameters in a query. For routes with a list's filters, returns all parameters. */
function declaredQuery({ query = {}, filters }: Route, given: RequestQuery): RequestQuery {
  if (filters) return given
  return Object.fromEntries(Object.entries(given).filter(([key]) => key.replace(/\[\d*\]$/, '') in query))
}

/** True if a route writes and is not declared as allowed while impersonating a user. */
export const isRouteInPersonOnly = (r: Route): boolean =>
  (r.method !== 'GET' || r.writesOnGet === true) && !r.whileImpersonating && !r.whileReadOnly

/** Creates the endpoint for a module's own route. */
export function endpointForRoute(engine: Engine, r: Route): Endpoint {
  const context = (c: EndpointCall): RouteContext => ({
    actor: c.actor,
    me: c.actor as Actor,
    now: engine.clock.now(),
    query: declaredQuery(r, c.query),
    params: c.params,
    body: c.body,
    engine,
    request: c.facts,
    change: (answer = (value) => value as ApiRecord) =>
      withStoredResponse(c, (value: never) => routeAnswer(engine, c, r, answer(value))),
    finish: (answer) =>
      withReplacedResponse(c, (value: never) => {
        const made = answer(value)
        return made && routeAnswer(engine, c, r, made)
      }),
  })
  const { isReplayOf } = r
  const inTurn = <T>(c: EndpointCall, work: () => Promise<T>) =>
    r.upload && c.actor ? uploads.run(limiterKeyOf(c.actor), work) : work()
  return {
    method: r.method,
    url: r.path,
    allow: r.allow,
    ...(r.pack ? { pack: r.pack } : {}),
    bodyOptional: true,
    ...(r.upload || r.ignoreBody || r.raw || r.streamed ? { upload: true } : {}),
    ...(r.takesOwnTurns ? { takesOwnTurns: true } : {}),
    ...(r.upload && r.input ? { uploadAsJson: true } : {}),
    ...(r.raw ? { raw: r.raw } : {}),
    ...(r.streamed ? { streamed: r.streamed } : {}),
    ...(isReplayOf ? { isReplayOf: (c, answer) => inTurn(c, () => isReplayOf(context(c), answer)) } : {}),
    ...(r.file ? { bytes: true } : {}),
    ...(r.secret ? { secret: r.secret } : {}),
    ...(r.provider ? { provider: r.provider } : {}),
    ...(r.writesOnGet ? { writesOnGet: r.writesOnGet } : {}),
    ...(r.duringMaintenance ? { duringMaintenance: r.duringMaintenance } : {}),
    ...(r.whileReadOnly ? { whileReadOnly: r.whileReadOnly } : {}),
    inPersonOnly: isRouteInPersonOnly(r),
    run: (c) =>
      inTurn(c, () => withRequester(c.actor, async () => routeAnswer(engine, c, r, await r.handle(context(c))))),
  }
}

function routeAnswer(engine: Engine, c: EndpointCall, r: Route, answer: RouteResponse | ApiRecord): EndpointResponse {
  if (!(answer instanceof RouteResponse))
    return { status: 200, text: JSON.stringify(withIdentity(engine, c, r, answer)) }
  const { status, headers, body } = answer
  if (Buffer.isBuffer(body) || body instanceof Readable) return { status, text: '', bytes: body, headers }
  const text = typeof body === 'string' ? body : body ? JSON.stringify(withIdentity(engine, c, r, body)) : ''
  return { status, text, headers }
}

/** Adds the requested URL as `@id` to a body without one. To a list, also adds the JSON-LD context for its keys. */
function withIdentity(engine: Engine, c: EndpointCall, r: Route, body: ApiRecord): ApiRecord {
  const path = r.path.replace(/\{(\w+)\}/g, (_, k: string) => encodeURIComponent(c.params[k] ?? ''))
  if (body['@type'] !== 'hydra:Collection')
    return '@id' in body ? body : { '@id': `${path}${c.rawQuery ? `?${c.rawQuery}` : ''}`, ...body }
  const type = (body['hydra:member'] as ApiRecord[] | undefined)?.[0]?.['@type']
  const known = engine.resources.some((one) => one.type === type)
  return { '@context': `/api/contexts/${known ? String(type) : 'Entrypoint'}`, '@id': path, ...body }
}

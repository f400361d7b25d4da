import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Field } from '#kernel/fields.ts'
import { type ActionSpec, addressedActions, type Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import type { Room, Route } from '#server/behaviour.ts'
import { parameters } from '#server/data/parameters.ts'
import { accepted, ERROR_SCHEMAS, IRI, ref, type Schema, schemasOf } from './schemas.ts'

type Operation = Record<string, unknown>
type Paths = Record<string, Record<string, unknown>>

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}
const LD = 'application/ld+json'
const JSON_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'

const both = (linked: Schema, plain: Schema = linked) => ({ [LD]: { schema: linked }, [JSON_TYPE]: { schema: plain } })
const header = (name: string, description: string) => ({ name, in: 'header', schema: { type: 'string' }, description })
const shared = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

const PARAMETERS = {
  page: { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
  itemsPerPage: {
    name: 'itemsPerPage',
    in: 'query',
    schema: { type: 'integer', minimum: 0, default: 30 },
    description: 'At most 100; 0 gives only the total.',
  },
  pagination: {
    name: 'pagination',
    in: 'query',
    schema: { type: 'boolean', default: true },
    description: '`false` gives everything.',
  },
  partial: {
    name: 'partial',
    in: 'query',
    schema: { type: 'boolean', default: false },
    description: '`true` counts nothing: faster on long lists.',
  },
  idempotencyKey: header('Idempotency-Key', 'The same key and body within a day gives the first answer again.'),
  ifMatch: header('If-Match', 'The ETag of the record as you last saw it.'),
  ifNoneMatch: header('If-None-Match', 'The ETag of the answer that you hold.'),
}

const REFUSALS: Record<string, string> = {
  400: 'The request could not be understood.',
  401: 'Nobody is signed in, or the session is over.',
  403: 'Not permitted.',
  404: 'Not there, or not for you.',
  406: 'None of the accepted formats is served.',
  409: 'It does not fit what is there now.',
  412: 'Somebody else has changed it since.',
  415: 'The body is of another type.',
  422: 'Some values are wrong.',
  429: 'Too many attempts.',
}
const RESPONSES = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, description]) => {
    const schema = ref(status === '422' ? 'ConstraintViolationList' : 'Error')
    return [status, { description, content: { [LD]: { schema }, [PROBLEM]: { schema } } }]
  }),
)
const refusals = (...statuses: number[]) => Object.fromEntries(statuses.map((s) => [s, shared('responses', String(s))]))

const anonymous = (allow: Roles) => (typeof allow === 'string' ? [allow] : allow).includes('anonymous')
const guarded = (allow: Roles, ...statuses: number[]) => ({
  ...(anonymous(allow) ? { security: [] } : {}),
  refused: refusals(...statuses, ...(anonymous(allow) ? [] : [401, 403]), 406),
})

const body = (type: string | readonly string[], schema: Schema, required = true) => ({
  required,
  content: Object.fromEntries([type].flat().map((t) => [t, { schema }])),
})

const found = (r: Resource, description: string, headers: readonly string[] = []) => ({
  description,
  ...(headers.length
    ? { headers: Object.fromEntries(headers.map((h) => [h, { schema: h === 'ETag' ? { type: 'string' } : IRI }])) }
    : {}),
  content: both(ref(`${r.type}.jsonld`), ref(r.type)),
})

const operation = (
  id: string,
  tag: string,
  summary: string,
  { security, refused }: { security?: unknown; refused: object },
  more: { parameters?: unknown[]; requestBody?: unknown; responses: object },
): Operation => ({
  operationId: id,
  tags: [tag],
  summary,
  ...(security ? { security } : {}),
  ...more,
  responses: { ...more.responses, ...refused },
})

/** How a filter's value looks; what doesn't fit is ignored, so this is advice. */
function filterSchema(r: Resource, variable: string, property: string): Schema {
  const f: Field | undefined = r.fields[property]
  if (variable.startsWith('order[')) return { type: 'string', enum: ['asc', 'desc'] }
  if (variable.startsWith('exists[') || variable.endsWith('[exists]')) return { type: 'boolean' }
  if (variable.endsWith('[]')) return { type: 'array', items: { type: 'string' } }
  if (variable.endsWith('[between]')) return { type: 'string', pattern: '^-?[\\d.]+\\.\\.-?[\\d.]+$' }
  if (/\[(strictly_)?(after|before)\]$/.test(variable))
    return { type: 'string', description: 'A date, or a date and time.' }
  if (/\[[gl]te?\]$/.test(variable)) return { type: 'number' }
  if (variable === property && f?.kind === 'flag') return { type: 'boolean' }
  return { type: 'string' }
}

function collectionPath(r: Resource): Record<string, unknown> {
  const filters = parameters(r).map(({ variable, property }) => ({
    name: variable,
    in: 'query',
    required: false,
    schema: filterSchema(r, variable, property),
    ...(variable.endsWith('[]') ? { style: 'form', explode: true } : {}),
  }))
  const paging = ['page', 'itemsPerPage', 'partial', ...(r.whole ? ['pagination'] : [])]
  return {
    get: operation(
      `list${r.type}`,
      r.service,
      `Retrieves the collection of ${r.type} resources.`,
      guarded(r.allow.read ?? 'member', 400),
      {
        parameters: [...paging.map((p) => shared('parameters', p)), shared('parameters', 'ifNoneMatch'), ...filters],
        responses: {
          200: {
            description: `A page of ${r.type} resources.`,
            content: both(listOf(`${r.type}.jsonld`), { type: 'array', items: ref(r.type) }),
          },
          304: { description: 'As you hold it.' },
        },
      },
    ),
    ...(r.allow.create
      ? {
          post: operation(
            `create${r.type}`,
            r.service,
            `Creates a ${r.type} resource.`,
            guarded(r.allow.create, 400, 409, 415, 422),
            {
              parameters: [shared('parameters', 'idempotencyKey')],
              requestBody: body([LD, JSON_TYPE], ref(`${r.type}.create`)),
              responses: { 201: found(r, 'Created.', ['Location', 'Content-Location']) },
            },
          ),
        }
      : {}),
  }
}

const listOf = (name: string): Schema => ({
  allOf: [ref('hydra:Collection'), { properties: { 'hydra:member': { type: 'array', items: ref(name) } } }],
})

function itemPath(r: Resource): Record<string, unknown> {
  const update = (method: 'PUT' | 'PATCH') =>
    operation(
      `${method === 'PUT' ? 'update' : 'patch'}${r.type}`,
      r.service,
      `${method === 'PUT' ? 'Replaces' : 'Updates'} the ${r.type} resource.`,
      guarded(r.allow.update as Roles, 400, 404, 409, 412, 415, 422),
      {
        parameters: [shared('parameters', 'ifMatch')],
        requestBody: body(method === 'PUT' ? [LD, JSON_TYPE] : 'application/merge-patch+json', ref(`${r.type}.update`)),
        responses: { 200: found(r, 'Changed. Keys that the body leaves out keep their values.', ['Content-Location']) },
      },
    )
  return {
    parameters: [pathParameter('id')],
    get: operation(
      `read${r.type}`,
      r.service,
      `Retrieves a ${r.type} resource.`,
      guarded(r.allow.read ?? 'member', 404),
      {
        parameters: [shared('parameters', 'ifNoneMatch')],
        responses: { 200: found(r, `The ${r.type}.`, ['ETag']), 304: { description: 'As you hold it.' } },
      },
    ),
    ...(r.allow.update ? { put: update('PUT'), patch: update('PATCH') } : {}),
    ...(r.allow.delete
      ? {
          delete: operation(
            `delete${r.type}`,
            r.service,
            `Deletes the ${r.type} resource.`,
            guarded(r.allow.delete, 404, 409, 412),
            {
              parameters: [shared('parameters', 'ifMatch')],
              responses: { 204: { description: 'Gone.' } },
            },
          ),
        }
      : {}),
  }
}

const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })

const OBJECT: Schema = { type: 'object', properties: { '@id': IRI }, additionalProperties: true }

const actionPath = (r: Resource, name: string, a: ActionSpec): Record<string, unknown> => ({
  parameters: [pathParameter('id')],
  post: operation(`${name}${r.type}`, r.service, a.title, guarded(a.allow, 400, 404, 409, 415, 422), {
    parameters: [shared('parameters', 'idempotencyKey')],
    requestBody: body(
      [LD, JSON_TYPE],
      accepted(Object.entries(a.input), true),
      Object.values(a.input).some((f) => f.required),
    ),
    responses: { 200: { description: 'Done.', content: both(OBJECT) } },
  }),
})

/** `GET /api/crm/contacts/{id}/sales` → `getCrmContactsIdSales` */
const routeId = (r: Route) =>
  r.method.toLowerCase() +
  r.path
    .replace('/api', '')
    .split(/[^A-Za-z0-9]+/)
    .map((s) => s.charAt(0).toUpperCase() + s.slice(1))
    .join('')

function routeOperation(r: Route): Operation {
  const names = [...r.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1] as string)
  const writes = r.method === 'POST' || r.method === 'PUT'
  return operation(
    routeId(r),
    r.path.split('/')[2] as string,
    r.title,
    guarded(r.allow, ...(names.length ? [404] : []), ...(writes ? [400, 415, 422] : [])),
    {
      ...(names.length ? { parameters: names.map(pathParameter) } : {}),
      ...(r.upload
        ? { requestBody: body('multipart/form-data', { type: 'object', additionalProperties: true }) }
        : writes
          ? { requestBody: body([LD, JSON_TYPE], { type: 'object', additionalProperties: true }, false) }
          : {}),
      responses: { '2XX': { description: 'Done.', content: both(OBJECT) } },
    },
  )
}

const COLLECTION: Schema = {
  type: 'object',
  properties: {
    '@context': IRI,
    '@id': IRI,
    '@type': { const: 'hydra:Collection' },
    'hydra:totalItems': { type: 'integer' },
    'hydra:view': {
      type: 'object',
      properties: Object.fromEntries(
        ['@id', 'hydra:first', 'hydra:last', 'hydra:previous', 'hydra:next'].map((k) => [k, IRI]),
      ),
    },
    'hydra:search': { type: 'object' },
  },
  required: ['@id', '@type'],
}

/** The same interface as OpenAPI 3.1 tools read it. */
export function openapi(origin: string, title: string, rooms: readonly Room[]): Record<string, unknown> {
  const resources = rooms.flatMap((room) => room.resources)
  const paths: Paths = {}
  const add = (path: string, item: Record<string, unknown>) => (paths[path] = { ...paths[path], ...item })
  for (const route of rooms.flatMap((room) => room.routes ?? []))
    add(route.path, { [route.method.toLowerCase()]: routeOperation(route) })
  for (const r of resources) {
    add(r.url, collectionPath(r))
    add(`${r.url}/{id}`, itemPath(r))
    for (const [name, a] of addressedActions(r)) add(`${r.url}/{id}/${a.path}`, actionPath(r, name, a))
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url: origin }],
    security: [{ bearer: [] }],
    tags: [...new Set(Object.keys(paths).map((p) => p.split('/')[2]))].map((name) => ({ name })),
    paths,
    components: {
      schemas: {
        'hydra:Collection': COLLECTION,
        ...ERROR_SCHEMAS,
        ...Object.assign({}, ...resources.map(schemasOf)),
      },
      parameters: PARAMETERS,
      responses: RESPONSES,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token of POST /api/security/login.' },
      },
    },
  }
}

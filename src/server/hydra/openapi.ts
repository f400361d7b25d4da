import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bulkActions } from '#kernel/bulk.ts'
import { type ActionSpec, actionsWithUrl, type Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { capitalise } from '#kernel/text.ts'
import { countableFields } from '#server/data/totals.ts'
import type { Module } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import {
  COLLECTION_SCHEMA_NAME,
  filterParametersOf,
  openApiBulkPath,
  openApiCollectionPath,
  openApiCountsPath,
  openApiExportPath,
  openApiFileContent,
  openApiListContent,
  pagingParametersOf,
} from './list-paths.ts'
import {
  componentRef,
  inBothJsonFormats,
  JSON_LD_TYPE,
  JSON_TYPE,
  type OpenApiOperation,
  openApiOperation,
  pathParameter,
  recordResponse,
  requestBodyContent,
  SHARED_PARAMETERS,
  SHARED_RESPONSES,
  withErrorResponses,
} from './operations.ts'
import {
  ERROR_SCHEMAS,
  IRI_SCHEMA,
  inputSchema,
  type JsonSchema,
  queryParameters,
  rowSchemas,
  schemaRef,
  schemasForResource,
} from './schemas.ts'

type Paths = Record<string, Record<string, unknown>>

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}
function itemPath(r: Resource): Record<string, unknown> {
  const update = (method: 'PUT' | 'PATCH') =>
    openApiOperation(
      `${method === 'PUT' ? 'update' : 'patch'}${r.type}`,
      r.service,
      `${method === 'PUT' ? 'Replaces' : 'Updates'} the ${r.type} resource.`,
      withErrorResponses(r.allow.update as Roles, 400, 404, 409, 412, 413, 415, 422),
      {
        parameters: [componentRef('parameters', 'ifMatch')],
        requestBody: requestBodyContent(
          method === 'PUT' ? [JSON_LD_TYPE, JSON_TYPE] : 'application/merge-patch+json',
          schemaRef(`${r.type}.update`),
        ),
        responses: {
          200: recordResponse(r, 'The changed resource. Fields that are not in the body keep their values.', [
            'Content-Location',
          ]),
        },
      },
    )
  return {
    parameters: [pathParameter('id')],
    get: openApiOperation(
      `read${r.type}`,
      r.service,
      `Retrieves a ${r.type} resource.`,
      withErrorResponses(r.allow.read ?? 'member', 404),
      {
        parameters: [componentRef('parameters', 'ifNoneMatch')],
        responses: {
          200: recordResponse(r, `The ${r.type} resource.`, ['ETag']),
          304: { description: 'Not modified: the ETag in If-None-Match is current.' },
        },
      },
    ),
    ...(r.allow.update ? { put: update('PUT'), patch: update('PATCH') } : {}),
    ...(r.allow.delete
      ? {
          delete: openApiOperation(
            `delete${r.type}`,
            r.service,
            `Deletes the ${r.type} resource.`,
            withErrorResponses(r.allow.delete, 404, 409, 412),
            {
              parameters: [componentRef('parameters', 'ifMatch')],
              responses: { 204: { description: 'Gone.' } },
            },
          ),
        }
      : {}),
  }
}

const OBJECT: JsonSchema = { type: 'object', properties: { '@id': IRI_SCHEMA }, additionalProperties: true }

const actionPath = (r: Resource, name: string, a: ActionSpec): Record<string, unknown> => ({
  parameters: [pathParameter('id')],
  post: openApiOperation(
    `${name}${r.type}`,
    r.service,
    a.title,
    withErrorResponses(a.allow, 400, 404, 409, 412, 413, 415, 422, 502),
    {
      parameters: [componentRef('parameters', 'idempotencyKey'), ...(a.filters ? filterParametersOf(r) : [])],
      requestBody: bodyOf(a),
      responses: { 200: { description: 'Done.', content: inBothJsonFormats(OBJECT) } },
    },
  ),
})

/** Returns the operation ID of a route: `GET /api/crm/contacts/{id}/sales` → `getCrmContactsIdSales`. */
const routeId = (r: Route) =>
  r.method.toLowerCase() +
  r.path
    .replace('/api', '')
    .split(/[^A-Za-z0-9]+/)
    .map(capitalise)
    .join('')

function routeOperation(r: Route, items: ReadonlySet<string>): OpenApiOperation {
  // If the route has the same path as a record, that path already declares the ID for all methods.
  const parameters = parametersOf(items.has(r.path) ? { ...r, path: '' } : r)
  const writes = r.method === 'POST' || r.method === 'PUT'
  return openApiOperation(
    routeId(r),
    r.path.split('/')[2] as string,
    r.title,
    withErrorResponses(r.allow, ...refusalsOf(r)),
    {
      ...(parameters.length ? { parameters } : {}),
      ...(r.upload ? { requestBody: uploadBodyOf(r) } : writes ? { requestBody: bodyOf(r) } : {}),
      responses: {
        '2XX': { description: 'Done.', content: contentOf(r) },
        ...(writes ? {} : { 304: { description: 'Not modified: the ETag in If-None-Match is current.' } }),
      },
    },
  )
}

/** Returns the error statuses for a route, based on its method and path. */
const refusalsOf = ({ method, path, listOf: lists, writesOnGet: changes, refuses = [] }: Route): number[] => [
  ...refuses,
  ...(path.includes('{') ? [404, 410] : [404]),
  ...(changes ? [409, 422] : []),
  ...(method === 'GET' ? [400, ...(lists ? [422] : [])] : [400, 401, 403, 409, 413, 415, 422, 502]),
]

/** Returns the response content for a route: a file, a list (in plain JSON, the list's members) or an object. */
function contentOf({ file, listOf: lists }: Route): Record<string, unknown> {
  if (file) return openApiFileContent(file)
  if (!lists) return inBothJsonFormats(OBJECT)
  if (lists !== 'objects') return openApiListContent(lists)
  const members = { properties: { 'hydra:member': { type: 'array', items: OBJECT } } }
  return inBothJsonFormats({ allOf: [schemaRef(COLLECTION_SCHEMA_NAME), members] }, { type: 'array', items: OBJECT })
}

/** Returns the parameters for a route: those in its path and query, and the filters of a list. */
function parametersOf({ path, query, filters, listOf: lists }: Route): unknown[] {
  const own = queryParameters(query)
  const names = new Set(own.map(({ name }) => name))
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map((m) => pathParameter(m[1] as string)),
    ...own,
    ...(lists && lists === filters ? pagingParametersOf(lists) : []),
    ...(filters ? filterParametersOf(filters).filter(({ name }) => !names.has(name)) : []),
  ]
}

const bodyOf = ({ input }: Pick<Route, 'input'>) =>
  input
    ? requestBodyContent(
        [JSON_LD_TYPE, JSON_TYPE],
        inputSchema(Object.entries(input), true),
        Object.values(input).some((f) => f.required),
      )
    : requestBodyContent([JSON_LD_TYPE, JSON_TYPE], { type: 'object', additionalProperties: true }, false)

function uploadBodyOf(r: Pick<Route, 'input'>) {
  const form = requestBodyContent('multipart/form-data', { type: 'object', additionalProperties: true })
  return r.input ? { ...form, content: { ...bodyOf(r).content, ...form.content } } : form
}

const COLLECTION_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    '@context': IRI_SCHEMA,
    '@id': IRI_SCHEMA,
    '@type': { const: 'hydra:Collection' },
    'hydra:totalItems': { type: 'integer' },
    'hydra:view': {
      type: 'object',
      properties: Object.fromEntries(
        ['@id', 'hydra:first', 'hydra:last', 'hydra:previous', 'hydra:next'].map((k) => [k, IRI_SCHEMA]),
      ),
    },
    'hydra:search': { type: 'object' },
  },
  required: ['@id', '@type'],
}

/** Describes the API as OpenAPI 3.1. */
export function openApiDocument(
  origin: string,
  title: string,
  modules: readonly Module[],
  resources: readonly Resource[],
): Record<string, unknown> {
  const paths: Paths = {}
  const items = new Set(resources.map((r) => `${r.url}/{id}`))
  const add = (path: string, item: Record<string, unknown>) => (paths[path] = { ...paths[path], ...item })
  for (const route of modules.flatMap((module) => module.routes ?? []))
    add(route.path, { [route.method.toLowerCase()]: routeOperation(route, items) })
  for (const r of resources) {
    add(r.url, openApiCollectionPath(r))
    add(`${r.url}/export.{format}`, openApiExportPath(r))
    if (countableFields(r).length) add(`${r.url}/counts`, openApiCountsPath(r))
    if (bulkActions(r).length) add(`${r.url}/bulk`, openApiBulkPath(r))
    add(`${r.url}/{id}`, itemPath(r))
    for (const [name, a] of actionsWithUrl(r)) add(`${r.url}/{id}/${a.path}`, actionPath(r, name, a))
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
        [COLLECTION_SCHEMA_NAME]: COLLECTION_SCHEMA,
        ...ERROR_SCHEMAS,
        ...rowSchemas(resources),
        ...Object.assign({}, ...resources.map(schemasForResource)),
      },
      parameters: SHARED_PARAMETERS,
      responses: SHARED_RESPONSES,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token returned by POST /api/security/login.' },
      },
    },
  }
}

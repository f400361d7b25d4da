import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bulkActions } from '#kernel/bulk.ts'
import { type ActionSpec, addressedActions, type Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { capitalise } from '#kernel/text.ts'
import { countedFields } from '#server/data/counts.ts'
import type { Module } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import {
  bulkPath,
  COLLECTION,
  collectionPath,
  countsPath,
  exportPath,
  fileContent,
  filtersOf,
  listContent,
  pagingOf,
} from './list-paths.ts'
import {
  body,
  inBothForms,
  JSON_TYPE,
  LD,
  type Operation,
  operation,
  PARAMETERS,
  pathParameter,
  RESPONSES,
  recordResponse,
  shared,
  withRefusals,
} from './operations.ts'
import { accepted, ERROR_SCHEMAS, IRI, queryParameters, ref, rowSchemas, type Schema, schemasOf } from './schemas.ts'

type Paths = Record<string, Record<string, unknown>>

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}
function itemPath(r: Resource): Record<string, unknown> {
  const update = (method: 'PUT' | 'PATCH') =>
    operation(
      `${method === 'PUT' ? 'update' : 'patch'}${r.type}`,
      r.service,
      `${method === 'PUT' ? 'Replaces' : 'Updates'} the ${r.type} resource.`,
      withRefusals(r.allow.update as Roles, 400, 404, 409, 412, 413, 415, 422),
      {
        parameters: [shared('parameters', 'ifMatch')],
        requestBody: body(method === 'PUT' ? [LD, JSON_TYPE] : 'application/merge-patch+json', ref(`${r.type}.update`)),
        responses: {
          200: recordResponse(r, 'Changed. Keys that the body leaves out keep their values.', ['Content-Location']),
        },
      },
    )
  return {
    parameters: [pathParameter('id')],
    get: operation(
      `read${r.type}`,
      r.service,
      `Retrieves a ${r.type} resource.`,
      withRefusals(r.allow.read ?? 'member', 404),
      {
        parameters: [shared('parameters', 'ifNoneMatch')],
        responses: { 200: recordResponse(r, `The ${r.type}.`, ['ETag']), 304: { description: 'As you hold it.' } },
      },
    ),
    ...(r.allow.update ? { put: update('PUT'), patch: update('PATCH') } : {}),
    ...(r.allow.delete
      ? {
          delete: operation(
            `delete${r.type}`,
            r.service,
            `Deletes the ${r.type} resource.`,
            withRefusals(r.allow.delete, 404, 409, 412),
            {
              parameters: [shared('parameters', 'ifMatch')],
              responses: { 204: { description: 'Gone.' } },
            },
          ),
        }
      : {}),
  }
}

const OBJECT: Schema = { type: 'object', properties: { '@id': IRI }, additionalProperties: true }

const actionPath = (r: Resource, name: string, a: ActionSpec): Record<string, unknown> => ({
  parameters: [pathParameter('id')],
  post: operation(
    `${name}${r.type}`,
    r.service,
    a.title,
    withRefusals(a.allow, 400, 404, 409, 412, 413, 415, 422, 502),
    {
      parameters: [shared('parameters', 'idempotencyKey'), ...(a.filters ? filtersOf(r) : [])],
      requestBody: bodyOf(a),
      responses: { 200: { description: 'Done.', content: inBothForms(OBJECT) } },
    },
  ),
})

/** Converts `GET /api/crm/contacts/{id}/sales` to `getCrmContactsIdSales`. */
const routeId = (r: Route) =>
  r.method.toLowerCase() +
  r.path
    .replace('/api', '')
    .split(/[^A-Za-z0-9]+/)
    .map(capitalise)
    .join('')

function routeOperation(r: Route, items: ReadonlySet<string>): Operation {
  // A record's own address declares its ID for all verbs.
  const parameters = parametersOf(items.has(r.path) ? { ...r, path: '' } : r)
  const writes = r.method === 'POST' || r.method === 'PUT'
  return operation(routeId(r), r.path.split('/')[2] as string, r.title, withRefusals(r.allow, ...refusalsOf(r)), {
    ...(parameters.length ? { parameters } : {}),
    ...(r.upload
      ? { requestBody: body('multipart/form-data', { type: 'object', additionalProperties: true }) }
      : writes
        ? { requestBody: bodyOf(r) }
        : {}),
    responses: {
      '2XX': { description: 'Done.', content: contentOf(r) },
      ...(writes ? {} : { 304: { description: 'As you hold it.' } }),
    },
  })
}

/** Error statuses of a route, derived from its method and address. */
const refusalsOf = ({ method, path, listOf: lists, writesOnGet: changes, refuses = [] }: Route): number[] => [
  ...refuses,
  ...(path.includes('{') ? [404, 410] : [404]),
  ...(changes ? [409, 422] : []),
  ...(method === 'GET' ? [400, ...(lists ? [422] : [])] : [400, 401, 403, 409, 413, 415, 422, 502]),
]

/** Content of a route's response: a file, a list (in plain JSON its members), or an object. */
function contentOf({ file, listOf: lists }: Route): Record<string, unknown> {
  if (file) return fileContent(file)
  if (!lists) return inBothForms(OBJECT)
  if (lists !== 'objects') return listContent(lists)
  const members = { properties: { 'hydra:member': { type: 'array', items: OBJECT } } }
  return inBothForms({ allOf: [ref(COLLECTION), members] }, { type: 'array', items: OBJECT })
}

/** Parameters of a route: those of its path and query, and the filters of a list. */
function parametersOf({ path, query, filters, listOf: lists }: Route): unknown[] {
  const own = queryParameters(query)
  const names = new Set(own.map(({ name }) => name))
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map((m) => pathParameter(m[1] as string)),
    ...own,
    ...(lists && lists === filters ? pagingOf(lists) : []),
    ...(filters ? filtersOf(filters).filter(({ name }) => !names.has(name)) : []),
  ]
}

const bodyOf = ({ input }: Pick<Route, 'input'>) =>
  input
    ? body(
        [LD, JSON_TYPE],
        accepted(Object.entries(input), true),
        Object.values(input).some((f) => f.required),
      )
    : body([LD, JSON_TYPE], { type: 'object', additionalProperties: true }, false)

const COLLECTION_SCHEMA: Schema = {
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

/** Describes the API as OpenAPI 3.1. */
export function openapi(
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
    add(r.url, collectionPath(r))
    add(`${r.url}/export.{format}`, exportPath(r))
    if (countedFields(r).length) add(`${r.url}/counts`, countsPath(r))
    if (bulkActions(r).length) add(`${r.url}/bulk`, bulkPath(r))
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
        [COLLECTION]: COLLECTION_SCHEMA,
        ...ERROR_SCHEMAS,
        ...rowSchemas(resources),
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

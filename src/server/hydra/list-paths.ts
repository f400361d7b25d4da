import { bulkActions } from '#kernel/bulk.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { listQueryParameters } from '#server/data/parameters.ts'
import { countableFields } from '#server/data/totals.ts'
import { EXPORT_CONTENT_TYPES } from '#server/exports/export.ts'
import {
  componentRef,
  inBothJsonFormats,
  JSON_LD_TYPE,
  JSON_TYPE,
  openApiOperation,
  pathParameter,
  recordResponse,
  requestBodyContent,
  withErrorResponses,
} from './operations.ts'
import { IRI_SCHEMA, type JsonSchema, schemaRef } from './schemas.ts'

/** Returns the schema for a filter's value. The schema is only advisory, because invalid values are ignored. */
function filterSchema(r: Resource, variable: string, property: string): JsonSchema {
  const f: Field | undefined = r.fields[property]
  if (variable.startsWith('order['))
    return { type: 'string', enum: ['asc', 'desc'], description: 'A list can be ordered by at most three fields.' }
  if (variable.startsWith('exists[') || variable.endsWith('[exists]')) return { type: 'boolean' }
  if (variable.endsWith('[]')) return { type: 'array', items: { type: 'string' } }
  if (variable.endsWith('[between]')) return { type: 'string', pattern: '^-?[\\d.]+\\.\\.-?[\\d.]+$' }
  if (/\[(strictly_)?(after|before)\]$/.test(variable))
    return { type: 'string', description: 'A date, or a date and time.' }
  if (/\[[gl]te?\]$/.test(variable)) return { type: 'number' }
  if (variable === property && f?.kind === 'flag') return { type: 'boolean' }
  return { type: 'string' }
}

/** Returns the parameters for all filters and sort orders of a list. */
export const filterParametersOf = (r: Resource) =>
  listQueryParameters(r).map(({ variable, property }) => ({
    name: variable,
    in: 'query',
    required: false,
    schema: filterSchema(r, variable, property),
    ...(variable === property && r.fields[property]?.help ? { description: r.fields[property].help } : {}),
    ...(variable.endsWith('[]') ? { style: 'form', explode: true } : {}),
  }))

export const pagingParametersOf = (r: Pick<Resource, 'unpaginated'>) =>
  ['page', 'itemsPerPage', 'partial', ...(r.unpaginated ? ['pagination'] : [])].map((p) =>
    componentRef('parameters', p),
  )

/** Returns the OpenAPI path for a list, including creation. */
export function openApiCollectionPath(r: Resource): Record<string, unknown> {
  return {
    get: openApiOperation(
      `list${r.type}`,
      r.service,
      `Retrieves the collection of ${r.type} resources.`,
      withErrorResponses(r.allow.read ?? 'member', 400, 422),
      {
        parameters: [...pagingParametersOf(r), componentRef('parameters', 'ifNoneMatch'), ...filterParametersOf(r)],
        responses: {
          200: {
            description: `A page of ${r.type} resources.`,
            content: openApiListContent(r),
          },
          304: { description: 'Not modified: the ETag in If-None-Match is current.' },
        },
      },
    ),
    ...(r.allow.create
      ? {
          post: openApiOperation(
            `create${r.type}`,
            r.service,
            `Creates a ${r.type} resource.`,
            withErrorResponses(r.allow.create, 400, 404, 409, 413, 415, 422),
            {
              parameters: [componentRef('parameters', 'idempotencyKey')],
              requestBody: requestBodyContent([JSON_LD_TYPE, JSON_TYPE], schemaRef(`${r.type}.create`)),
              responses: { 201: recordResponse(r, 'Created.', ['Location', 'Content-Location']) },
            },
          ),
        }
      : {}),
  }
}

export const COLLECTION_SCHEMA_NAME = 'Collection'

/** Returns the response content for a list with a named schema: a page or, in plain JSON, an array. */
export const openApiListContent = (r: Pick<Resource, 'type'>) =>
  inBothJsonFormats(listOf(`${r.type}.jsonld`), { type: 'array', items: schemaRef(r.type) })

const listOf = (name: string): JsonSchema => ({
  allOf: [
    schemaRef(COLLECTION_SCHEMA_NAME),
    { properties: { 'hydra:member': { type: 'array', items: schemaRef(name) } } },
  ],
})

const FILE: JsonSchema = { type: 'string', format: 'binary' }

export const openApiFileContent = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: FILE }]))

/** Returns the OpenAPI path for exporting a list. */
export const openApiExportPath = (r: Resource): Record<string, unknown> => ({
  parameters: [{ ...pathParameter('format'), schema: { type: 'string', enum: Object.keys(EXPORT_CONTENT_TYPES) } }],
  get: openApiOperation(
    `export${r.type}`,
    r.service,
    `Retrieves the ${r.type} resources that match the filters, as a file.`,
    withErrorResponses(r.allow.read ?? 'member', 400, 413, 422),
    {
      parameters: [
        componentRef('parameters', 'columns'),
        componentRef('parameters', 'titles'),
        componentRef('parameters', 'dates'),
        ...filterParametersOf(r),
      ],
      responses: {
        200: {
          description: 'The rows in list order, below a row of headings.',
          content: openApiFileContent(Object.values(EXPORT_CONTENT_TYPES)),
        },
      },
    },
  ),
})

const COUNTS: JsonSchema = {
  type: 'object',
  properties: {
    '@id': IRI_SCHEMA,
    by: { type: 'string' },
    counts: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          value: { type: ['string', 'boolean', 'null'] },
          label: { type: 'string' },
          count: { type: 'integer' },
        },
      },
    },
  },
}

/** Returns the OpenAPI path that counts matching records by a field's value. */
export const openApiCountsPath = (r: Resource): Record<string, unknown> => ({
  get: openApiOperation(
    `count${r.type}`,
    r.service,
    `Counts the ${r.type} resources that match the filters, by the values of a field.`,
    withErrorResponses(r.allow.read ?? 'member', 400),
    {
      parameters: [
        { name: 'by', in: 'query', required: true, schema: { type: 'string', enum: countableFields(r) } },
        ...filterParametersOf(r).filter(({ name }) => !name.startsWith('order[')),
      ],
      responses: {
        200: {
          description: 'The count for each value. A filter on the counted field is ignored.',
          content: inBothJsonFormats(COUNTS),
        },
      },
    },
  ),
})

const BULK: JsonSchema = {
  type: 'object',
  properties: {
    '@id': IRI_SCHEMA,
    action: { type: 'string' },
    done: { type: 'array', items: { type: 'integer' } },
    unchanged: { type: 'array', items: { type: 'integer' } },
    refused: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          '@id': IRI_SCHEMA,
          id: { type: 'integer' },
          title: { type: ['string', 'null'] },
          code: { type: 'string', description: 'The error code that changing only this record would return.' },
          message: { type: 'string' },
        },
      },
    },
    undo: { type: ['string', 'null'] },
    former: {
      type: 'array',
      description: 'For a change to one field: each previous value, with the records that had it.',
      items: {
        type: 'object',
        properties: { value: {}, ids: { type: 'array', items: { type: 'integer' } } },
      },
    },
  },
}

/** Returns the OpenAPI path for an action on many records. */
export const openApiBulkPath = (r: Resource): Record<string, unknown> => ({
  post: openApiOperation(
    `bulk${r.type}`,
    r.service,
    `Runs an action on selected ${r.type} resources, or on all that match the filters.`,
    withErrorResponses(r.allow.read ?? 'member', 400, 409, 413, 415, 422),
    {
      parameters: [
        componentRef('parameters', 'idempotencyKey'),
        ...filterParametersOf(r).filter(({ name }) => !name.startsWith('order[')),
      ],
      requestBody: requestBodyContent([JSON_LD_TYPE, JSON_TYPE], {
        type: 'object',
        properties: {
          action: { type: 'string', enum: bulkActions(r).map(({ name }) => name) },
          ids: { type: 'array', items: { type: ['integer', 'string'] }, description: 'IDs or IRIs of the records.' },
          all: { type: 'boolean', description: '`true` selects every record that matches the filters in the query.' },
          count: {
            type: 'integer',
            description:
              'The number of records that the caller expects; the request is rejected if it differs. Required with `all`.',
          },
          input: { type: 'object', additionalProperties: true },
        },
        required: ['action'],
      }),
      responses: {
        200: { description: 'The result for each record.', content: inBothJsonFormats(BULK) },
        202: {
          description: 'For more than 100 records: a background job, whose progress is available at its URL.',
          content: inBothJsonFormats(schemaRef('Run.jsonld'), schemaRef('Run')),
        },
      },
    },
  ),
})

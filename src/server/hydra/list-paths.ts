import { bulkActions } from '#kernel/bulk.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { countedFields } from '#server/data/counts.ts'
import { parameters } from '#server/data/parameters.ts'
import { EXPORT_CONTENT_TYPES } from '#server/exports/export.ts'
import {
  body,
  inBothForms,
  JSON_TYPE,
  LD,
  operation,
  pathParameter,
  recordResponse,
  shared,
  withRefusals,
} from './operations.ts'
import { IRI, ref, type Schema } from './schemas.ts'

/** Schema of a filter's value; only advisory, because invalid values are ignored. */
function filterSchema(r: Resource, variable: string, property: string): Schema {
  const f: Field | undefined = r.fields[property]
  if (variable.startsWith('order['))
    return { type: 'string', enum: ['asc', 'desc'], description: 'A list is ordered by three fields at most.' }
  if (variable.startsWith('exists[') || variable.endsWith('[exists]')) return { type: 'boolean' }
  if (variable.endsWith('[]')) return { type: 'array', items: { type: 'string' } }
  if (variable.endsWith('[between]')) return { type: 'string', pattern: '^-?[\\d.]+\\.\\.-?[\\d.]+$' }
  if (/\[(strictly_)?(after|before)\]$/.test(variable))
    return { type: 'string', description: 'A date, or a date and time.' }
  if (/\[[gl]te?\]$/.test(variable)) return { type: 'number' }
  if (variable === property && f?.kind === 'flag') return { type: 'boolean' }
  return { type: 'string' }
}

/** Parameters for all filters and sort orders of a list. */
export const filtersOf = (r: Resource) =>
  parameters(r).map(({ variable, property }) => ({
    name: variable,
    in: 'query',
    required: false,
    schema: filterSchema(r, variable, property),
    ...(variable === property && r.fields[property]?.help ? { description: r.fields[property].help } : {}),
    ...(variable.endsWith('[]') ? { style: 'form', explode: true } : {}),
  }))

/** Paging parameters of a list. */
export const pagingOf = (r: Pick<Resource, 'unpaginated'>) =>
  ['page', 'itemsPerPage', 'partial', ...(r.unpaginated ? ['pagination'] : [])].map((p) => shared('parameters', p))

/** OpenAPI path of a list, including creation. */
export function collectionPath(r: Resource): Record<string, unknown> {
  return {
    get: operation(
      `list${r.type}`,
      r.service,
      `Retrieves the collection of ${r.type} resources.`,
      withRefusals(r.allow.read ?? 'member', 400, 422),
      {
        parameters: [...pagingOf(r), shared('parameters', 'ifNoneMatch'), ...filtersOf(r)],
        responses: {
          200: {
            description: `A page of ${r.type} resources.`,
            content: listContent(r),
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
            withRefusals(r.allow.create, 400, 404, 409, 413, 415, 422),
            {
              parameters: [shared('parameters', 'idempotencyKey')],
              requestBody: body([LD, JSON_TYPE], ref(`${r.type}.create`)),
              responses: { 201: recordResponse(r, 'Created.', ['Location', 'Content-Location']) },
            },
          ),
        }
      : {}),
  }
}

/** Name of the schema that every list uses. */
export const COLLECTION = 'Collection'

/** Content of a list of a named schema: a page, or in plain JSON an array. */
export const listContent = (r: Pick<Resource, 'type'>) =>
  inBothForms(listOf(`${r.type}.jsonld`), { type: 'array', items: ref(r.type) })

const listOf = (name: string): Schema => ({
  allOf: [ref(COLLECTION), { properties: { 'hydra:member': { type: 'array', items: ref(name) } } }],
})

const FILE: Schema = { type: 'string', format: 'binary' }

/** Content of a file of one of these types. */
export const fileContent = (types: readonly string[]) =>
  Object.fromEntries(types.map((type) => [type, { schema: FILE }]))

/** OpenAPI path of a list's export. */
export const exportPath = (r: Resource): Record<string, unknown> => ({
  parameters: [{ ...pathParameter('format'), schema: { type: 'string', enum: Object.keys(EXPORT_CONTENT_TYPES) } }],
  get: operation(
    `export${r.type}`,
    r.service,
    `Retrieves what the list of ${r.type} resources finds as a file.`,
    withRefusals(r.allow.read ?? 'member', 400, 413, 422),
    {
      parameters: [
        shared('parameters', 'columns'),
        shared('parameters', 'titles'),
        shared('parameters', 'dates'),
        ...filtersOf(r),
      ],
      responses: {
        200: {
          description: 'The rows in the order of the list, under headings.',
          content: fileContent(Object.values(EXPORT_CONTENT_TYPES)),
        },
      },
    },
  ),
})

const COUNTS: Schema = {
  type: 'object',
  properties: {
    '@id': IRI,
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

/** OpenAPI path for the number of matching records for each value of a field. */
export const countsPath = (r: Resource): Record<string, unknown> => ({
  get: operation(
    `count${r.type}`,
    r.service,
    `Counts what the list of ${r.type} resources finds by the values of a field.`,
    withRefusals(r.allow.read ?? 'member', 400),
    {
      parameters: [
        { name: 'by', in: 'query', required: true, schema: { type: 'string', enum: countedFields(r) } },
        ...filtersOf(r).filter(({ name }) => !name.startsWith('order[')),
      ],
      responses: {
        200: { description: 'The counts. The filter of the field itself is left aside.', content: inBothForms(COUNTS) },
      },
    },
  ),
})

const BULK: Schema = {
  type: 'object',
  properties: {
    '@id': IRI,
    action: { type: 'string' },
    done: { type: 'array', items: { type: 'integer' } },
    unchanged: { type: 'array', items: { type: 'integer' } },
    refused: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          '@id': IRI,
          id: { type: 'integer' },
          title: { type: ['string', 'null'] },
          code: { type: 'string', description: 'What changing this record alone is refused with.' },
          message: { type: 'string' },
        },
      },
    },
    undo: { type: ['string', 'null'] },
    former: {
      type: 'array',
      description: 'Of a change of one field: what it said before, records that said the same together.',
      items: {
        type: 'object',
        properties: { value: {}, ids: { type: 'array', items: { type: 'integer' } } },
      },
    },
  },
}

/** OpenAPI path for an action on many records. */
export const bulkPath = (r: Resource): Record<string, unknown> => ({
  post: operation(
    `bulk${r.type}`,
    r.service,
    `Does one thing to chosen ${r.type} resources, or to all that the list finds.`,
    withRefusals(r.allow.read ?? 'member', 400, 409, 413, 415, 422),
    {
      parameters: [
        shared('parameters', 'idempotencyKey'),
        ...filtersOf(r).filter(({ name }) => !name.startsWith('order[')),
      ],
      requestBody: body([LD, JSON_TYPE], {
        type: 'object',
        properties: {
          action: { type: 'string', enum: bulkActions(r).map(({ name }) => name) },
          ids: { type: 'array', items: { type: ['integer', 'string'] }, description: 'Ids or IRIs.' },
          all: { type: 'boolean', description: 'Everything that the list finds with the filters of the query.' },
          count: {
            type: 'integer',
            description:
              'How many they are, as far as the caller knows: other numbers are refused. With `all` it has to be said.',
          },
          input: { type: 'object', additionalProperties: true },
        },
        required: ['action'],
      }),
      responses: {
        200: { description: 'What came of it, record by record.', content: inBothForms(BULK) },
        202: {
          description: 'More than a hundred: a run, to be asked for at its address.',
          content: inBothForms(ref('Run.jsonld'), ref('Run')),
        },
      },
    },
  ),
})

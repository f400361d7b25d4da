import { ERROR_CODES } from '#kernel/error-codes.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { IRI_SCHEMA, type JsonSchema, schemaRef } from './schemas.ts'

export type OpenApiOperation = Record<string, unknown>

export const JSON_LD_TYPE = 'application/ld+json'
export const JSON_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'

export const inBothJsonFormats = (linked: JsonSchema, plain: JsonSchema = linked) => ({
  [JSON_LD_TYPE]: { schema: linked },
  [JSON_TYPE]: { schema: plain },
})
const header = (name: string, description: string) => ({ name, in: 'header', schema: { type: 'string' }, description })
export const componentRef = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

export const SHARED_PARAMETERS = {
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
  columns: {
    name: 'columns',
    in: 'query',
    schema: { type: 'string' },
    description: 'Names of fields, with commas between them; without it, all that the list has.',
  },
  titles: {
    name: 'titles',
    in: 'query',
    schema: { type: 'string' },
    description:
      'What the columns are called, in the order of `columns` with | between them; an empty one as the field is.',
  },
  dates: {
    name: 'dates',
    in: 'query',
    schema: { type: 'string', enum: ['uk', 'iso'], default: 'uk' },
    description: '`uk`: 28/02/2026 09:30, in London. `iso`: 2026-02-28T09:30:00+00:00.',
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
  410: 'It was there, and is no more.',
  412: 'Somebody else has changed it since.',
  413: 'More than is accepted, or given, at once.',
  415: 'The body is of another type.',
  416: 'The range lies beyond the end of the file.',
  422: 'Some values are wrong.',
  429: 'Too many requests or attempts.',
  500: 'A fault on the portal’s side.',
  502: 'An outside service gave no usable answer.',
  503: 'It can’t be answered just now.',
}
export const SHARED_RESPONSES = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, description]) => {
    const schema = schemaRef(status === '422' ? 'ConstraintViolationList' : 'Error')
    const codes = Object.entries(ERROR_CODES).flatMap(([code, { status: s, meaning }]) =>
      String(s) === status ? [`\`${code}\`: ${meaning}`] : [],
    )
    return [
      status,
      {
        description: [description, ...codes].join('\n\n'),
        content: { [JSON_LD_TYPE]: { schema }, [PROBLEM]: { schema } },
      },
    ]
  }),
)
const refusals = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((s) => [s, componentRef('responses', String(s))]))

/** Error statuses of any request: during maintenance, an expired session is rejected at public addresses too. */
const COMMON_REFUSALS = [401, 406, 429, 500, 503]

const isForAnybody = (allow: Roles) => (typeof allow === 'string' ? [allow] : allow).includes('anonymous')
export const withErrorResponses = (allow: Roles, ...statuses: number[]) => ({
  ...(isForAnybody(allow) ? { security: [] } : {}),
  refused: refusals(...statuses, ...(isForAnybody(allow) ? [] : [403]), ...COMMON_REFUSALS),
})

export const requestBodyContent = (type: string | readonly string[], schema: JsonSchema, required = true) => ({
  required,
  content: Object.fromEntries([type].flat().map((t) => [t, { schema }])),
})

export const recordResponse = (r: Resource, description: string, headers: readonly string[] = []) => ({
  description,
  ...(headers.length
    ? {
        headers: Object.fromEntries(
          headers.map((h) => [h, { schema: h === 'ETag' ? { type: 'string' } : IRI_SCHEMA }]),
        ),
      }
    : {}),
  content: inBothJsonFormats(schemaRef(`${r.type}.jsonld`), schemaRef(r.type)),
})

export const openApiOperation = (
  id: string,
  tag: string,
  summary: string,
  { security, refused }: { security?: unknown; refused: object },
  more: { parameters?: unknown[]; requestBody?: unknown; responses: object },
): OpenApiOperation => ({
  operationId: id,
  tags: [tag],
  summary,
  ...(security ? { security } : {}),
  ...more,
  responses: { ...more.responses, ...refused },
})

export const pathParameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })

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
    description: 'At most 100; 0 returns only the total.',
  },
  pagination: {
    name: 'pagination',
    in: 'query',
    schema: { type: 'boolean', default: true },
    description: '`false` returns the complete list on one page.',
  },
  partial: {
    name: 'partial',
    in: 'query',
    schema: { type: 'boolean', default: false },
    description: '`true` leaves out the total, which is faster for long lists.',
  },
  columns: {
    name: 'columns',
    in: 'query',
    schema: { type: 'string' },
    description: 'Field names, separated by commas. By default, all columns of the list are included.',
  },
  titles: {
    name: 'titles',
    in: 'query',
    schema: { type: 'string' },
    description:
      'Column headings in the order of `columns`, separated by |. An empty heading is replaced by the field’s label.',
  },
  dates: {
    name: 'dates',
    in: 'query',
    schema: { type: 'string', enum: ['uk', 'iso'], default: 'uk' },
    description: '`uk`: 28/02/2026 09:30, London time. `iso`: 2026-02-28T09:30:00+00:00.',
  },
  idempotencyKey: header(
    'Idempotency-Key',
    'A request with the same key and body within a day returns the first response again.',
  ),
  ifMatch: header('If-Match', 'The ETag of the record when you last read it.'),
  ifNoneMatch: header('If-None-Match', 'The ETag of the response that you have cached.'),
}

const REFUSALS: Record<string, string> = {
  400: 'The request could not be understood.',
  401: 'No user is signed in, or the session has ended.',
  403: 'The caller does not have permission.',
  404: 'The record does not exist or is not accessible to the caller.',
  406: 'None of the accepted formats is available.',
  409: 'The request conflicts with the current data.',
  410: 'The resource is no longer available.',
  412: 'Somebody else has changed the record since you read it.',
  413: 'The request or its result exceeds a limit.',
  415: 'The content type of the body is not supported.',
  416: 'The range is beyond the end of the file.',
  422: 'Some values are invalid.',
  429: 'Too many requests or attempts.',
  500: 'The portal had an internal error.',
  502: 'An external service returned no usable response.',
  503: 'The service is temporarily unavailable.',
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

/**
 * Error statuses that any request may get. 401 is possible for public URLs too, because an expired session is rejected
 * during maintenance.
 */
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

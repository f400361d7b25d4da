import { ERROR_CODES, VIOLATION_CODES } from '#kernel/error-codes.ts'
import { type Field, type Fields, isWritable, labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { DEFAULT_MAX_LENGTHS, DEFAULT_MAX_LIST_ENTRIES } from '#kernel/validate.ts'
import { MAX_ROWS_PER_RECORD } from '#server/data/input.ts'

/** Returns the public fields of a resource, without internal fields. */
export const publicFields = (r: Pick<Resource, 'fields'>): [string, Field][] =>
  Object.entries<Field>(r.fields).filter(([, f]) => f.visible !== 'nobody')

/** True if a request body can set this field. */
export const isWritableInBody = (r: Pick<Resource, 'allow'>, f: Field): boolean =>
  isWritable(f) && (r.allow.create !== undefined || r.allow.update !== undefined)

export const targetResourceOf = (f: Field): Resource => (f.target as () => Resource)()

export type JsonSchema = Record<string, unknown>

const text = { type: 'string' }
export const IRI_SCHEMA: JsonSchema = { type: 'string', format: 'iri-reference' }
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const orNull = (schema: JsonSchema): JsonSchema =>
  typeof schema.type === 'string'
    ? {
        ...schema,
        type: [schema.type, 'null'],
        ...(schema.enum ? { enum: [...(schema.enum as unknown[]), null] } : {}),
      }
    : { anyOf: [schema, { type: 'null' }] }

/** Returns the schema for a value, ignoring null. */
function valueSchema(f: Field): JsonSchema {
  switch (f.kind) {
    case 'flag':
      return { type: 'boolean' }
    case 'integer':
    case 'decimal':
      return {
        type: f.kind === 'integer' ? 'integer' : 'number',
        ...(f.min === undefined ? {} : { minimum: f.min }),
        ...(f.max === undefined ? {} : { maximum: f.max }),
      }
    case 'unixSeconds':
      return { type: 'integer', description: 'Whole seconds since the start of 1970 (UTC).' }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'instant':
      return { type: 'string', format: 'date-time' }
    case 'strings':
      return {
        type: 'array',
        maxItems: DEFAULT_MAX_LIST_ENTRIES,
        items: f.options ? { ...text, enum: f.options.map((o) => o.value) } : text,
      }
    case 'rows':
      return { type: 'array', maxItems: MAX_ROWS_PER_RECORD, items: schemaRef(rowName(targetResourceOf(f))) }
    case 'json':
      return {}
    case 'link':
      return IRI_SCHEMA
    default:
      return {
        type: 'string',
        maxLength: f.max ?? DEFAULT_MAX_LENGTHS[f.kind],
        ...(f.kind === 'richText' ? { contentMediaType: 'text/html' } : {}),
        ...(f.options ? { enum: f.options.map((o) => o.value) } : {}),
        ...(f.pattern ? { pattern: f.pattern.regex.source } : {}),
      }
  }
}

/** Kinds of fields that are never sent as null. A missing list is sent as an empty list. */
const NEVER_NULL = new Set<Field['kind']>(['flag', 'json', 'rows', 'strings'])

const titled = (name: string, f: Field, schema: JsonSchema): JsonSchema => ({
  title: labelOf(name, f),
  ...(f.help ? { description: f.help } : {}),
  ...schema,
})

/** Returns the name of the schema for a row in a request body: a new row, or an existing row with `@id`. */
const rowName = (r: Resource) => `${r.type}.row`

/** Returns the schema for rows in responses, with all fields. */
const sentRows = (f: Field, linked: boolean): JsonSchema => {
  const { type } = targetResourceOf(f)
  return { type: 'array', items: schemaRef(linked ? `${type}.jsonld` : type) }
}

/** Returns the schema for a relation in responses: an IRI, or an object with some of the target's fields. */
function sentLink(f: Field, linked: boolean): JsonSchema {
  if (!f.embed) return { ...IRI_SCHEMA, description: `IRI of the ${targetResourceOf(f).type}.` }
  const target = targetResourceOf(f)
  return {
    type: 'object',
    properties: {
      ...(linked ? { '@id': IRI_SCHEMA, '@type': { const: target.type } } : {}),
      id: { type: 'integer' },
      ...Object.fromEntries(
        f.embed.map((key) => [key, target.fields[key] ? orNull(valueSchema(target.fields[key])) : {}]),
      ),
    },
  }
}

const sent = (r: Resource, linked: boolean): JsonSchema => ({
  type: 'object',
  properties: {
    ...(linked ? { '@context': {}, '@id': IRI_SCHEMA, '@type': { const: r.type } } : {}),
    id: { type: 'integer' },
    ...Object.fromEntries(
      publicFields(r)
        .filter(([, f]) => !f.writeOnly)
        .map(([name, f]) => {
          const value =
            f.kind === 'link' ? sentLink(f, linked) : f.kind === 'rows' ? sentRows(f, linked) : valueSchema(f)
          return [name, titled(name, f, NEVER_NULL.has(f.kind) ? value : orNull(value))]
        }),
    ),
  },
  required: linked ? ['@id', '@type', 'id'] : ['id'],
})

/** Returns the schema for the fields that a request body can set. A relation is an IRI, or an object with an `@id`. */
export const inputSchema = (fields: readonly (readonly [string, Field])[], whole: boolean): JsonSchema => {
  const given = fields.filter(([, f]) => isWritable(f))
  const required = whole ? given.filter(([, f]) => f.required && f.default === undefined).map(([name]) => name) : []
  return {
    type: 'object',
    properties: Object.fromEntries(
      given.map(([name, f]) => {
        const value =
          f.kind === 'link'
            ? { anyOf: [IRI_SCHEMA, { type: 'object', properties: { '@id': IRI_SCHEMA }, required: ['@id'] }] }
            : valueSchema(f)
        return [
          name,
          titled(name, f, {
            ...(f.required || f.kind === 'json' || f.kind === 'rows' ? value : orNull(value)),
            ...(f.default === undefined || !whole ? {} : { default: f.default }),
          }),
        ]
      }),
    ),
    ...(required.length ? { required } : {}),
  }
}

/** Returns the parameters for a route's query. */
export const queryParameters = (fields: Fields = {}): JsonSchema[] =>
  Object.entries(fields).map(([name, f]) => ({
    name: f.kind === 'strings' ? `${name}[]` : name,
    in: 'query',
    required: f.required !== undefined,
    schema: f.kind === 'link' ? IRI_SCHEMA : valueSchema(f),
    ...(f.help ? { description: f.help } : {}),
  }))

/** Returns the schemas for rows within the records of these resources. */
export function rowSchemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  const links = resources.flatMap((r) => Object.values<Field>(r.fields).filter((f) => f.kind === 'rows'))
  return Object.assign(
    {},
    ...links.map((f) => {
      const target = targetResourceOf(f)
      const { properties } = inputSchema(
        publicFields(target).filter(([name]) => name !== f.by),
        false,
      )
      const row = { type: 'object', properties: { '@id': IRI_SCHEMA, ...(properties as JsonSchema) } }
      return { ...sentSchemas(target), [rowName(target)]: row }
    }),
  )
}

const sentSchemas = (r: Resource): Record<string, JsonSchema> => ({
  [r.type]: sent(r, false),
  [`${r.type}.jsonld`]: sent(r, true),
})

/**
 * Returns the schemas for one resource: for responses in both formats, and for requests that create or change a record.
 */
export const schemasForResource = (r: Resource): Record<string, JsonSchema> => ({
  ...sentSchemas(r),
  ...(r.allow.create ? { [`${r.type}.create`]: inputSchema(publicFields(r), true) } : {}),
  ...(r.allow.update ? { [`${r.type}.update`]: inputSchema(publicFields(r), false) } : {}),
})

const problem: Record<string, JsonSchema> = {
  '@context': text,
  '@type': text,
  'hydra:title': text,
  'hydra:description': { ...text, description: 'Error message for users: what is wrong, and what to do.' },
  type: IRI_SCHEMA,
  title: text,
  status: { type: 'integer' },
  code: {
    ...text,
    enum: Object.keys(ERROR_CODES),
    description: 'Error code for programs: messages may change, but codes do not.',
  },
  detail: text,
}
const PROBLEM_KEYS = Object.keys(problem)
const described = (codes: Readonly<Record<string, string>>) =>
  Object.entries(codes)
    .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
    .join('\n\n')

export const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Error: { type: 'object', properties: problem, required: PROBLEM_KEYS },
  ConstraintViolationList: {
    type: 'object',
    required: [...PROBLEM_KEYS, 'violations'],
    properties: {
      ...problem,
      violations: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            propertyPath: { ...text, description: 'The field’s JSON key, such as `emergencyContact[0].name`.' },
            message: text,
            code: {
              ...text,
              enum: Object.keys(VIOLATION_CODES),
              description: described(VIOLATION_CODES),
            },
          },
          required: ['propertyPath', 'message', 'code'],
        },
      },
    },
  },
}

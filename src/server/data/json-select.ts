import { iriOf, type Resource } from '#kernel/resource.ts'

/** A row as the database returns it, in the order of the select list. */
export type RowArray = readonly unknown[]
/** A record as the API sends it. */
export type ApiRecord = Record<string, unknown>

/** The two JSON formats of a record: JSON-LD, and plain JSON without `@` keys. */
export type JsonFormat = 'linked' | 'plain'

/** Serialiser for one field of a record, as a value and as JSON text. */
export interface FieldSerialiser {
  readonly name: string
  readonly value: (row: RowArray) => unknown
  readonly text: (row: RowArray, form: JsonFormat) => string
}

export interface RecordSerialiser {
  readonly send: (row: RowArray) => ApiRecord
  /**
   * Returns the record as JSON text without braces. The text matches the result of `JSON.stringify`, but is built
   * without intermediate objects, which would take most of the time needed for a list.
   */
  readonly text: (row: RowArray, form: JsonFormat) => string
}

/** Matches text that needs no escaping in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/

function jsonOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      return value === null || value === undefined ? 'null' : JSON.stringify(value)
  }
}

const keyed = (name: string) => `,${JSON.stringify(name)}:`

/** Creates a serialiser for a field with a scalar value, or with JSON that is sent as stored. */
export const createPlainFieldSerialiser = (name: string, value: FieldSerialiser['value']): FieldSerialiser => ({
  name,
  value,
  text: (row) => jsonOf(value(row)),
})

/** Creates a serialiser for a related record with some of its columns; `null` if there is no related record. */
export function createEmbeddedFieldSerialiser(
  name: string,
  target: Resource,
  idOf: (row: RowArray) => number | null,
  columns: readonly (readonly [name: string, at: number])[],
): FieldSerialiser {
  const keys = columns.map(([key, at]) => [keyed(key), at] as const)
  return {
    name,
    value: (row) => {
      const id = idOf(row)
      if (id === null) return null
      const it: ApiRecord = { '@id': iriOf(target, id), '@type': target.type, id }
      for (const [key, at] of columns) it[key] = row[at]
      return it
    },
    text: (row, form) => {
      const id = idOf(row)
      if (id === null) return 'null'
      let text = `{${identity(target, id, form)}`
      for (const [key, at] of keys) text += key + jsonOf(row[at])
      return `${text}}`
    },
  }
}

/** Creates a serialiser for a field of rows, each of which is serialised like a record. */
export const createRowsFieldSerialiser = (
  name: string,
  rowsOf: (row: RowArray) => readonly RowArray[],
  { send, text }: RecordSerialiser,
): FieldSerialiser => ({
  name,
  value: (row) => rowsOf(row).map(send),
  text: (row, form) =>
    `[${rowsOf(row)
      .map((one) => `{${text(one, form)}}`)
      .join(',')}]`,
})

/** Creates a serialiser for a resource's records. The first cell of a row is the record's ID. */
export function createRecordSerialiser(r: Resource, parts: readonly FieldSerialiser[]): RecordSerialiser {
  const keys = parts.map(({ name, text }) => [keyed(name), text] as const)
  return {
    send: (row) => {
      const id = row[0] as number
      const to: ApiRecord = { '@id': iriOf(r, id), '@type': r.type, id }
      for (const { name, value } of parts) to[name] = value(row)
      return to
    },
    text: (row, form) => {
      let text = identity(r, row[0] as number, form)
      for (const [key, textOf] of keys) text += key + textOf(row, form)
      return text
    },
  }
}

const identity = (r: Resource, id: number, form: JsonFormat) =>
  form === 'plain' ? `"id":${id}` : `"@id":"${iriOf(r, id)}","@type":"${r.type}","id":${id}`

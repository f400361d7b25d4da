import pg from 'pg'

/**
 * Returns SQL for an instant in the API's format, such as `2026-03-01T09:30:00+00:00`. `column` must never contain user
 * input.
 */
export const isoUtcSql = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`

type Read = (text: string) => unknown

/** Parsers for a result's columns, by position; columns without a parser remain text. */
export type ColumnParsers = readonly { readonly at: number; readonly read: Read }[]

const asText: Read = (text) => text

/** Parsers by type OID: int8 and numeric as numbers, dates and instants as text. */
const READ: Record<number, Read> = {
  20: Number,
  25: asText,
  1043: asText,
  1082: asText,
  1114: asText,
  1184: asText,
  1700: Number,
}

export const pgTypeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => READ[oid] ?? pg.types.getTypeParser(oid, format),
}

/** Returns the parsers for columns as the server describes them. */
export const columnParsersOf = (fields: readonly { readonly dataTypeID: number }[]): ColumnParsers =>
  fields
    .map(({ dataTypeID }, at) => ({ at, read: pgTypeParsers.getTypeParser(dataTypeID, 'text') as Read }))
    .filter(({ read }) => read !== asText)

/** Parses the values of a row, which arrive as text, in place. */
export function parseRow(columns: ColumnParsers, texts: (string | null)[]): unknown[] {
  const row: unknown[] = texts
  for (const { at, read } of columns) {
    const text = texts[at]
    if (typeof text === 'string') row[at] = read(text)
  }
  return row
}

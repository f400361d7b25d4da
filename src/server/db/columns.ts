import pg from 'pg'

type Read = (text: string) => unknown

/** How the text of columns is read, by their place; those that are left out are text. */
export type Columns = readonly { readonly at: number; readonly read: Read }[]

const asText: Read = (text) => text

/** By the number of the type: int8 and numeric as numbers, dates and instants as text. */
const READ: Record<number, Read> = {
  20: Number,
  25: asText,
  1043: asText,
  1082: asText,
  1114: asText,
  1184: asText,
  1700: Number,
}

export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => READ[oid] ?? pg.types.getTypeParser(oid, format),
}

/** How the columns are read that the server describes. */
export const columnsOf = (fields: readonly { readonly dataTypeID: number }[]): Columns =>
  fields
    .map(({ dataTypeID }, at) => ({ at, read: types.getTypeParser(dataTypeID, 'text') as Read }))
    .filter(({ read }) => read !== asText)

/** The values of a row, in the place of its texts. */
export function readRow(columns: Columns, texts: (string | null)[]): unknown[] {
  const row: unknown[] = texts
  for (const { at, read } of columns) {
    const text = texts[at]
    if (typeof text === 'string') row[at] = read(text)
  }
  return row
}

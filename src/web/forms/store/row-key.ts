/** The React key of a row. It stays the same when the row is saved, so that its expanded sections stay open. */
export const rowKeyOf = (row: { readonly '@id'?: string; readonly '@key'?: string }, at: number): string | number =>
  row['@key'] ?? row['@id'] ?? at

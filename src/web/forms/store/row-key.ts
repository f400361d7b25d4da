/**
 * Returns the React key of a row. The key stays the same when the row is saved, so that the row's expanded sections
 * stay open.
 */
export const rowKeyOf = (row: { readonly '@id'?: string; readonly '@key'?: string }, at: number): string | number =>
  row['@key'] ?? row['@id'] ?? at

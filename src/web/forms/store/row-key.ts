/** The React key of a row: stable when the row is saved, so that its expanded sections stay open. */
export const rowKeyOf = (row: { readonly '@id'?: string; readonly '@key'?: string }, at: number): string | number =>
  row['@key'] ?? row['@id'] ?? at

/** What a row is known by on the screen: its own name while it has one, so that it stays what it is, with what is open in it, once it is saved. */
export const keyOfRow = (row: { readonly '@id'?: string; readonly '@key'?: string }, at: number): string | number =>
  row['@key'] ?? row['@id'] ?? at

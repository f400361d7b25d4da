/** A value of a record as text; what is neither text nor a number is ''. */
export const said = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

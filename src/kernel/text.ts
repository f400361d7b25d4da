/** A value of unknown kind as text: a string as it is, a number in digits, anything else as nothing. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

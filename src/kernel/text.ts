/** A value of unknown kind as text: a string as it is, a number in digits, anything else as nothing. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** So many of something, in words: `1 hazard`, `3 hazards`; nothing where there is none. */
export const countOf = (many: number, one: string, more = `${one}s`): string[] =>
  many ? [`${many} ${many === 1 ? one : more}`] : []

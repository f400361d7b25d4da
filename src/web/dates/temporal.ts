/** Loads a polyfill where Temporal is missing, before anything shows a date. */
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const readInstant = (at: string | number): Temporal.Instant =>
  typeof at === 'number' ? Temporal.Instant.fromEpochMilliseconds(at * 1000) : Temporal.Instant.from(at)

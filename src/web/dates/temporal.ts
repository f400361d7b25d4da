/** Browsers without Temporal get it before anything that shows a date runs; the others download nothing. */
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const readInstant = (at: string | number): Temporal.Instant =>
  typeof at === 'number' ? Temporal.Instant.fromEpochMilliseconds(at * 1000) : Temporal.Instant.from(at)

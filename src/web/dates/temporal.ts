/** In browsers without Temporal, a polyfill is loaded before any date is shown. */
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

export const parseInstant = (at: string | number): Temporal.Instant =>
  typeof at === 'number' ? Temporal.Instant.fromEpochMilliseconds(at * 1000) : Temporal.Instant.from(at)

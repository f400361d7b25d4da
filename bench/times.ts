/** Returns a quantile of the times; for example, `part` is 0.95. Returns 0 if there are none. */
export const timeAtQuantile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

/** Returns the median of the times, or 0 if there are none. */
export const medianTime = (times: readonly number[]): number => timeAtQuantile(times, 0.5)

/** Below what a part of all times lies: 0.95 for the slowest of a hundred but five; 0 where there are none. */
export const share = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

/** The one in the middle; 0 where there are none. */
export const middle = (times: readonly number[]): number => share(times, 0.5)

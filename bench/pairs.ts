/** What pairs of measurements of the same thing, with and without something, say about it. */
interface Paired {
  readonly pairs: number
  /** Middle cost of a request with it, and without. */
  readonly with: number
  readonly without: number
  /** The middle one of the differences, as a part of `without`; between `low` and `high` with a confidence of 95 %. */
  readonly cost: number
  readonly low: number
  readonly high: number
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const at = (values: readonly number[], place: number) =>
  values[Math.max(0, Math.min(values.length - 1, Math.round(place)))] as number
const middle = (values: readonly number[]): number => at(sorted(values), (values.length - 1) / 2)

/** The 0.975 quantile of the normal distribution. */
const Z = 1.96

/**
 * Compares by the differences within each pair: what the machine did meanwhile is in both. The interval is that of the sign test: it
 * supposes nothing about how measurements are spread, and single slow ones (a collection of garbage, another process) move it by a place.
 */
export function compare(pairs: readonly (readonly [withIt: number, without: number])[]): Paired {
  const differences = sorted(pairs.map(([a, b]) => a - b))
  const without = middle(pairs.map(([, b]) => b))
  const centre = (pairs.length - 1) / 2
  const reach = (Z * Math.sqrt(pairs.length)) / 2
  return {
    pairs: pairs.length,
    with: middle(pairs.map(([a]) => a)),
    without,
    cost: at(differences, centre) / without,
    low: at(differences, centre - reach) / without,
    high: at(differences, centre + reach) / without,
  }
}

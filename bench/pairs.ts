/** Result of paired measurements, with and without the measured feature. */
interface Paired {
  readonly pairs: number
  /** Median cost of a request with the measured feature, and without it. */
  readonly with: number
  readonly without: number
  /** Median difference as a share of `without`. The 95 % confidence interval is from `low` to `high`. */
  readonly cost: number
  readonly low: number
  readonly high: number
}

const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const at = (values: readonly number[], place: number) =>
  values[Math.max(0, Math.min(values.length - 1, Math.round(place)))] as number
const middle = (values: readonly number[]): number => at(sorted(values), (values.length - 1) / 2)

/** 0.975 quantile of the standard normal distribution. */
const Z = 1.96

/**
 * Compares the differences within each pair, so that the load of the machine affects both requests. The confidence
 * interval is that of the sign test: it assumes no distribution, and a single outlier (garbage collection, another
 * process) moves it by one rank.
 */
export function comparePairedMeasurements(pairs: readonly (readonly [withIt: number, without: number])[]): Paired {
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

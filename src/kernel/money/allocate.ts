/**
 * Allocates pence in proportion to weights of zero or more. The shares add up to exactly `total`. Odd pence go to the
 * largest remainders. Among equal remainders, they go to the greater weight, then by `rank`, then to the earlier share.
 * A credit gets the same shares as its charge, with the opposite sign. If all weights are zero, all shares are zero.
 */
export function allocatePence(
  total: bigint,
  weights: readonly bigint[],
  rank: (a: number, b: number) => number = () => 0,
): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n)
  if (sum === 0n) return weights.map(() => 0n)
  const sign = total < 0n ? -1n : 1n
  const size = total * sign
  const shares = weights.map((w) => (size * w) / sum)
  let left = size - shares.reduce((a, b) => a + b, 0n)
  const order = weights
    .map((w, n) => ({ n, w, rest: (size * w) % sum }))
    .sort((x, y) => compare(y.rest, x.rest) || compare(y.w, x.w) || rank(x.n, y.n) || x.n - y.n)
  for (const { n } of order) {
    if (left === 0n) break
    shares[n] = (shares[n] as bigint) + 1n
    left -= 1n
  }
  return shares.map((share) => share * sign)
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

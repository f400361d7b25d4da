/** Somebody who may be given leads, and how many more they have room for; without a number, for any. */
export interface Taker {
  readonly id: number
  readonly room: number | null
}

/**
 * How many of `leads` each is given: as evenly as their room allows, whoever comes first in the list one more where it does not come out
 * even. What nobody has room for is left.
 */
export function sharesOf(
  leads: number,
  takers: readonly Taker[],
): { readonly shares: readonly number[]; readonly left: number } {
  const shares = takers.map(() => 0)
  let left = leads
  while (left > 0) {
    const open = takers.flatMap(({ room }, n) => (room === null || room > (shares[n] ?? 0) ? [n] : []))
    if (!open.length) break
    const each = Math.max(1, Math.floor(left / open.length))
    for (const n of open) {
      const given = shares[n] ?? 0
      const more = Math.min(each, left, (takers[n]?.room ?? Number.POSITIVE_INFINITY) - given)
      shares[n] = given + more
      left -= more
    }
  }
  return { shares, left }
}

/** Whose turn it is after `last`, of those that have not had their share yet; `undefined` where all have. */
export function nextTaker(shares: readonly number[], given: readonly number[], last: number): number | undefined {
  const turns = shares.map((_, n) => (last + 1 + n) % shares.length)
  return turns.find((n) => (given[n] ?? 0) < (shares[n] ?? 0))
}

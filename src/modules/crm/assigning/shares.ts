/**
 * A person who can be assigned leads. `room` is the number of further leads that they may have; null if it is
 * unlimited.
 */
export interface LeadAssignee {
  readonly id: number
  readonly room: number | null
}

/**
 * Divides `leads` among the people as evenly as their capacities allow, and returns the number for each person.
 * Remainders go to the first people in the list. Leads beyond the total capacity are left over.
 */
export function divideLeads(
  leads: number,
  takers: readonly LeadAssignee[],
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

/** Returns the index of the next person after `last` whose share is not used up, or `undefined` if every share is. */
export function findNextAssigneeIndex(
  shares: readonly number[],
  given: readonly number[],
  last: number,
): number | undefined {
  const turns = shares.map((_, n) => (last + 1 + n) % shares.length)
  return turns.find((n) => (given[n] ?? 0) < (shares[n] ?? 0))
}

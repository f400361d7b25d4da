/** Minimum number of people in a group that is shown to users who may not read health details. */
export const MIN_PEOPLE = 3

/** Incidents that share a health detail, such as a part of the body. */
export interface PeopleGroup {
  readonly key: string
  /** Number of incidents. */
  readonly count: number
  /** Different people in the group; of a large group, at least `MIN_PEOPLE` of them. */
  readonly people: readonly string[]
}

interface ShownGroups {
  readonly shown: readonly PeopleGroup[]
  /** Sum of the groups that are not shown; null if it would itself cover fewer than `MIN_PEOPLE` people. */
  readonly others: number | null
}

const countPeople = (groups: readonly PeopleGroup[]): number => new Set(groups.flatMap(({ people }) => people)).size

/**
 * Withholds groups of fewer than three people. If the withheld groups have fewer than three people altogether, the
 * smallest of the others is withheld as well: otherwise the total minus the groups shown would reveal them.
 */
export function withholdSmallGroups(groups: readonly PeopleGroup[]): ShownGroups {
  const bySize = groups.toSorted((a, b) => a.people.length - b.people.length || a.count - b.count)
  const hidden = bySize.filter((group) => countPeople([group]) < MIN_PEOPLE)
  const shown = bySize.filter((group) => !hidden.includes(group))
  while (hidden.length && countPeople(hidden) < MIN_PEOPLE) {
    const next = shown.shift()
    if (!next) return { shown: [], others: null }
    hidden.push(next)
  }
  return { shown, others: hidden.reduce((sum, { count }) => sum + count, 0) }
}

import { normalisePersonName } from '#kernel/signature.ts'

/** Employee for the comparison with typed names. */
export interface ComparedEmployee {
  readonly id: number
  readonly name: string
  readonly retired: boolean
}

/** Employees whose name equals a typed one: one who is proposed, or the number of those who share the name. */
interface NameMatchResult {
  readonly employee: number | null
  readonly candidates: number
}

/** Returns a name for comparison. `Carter, Ann` equals `Ann Carter`. */
function comparedName(name: string): string {
  const [surname = '', forename, ...more] = name.split(',')
  return normalisePersonName(forename === undefined || more.length ? name : `${forename} ${surname}`)
}

/**
 * Returns a function that finds the employee with a typed name; undefined if there is none. All employees count, so that a
 * name shared with a leaver is ambiguous. A leaver alone is returned only for a record of the past.
 */
export function createNameMatcher(employees: readonly ComparedEmployee[]) {
  const byName = Map.groupBy(employees, ({ name }) => comparedName(name))
  return (typed: string, isPast: boolean): NameMatchResult | undefined => {
    const found = byName.get(comparedName(typed)) ?? []
    const [first] = found
    if (!first || (found.length === 1 && first.retired && !isPast)) return undefined
    return { employee: found.length === 1 ? first.id : null, candidates: found.length }
  }
}

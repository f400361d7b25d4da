import data from '../../../../db/reference/storage-conflicts.json' with { type: 'json' }

interface StoredSubstance {
  readonly name?: string | null | undefined
  readonly hazardStatements?: readonly string[] | null | undefined
  readonly unclassified?: boolean | null | undefined
}

type Pair = (typeof data.pairs)[number]

/** Two substances that must be stored separately, and the reason. */
export interface StorageConflict {
  /** Positions of the two substances in the list. */
  readonly between: readonly [number, number]
  readonly why: string
  /** Source of the rule, and whether the rule has been compared with it. */
  readonly basis: string
}

const LABELS = new Map(data.classes.map(({ name, label }) => [name, label]))

/** Returns the statement codes of a substance: `H300+H310` becomes two codes, `H361d` becomes H361. */
const codesOf = ({ hazardStatements }: StoredSubstance) =>
  (hazardStatements ?? []).flatMap((code) => code.split('+')).map((code) => code.replace(/[a-z]+$/i, ''))

const classesOf = (of: StoredSubstance): ReadonlySet<string> => {
  const codes = new Set(codesOf(of))
  return new Set(data.classes.flatMap(({ name, statements }) => (statements.some((s) => codes.has(s)) ? [name] : [])))
}

const basisOf = ({ source, confidence }: Pair) =>
  confidence === 'high' ? source : `${source}; not yet compared with the source`
const sidesOf = ({ of: [one = '', other = ''] }: Pair) => [one, other] as const

/**
 * Finds the pairs of substances in a task that must be stored separately. Each pair is listed once, with the first rule
 * that applies.
 */
export function findStorageConflicts(all: readonly StoredSubstance[]): StorageConflict[] {
  const classes = all.map(classesOf)
  return all.flatMap((_, i) =>
    all.slice(i + 1).flatMap((__, n) => {
      const j = i + 1 + n
      const has = (at: number, name: string) => classes[at]?.has(name) === true
      const pair = data.pairs.find((p) => {
        const [one, other] = sidesOf(p)
        return (has(i, one) && has(j, other)) || (has(i, other) && has(j, one))
      })
      return pair ? [{ between: [i, j] as const, why: pair.why, basis: basisOf(pair) }] : []
    }),
  )
}

/**
 * Returns the positions of substances whose storage requirements are unknown, because they have no hazard statements
 * and are not marked as unclassified.
 */
export const findSubstancesWithUnknownStorage = (all: readonly StoredSubstance[]): number[] =>
  all.flatMap((of, i) => (codesOf(of).length || of.unclassified ? [] : [i]))

/**
 * Returns the types of substances that must be stored separately from this substance, each with the first rule that
 * applies.
 */
export function listIncompatibleStorageTypes(
  of: StoredSubstance,
): { readonly from: string; readonly why: string; readonly basis: string }[] {
  const own = classesOf(of)
  const found = data.pairs.flatMap((pair) => {
    const [one, other] = sidesOf(pair)
    return [...(own.has(one) ? [other] : []), ...(own.has(other) ? [one] : [])].map((name) => ({
      from: LABELS.get(name) ?? name,
      why: pair.why,
      basis: basisOf(pair),
    }))
  })
  return found.filter(({ from }, i) => found.findIndex((f) => f.from === from) === i)
}

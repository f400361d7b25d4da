import data from '../../../../db/reference/storage-conflicts.json' with { type: 'json' }

interface StoredSubstance {
  readonly name?: string | null | undefined
  readonly hazardStatements?: readonly string[] | null | undefined
  readonly unclassified?: boolean | null | undefined
}

type Pair = (typeof data.pairs)[number]

/** Two substances to store separately, with the reason. */
export interface StorageConflict {
  /** Positions of the two substances in the list. */
  readonly between: readonly [number, number]
  readonly why: string
  /** Source of the rule and its confidence. */
  readonly basis: string
}

const LABELS = new Map(data.classes.map(({ name, label }) => [name, label]))

/** Splits codes: `H300+H310` gives two statements, `H361d` gives H361. */
const codesOf = ({ hazardStatements }: StoredSubstance) =>
  (hazardStatements ?? []).flatMap((code) => code.split('+')).map((code) => code.replace(/[a-z]+$/i, ''))

const classesOf = (of: StoredSubstance): ReadonlySet<string> => {
  const codes = new Set(codesOf(of))
  return new Set(data.classes.flatMap(({ name, statements }) => (statements.some((s) => codes.has(s)) ? [name] : [])))
}

const basisOf = ({ source, confidence }: Pair) => `${source}; confidence: ${confidence}`
const sidesOf = ({ of: [one = '', other = ''] }: Pair) => [one, other] as const

/**
 * Finds pairs of a task's substances to store separately. Each pair is listed once, with the first rule that applies.
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

/** Positions of substances whose storage is unknown: they have no statements and are not stated as unclassified. */
export const findUnknownStoragePositions = (all: readonly StoredSubstance[]): number[] =>
  all.flatMap((of, i) => (codesOf(of).length || of.unclassified ? [] : [i]))

/** Types of substances to store separately from this substance, each with the first rule that applies. */
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

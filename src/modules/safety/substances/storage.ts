import data from '../../../../db/reference/storage-conflicts.json' with { type: 'json' }

interface Stored {
  readonly name?: string | null | undefined
  readonly hazardStatements?: readonly string[] | null | undefined
  readonly unclassified?: boolean | null | undefined
}

type Pair = (typeof data.pairs)[number]

/** Two substances that are kept apart, and why. */
export interface Conflict {
  /** Their places in the list. */
  readonly between: readonly [number, number]
  readonly why: string
  /** Where the rule is from, and how far it is to be trusted. */
  readonly basis: string
}

const LABELS = new Map(data.classes.map(({ name, label }) => [name, label]))

/** `H300+H310` is two statements, `H361d` is H361. */
const codesOf = ({ hazardStatements }: Stored) =>
  (hazardStatements ?? []).flatMap((code) => code.split('+')).map((code) => code.replace(/[a-z]+$/i, ''))

const classesOf = (of: Stored): ReadonlySet<string> => {
  const codes = new Set(codesOf(of))
  return new Set(data.classes.flatMap(({ name, statements }) => (statements.some((s) => codes.has(s)) ? [name] : [])))
}

const basisOf = ({ source, confidence }: Pair) => `${source}; confidence: ${confidence}`
const sidesOf = ({ of: [one = '', other = ''] }: Pair) => [one, other] as const

/** Which of the substances that a task is done with are kept apart: each two once, with the first rule that says so. */
export function storageConflicts(all: readonly Stored[]): Conflict[] {
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

/** The places of those of which nobody can say what they are kept apart from: no statement, and nobody says that there is none. */
export const unknownStorage = (all: readonly Stored[]): number[] =>
  all.flatMap((of, i) => (codesOf(of).length || of.unclassified ? [] : [i]))

/** What a substance is kept apart from, by kind of substance, each with the first rule that says so. */
export function keptApartFrom(of: Stored): { readonly from: string; readonly why: string; readonly basis: string }[] {
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

/** Probability and severity as they are written on every document (safety specification, section 3), unless a company says otherwise. */
const PROBABILITY = ['Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'] as const
const SEVERITY = ['Trivial', 'Minor', 'Over 3 Day Injury', 'Major Injury', 'Incapacity or Death'] as const

/** The worst that there is: it is not left without a reason, whatever the bands say. */
export const WORST = 25

/** The colours of bands, from the mildest to the worst: those of safety signs, each readable in light, in dark and on paper. */
export const LEVELS = [
  { value: 'safe', label: 'Green' },
  { value: 'attention', label: 'Yellow' },
  { value: 'danger', label: 'Red' },
  { value: 'worst', label: 'Dark red' },
] as const
export type Level = (typeof LEVELS)[number]['value']

/** What a band demands of a residual risk before the assessment can be completed, from the mildest to the hardest. */
export const DEMANDS = [
  { value: 'accept', label: 'Nothing more (accept)' },
  { value: 'reduce', label: 'A reason, or a control to do (reduce)' },
  { value: 'stop', label: 'It can’t be completed (stop)' },
] as const
export type Demand = (typeof DEMANDS)[number]['value']

/** A band as a company says it: it begins at a score and ends before the next one. */
export interface SaidBand {
  readonly from: number
  readonly name: string
  readonly level: Level
  readonly demands: Demand
  /** What is to be done, in a sentence. */
  readonly rule: string
}

export interface Band extends SaidBand {
  readonly to: number
}

/** The words of both axes, from 1 to 5, and the bands from the mildest to the worst. */
export interface RiskMatrix {
  readonly probability: readonly string[]
  readonly severity: readonly string[]
  readonly bands: readonly Band[]
}

/** Bands with where each ends. */
export const withEnds = (bands: readonly SaidBand[]): Band[] =>
  bands.map(({ from, name, level, demands, rule }, i) => ({
    from,
    to: (bands[i + 1]?.from ?? WORST + 1) - 1,
    name,
    level,
    demands,
    rule,
  }))

/** As the portal comes: its sentences advise, and nothing is demanded beyond a reason for the worst. */
export const USUAL: RiskMatrix = {
  probability: PROBABILITY,
  severity: SEVERITY,
  bands: withEnds([
    { from: 1, name: 'Low', level: 'safe', demands: 'accept', rule: 'Accept: keep the controls in place.' },
    {
      from: 5,
      name: 'Medium',
      level: 'attention',
      demands: 'accept',
      rule: 'Reduce where it is reasonably practicable.',
    },
    { from: 10, name: 'High', level: 'danger', demands: 'accept', rule: 'Reduce before the work begins.' },
    {
      from: 15,
      name: 'Very high',
      level: 'worst',
      demands: 'accept',
      rule: 'Stop: the work does not begin like this.',
    },
  ]),
}

/** The matrix that a record is read by: what it was sealed with or follows; what the portal comes with, of one from before there was a choice. */
export const matrixIn = ({ matrix }: Readonly<Record<string, unknown>>): RiskMatrix =>
  matrix !== null && typeof matrix === 'object' && 'bands' in matrix ? (matrix as RiskMatrix) : USUAL

/** The band of a score. */
export const bandAt = ({ bands }: RiskMatrix, score: number): Band =>
  bands.find((b) => score <= b.to) ?? (bands.at(-1) as Band)

/** The band of probability × severity. */
export const bandOf = (matrix: RiskMatrix, probability: number, severity: number): Band =>
  bandAt(matrix, probability * severity)

/** Is a risk in this band high? The red ones are. */
export const isHigh = ({ level }: Band): boolean => level === 'danger' || level === 'worst'

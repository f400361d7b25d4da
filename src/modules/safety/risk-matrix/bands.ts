/** Default names of probability and severity (safety specification, section 3). */
const PROBABILITY = ['Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'] as const
const SEVERITY = ['Trivial', 'Minor', 'Over 3 Day Injury', 'Major Injury', 'Incapacity or Death'] as const

/** Highest score: it always needs a reason, whatever the bands. */
export const WORST = 25

/** Colours of bands, mildest first: those of safety signs, readable in light and dark mode and in print. */
export const LEVELS = [
  { value: 'safe', label: 'Green' },
  { value: 'attention', label: 'Yellow' },
  { value: 'danger', label: 'Red' },
  { value: 'worst', label: 'Dark red' },
] as const
export type Level = (typeof LEVELS)[number]['value']

/** What a band requires of a residual risk before the assessment can be completed, least strict first. */
export const DEMANDS = [
  { value: 'accept', label: 'No further action (accept)' },
  { value: 'reduce', label: 'A reason or a planned control (reduce)' },
  { value: 'stop', label: 'Can’t be completed (stop)' },
] as const
export type Demand = (typeof DEMANDS)[number]['value']

/** Band as stored: it starts at a score and ends before the next band. */
export interface SaidBand {
  readonly from: number
  readonly name: string
  readonly level: Level
  readonly demands: Demand
  /** Action for this band, one sentence. */
  readonly rule: string
}

export interface Band extends SaidBand {
  readonly to: number
}

/** Names on both axes, from 1 to 5, and the bands from mildest to worst. */
export interface RiskMatrix {
  readonly probability: readonly string[]
  readonly severity: readonly string[]
  readonly bands: readonly Band[]
}

/** Adds the last score of each band. */
export const withEnds = (bands: readonly SaidBand[]): Band[] =>
  bands.map(({ from, name, level, demands, rule }, i) => ({
    from,
    to: (bands[i + 1]?.from ?? WORST + 1) - 1,
    name,
    level,
    demands,
    rule,
  }))

/** Default matrix: its rules are advice, and only the highest score needs a reason. */
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
      rule: 'Reduce where reasonably practicable.',
    },
    { from: 10, name: 'High', level: 'danger', demands: 'accept', rule: 'Reduce before work begins.' },
    {
      from: 15,
      name: 'Very high',
      level: 'worst',
      demands: 'accept',
      rule: 'Stop: do not begin the work.',
    },
  ]),
}

/** Matrix of a record: sealed with it or currently set, or the default for records older than this choice. */
export const matrixIn = ({ matrix }: Readonly<Record<string, unknown>>): RiskMatrix =>
  matrix !== null && typeof matrix === 'object' && 'bands' in matrix ? (matrix as RiskMatrix) : USUAL

export const bandAt = ({ bands }: RiskMatrix, score: number): Band =>
  bands.find((b) => score <= b.to) ?? (bands.at(-1) as Band)

/** Band of a score, probability × severity. */
export const bandOf = (matrix: RiskMatrix, probability: number, severity: number): Band =>
  bandAt(matrix, probability * severity)

/** True for red bands. */
export const isHigh = ({ level }: Band): boolean => level === 'danger' || level === 'worst'

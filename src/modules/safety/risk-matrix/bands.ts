/** Default names of probability and severity (safety specification, section 3). */
const PROBABILITY = ['Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'] as const

const OVER_THREE_DAYS = 'Over 3 Day Injury'

const SEVERITY = ['Trivial', 'Minor', OVER_THREE_DAYS, 'Major Injury', 'Incapacity or Death'] as const

/** Highest score. A risk with this score always needs a reason, whatever its band. */
export const MAX_RISK_SCORE = 25

/** Band colours, mildest first: the colours of safety signs, readable in light mode, dark mode and print. */
export const RISK_BAND_COLOURS = [
  { value: 'safe', label: 'Green' },
  { value: 'attention', label: 'Yellow' },
  { value: 'danger', label: 'Red' },
  { value: 'worst', label: 'Dark red' },
] as const

export type RiskBandColour = (typeof RISK_BAND_COLOURS)[number]['value']

/** Requirements that a residual risk's band can set for completing the assessment, least strict first. */
export const RISK_BAND_REQUIREMENTS = [
  { value: 'accept', label: 'No further action (accept)' },
  { value: 'reduce', label: 'A reason or a planned control (reduce)' },
  { value: 'stop', label: 'Can’t be completed (stop)' },
] as const

export type RiskBandRequirement = (typeof RISK_BAND_REQUIREMENTS)[number]['value']

/** Band as stored, from the score `from` up to the next band. */
export interface StoredRiskBand {
  readonly from: number
  readonly name: string
  readonly level: RiskBandColour
  readonly demands: RiskBandRequirement
  /** Action required in this band, as one sentence. */
  readonly rule: string
}

export interface RiskBand extends StoredRiskBand {
  readonly to: number
}

/** Risk matrix: the names on both axes, from 1 to 5, and the bands, mildest first. */
export interface RiskMatrix {
  readonly probability: readonly string[]
  readonly severity: readonly string[]
  readonly bands: readonly RiskBand[]
}

/** Adds to each band the last score that it contains. */
export const addRiskBandUpperLimits = (bands: readonly StoredRiskBand[]): RiskBand[] =>
  bands.map(({ from, name, level, demands, rule }, i) => ({
    from,
    to: (bands[i + 1]?.from ?? MAX_RISK_SCORE + 1) - 1,
    name,
    level,
    demands,
    rule,
  }))

/** Default matrix. A high residual risk needs a reason or a planned control; with a very high one, no work begins. */
export const DEFAULT_RISK_MATRIX: RiskMatrix = {
  probability: PROBABILITY,
  severity: SEVERITY,
  bands: addRiskBandUpperLimits([
    { from: 1, name: 'Low', level: 'safe', demands: 'accept', rule: 'Accept: keep the controls in place.' },
    {
      from: 5,
      name: 'Medium',
      level: 'attention',
      demands: 'accept',
      rule: 'Reduce where reasonably practicable.',
    },
    { from: 10, name: 'High', level: 'danger', demands: 'reduce', rule: 'Reduce before work begins.' },
    {
      from: 15,
      name: 'Very high',
      level: 'worst',
      demands: 'stop',
      rule: 'Stop: do not begin the work.',
    },
  ]),
}

/** Returns the matrix stored in a record. Records from before matrices were stored have the default matrix. */
export const riskMatrixFromRecord = ({ matrix }: Readonly<Record<string, unknown>>): RiskMatrix =>
  matrix !== null && typeof matrix === 'object' && 'bands' in matrix ? (matrix as RiskMatrix) : DEFAULT_RISK_MATRIX

export const bandForScore = ({ bands }: RiskMatrix, score: number): RiskBand =>
  bands.find((b) => score <= b.to) ?? (bands.at(-1) as RiskBand)

/** Returns the band for a risk's score (probability × severity). */
export const bandForRisk = (matrix: RiskMatrix, probability: number, severity: number): RiskBand =>
  bandForScore(matrix, probability * severity)

/** Requirement of a residual risk for completing its assessment. A planned control may replace the reason. */
export type ResidualRiskRequirement = 'none' | 'reason' | 'reason or planned control' | 'stop'

/** Returns the requirement of a residual risk with a given score. The grid, the check and the server all use it. */
export function residualRiskRequirement(matrix: RiskMatrix, score: number): ResidualRiskRequirement {
  const { demands } = bandForScore(matrix, score)
  if (demands === 'stop') return 'stop'
  if (score >= MAX_RISK_SCORE) return 'reason'
  return demands === 'reduce' ? 'reason or planned control' : 'none'
}

/**
 * Returns a note for matrices that name a severity by the former limit of three days; otherwise empty (RIDDOR 2013,
 * regulations 4 and 12).
 */
export const riddorSeverityNote = ({ severity }: Pick<RiskMatrix, 'severity'>): string =>
  severity.includes(OVER_THREE_DAYS)
    ? `“${OVER_THREE_DAYS}” is a level of this scale. RIDDOR requires a report if somebody can’t do their normal work for over 7 days; injuries of over 3 days are recorded.`
    : ''

/**
 * Returns the action required in a band, as printed. The text says so if a company accepts high risks without a reason.
 */
export const riskBandRuleText = (band: RiskBand): string =>
  isHighRiskBand(band) && band.demands === 'accept'
    ? `${band.rule} By company rule, accepted without a reason.`
    : band.rule

/** Returns true for red bands. */
export const isHighRiskBand = ({ level }: RiskBand): boolean => level === 'danger' || level === 'worst'

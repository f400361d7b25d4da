import { type Violation, violation } from '#kernel/errors.ts'
import { hasVisibleText } from '#kernel/text.ts'

/** Default names of probability and severity (safety specification, section 3). */
const PROBABILITY = ['Highly Unlikely', 'Unlikely', 'Possible', 'Probable', 'Certain'] as const
const SEVERITY = ['Trivial', 'Minor', 'Over 3 Day Injury', 'Major Injury', 'Incapacity or Death'] as const

/** Highest score: it always needs a reason, whatever the bands. */
export const MAX_RISK_SCORE = 25

/** Colours of bands, mildest first: those of safety signs, readable in light and dark mode and in print. */
export const BAND_COLOURS = [
  { value: 'safe', label: 'Green' },
  { value: 'attention', label: 'Yellow' },
  { value: 'danger', label: 'Red' },
  { value: 'worst', label: 'Dark red' },
] as const
export type BandColour = (typeof BAND_COLOURS)[number]['value']

/** What a band requires of a residual risk before the assessment can be completed, least strict first. */
export const BAND_REQUIREMENTS = [
  { value: 'accept', label: 'No further action (accept)' },
  { value: 'reduce', label: 'A reason or a planned control (reduce)' },
  { value: 'stop', label: 'Can’t be completed (stop)' },
] as const
export type BandRequirement = (typeof BAND_REQUIREMENTS)[number]['value']

/** Band as stored: it starts at a score and ends before the next band. */
export interface StoredRiskBand {
  readonly from: number
  readonly name: string
  readonly level: BandColour
  readonly demands: BandRequirement
  /** Action for this band, one sentence. */
  readonly rule: string
}

export interface RiskBand extends StoredRiskBand {
  readonly to: number
}

/** Names on both axes, from 1 to 5, and the bands from mildest to worst. */
export interface RiskMatrix {
  readonly probability: readonly string[]
  readonly severity: readonly string[]
  readonly bands: readonly RiskBand[]
}

/** Adds the last score of each band. */
export const addBandEnds = (bands: readonly StoredRiskBand[]): RiskBand[] =>
  bands.map(({ from, name, level, demands, rule }, i) => ({
    from,
    to: (bands[i + 1]?.from ?? MAX_RISK_SCORE + 1) - 1,
    name,
    level,
    demands,
    rule,
  }))

/** Default matrix: its rules are advice, and only the highest score needs a reason. */
export const DEFAULT_RISK_MATRIX: RiskMatrix = {
  probability: PROBABILITY,
  severity: SEVERITY,
  bands: addBandEnds([
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
export const matrixOfRecord = ({ matrix }: Readonly<Record<string, unknown>>): RiskMatrix =>
  matrix !== null && typeof matrix === 'object' && 'bands' in matrix ? (matrix as RiskMatrix) : DEFAULT_RISK_MATRIX

export const bandOfScore = ({ bands }: RiskMatrix, score: number): RiskBand =>
  bands.find((b) => score <= b.to) ?? (bands.at(-1) as RiskBand)

/** Band of a score, probability × severity. */
export const bandOfRisk = (matrix: RiskMatrix, probability: number, severity: number): RiskBand =>
  bandOfScore(matrix, probability * severity)

/** True for red bands. */
export const isHighBand = ({ level }: RiskBand): boolean => level === 'danger' || level === 'worst'

/** Matrix as sent by a company; empty parts use the provider's or the default. */
export interface RiskMatrixInput {
  readonly probability?: unknown
  readonly severity?: unknown
  readonly bands?: unknown
}

export const [FEWEST, MOST] = [2, 5]
export const MAX_MATRIX_LENGTHS = { word: 40, name: 30, rule: 200 } as const

/** Returns a name or rule as text; empty if it is not text. */
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const AXES = { probability: 'probability', severity: 'severity' } as const

/** Validates a company's matrix. Violations name their place: `bands[1].from`, `severity[4]`. */
export const validateRiskMatrix = (said: RiskMatrixInput): Violation[] => [
  ...Object.keys(AXES).flatMap((axis) => wordProblems(axis as keyof typeof AXES, said[axis as keyof typeof AXES])),
  ...bandsProblems(said.bands),
]

function wordProblems(axis: keyof typeof AXES, words: unknown): Violation[] {
  if (!Array.isArray(words) || !words.length) return []
  if (words.length !== 5) return [violation(axis, `Please enter all five ${axis} names, or none`)]
  return words.flatMap((word: unknown, i) => {
    const at = `${axis}[${i}]`
    if (!hasVisibleText(wordsOf(word))) return [violation(at, `Please name ${axis} ${i + 1}, or leave all five empty`)]
    return [
      ...tooLong(at, word, MAX_MATRIX_LENGTHS.word),
      ...(isSameAsBefore(words, i)
        ? [violation(at, `Another ${axis} is already called “${wordsOf(word).trim()}”. Please choose another name`)]
        : []),
    ]
  })
}

function bandsProblems(bands: unknown): Violation[] {
  if (bands === null || bands === undefined) return []
  if (!Array.isArray(bands) || bands.length < FEWEST || bands.length > MOST)
    return [violation('bands', `Please enter ${FEWEST} to ${MOST} bands`)]
  const all = bands.map((b: unknown): Partial<StoredRiskBand> => (b !== null && typeof b === 'object' ? b : {}))
  return all.flatMap((band, i) => bandProblems(band, all[i - 1], `bands[${i}]`, all, i))
}

const placeIn = (list: readonly { readonly value: string }[], value: unknown) =>
  list.findIndex((o) => o.value === value)

function bandProblems(
  { from, name, level, demands, rule }: Partial<StoredRiskBand>,
  before: Partial<StoredRiskBand> | undefined,
  at: string,
  all: readonly Partial<StoredRiskBand>[],
  i: number,
): Violation[] {
  const [colour, demand] = [placeIn(BAND_COLOURS, level), placeIn(BAND_REQUIREMENTS, demands)]
  return [
    ...fromProblems(`${at}.from`, from, before),
    ...(hasVisibleText(wordsOf(name))
      ? tooLong(`${at}.name`, name, MAX_MATRIX_LENGTHS.name)
      : [violation(`${at}.name`, 'Please name the band')]),
    ...(isSameAsBefore(
      all.map((b) => b.name),
      i,
    )
      ? [
          violation(
            `${at}.name`,
            `Another band is already called “${wordsOf(name).trim()}”. Please choose another name`,
          ),
        ]
      : []),
    ...(colour < 0
      ? [violation(`${at}.level`, 'Please choose a colour')]
      : colour < placeIn(BAND_COLOURS, before?.level)
        ? [violation(`${at}.level`, 'Please choose a colour at least as severe as that of the band before')]
        : demands === 'stop' && colour < placeIn(BAND_COLOURS, 'danger')
          ? [violation(`${at}.level`, 'Please choose a red colour for a band that stops the work')]
          : []),
    ...(demand < 0
      ? [violation(`${at}.demands`, 'Please choose a requirement')]
      : demand < placeIn(BAND_REQUIREMENTS, before?.demands)
        ? [violation(`${at}.demands`, 'Please choose a requirement at least as strict as that of the band before')]
        : []),
    ...(hasVisibleText(wordsOf(rule))
      ? tooLong(`${at}.rule`, rule, MAX_MATRIX_LENGTHS.rule)
      : [violation(`${at}.rule`, 'Please enter the action required')]),
  ]
}

function fromProblems(at: string, from: unknown, before: Partial<StoredRiskBand> | undefined): Violation[] {
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 1 || from > MAX_RISK_SCORE)
    return [violation(at, `Please enter a score from 1 to ${MAX_RISK_SCORE}`)]
  if (!before) return from === 1 ? [] : [violation(at, 'Please start the first band at 1')]
  return typeof before.from === 'number' && from <= before.from
    ? [violation(at, `Please start this band above the one before: from ${before.from + 1}`)]
    : []
}

const tooLong = (at: string, value: unknown, most: number) =>
  wordsOf(value).trim().length > most ? [violation(at, `Please use at most ${most} characters`)] : []

const isSameAsBefore = (words: readonly unknown[], i: number): boolean => {
  const key = (word: unknown) => wordsOf(word).trim().toLowerCase()
  return key(words[i]) !== '' && words.slice(0, i).some((word) => key(word) === key(words[i]))
}

/** Trims the names as they are stored; empty for a part without any. */
export const cleanAxisNames = (words: unknown): string[] =>
  Array.isArray(words) ? words.map((word) => wordsOf(word).trim()) : []
export const cleanBands = (bands: unknown): StoredRiskBand[] | null =>
  Array.isArray(bands)
    ? (bands as StoredRiskBand[]).map(({ from, name, level, demands, rule }) => ({
        from,
        name: name.trim(),
        level,
        demands,
        rule: rule.trim(),
      }))
    : null

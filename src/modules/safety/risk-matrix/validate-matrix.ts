import { type Violation, violation } from '#kernel/errors.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { MAX_RISK_SCORE, RISK_BAND_COLOURS, RISK_BAND_REQUIREMENTS, type StoredRiskBand } from './bands.ts'

/** Matrix as sent by a company. Empty values are replaced by the provider's or the default values. */
export interface RiskMatrixInput {
  readonly probability?: unknown
  readonly severity?: unknown
  readonly bands?: unknown
}

export const [FEWEST, MOST] = [2, 5]
export const MAX_RISK_MATRIX_TEXT_LENGTHS = { word: 40, name: 30, rule: 200 } as const

/** Returns a name or rule if it is a string, otherwise an empty string. */
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const AXES = { probability: 'probability', severity: 'severity' } as const

/**
 * Validates a company's matrix. Each violation contains the path of its value, such as `bands[1].from` or
 * `severity[4]`.
 */
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
      ...tooLong(at, word, MAX_RISK_MATRIX_TEXT_LENGTHS.word),
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
  const [colour, demand] = [placeIn(RISK_BAND_COLOURS, level), placeIn(RISK_BAND_REQUIREMENTS, demands)]
  return [
    ...fromProblems(`${at}.from`, from, before),
    ...(hasVisibleText(wordsOf(name))
      ? tooLong(`${at}.name`, name, MAX_RISK_MATRIX_TEXT_LENGTHS.name)
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
      : colour < placeIn(RISK_BAND_COLOURS, before?.level)
        ? [violation(`${at}.level`, 'Please choose a colour at least as severe as the previous band’s')]
        : demands === 'stop' && colour < placeIn(RISK_BAND_COLOURS, 'danger')
          ? [violation(`${at}.level`, 'Please choose a red colour for a band at which work must not go ahead')]
          : []),
    ...(demand < 0
      ? [violation(`${at}.demands`, 'Please choose a requirement')]
      : demand < placeIn(RISK_BAND_REQUIREMENTS, before?.demands)
        ? [violation(`${at}.demands`, 'Please choose a requirement at least as strict as the previous band’s')]
        : []),
    ...(hasVisibleText(wordsOf(rule))
      ? tooLong(`${at}.rule`, rule, MAX_RISK_MATRIX_TEXT_LENGTHS.rule)
      : [violation(`${at}.rule`, 'Please enter the action required')]),
  ]
}

function fromProblems(at: string, from: unknown, before: Partial<StoredRiskBand> | undefined): Violation[] {
  if (typeof from !== 'number' || !Number.isInteger(from) || from < 1 || from > MAX_RISK_SCORE)
    return [violation(at, `Please enter a score from 1 to ${MAX_RISK_SCORE}`)]
  if (!before) return from === 1 ? [] : [violation(at, 'Please start the first band at 1')]
  return typeof before.from === 'number' && from <= before.from
    ? [violation(at, `Please start this band above the previous band, at ${before.from + 1} or more`)]
    : []
}

const tooLong = (at: string, value: unknown, most: number) =>
  wordsOf(value).trim().length > most ? [violation(at, `Please use at most ${most} characters`)] : []

const isSameAsBefore = (words: readonly unknown[], i: number): boolean => {
  const key = (word: unknown) => wordsOf(word).trim().toLowerCase()
  return key(words[i]) !== '' && words.slice(0, i).some((word) => key(word) === key(words[i]))
}

/** Trims the axis names for storage. Returns an empty list if no names are set. */
export const normaliseAxisNames = (words: unknown): string[] =>
  Array.isArray(words) ? words.map((word) => wordsOf(word).trim()) : []
export const normaliseRiskBands = (bands: unknown): StoredRiskBand[] | null =>
  Array.isArray(bands)
    ? (bands as StoredRiskBand[]).map(({ from, name, level, demands, rule }) => ({
        from,
        name: name.trim(),
        level,
        demands,
        rule: rule.trim(),
      }))
    : null

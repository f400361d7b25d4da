import {
  addBandEnds,
  type BandColour,
  type BandRequirement,
  FEWEST,
  MAX_RISK_SCORE,
  MOST,
  type RiskBand,
  type RiskMatrix,
  type StoredRiskBand,
  validateRiskMatrix,
} from '../risk-matrix/said.ts'

export const MATRIX_AXES = ['probability', 'severity'] as const
export type MatrixAxis = (typeof MATRIX_AXES)[number]

/** Band being edited; `key` identifies its row while rows move. */
export interface BandInput extends Omit<StoredRiskBand, 'from'> {
  readonly key: number
  readonly from: number | null
}

/** Matrix being edited; an empty name, or no bands, means the inherited ones. */
export interface MatrixDraft extends Readonly<Record<MatrixAxis, readonly string[]>> {
  readonly bands: readonly BandInput[] | null
}

export interface StoredMatrix {
  readonly probability?: readonly string[] | null
  readonly severity?: readonly string[] | null
  readonly bands?: unknown
}

const five = (words: readonly string[] | null | undefined) => (words?.length === 5 ? words : ['', '', '', '', ''])

export const toBandInputs = (bands: readonly StoredRiskBand[]): BandInput[] =>
  bands.map(({ from, name, level, demands, rule }, key) => ({ key, from, name, level, demands, rule }))

export const toMatrixDraft = (own: StoredMatrix | undefined): MatrixDraft => ({
  probability: five(own?.probability),
  severity: five(own?.severity),
  bands: Array.isArray(own?.bands) ? toBandInputs(own.bands as readonly StoredRiskBand[]) : null,
})

const said = (words: readonly string[]) => (words.some((word) => word.trim()) ? words : [])

/** Values sent on saving. */
export const matrixDraftValues = ({ probability, severity, bands }: MatrixDraft) => ({
  probability: said(probability),
  severity: said(severity),
  bands: bands?.map(({ from, name, level, demands, rule }) => ({ from, name, level, demands, rule })) ?? null,
})

export const matrixDraftViolations = (draft: MatrixDraft) => validateRiskMatrix(matrixDraftValues(draft))

/** Matrix resulting from the draft, as far as it is valid. */
export function previewMatrix(draft: MatrixDraft, otherwise: RiskMatrix): RiskMatrix {
  const words = (axis: MatrixAxis) => otherwise[axis].map((word, i) => (draft[axis][i] ?? '').trim() || word)
  const bands = draft.bands?.map((band) => ({ ...band, from: band.from ?? MAX_RISK_SCORE + 1 }))
  return {
    probability: words('probability'),
    severity: words('severity'),
    bands: bands ? addBandEnds(bands) : otherwise.bands,
  }
}

/** Changes one band; the first always starts at 1, whatever was removed before it. */
export const changeBand = (bands: readonly BandInput[], key: number, values: Partial<BandInput>): BandInput[] =>
  bands.map((band) => (band.key === key ? { ...band, ...values } : band))

export const removeBand = (bands: readonly BandInput[], key: number): BandInput[] =>
  bands.filter((band) => band.key !== key).map((band, i) => (i ? band : { ...band, from: 1 }))

/** Adds a band at the end, covering the upper half of the last one. */
export function addBand(bands: readonly BandInput[]): BandInput[] {
  const last = bands.at(-1)
  const from = Math.min(MAX_RISK_SCORE, Math.ceil(((last?.from ?? 1) + MAX_RISK_SCORE + 1) / 2))
  const more = { level: (last?.level ?? 'safe') as BandColour, demands: (last?.demands ?? 'accept') as BandRequirement }
  return [...bands, { key: Math.max(-1, ...bands.map((b) => b.key)) + 1, from, name: '', rule: '', ...more }]
}

export const canRemoveBand = (bands: readonly unknown[]) => bands.length > FEWEST
export const canAddBand = (bands: readonly unknown[]) => bands.length < MOST

/** For example, 5 to 9. */
export const bandScoresText = ({ from, to }: Pick<RiskBand, 'from' | 'to'>): string =>
  to > from ? `${from} to ${to}` : to === from ? String(from) : '–'

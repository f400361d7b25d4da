import {
  type Band,
  type Demand,
  type Level,
  type RiskMatrix,
  type SaidBand,
  WORST,
  withEnds,
} from '../risk-matrix/bands.ts'
import { FEWEST, MOST, matrixProblems } from '../risk-matrix/said.ts'

export const AXES = ['probability', 'severity'] as const
export type Axis = (typeof AXES)[number]

/** Band being edited; `key` identifies its row while rows move. */
export interface TypedBand extends Omit<SaidBand, 'from'> {
  readonly key: number
  readonly from: number | null
}

/** Matrix being edited; an empty name, or no bands, means the inherited ones. */
export interface Draft extends Readonly<Record<Axis, readonly string[]>> {
  readonly bands: readonly TypedBand[] | null
}

export interface Stored {
  readonly probability?: readonly string[] | null
  readonly severity?: readonly string[] | null
  readonly bands?: unknown
}

const five = (words: readonly string[] | null | undefined) => (words?.length === 5 ? words : ['', '', '', '', ''])

export const typedBands = (bands: readonly SaidBand[]): TypedBand[] =>
  bands.map(({ from, name, level, demands, rule }, key) => ({ key, from, name, level, demands, rule }))

export const draftOf = (own: Stored | undefined): Draft => ({
  probability: five(own?.probability),
  severity: five(own?.severity),
  bands: Array.isArray(own?.bands) ? typedBands(own.bands as readonly SaidBand[]) : null,
})

const said = (words: readonly string[]) => (words.some((word) => word.trim()) ? words : [])

/** Values sent on saving. */
export const valuesOf = ({ probability, severity, bands }: Draft) => ({
  probability: said(probability),
  severity: said(severity),
  bands: bands?.map(({ from, name, level, demands, rule }) => ({ from, name, level, demands, rule })) ?? null,
})

export const problemsOf = (draft: Draft) => matrixProblems(valuesOf(draft))

/** Matrix resulting from the draft, as far as it is valid. */
export function drawn(draft: Draft, otherwise: RiskMatrix): RiskMatrix {
  const words = (axis: Axis) => otherwise[axis].map((word, i) => (draft[axis][i] ?? '').trim() || word)
  const bands = draft.bands?.map((band) => ({ ...band, from: band.from ?? WORST + 1 }))
  return {
    probability: words('probability'),
    severity: words('severity'),
    bands: bands ? withEnds(bands) : otherwise.bands,
  }
}

/** Changes one band; the first always starts at 1, whatever was removed before it. */
export const changed = (bands: readonly TypedBand[], key: number, values: Partial<TypedBand>): TypedBand[] =>
  bands.map((band) => (band.key === key ? { ...band, ...values } : band))

export const without = (bands: readonly TypedBand[], key: number): TypedBand[] =>
  bands.filter((band) => band.key !== key).map((band, i) => (i ? band : { ...band, from: 1 }))

/** Adds a band at the end, covering the upper half of the last one. */
export function withOneMore(bands: readonly TypedBand[]): TypedBand[] {
  const last = bands.at(-1)
  const from = Math.min(WORST, Math.ceil(((last?.from ?? 1) + WORST + 1) / 2))
  const more = { level: (last?.level ?? 'safe') as Level, demands: (last?.demands ?? 'accept') as Demand }
  return [...bands, { key: Math.max(-1, ...bands.map((b) => b.key)) + 1, from, name: '', rule: '', ...more }]
}

export const mayLose = (bands: readonly unknown[]) => bands.length > FEWEST
export const mayGrow = (bands: readonly unknown[]) => bands.length < MOST

/** For example, 5 to 9. */
export const scoresOf = ({ from, to }: Pick<Band, 'from' | 'to'>): string =>
  to > from ? `${from} to ${to}` : to === from ? String(from) : '–'

import { showsText } from '#kernel/text.ts'
import { TIERS } from '../library/tiers.ts'
import { bandAt, bandOf, isHigh, type RiskMatrix } from '../risk-matrix/bands.ts'
import { type Line, newKey, SHARED, type Tier } from './line.ts'
import { groupLines, isControl, isToDo } from './rules.ts'

/** A hazard with its controls, most effective kind first. */
export interface GridHazard {
  readonly key: string
  readonly head: Line
  readonly controls: readonly Line[]
}

export type Grid = readonly GridHazard[]

/** Probability and severity, 1 to 5 each. */
export interface Judgement {
  readonly probability: number
  readonly severity: number
}

/** Values of a control to add. */
export interface NewControl {
  readonly name: string
  readonly tier?: string | null
  /** `@id` of the library control, and its description. */
  readonly control?: string
  readonly description?: string
}

const TIER_NAMES: readonly string[] = TIERS.map((t) => t.value)

/** Rank in the hierarchy of control; controls without a kind count as administrative. */
const rank = (line: Line): number => {
  const at = TIER_NAMES.indexOf(line.tier ?? '')
  return at < 0 ? TIER_NAMES.indexOf('administrative') : at
}
export const tierOf = (line: Line): Tier => TIER_NAMES[rank(line)] as Tier

const inOrder = (controls: readonly Line[]): Line[] => [...controls].sort((a, b) => rank(a) - rank(b))

export const keyOf = (line: Line): string => line['@key'] ?? line['@id'] ?? ''

const sharedValues = (from: Line): Line => Object.fromEntries(SHARED.flatMap((n) => (n in from ? [[n, from[n]]] : [])))

/** Cache: the hazard last built from a first line. */
const made = new WeakMap<Line, GridHazard>()

/**
 * Groups the lines into hazards, without retired lines, which stay retired. A hazard with the same line objects as
 * before is the same object again, so that only changed rows re-render.
 */
export const fromLines = (lines: readonly Line[]): Grid =>
  groupLines(lines.filter((l) => l.retired !== true)).map((group, i) => {
    const own = group[0] as Line
    const lone = isControl(own)
    const key = lone ? `of ${keyOf(own) || i}` : keyOf(own) || `line ${i}`
    const controls = inOrder(group.filter(isControl))
    const was = made.get(own)
    if (was?.key === key && areSame(was.controls, controls)) return was
    const hazard = { key, head: lone ? { ...sharedValues(own), '@key': key } : own, controls }
    made.set(own, hazard)
    return hazard
  })

const areSame = (a: readonly Line[], b: readonly Line[]) => a.length === b.length && a.every((line, i) => line === b[i])

/** Flattens hazards into lines: each hazard followed by its controls. */
export const toLines = (grid: Grid): Line[] => grid.flatMap((h) => [h.head, ...h.controls])

/** A new hazard: 5 × 5, not yet rated and without controls (specification, section 4). */
export function newHazard(given: Line = {}): GridHazard {
  const key = newKey()
  return {
    key,
    head: {
      group: '',
      hazard: null,
      hazardName: '',
      description: '',
      persons: '',
      probability: 5,
      severity: 5,
      judged: false,
      residualProbability: null,
      residualSeverity: null,
      responsible: '',
      ppeReason: '',
      residualReason: '',
      unconfirmed: false,
      implemented: 'yes',
      retired: false,
      ...given,
      '@key': key,
    },
    controls: [],
  }
}

/** Copies a retired hazard as a new one, to restore it. */
export function restoreHazard(h: GridHazard): GridHazard {
  const fresh = (line: Line): Line => {
    const { '@id': _, id: __, ...rest } = line
    return { ...rest, '@key': newKey() }
  }
  const head = fresh(h.head)
  return { key: keyOf(head), head, controls: h.controls.map(fresh) }
}

/** Replaces one hazard; undefined removes it with all its controls. */
export const changeHazard = (grid: Grid, key: string, to: (h: GridHazard) => GridHazard | undefined): Grid =>
  grid.flatMap((h) => (h.key === key ? (to(h) ?? []) : [h]))

/** Changes values of a hazard; shared values are written to all its lines. */
export function changeValues(h: GridHazard, values: Line): GridHazard {
  const head = { ...h.head, ...values }
  return { ...h, head, controls: h.controls.map((c) => ({ ...c, ...sharedValues(head) })) }
}

/** Adds a control: in place and not retired (specification, section 4). */
export function addControl(h: GridHazard, { name, tier, control, description }: NewControl): GridHazard {
  const line: Line = {
    ...sharedValues(h.head),
    '@key': newKey(),
    control: control ?? null,
    controlName: name,
    controlDescription: description ?? '',
    tier: tier ?? 'administrative',
    implemented: 'yes',
    retired: false,
  }
  return { ...h, controls: inOrder([...h.controls, line]) }
}

export const changeControl = (h: GridHazard, key: string, values: Line): GridHazard => ({
  ...h,
  controls: inOrder(h.controls.map((c) => (keyOf(c) === key ? { ...c, ...values } : c))),
})

/** Removes a control; the server retires it and marks it as not in place. */
export const removeControl = (h: GridHazard, key: string): GridHazard => ({
  ...h,
  controls: h.controls.filter((c) => keyOf(c) !== key),
})

/** Moves a hazard up or down; does nothing at either end. */
export function moveHazard(grid: Grid, key: string, by: 1 | -1): Grid {
  const at = grid.findIndex((h) => h.key === key)
  const other = grid[at + by]
  const one = grid[at]
  if (!one || !other) return grid
  return grid.map((h, i) => (i === at ? other : i === at + by ? one : h))
}

/** Rating before controls; undefined until rated. */
export const initialOf = ({ head }: GridHazard): Judgement | undefined =>
  head.judged ? judgement(head.probability, head.severity) : undefined

/** Rating with all controls in place. */
export const residualOf = ({ head }: GridHazard): Judgement | undefined =>
  judgement(head.residualProbability, head.residualSeverity)

const judgement = (probability: unknown, severity: unknown): Judgement | undefined =>
  typeof probability === 'number' && typeof severity === 'number' && probability && severity
    ? { probability, severity }
    : undefined

/** Risk score: always probability × severity. */
export const ranking = ({ probability, severity }: Judgement): number => probability * severity

/** "3 × 4 = 12, High" */
export const inWords = (matrix: RiskMatrix, j: Judgement): string =>
  `${j.probability} × ${j.severity} = ${ranking(j)}, ${bandOf(matrix, j.probability, j.severity).name}`

/** True if the hazard was copied and not yet confirmed for this document. */
export const isUnconfirmed = ({ head, controls }: GridHazard): boolean =>
  head.unconfirmed === true || controls.some((c) => c.unconfirmed === true)

/** Question about a copied hazard; `from` is the document it was copied from. */
export const askedOf = (from: string): string =>
  `Copied${from ? ` from ${from}` : ''}: are hazard, controls and ratings still right here?`

/** Band of the residual risk, once rated. */
const bandLeft = (matrix: RiskMatrix, h: GridHazard) => {
  const left = residualOf(h)
  return left && bandAt(matrix, ranking(left))
}

/** Missing answers that the band of the residual risk requires. */
function needsOf(matrix: RiskMatrix, h: GridHazard): string[] {
  const band = bandLeft(matrix, h)
  if (band?.demands === 'stop') return [`${band.name}: this can’t be completed`]
  if (!asksWhy(matrix, h) || showsText(String(h.head.residualReason ?? ''))) return []
  if (band?.demands === 'reduce' && !isHigh(band))
    return isToDo(h.head, h.controls) ? [] : [`${band.name}: please enter a reason, or a planned control`]
  return ['High residual risk: please enter a reason']
}

/** True if the residual risk requires a reason. */
export function asksWhy(matrix: RiskMatrix, h: GridHazard): boolean {
  const band = bandLeft(matrix, h)
  return band !== undefined && (isHigh(band) || band.demands !== 'accept')
}

/** True if protective equipment is the only control and the reason is missing. */
export const needsReason = ({ head, controls }: GridHazard): boolean =>
  controls.length > 0 && controls.every((c) => c.tier === 'ppe') && !showsText(String(head.ppeReason ?? ''))

/** Warnings about a hazard, shown wherever the hazard is shown. */
export const warningsOf = (matrix: RiskMatrix, h: GridHazard): string[] => [
  ...needsOf(matrix, h),
  ...(needsReason(h) ? ['Protective equipment alone needs a reason'] : []),
]

/** Number of hazards per rating, by `${probability}${severity}`. */
export function countJudgements(grid: Grid, of: (h: GridHazard) => Judgement | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const h of grid) {
    const j = of(h)
    if (j) counts.set(`${j.probability}${j.severity}`, (counts.get(`${j.probability}${j.severity}`) ?? 0) + 1)
  }
  return counts
}

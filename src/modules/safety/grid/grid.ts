import { showsText } from '#kernel/text.ts'
import { TIERS } from '../library/tiers.ts'
import { bandAt, bandOf, isHigh, type RiskMatrix } from '../risk-matrix/bands.ts'
import { type Line, newKey, SHARED, type Tier } from './line.ts'
import { groupLines, isControl, isToDo } from './rules.ts'

/** A hazard with what is done about it, best kind of control first. */
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

/** What is known of a control when it is added. */
export interface NewControl {
  readonly name: string
  readonly tier?: string | null
  /** The library's control, and what it says of it. */
  readonly control?: string
  readonly description?: string
}

const TIER_NAMES: readonly string[] = TIERS.map((t) => t.value)

/** Place in the hierarchy of control; what is in none is taken as administrative. */
const rank = (line: Line): number => {
  const at = TIER_NAMES.indexOf(line.tier ?? '')
  return at < 0 ? TIER_NAMES.indexOf('administrative') : at
}
export const tierOf = (line: Line): Tier => TIER_NAMES[rank(line)] as Tier

const inOrder = (controls: readonly Line[]): Line[] => [...controls].sort((a, b) => rank(a) - rank(b))

export const keyOf = (line: Line): string => line['@key'] ?? line['@id'] ?? ''

const sharedValues = (from: Line): Line => Object.fromEntries(SHARED.flatMap((n) => (n in from ? [[n, from[n]]] : [])))

/** By its first line, the hazard that was last made of it. */
const made = new WeakMap<Line, GridHazard>()

/**
 * The lines as a table. Retired lines are left out, and with that stay retired. A hazard whose lines are the same objects as
 * before is the same object again, so that only what has changed is drawn.
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

/** The table as lines: each hazard, followed by its controls. */
export const toLines = (grid: Grid): Line[] => grid.flatMap((h) => [h.head, ...h.controls])

/** A hazard as it begins: 5 × 5, which nobody has judged yet, and without controls (specification, section 4). */
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

/** The same hazard once more, as new: after it was retired and is wanted back. */
export function restoreHazard(h: GridHazard): GridHazard {
  const fresh = (line: Line): Line => {
    const { '@id': _, id: __, ...rest } = line
    return { ...rest, '@key': newKey() }
  }
  const head = fresh(h.head)
  return { key: keyOf(head), head, controls: h.controls.map(fresh) }
}

/** The table with one hazard changed; undefined removes it, with all its controls. */
export const changeHazard = (grid: Grid, key: string, to: (h: GridHazard) => GridHazard | undefined): Grid =>
  grid.flatMap((h) => (h.key === key ? (to(h) ?? []) : [h]))

/** The hazard with other values; those that all its lines share are written on each. */
export function changeValues(h: GridHazard, values: Line): GridHazard {
  const head = { ...h.head, ...values }
  return { ...h, head, controls: h.controls.map((c) => ({ ...c, ...sharedValues(head) })) }
}

/** A new control: in place, and not retired (specification, section 4). */
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

/** A control that is left out is retired by the server, and with that no longer in place. */
export const removeControl = (h: GridHazard, key: string): GridHazard => ({
  ...h,
  controls: h.controls.filter((c) => keyOf(c) !== key),
})

/** A hazard moved up or down; at the end it stays. */
export function moveHazard(grid: Grid, key: string, by: 1 | -1): Grid {
  const at = grid.findIndex((h) => h.key === key)
  const other = grid[at + by]
  const one = grid[at]
  if (!one || !other) return grid
  return grid.map((h, i) => (i === at ? other : i === at + by ? one : h))
}

/** The judgement before anything is done; undefined until somebody has judged it. */
export const initialOf = ({ head }: GridHazard): Judgement | undefined =>
  head.judged ? judgement(head.probability, head.severity) : undefined

/** The judgement of what is left once the controls are in place. */
export const residualOf = ({ head }: GridHazard): Judgement | undefined =>
  judgement(head.residualProbability, head.residualSeverity)

const judgement = (probability: unknown, severity: unknown): Judgement | undefined =>
  typeof probability === 'number' && typeof severity === 'number' && probability && severity
    ? { probability, severity }
    : undefined

/** Always probability × severity. */
export const ranking = ({ probability, severity }: Judgement): number => probability * severity

/** "3 × 4 = 12, High" */
export const inWords = (matrix: RiskMatrix, j: Judgement): string =>
  `${j.probability} × ${j.severity} = ${ranking(j)}, ${bandOf(matrix, j.probability, j.severity).name}`

/** Did it come with a copy, and has nobody said yet that it holds here? */
export const isUnconfirmed = ({ head, controls }: GridHazard): boolean =>
  head.unconfirmed === true || controls.some((c) => c.unconfirmed === true)

/** What a person is asked about a hazard that came with a copy; `from`: the document that it was copied from. */
export const askedOf = (from: string): string =>
  `Copied${from ? ` from ${from}` : ''}: are hazard, controls and judgement still right here?`

/** The band of the risk that is left, once somebody has judged it. */
const bandLeft = (matrix: RiskMatrix, h: GridHazard) => {
  const left = residualOf(h)
  return left && bandAt(matrix, ranking(left))
}

/** What the band of the risk that is left asks for, and nobody has said. */
function needsOf(matrix: RiskMatrix, h: GridHazard): string[] {
  const band = bandLeft(matrix, h)
  if (band?.demands === 'stop') return [`${band.name}: it can’t be completed like this`]
  if (!asksWhy(matrix, h) || showsText(String(h.head.residualReason ?? ''))) return []
  if (band?.demands === 'reduce' && !isHigh(band))
    return isToDo(h.head, h.controls) ? [] : [`${band.name}: say why, or what is still to do`]
  return ['A risk this high is left: say why']
}

/** Is the risk that is left one that needs a reason? */
export function asksWhy(matrix: RiskMatrix, h: GridHazard): boolean {
  const band = bandLeft(matrix, h)
  return band !== undefined && (isHigh(band) || band.demands !== 'accept')
}

/** Is there nothing but protective equipment, and no reason why that must do? */
export const needsReason = ({ head, controls }: GridHazard): boolean =>
  controls.length > 0 && controls.every((c) => c.tier === 'ppe') && !showsText(String(head.ppeReason ?? ''))

/** What a hazard's controls still have to say, as it is told wherever the hazard is shown. */
export const warningsOf = (matrix: RiskMatrix, h: GridHazard): string[] => [
  ...needsOf(matrix, h),
  ...(needsReason(h) ? ['Protective equipment alone needs a reason'] : []),
]

/** How many hazards have each judgement, by `${probability}${severity}`. */
export function countJudgements(grid: Grid, of: (h: GridHazard) => Judgement | undefined): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const h of grid) {
    const j = of(h)
    if (j) counts.set(`${j.probability}${j.severity}`, (counts.get(`${j.probability}${j.severity}`) ?? 0) + 1)
  }
  return counts
}

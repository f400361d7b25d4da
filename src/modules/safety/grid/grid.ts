import { createTextMatcher } from '#kernel/text/search.ts'
import { hasVisibleText } from '#kernel/text.ts'
import { CONTROL_TIERS, controlTierLabel } from '../library/hazard.ts'
import { bandForRisk, bandForScore, type RiskMatrix, residualRiskRequirement } from '../risk-matrix/bands.ts'
import { type ControlTier, createHazardLineKey, type HazardLine, SHARED_HAZARD_FIELDS } from './line.ts'
import {
  groupLinesByHazard,
  hasPlannedControl,
  isControlLine,
  isControlUnconfirmed,
  isPpeControl,
  proposeControlTier,
} from './rules.ts'

/** A hazard and its controls, sorted by kind of control, most effective first. */
export interface GridHazard {
  readonly key: string
  readonly head: HazardLine
  readonly controls: readonly HazardLine[]
}

export type HazardGridRows = readonly GridHazard[]

/** Probability and severity, 1 to 5 each. */
export interface RiskRating {
  readonly probability: number
  readonly severity: number
}

export interface NewControl {
  readonly name: string
  readonly tier?: string | null
  /** `@id` of the library control; `description` is the library's description. */
  readonly control?: string
  readonly description?: string
}

const TIER_NAMES: readonly string[] = CONTROL_TIERS.map((t) => t.value)

/** Returns the rank of a control in the hierarchy of control. A control without a type comes last. */
const rank = (line: HazardLine): number => {
  const at = TIER_NAMES.indexOf(line.tier ?? '')
  return at < 0 ? TIER_NAMES.length : at
}
export const controlTierOf = (line: HazardLine): ControlTier | undefined =>
  TIER_NAMES[rank(line)] as ControlTier | undefined

/** Returns a control's type for display: as entered, or as proposed from its wording, with a question mark. */
export function formatControlTier(line: HazardLine): string {
  const tier = controlTierOf(line)
  return tier ? controlTierLabel(tier) : `${controlTierLabel(proposeControlTier(line.controlName ?? '')) || 'Type'}?`
}

/** Returns the number of a hazard's controls whose type or status (in place or planned) is unknown. */
export const countUnconfirmedControls = ({ controls }: GridHazard): number =>
  controls.filter(isControlUnconfirmed).length

/**
 * Marks a hazard's controls as in place and of the proposed types. A control without a proposal remains without a type.
 */
export const confirmControls = (h: GridHazard): GridHazard => ({
  ...h,
  controls: inOrder(
    h.controls.map((c) =>
      isControlUnconfirmed(c)
        ? { ...c, tier: c.tier ?? proposeControlTier(c.controlName ?? '') ?? null, implementedUnknown: false }
        : c,
    ),
  ),
})

const inOrder = (controls: readonly HazardLine[]): HazardLine[] => [...controls].sort((a, b) => rank(a) - rank(b))

export const hazardLineKeyOf = (line: HazardLine): string => line['@key'] ?? line['@id'] ?? ''

const sharedValues = (from: HazardLine): HazardLine =>
  Object.fromEntries(SHARED_HAZARD_FIELDS.flatMap((n) => (n in from ? [[n, from[n]]] : [])))

/** Cache of the last hazard built, by the hazard's first line. */
const made = new WeakMap<HazardLine, GridHazard>()

/**
 * Groups lines into hazards, ignoring retired lines. If a hazard's lines are unchanged, returns the same object as
 * before, so that only changed rows re-render.
 */
export const groupHazardLines = (lines: readonly HazardLine[]): HazardGridRows =>
  groupLinesByHazard(lines.filter((l) => l.retired !== true)).map((group, i) => {
    const own = group[0] as HazardLine
    const lone = isControlLine(own)
    const key = lone ? `of ${hazardLineKeyOf(own) || i}` : hazardLineKeyOf(own) || `line ${i}`
    const controls = inOrder(group.filter(isControlLine))
    const was = made.get(own)
    if (was?.key === key && areSame(was.controls, controls)) return was
    const hazard = { key, head: lone ? { ...sharedValues(own), '@key': key } : own, controls }
    made.set(own, hazard)
    return hazard
  })

const areSame = (a: readonly HazardLine[], b: readonly HazardLine[]) =>
  a.length === b.length && a.every((line, i) => line === b[i])

/** Flattens hazards into lines: each hazard followed by its controls. */
export const flattenHazards = (grid: HazardGridRows): HazardLine[] => grid.flatMap((h) => [h.head, ...h.controls])

/**
 * Creates a hazard without controls. Its initial rating of 5 × 5 is not treated as a rating by the author
 * (specification, section 4).
 */
export function createHazard(given: HazardLine = {}): GridHazard {
  const key = createHazardLineKey()
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
      responsibility: 0,
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

/** Returns a copy of a hazard and its controls with new keys, to restore or duplicate it. */
export function restoreHazardAsNew(h: GridHazard): GridHazard {
  const fresh = (line: HazardLine): HazardLine => {
    const { '@id': _, id: __, ...rest } = line
    return { ...rest, '@key': createHazardLineKey() }
  }
  const head = fresh(h.head)
  return { key: hazardLineKeyOf(head), head, controls: h.controls.map(fresh) }
}

/** Replaces a hazard with the result of `to`. If the result is undefined, removes the hazard and all its controls. */
export const updateHazard = (
  grid: HazardGridRows,
  key: string,
  to: (h: GridHazard) => GridHazard | undefined,
): HazardGridRows => grid.flatMap((h) => (h.key === key ? (to(h) ?? []) : [h]))

/** Changes values of a hazard. Values shared by all lines are also written to its controls. */
export function updateHazardValues(h: GridHazard, values: HazardLine): GridHazard {
  // A typed name no longer refers to the employee chosen before.
  const typed = values.responsible === undefined || values.responsibility !== undefined ? {} : { responsibility: 0 }
  const head = { ...h.head, ...values, ...typed }
  return { ...h, head, controls: h.controls.map((c) => ({ ...c, ...sharedValues(head) })) }
}

/**
 * Adds a control that is not retired (specification, section 4). Its type is unknown unless the library states it, and
 * its status (in place or planned) is unknown.
 */
export function addControl(h: GridHazard, { name, tier, control, description }: NewControl): GridHazard {
  const line: HazardLine = {
    ...sharedValues(h.head),
    '@key': createHazardLineKey(),
    control: control ?? null,
    controlName: name,
    controlDescription: description ?? '',
    tier: tier ?? null,
    implemented: 'yes',
    implementedUnknown: true,
    retired: false,
  }
  return { ...h, controls: inOrder([...h.controls, line]) }
}

export const updateControl = (h: GridHazard, key: string, values: HazardLine): GridHazard => ({
  ...h,
  controls: inOrder(h.controls.map((c) => (hazardLineKeyOf(c) === key ? { ...c, ...values } : c))),
})

/** Removes a control. On saving, the server retires the control and marks it as not in place. */
export const removeControl = (h: GridHazard, key: string): GridHazard => ({
  ...h,
  controls: h.controls.filter((c) => hazardLineKeyOf(c) !== key),
})

/** Moves a hazard up or down. Does nothing if the hazard is already at that end. */
export function moveHazard(grid: HazardGridRows, key: string, by: 1 | -1): HazardGridRows {
  const at = grid.findIndex((h) => h.key === key)
  const other = grid[at + by]
  const one = grid[at]
  if (!one || !other) return grid
  return grid.map((h, i) => (i === at ? other : i === at + by ? one : h))
}

/** Returns the rating before controls; undefined until rated. */
export const initialRatingOf = ({ head }: GridHazard): RiskRating | undefined =>
  head.judged ? judgement(head.probability, head.severity) : undefined

/** Returns the rating with all controls in place; undefined until rated. */
export const residualRatingOf = ({ head }: GridHazard): RiskRating | undefined =>
  judgement(head.residualProbability, head.residualSeverity)

const judgement = (probability: unknown, severity: unknown): RiskRating | undefined =>
  typeof probability === 'number' && typeof severity === 'number' && probability && severity
    ? { probability, severity }
    : undefined

/** Returns the risk score, which is always probability × severity. */
export const calculateRiskScore = ({ probability, severity }: RiskRating): number => probability * severity

/** Returns a rating as text, such as "3 × 4 = 12, High". */
export const formatRiskRating = (matrix: RiskMatrix, j: RiskRating): string =>
  `${j.probability} × ${j.severity} = ${calculateRiskScore(j)}, ${bandForRisk(matrix, j.probability, j.severity).name}`

/** Returns true if the hazard was copied and is not yet confirmed for this document. */
export const isHazardUnconfirmed = ({ head, controls }: GridHazard): boolean =>
  head.unconfirmed === true || controls.some((c) => c.unconfirmed === true)

/** Returns the question about a copied hazard. `from` is the document from which the hazard was copied. */
export const formatCopiedHazardPrompt = (from: string): string =>
  `Copied${from ? ` from ${from}` : ''}: are the hazard, controls and ratings still correct for this assessment?`

/** Returns messages about the requirements that the residual risk has not met yet. */
function needsOf(matrix: RiskMatrix, h: GridHazard): string[] {
  const left = residualRatingOf(h)
  if (!left) return []
  const { name } = bandForScore(matrix, calculateRiskScore(left))
  const requirement = residualRiskRequirement(matrix, calculateRiskScore(left))
  if (requirement === 'stop') return [`${name}: an assessment with this risk can’t be completed`]
  if (requirement === 'none' || hasVisibleText(String(h.head.residualReason ?? ''))) return []
  if (requirement === 'reason') return [`${name}: please enter a reason`]
  return hasPlannedControl(h.head, h.controls) ? [] : [`${name}: please enter a reason, or a planned control`]
}

/** Returns true if a reason for the residual risk can be entered: one is required, or one was entered before. */
export function takesResidualReason(matrix: RiskMatrix, h: GridHazard): boolean {
  const left = residualRatingOf(h)
  const requirement = left ? residualRiskRequirement(matrix, calculateRiskScore(left)) : 'none'
  return requirement.startsWith('reason') || hasVisibleText(String(h.head.residualReason ?? ''))
}

/** Returns true if PPE is the only control and no reason is given. */
export const requiresPpeReason = ({ head, controls }: GridHazard): boolean =>
  controls.length > 0 && controls.every(isPpeControl) && !hasVisibleText(String(head.ppeReason ?? ''))

/** Returns the warnings about a hazard, for the grid and for read-only tables. */
export const findHazardWarnings = (matrix: RiskMatrix, h: GridHazard): string[] => [
  ...needsOf(matrix, h),
  ...(requiresPpeReason(h) ? ['PPE only: please enter a reason'] : []),
]

/** Counts hazards by rating. The key is `${probability}${severity}`. */
export function countRiskRatings(
  grid: HazardGridRows,
  of: (h: GridHazard) => RiskRating | undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const h of grid) {
    const j = of(h)
    if (j) counts.set(`${j.probability}${j.severity}`, (counts.get(`${j.probability}${j.severity}`) ?? 0) + 1)
  }
  return counts
}

/** Splits “Employees, Visi” into the groups before the last comma, and the text that is still being typed. */
function splitPersons(text: string): { readonly before: readonly string[]; readonly typed: string } {
  const parts = text.split(',').map((part) => part.trim())
  return { before: parts.slice(0, -1).filter(Boolean), typed: parts.at(-1) ?? '' }
}

/** Returns the assessment's groups that a hazard's text does not name yet and that match the text being typed. */
export function offerGroups(groups: readonly string[], text: string): string[] {
  const { before, typed } = splitPersons(text)
  const named = new Set([...before, typed].map((one) => one.toLowerCase()))
  const isWhole = groups.some((group) => group.toLowerCase() === typed.toLowerCase())
  const isOffered = createTextMatcher(isWhole ? '' : typed)
  return groups.filter((group) => !named.has(group.toLowerCase()) && isOffered(group))
}

/** Returns the text with a group in place of the word being typed, or after a group that has been typed in full. */
export function addGroup(groups: readonly string[], text: string, group: string): string {
  const { before, typed } = splitPersons(text)
  const isWhole = groups.some((one) => one.toLowerCase() === typed.toLowerCase())
  return [...before, ...(isWhole ? [typed] : []), group].join(', ')
}

const level = (text: string | undefined): number | undefined => {
  const n = Number(text)
  return Number.isInteger(n) && n >= 1 && n <= 5 ? n : undefined
}

/** Parses a control prefixed with its kind, such as "PPE: gloves". A control without a prefix has no type. */
function controlFrom(text: string): NewControl {
  const [, label = '', name = ''] = /^([^:]+):\s*(.+)$/s.exec(text) ?? []
  const tier = CONTROL_TIERS.find((t) => t.label.toLowerCase() === label.trim().toLowerCase())
  return { name: (tier ? name : text).slice(0, 1000), ...(tier ? { tier: tier.value } : {}) }
}

/**
 * Parses hazards from the cells of a copied table. The columns are: hazard, people who might be harmed, controls
 * separated by `;` or a line break ("PPE: gloves"), probability, severity, residual probability, residual severity.
 * Skips a header row and leaves missing values empty.
 */
export function parsePastedHazards(cells: readonly (readonly string[])[]): GridHazard[] {
  const headed = /^(hazards?|risks?|activity)\b/i.test(cells[0]?.[0] ?? '') && !level(cells[0]?.[3])
  return cells
    .slice(headed ? 1 : 0)
    .filter(([name]) => name)
    .map(([name = '', persons = '', controls = '', ...levels]) => {
      const [p, s, rp, rs] = levels.map(level)
      const begun = createHazard({
        hazardName: name.slice(0, 500),
        persons: persons.slice(0, 500),
        ...(p && s ? { probability: p, severity: s, judged: true } : {}),
        ...(rp && rs ? { residualProbability: rp, residualSeverity: rs } : {}),
      })
      return controls
        .split(/;|\n/)
        .map((c) => c.trim())
        .filter(Boolean)
        .reduce((h, c) => addControl(h, controlFrom(c)), begun)
    })
}

import { type Violation, violation } from '#kernel/errors.ts'
import { hasVisibleText, toText } from '#kernel/text.ts'
import {
  bandForScore,
  MAX_RISK_SCORE,
  type RiskMatrix,
  residualRiskRequirement,
  riskMatrixFromRecord,
} from '../risk-matrix/bands.ts'
import { groupLinesByHazard, hasPlannedControl, isControlLine, type RiskAssessmentLine } from './rules.ts'

type Values = Readonly<Record<string, unknown>>

/** A hazard with its lines, its name for messages and its path for errors. */
export interface HazardWithLines {
  readonly lines: readonly RiskAssessmentLine[]
  readonly controls: readonly RiskAssessmentLine[]
  /** Values shared by all lines of the hazard. */
  readonly head: RiskAssessmentLine
  /** Name for messages: the hazard's name or, if it has none, its number. */
  readonly name: string
  /** Path of the hazard in errors, such as `controls[3]`. */
  readonly at: string
  /** Document from which the hazard was copied, if any. */
  readonly from: string
}

const linesIn = (record: Values): readonly RiskAssessmentLine[] =>
  Array.isArray(record.controls) ? record.controls : []

/** Returns the hazards of an assessment, ignoring retired lines. */
export function hazardsInRecord(record: Values): HazardWithLines[] {
  const all = linesIn(record).filter((l) => !l.retired)
  return groupLinesByHazard(all).map((lines, i) => {
    const head = lines[0] as RiskAssessmentLine
    return {
      lines,
      controls: lines.filter(isControlLine),
      head,
      name: toText(head.hazardName).trim() || `Hazard ${i + 1}`,
      at: `controls[${all.indexOf(head)}]`,
      from: toText(record.copiedFrom),
    }
  })
}

/**
 * Returns the problems that block completion. An assessment needs at least one hazard. Each hazard needs a name, an
 * initial rating, a control and a residual rating that is not above the initial rating, and all its lines must have the
 * same ratings. The residual risk must not be in a band at which work must not go ahead. It needs a reason if it has the highest
 * score, and a reason or a planned control if its band must be reduced. Protective equipment alone needs a reason,
 * planned controls need a person responsible and a date, and copied hazards must be confirmed (Management of Health and
 * Safety at Work Regulations 1999, schedule 1 and Personal Protective Equipment at Work Regulations 1992, regulation
 * 4).
 */
export function riskAssessmentCompletionProblems(record: Values): Violation[] {
  const hazards = hazardsInRecord(record)
  const matrix = riskMatrixFromRecord(record)
  if (!hazards.length) return [violation('controls', 'Please add at least one hazard')]
  return hazards.flatMap((hazard) =>
    RULES.flatMap(([field, wrong]) => {
      const message = wrong(hazard, matrix)
      const code = field === UNCONFIRMED ? UNCONFIRMED : 'invalid'
      return message ? [violation(`${hazard.at}.${field}`, `${hazard.name}: ${message}`, code)] : []
    }),
  )
}

/** Number of required answers per hazard: name, initial rating, control, residual rating. */
const REQUIRED_ANSWERS = 4

/** Counts the required answers for each hazard. A copied hazard has one more required answer, its confirmation. */
export function countRequiredRiskAnswers(record: Values): Readonly<Record<string, number>> {
  const hazards = hazardsInRecord(record)
  if (!hazards.length) return { controls: REQUIRED_ANSWERS }
  return Object.fromEntries(
    hazards.map(({ lines, at }) => [
      at,
      REQUIRED_ANSWERS + (lines.some((l) => l.unconfirmed || l.confirmedBy) ? 1 : 0),
    ]),
  )
}

const written = (value: unknown) => hasVisibleText(toText(value))
const productOf = (p: unknown, s: unknown) => Number(p) * Number(s)
/** Returns the hazard's line that contains the residual rating. */
export const residualRatingLineOf = (hazard: HazardWithLines) =>
  hazard.lines.find((l) => l.residualProbability && l.residualSeverity)

/** Field name and error code for copied hazards that are not confirmed. */
const UNCONFIRMED = 'unconfirmed'

type Rule = readonly [field: string, wrong: (hazard: HazardWithLines, matrix: RiskMatrix) => string | undefined]

const RULES: readonly Rule[] = [
  ['hazardName', ({ head }) => (written(head.hazardName) ? undefined : 'please enter what could cause harm')],
  [
    'probability',
    (hazard) =>
      !hazard.lines.some((l) => l.judged)
        ? 'please rate the probability and severity'
        : differ(hazard)
          ? 'the lines of this hazard have different ratings; please rate the hazard again'
          : undefined,
  ],
  ['controlName', ({ controls }) => (controls.length ? undefined : 'please add a control')],
  ['residualProbability', (hazard, matrix) => wrongWithWhatIsLeft(hazard) ?? stopped(hazard, matrix)],
  ['residualReason', unexplained],
  [
    'ppeReason',
    ({ lines, controls }) =>
      controls.length && controls.every((l) => l.tier === 'ppe') && !lines.some((l) => written(l.ppeReason))
        ? 'please enter why PPE alone is sufficient'
        : undefined,
  ],
  ['plannedFor', (hazard) => undone(hazard, (l) => l.plannedFor, 'by when')],
  [
    UNCONFIRMED,
    ({ lines, from }) =>
      lines.some((l) => l.unconfirmed)
        ? `copied from ${from || 'another document'}: is this still correct?`
        : undefined,
  ],
  [
    'responsible',
    (hazard) => undone(hazard, (l) => toText(l.responsible) || hazard.head.responsible, 'who is responsible for'),
  ],
]

/** Returns true if the hazard's lines have different ratings. */
function differ({ lines }: HazardWithLines): boolean {
  const said = lines
    .filter((l) => l.judged)
    .map((l) => [l.probability, l.severity, l.residualProbability ?? null, l.residualSeverity ?? null].join())
  return new Set(said).size > 1
}

function wrongWithWhatIsLeft(hazard: HazardWithLines): string | undefined {
  if (!hazard.controls.length) return undefined
  const left = residualRatingLineOf(hazard)
  if (!left) return 'please rate the residual risk'
  const judged = hazard.lines.find((l) => l.judged)
  const [after, before] = [
    productOf(left.residualProbability, left.residualSeverity),
    productOf(judged?.probability, judged?.severity),
  ]
  return judged && after > before
    ? `the residual risk (${after}) is higher than the initial risk (${before})`
    : undefined
}

const scoreLeft = (hazard: HazardWithLines): number | undefined => {
  const left = residualRatingLineOf(hazard)
  return left && productOf(left.residualProbability, left.residualSeverity)
}

/** Returns a message if the residual risk is in a band that requires the work to stop. */
function stopped(hazard: HazardWithLines, matrix: RiskMatrix): string | undefined {
  const score = scoreLeft(hazard)
  return score !== undefined && residualRiskRequirement(matrix, score) === 'stop'
    ? `work must not go ahead at a residual risk of ${score} (“${bandForScore(matrix, score).name}”); please reduce the risk`
    : undefined
}

/**
 * Returns a message if a required reason is missing. The highest score needs a reason. A band whose risk must be
 * reduced needs a reason or a planned control.
 */
function unexplained(hazard: HazardWithLines, matrix: RiskMatrix): string | undefined {
  const score = scoreLeft(hazard)
  if (score === undefined || hazard.lines.some((l) => written(l.residualReason))) return undefined
  const requirement = residualRiskRequirement(matrix, score)
  if (requirement === 'reason') return `please enter why a risk of ${MAX_RISK_SCORE} is acceptable, or reduce it`
  return requirement === 'reason or planned control' && !hasPlannedControl(hazard.head, hazard.controls)
    ? `a residual risk of ${score} is “${bandForScore(matrix, score).name}”; please enter why it is acceptable, or add a planned control with the person responsible and a date`
    : undefined
}

/** Returns a message that names the planned controls with a missing value; undefined if no value is missing. */
function undone(
  { controls }: HazardWithLines,
  said: (line: RiskAssessmentLine) => unknown,
  what: string,
): string | undefined {
  const open = controls.filter((l) => l.implemented === 'no' && !written(said(l)))
  if (!open.length) return undefined
  const names = open.map((l) => `“${toText(l.controlName)}”`).join(', ')
  return what === 'by when' ? `please enter by when ${names} will be in place` : `please enter ${what} ${names}`
}

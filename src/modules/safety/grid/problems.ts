import { type Violation, violation } from '#kernel/errors.ts'
import { showsText, textOf } from '#kernel/text.ts'
import { bandAt, matrixIn, type RiskMatrix, WORST } from '../risk-matrix/bands.ts'
import { groupLines, isControl, isToDo, type RiskLine } from './rules.ts'

type Values = Readonly<Record<string, unknown>>

/** A hazard with its lines and its position. */
export interface LinesOfHazard {
  readonly lines: readonly RiskLine[]
  readonly controls: readonly RiskLine[]
  /** Values shared by all its lines. */
  readonly head: RiskLine
  /** Name for messages: the hazard's name, or its number. */
  readonly name: string
  /** Path for its errors: `controls[3]`. */
  readonly at: string
  /** Document it was copied from, if any. */
  readonly from: string
}

const linesIn = (record: Values): readonly RiskLine[] => (Array.isArray(record.controls) ? record.controls : [])

/** Hazards of an assessment, without retired ones. */
export function hazardsIn(record: Values): LinesOfHazard[] {
  const all = linesIn(record).filter((l) => !l.retired)
  return groupLines(all).map((lines, i) => {
    const head = lines[0] as RiskLine
    return {
      lines,
      controls: lines.filter(isControl),
      head,
      name: textOf(head.hazardName).trim() || `Hazard ${i + 1}`,
      at: `controls[${all.indexOf(head)}]`,
      from: textOf(record.copiedFrom),
    }
  })
}

/**
 * Problems that block completion: no hazard; a hazard without name, initial rating, control or residual rating;
 * residual above initial risk; the highest residual risk without a reason; contradicting lines; protective equipment
 * alone without a reason; planned controls without a person and date (Management of Health and Safety at Work
 * Regulations 1999, schedule 1 and Personal Protective Equipment at Work Regulations 1992, regulation 4).
 */
export function riskProblems(record: Values): Violation[] {
  const hazards = hazardsIn(record)
  const matrix = matrixIn(record)
  if (!hazards.length) return [violation('controls', 'Please add at least one hazard')]
  return hazards.flatMap((hazard) =>
    RULES.flatMap(([field, wrong]) => {
      const message = wrong(hazard, matrix)
      const code = field === UNCONFIRMED ? UNCONFIRMED : 'invalid'
      return message ? [violation(`${hazard.at}.${field}`, `${hazard.name}: ${message}`, code)] : []
    }),
  )
}

/** Required answers of each hazard: name, initial rating, control, residual rating. */
const ASKED = 4

/** Number of required answers of each hazard, plus one for the confirmation of a copied one. */
export function riskAsked(record: Values): Readonly<Record<string, number>> {
  const hazards = hazardsIn(record)
  if (!hazards.length) return { controls: ASKED }
  return Object.fromEntries(
    hazards.map(({ lines, at }) => [at, ASKED + (lines.some((l) => l.unconfirmed || l.confirmedBy) ? 1 : 0)]),
  )
}

const written = (value: unknown) => showsText(textOf(value))
const productOf = (p: unknown, s: unknown) => Number(p) * Number(s)
/** Line with the residual rating of a hazard. */
export const leftOf = (hazard: LinesOfHazard) => hazard.lines.find((l) => l.residualProbability && l.residualSeverity)

/** Rule for unconfirmed copied hazards. */
const UNCONFIRMED = 'unconfirmed'

type Rule = readonly [field: string, wrong: (hazard: LinesOfHazard, matrix: RiskMatrix) => string | undefined]

const RULES: readonly Rule[] = [
  ['hazardName', ({ head }) => (written(head.hazardName) ? undefined : 'please enter what could cause harm')],
  [
    'probability',
    (hazard) =>
      !hazard.lines.some((l) => l.judged)
        ? 'please rate its probability and severity'
        : differ(hazard)
          ? 'its lines have different ratings; please rate it again'
          : undefined,
  ],
  ['controlName', ({ controls }) => (controls.length ? undefined : 'please add a control')],
  ['residualProbability', (hazard, matrix) => wrongWithWhatIsLeft(hazard) ?? stopped(hazard, matrix)],
  ['residualReason', unexplained],
  [
    'ppeReason',
    ({ lines, controls }) =>
      controls.length && controls.every((l) => l.tier === 'ppe') && !lines.some((l) => written(l.ppeReason))
        ? 'protective equipment alone needs a reason'
        : undefined,
  ],
  ['plannedFor', (hazard) => undone(hazard, (l) => l.plannedFor, 'by when')],
  [
    UNCONFIRMED,
    ({ lines, from }) =>
      lines.some((l) => l.unconfirmed) ? `copied from ${from || 'another document'}: is it still right?` : undefined,
  ],
  [
    'responsible',
    (hazard) => undone(hazard, (l) => textOf(l.responsible) || hazard.head.responsible, 'who is responsible for'),
  ],
]

/** True if the rated lines contradict each other. */
function differ({ lines }: LinesOfHazard): boolean {
  const said = lines
    .filter((l) => l.judged)
    .map((l) => [l.probability, l.severity, l.residualProbability ?? null, l.residualSeverity ?? null].join())
  return new Set(said).size > 1
}

function wrongWithWhatIsLeft(hazard: LinesOfHazard): string | undefined {
  if (!hazard.controls.length) return undefined
  const left = leftOf(hazard)
  if (!left) return 'please rate the residual risk'
  const judged = hazard.lines.find((l) => l.judged)
  const [after, before] = [
    productOf(left.residualProbability, left.residualSeverity),
    productOf(judged?.probability, judged?.severity),
  ]
  return judged && after > before ? `the residual risk (${after}) is above the initial risk (${before})` : undefined
}

const scoreLeft = (hazard: LinesOfHazard): number | undefined => {
  const left = leftOf(hazard)
  return left && productOf(left.residualProbability, left.residualSeverity)
}

/** A residual risk in a band that stops the work blocks completion. */
function stopped(hazard: LinesOfHazard, matrix: RiskMatrix): string | undefined {
  const score = scoreLeft(hazard)
  const band = score === undefined ? undefined : bandAt(matrix, score)
  return band?.demands === 'stop'
    ? `a residual risk of ${score} is “${band.name}”, which stops the work; please reduce it`
    : undefined
}

/** The highest score needs a reason; a band to be reduced needs a reason or a planned control. */
function unexplained(hazard: LinesOfHazard, matrix: RiskMatrix): string | undefined {
  const score = scoreLeft(hazard)
  if (score === undefined || hazard.lines.some((l) => written(l.residualReason))) return undefined
  if (score >= WORST) return `please enter why a risk of ${WORST} is acceptable, or reduce it`
  const band = bandAt(matrix, score)
  return band.demands === 'reduce' && !isToDo(hazard.head, hazard.controls)
    ? `a residual risk of ${score} is “${band.name}”; please enter why it is acceptable, or add a planned control with the person responsible and a date`
    : undefined
}

/** Message about planned controls with a missing value; undefined if none is missing. */
function undone({ controls }: LinesOfHazard, said: (line: RiskLine) => unknown, what: string): string | undefined {
  const open = controls.filter((l) => l.implemented === 'no' && !written(said(l)))
  if (!open.length) return undefined
  const names = open.map((l) => `“${textOf(l.controlName)}”`).join(', ')
  return what === 'by when' ? `please enter by when ${names} will be in place` : `please enter ${what} ${names}`
}

import { type Violation, violation } from '#kernel/errors.ts'
import { showsText, textOf } from '#kernel/text.ts'
import { bandAt, matrixIn, type RiskMatrix, WORST } from '../risk-matrix/bands.ts'
import { groupLines, isControl, isToDo, type RiskLine } from './rules.ts'

type Values = Readonly<Record<string, unknown>>

/** A hazard of the table: its lines, and where it stands. */
export interface LinesOfHazard {
  readonly lines: readonly RiskLine[]
  readonly controls: readonly RiskLine[]
  /** Its own values: every line of it carries them. */
  readonly head: RiskLine
  /** As a person names it: by its name, or its place. */
  readonly name: string
  /** Where what is wrong with it is found: `controls[3]`. */
  readonly at: string
  /** The document that it came from, where it came with a copy. */
  readonly from: string
}

const linesIn = (record: Values): readonly RiskLine[] => (Array.isArray(record.controls) ? record.controls : [])

/** The hazards of an assessment's table, without what was retired. */
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
 * What stands in the way of completing an assessment's table: no hazard; a hazard without a name, a judgement, a control or a
 * judgement of what is left; more left than there was; the worst left without a reason; lines that contradict each other; only
 * protective equipment without a reason; what is still to do without who and when (Management of Health and Safety at Work
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

/** Each hazard is named, judged, controlled and judged again. */
const ASKED = 4

/** How many questions each hazard asks: one that came with a copy also whether it still holds. */
export function riskAsked(record: Values): Readonly<Record<string, number>> {
  const hazards = hazardsIn(record)
  if (!hazards.length) return { controls: ASKED }
  return Object.fromEntries(
    hazards.map(({ lines, at }) => [at, ASKED + (lines.some((l) => l.unconfirmed || l.confirmedBy) ? 1 : 0)]),
  )
}

const written = (value: unknown) => showsText(textOf(value))
const productOf = (p: unknown, s: unknown) => Number(p) * Number(s)
/** The line of a hazard that judges what is left. */
export const leftOf = (hazard: LinesOfHazard) => hazard.lines.find((l) => l.residualProbability && l.residualSeverity)

/** The rule that a hazard of a copy is asked by. */
const UNCONFIRMED = 'unconfirmed'

type Rule = readonly [field: string, wrong: (hazard: LinesOfHazard, matrix: RiskMatrix) => string | undefined]

const RULES: readonly Rule[] = [
  ['hazardName', ({ head }) => (written(head.hazardName) ? undefined : 'please say what could cause harm')],
  [
    'probability',
    (hazard) =>
      !hazard.lines.some((l) => l.judged)
        ? 'please judge how likely and how severe it is'
        : differ(hazard)
          ? 'its lines are judged differently; please judge it once more'
          : undefined,
  ],
  ['controlName', ({ controls }) => (controls.length ? undefined : 'please say what is done about it')],
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
  ['responsible', (hazard) => undone(hazard, (l) => textOf(l.responsible) || hazard.head.responsible, 'who sees to')],
]

/** Do the lines that somebody has judged say different things? */
function differ({ lines }: LinesOfHazard): boolean {
  const said = lines
    .filter((l) => l.judged)
    .map((l) => [l.probability, l.severity, l.residualProbability ?? null, l.residualSeverity ?? null].join())
  return new Set(said).size > 1
}

function wrongWithWhatIsLeft(hazard: LinesOfHazard): string | undefined {
  if (!hazard.controls.length) return undefined
  const left = leftOf(hazard)
  if (!left) return 'please judge the residual risk'
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

/** What is left in a band that stops the work is not completed at all. */
function stopped(hazard: LinesOfHazard, matrix: RiskMatrix): string | undefined {
  const score = scoreLeft(hazard)
  const band = score === undefined ? undefined : bandAt(matrix, score)
  return band?.demands === 'stop'
    ? `a residual risk of ${score} is “${band.name}”, which stops the work; please reduce it`
    : undefined
}

/** The worst needs a reason; what a band says to reduce needs one, or a control that is still to do. */
function unexplained(hazard: LinesOfHazard, matrix: RiskMatrix): string | undefined {
  const score = scoreLeft(hazard)
  if (score === undefined || hazard.lines.some((l) => written(l.residualReason))) return undefined
  if (score >= WORST) return `please say why a risk of ${WORST} is left, or reduce it`
  const band = bandAt(matrix, score)
  return band.demands === 'reduce' && !isToDo(hazard.head, hazard.controls)
    ? `a residual risk of ${score} is “${band.name}”; please say why it is left, or add a control to do with who sees to it and by when`
    : undefined
}

/** The controls that are still to do and don't say something; nothing where all say it. */
function undone({ controls }: LinesOfHazard, said: (line: RiskLine) => unknown, what: string): string | undefined {
  const open = controls.filter((l) => l.implemented === 'no' && !written(said(l)))
  if (!open.length) return undefined
  const names = open.map((l) => `“${textOf(l.controlName)}”`).join(', ')
  return what === 'by when' ? `please say by when ${names} will be in place` : `please say ${what} ${names}`
}

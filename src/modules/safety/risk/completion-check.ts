import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import { type HazardWithLines, hazardsInRecord, residualRatingLineOf } from '../grid/problems.ts'
import { isControlUnconfirmed, isPpeControl, type RiskAssessmentLine } from '../grid/rules.ts'
import { bandForScore, isHighRiskBand, type RiskMatrix, riskMatrixFromRecord } from '../risk-matrix/bands.ts'
import { parseMethodStatement, statementsInMethodStatement } from '../statements/method-statement.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Returns the points to check before completion: high residual risks, hazards whose only control is protective
 * equipment, and planned controls.
 */
export function checkRiskAssessmentCompletion(record: Values, showDay: (day: string) => string): TypeCompletionCheck {
  const hazards = hazardsInRecord(record)
  const method = parseMethodStatement(record.methodStatement)
  const matrix = riskMatrixFromRecord(record)
  const statements = statementsInMethodStatement(method).length
  const equipment = Array.isArray(record.ppeItems) ? record.ppeItems.length : 0
  const worn = formatCountWithNoun(equipment, 'item of PPE', 'items of PPE')
  const written = [
    ...formatCountWithNoun(statements, 'statement'),
    ...formatCountWithNoun(method.taskSelection.length, 'task'),
  ]
  return {
    sums: [
      ...formatCountWithNoun(hazards.length, 'hazard'),
      ...formatCountWithNoun(hazards.flatMap((h) => h.controls).length, 'control'),
      ...worn,
      ...written,
    ],
    told: { ppe: worn.join(), methodStatement: written.join(', ') },
    looks: [
      {
        title: 'Risks that remain high',
        items: hazards.flatMap((h) => highLeft(h, matrix)).sort((a, b) => b.left - a.left),
      },
      { title: 'Hazards controlled by PPE only', items: hazards.flatMap(equipmentAlone) },
      { title: 'Controls not in place yet', items: hazards.flatMap((h) => undone(h, showDay)) },
      { title: 'Controls to confirm', items: hazards.flatMap(unconfirmed) },
      { title: 'PPE', items: equipment ? [] : findUnlistedPpe(hazards, statementsInMethodStatement(method)) },
    ].filter(({ items }) => items.length > 0),
  }
}

function highLeft(hazard: HazardWithLines, matrix: RiskMatrix) {
  const line = residualRatingLineOf(hazard)
  const [p, s] = [Number(line?.residualProbability), Number(line?.residualSeverity)]
  const left = p * s
  const band = left ? bandForScore(matrix, left) : undefined
  if (!band || !isHighRiskBand(band)) return []
  const { name, rule } = band
  const why = firstSaid(hazard, 'residualReason')
  return [
    {
      text: `${hazard.name}: ${p} × ${s} = ${left}, ${name.toLowerCase()}`,
      detail: why ? `“${why}”` : rule,
      at: `${hazard.at}.residualProbability`,
      left,
    },
  ]
}

function equipmentAlone(hazard: HazardWithLines) {
  const { controls, name, at } = hazard
  if (!controls.length || !controls.every(isPpeControl)) return []
  const why = firstSaid(hazard, 'ppeReason')
  return [{ text: name, ...(why ? { detail: `“${why}”` } : {}), at: `${at}.ppeReason` }]
}

const NAMES_LISTED_PPE = /\b(PPE|protective equipment)\b/i

/** Returns the controls and statements that name PPE, for an assessment that lists none. */
function findUnlistedPpe(
  hazards: readonly HazardWithLines[],
  statements: readonly { readonly title?: unknown; readonly text?: unknown }[],
) {
  const ofHazards = hazards.flatMap(({ name, controls }) =>
    controls.filter(isPpeControl).map((l) => `${name}: ${toText(l.controlName)}`),
  )
  const named = statements.filter(({ text }) => NAMES_LISTED_PPE.test(toText(text))).map(({ title }) => toText(title))
  return [
    ...ofHazards.map((text) => ({ text, detail: 'This control is PPE, but no PPE is listed', at: 'ppe' })),
    ...named.map((text) => ({ text, detail: 'This statement names PPE, but none is listed', at: 'ppe' })),
  ]
}

/** Returns the controls whose type or status (in place or planned) is unknown. */
const unconfirmed = ({ controls, name, at }: HazardWithLines) =>
  controls.filter(isControlUnconfirmed).map((l) => ({
    text: `${name}: ${toText(l.controlName)}`,
    detail: [l.tier ? '' : 'type', l.implementedUnknown && l.implemented !== 'no' ? 'whether it is in place' : '']
      .filter(Boolean)
      .join(' and '),
    at: `${at}.controlName`,
  }))

const undone = ({ controls, name, at, head }: HazardWithLines, showDay: (day: string) => string) =>
  controls
    .filter((l) => l.implemented === 'no')
    .map((l) => ({
      text: `${name}: ${toText(l.controlName)}`,
      detail: [toText(l.plannedFor) && `by ${showDay(toText(l.plannedFor))}`, toText(l.responsible || head.responsible)]
        .filter(Boolean)
        .join(', '),
      at: `${at}.plannedFor`,
    }))

const firstSaid = ({ lines }: HazardWithLines, field: keyof RiskAssessmentLine): string =>
  lines.map((l) => toText(l[field]).trim()).find(Boolean) ?? ''

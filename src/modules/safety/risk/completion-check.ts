import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import { type HazardWithLines, hazardsInRecord, residualRatingLineOf } from '../grid/problems.ts'
import type { RiskAssessmentLine } from '../grid/rules.ts'
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
  if (!controls.length || !controls.every((l) => l.tier === 'ppe')) return []
  const why = firstSaid(hazard, 'ppeReason')
  return [{ text: name, ...(why ? { detail: `“${why}”` } : {}), at: `${at}.ppeReason` }]
}

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

import { countOf, textOf } from '#kernel/text.ts'
import type { Checked } from '#modules/documents/types/checked.ts'
import { hazardsIn, type LinesOfHazard, leftOf } from '../grid/problems.ts'
import type { RiskLine } from '../grid/rules.ts'
import { bandAt, isHigh, matrixIn, type RiskMatrix } from '../risk-matrix/bands.ts'
import { methodOf, statementsIn } from '../statements/chosen.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * Completion check of an assessment: residual high risks, hazards protected by equipment alone, and planned controls.
 */
export function checkedRisks(record: Values, showDay: (day: string) => string): Checked {
  const hazards = hazardsIn(record)
  const method = methodOf(record.methodStatement)
  const matrix = matrixIn(record)
  const statements = statementsIn(method).length
  const equipment = Array.isArray(record.ppeItems) ? record.ppeItems.length : 0
  const worn = countOf(equipment, 'piece of protective equipment', 'pieces of protective equipment')
  const written = [...countOf(statements, 'statement'), ...countOf(method.taskSelection.length, 'task')]
  return {
    sums: [
      ...countOf(hazards.length, 'hazard'),
      ...countOf(hazards.flatMap((h) => h.controls).length, 'control'),
      ...worn,
      ...written,
    ],
    told: { ppe: worn.join(), methodStatement: written.join(', ') },
    looks: [
      {
        title: 'Risks that remain high',
        items: hazards.flatMap((h) => highLeft(h, matrix)).sort((a, b) => b.left - a.left),
      },
      { title: 'Protected by PPE only', items: hazards.flatMap(equipmentAlone) },
      { title: 'Not in place yet', items: hazards.flatMap((h) => undone(h, showDay)) },
    ].filter(({ items }) => items.length > 0),
  }
}

function highLeft(hazard: LinesOfHazard, matrix: RiskMatrix) {
  const line = leftOf(hazard)
  const [p, s] = [Number(line?.residualProbability), Number(line?.residualSeverity)]
  const left = p * s
  const band = left ? bandAt(matrix, left) : undefined
  if (!band || !isHigh(band)) return []
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

function equipmentAlone(hazard: LinesOfHazard) {
  const { controls, name, at } = hazard
  if (!controls.length || !controls.every((l) => l.tier === 'ppe')) return []
  const why = firstSaid(hazard, 'ppeReason')
  return [{ text: name, ...(why ? { detail: `“${why}”` } : {}), at: `${at}.ppeReason` }]
}

const undone = ({ controls, name, at, head }: LinesOfHazard, showDay: (day: string) => string) =>
  controls
    .filter((l) => l.implemented === 'no')
    .map((l) => ({
      text: `${name}: ${textOf(l.controlName)}`,
      detail: [textOf(l.plannedFor) && `by ${showDay(textOf(l.plannedFor))}`, textOf(l.responsible || head.responsible)]
        .filter(Boolean)
        .join(', '),
      at: `${at}.plannedFor`,
    }))

const firstSaid = ({ lines }: LinesOfHazard, field: keyof RiskLine): string =>
  lines.map((l) => textOf(l[field]).trim()).find(Boolean) ?? ''

import { textOf } from '#kernel/text.ts'
import { groupLines, isControl, type RiskLine } from '../grid/rules.ts'
import { bandOf, DEMANDS, type RiskMatrix } from '../risk-matrix/bands.ts'

type Line = Readonly<Record<string, unknown>> & RiskLine

/** An assessment's lines as a person counts them: each hazard once, with its judgement in the words of its matrix and its controls. */
export const hazardsOf = (lines: readonly Line[], matrix: RiskMatrix): Readonly<Record<string, unknown>>[] =>
  groupLines(lines).map((group) => {
    const first = group[0] as Line
    const left = group.find((l) => l.residualProbability && l.residualSeverity)
    return {
      title: first.hazardName,
      description: first.description,
      whoMightBeHarmed: first.persons,
      risk: group.some((l) => l.judged) ? judgementWords(matrix, first.probability, first.severity) : 'Not yet judged',
      controls: group
        .filter(isControl)
        .map((l) => `${String(l.controlName)}${plannedWords(l)}`)
        .join('\n'),
      riskThatIsLeft: left ? judgementWords(matrix, left.residualProbability, left.residualSeverity) : '',
      responsible: [...new Set(group.map((l) => l.responsible).filter(Boolean))].join(', '),
      whyItMayBeLeft: group.map((l) => l.residualReason).find(Boolean) ?? '',
      whyEquipmentAlone: group.map((l) => l.ppeReason).find(Boolean) ?? '',
    }
  })

const plannedWords = ({ implemented, plannedFor }: Line) =>
  implemented !== 'no' ? '' : plannedFor ? ` (planned for ${textOf(plannedFor)})` : ' (planned)'

const judgementWords = (matrix: RiskMatrix, p: unknown, s: unknown) =>
  `${Number(p) * Number(s)}, ${bandOf(matrix, Number(p), Number(s)).name}: ${matrix.probability[Number(p) - 1] ?? ''} × ${matrix.severity[Number(s) - 1] ?? ''}`

/** The bands of a matrix as a person reads them. */
export const bandsTold = ({ bands }: RiskMatrix): Readonly<Record<string, unknown>>[] =>
  bands.map(({ from, to, name, demands, rule }) => ({
    title: name,
    scores: `${from} to ${to}`,
    whatIsToBeDone: rule,
    demands: DEMANDS.find((d) => d.value === demands)?.label ?? '',
  }))

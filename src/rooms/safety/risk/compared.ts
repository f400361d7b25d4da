import { textOf } from '#kernel/text.ts'
import { groupLines, isControl, PROBABILITY, type RiskLine, SEVERITY } from '../grid/rules.ts'

type Line = Readonly<Record<string, unknown>> & RiskLine

/** An assessment's lines as a person counts them: each hazard once, with its judgement in words and its controls. */
export const hazardsOf = (lines: readonly Line[]): Readonly<Record<string, unknown>>[] =>
  groupLines(lines).map((group) => {
    const first = group[0] as Line
    const left = group.find((l) => l.residualProbability && l.residualSeverity)
    return {
      title: first.hazardName,
      description: first.description,
      whoMightBeHarmed: first.persons,
      risk: group.some((l) => l.judged) ? judgementWords(first.probability, first.severity) : 'Not yet judged',
      controls: group
        .filter(isControl)
        .map((l) => `${String(l.controlName)}${plannedWords(l)}`)
        .join('\n'),
      riskThatIsLeft: left ? judgementWords(left.residualProbability, left.residualSeverity) : '',
      responsible: [...new Set(group.map((l) => l.responsible).filter(Boolean))].join(', '),
      whyItMayBeLeft: group.map((l) => l.residualReason).find(Boolean) ?? '',
      whyEquipmentAlone: group.map((l) => l.ppeReason).find(Boolean) ?? '',
    }
  })

const plannedWords = ({ implemented, plannedFor }: Line) =>
  implemented !== 'no' ? '' : plannedFor ? ` (planned for ${textOf(plannedFor)})` : ' (planned)'

const judgementWords = (p: unknown, s: unknown) =>
  `${Number(p) * Number(s)}: ${PROBABILITY[Number(p) - 1] ?? ''} × ${SEVERITY[Number(s) - 1] ?? ''}`

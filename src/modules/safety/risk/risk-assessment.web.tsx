import { toText } from '#kernel/text.ts'
import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { groupLinesByHazard, isControlLine, type RiskAssessmentLine } from '../grid/rules.ts'
import { controlTierLabel } from '../library/hazard.ts'
import { bandForRisk, RISK_BAND_REQUIREMENTS, type RiskMatrix, riskMatrixFromRecord } from '../risk-matrix/bands.ts'
import { checkRiskAssessmentCompletion } from './completion-check.ts'
import { riskAssessment } from './risk-assessment.ts'

type ComparableRiskLine = Readonly<Record<string, unknown>> & RiskAssessmentLine

/**
 * Groups an assessment's lines by hazard for comparison. Each hazard has its controls, and its ratings in the words of
 * the matrix.
 */
const comparableHazards = (
  lines: readonly ComparableRiskLine[],
  matrix: RiskMatrix,
): Readonly<Record<string, unknown>>[] =>
  groupLinesByHazard(lines).map((group) => {
    const first = group[0] as ComparableRiskLine
    const left = group.find((l) => l.residualProbability && l.residualSeverity)
    return {
      title: first.hazardName,
      group: first.group,
      description: first.description,
      whoMightBeHarmed: first.persons,
      risk: group.some((l) => l.judged) ? judgementWords(matrix, first.probability, first.severity) : 'Not yet rated',
      controls: group.filter(isControlLine).map(controlWords).join('\n'),
      riskThatIsLeft: left ? judgementWords(matrix, left.residualProbability, left.residualSeverity) : '',
      responsible: [...new Set(group.map((l) => l.responsible).filter(Boolean))].join(', '),
      whyItMayBeLeft: group.map((l) => l.residualReason).find(Boolean) ?? '',
      whyEquipmentAlone: group.map((l) => l.ppeReason).find(Boolean) ?? '',
    }
  })

/** Returns everything that is printed about a control: its type, name, place and description. */
function controlWords(line: ComparableRiskLine): string {
  const { tier, controlName, controlDescription, implemented, implementedUnknown, plannedFor } = line
  const place = implemented === 'no' ? 'planned' : implementedUnknown ? 'in place?' : 'in place'
  const when = plannedFor ? `, planned for ${formatIsoAsUkDate(toText(plannedFor))}` : ''
  const description = toText(controlDescription).trim()
  return `${controlTierLabel(tier) || 'Type not stated'}: ${toText(controlName)} (${place}${when})${description ? `. ${description}` : ''}`
}

const judgementWords = (matrix: RiskMatrix, p: unknown, s: unknown) =>
  `${Number(p) * Number(s)}, ${bandForRisk(matrix, Number(p), Number(s)).name}: ${matrix.probability[Number(p) - 1] ?? ''} × ${matrix.severity[Number(s) - 1] ?? ''}`

const comparableBands = ({ bands }: RiskMatrix): Readonly<Record<string, unknown>>[] =>
  bands.map(({ from, to, name, demands, rule }) => ({
    title: name,
    scores: `${from} to ${to}`,
    whatIsToBeDone: rule,
    demands: RISK_BAND_REQUIREMENTS.find((d) => d.value === demands)?.label ?? '',
  }))

const HIGH_RISK = {
  value: 'high',
  label: 'High',
  asks: { risk: '', current: 'true', highRisk: 'true' },
}

export default {
  kind: riskAssessment,
  custom: {
    controls: () => import('../grid/grid.web.tsx').then((m) => ({ default: m.HazardGrid })),
    ppe: () => import('../library/ppe-picker.web.tsx').then((m) => ({ default: m.PpeField })),
    methodStatement: () =>
      import('../statements/method-field.web.tsx').then((m) => ({
        default: m.createMethodStatementField('Sequence of work'),
      })),
  },
  body: () => import('./body.web.tsx'),
  beside: () => import('./planned-controls.web.tsx'),
  filters: ({ site }) => [
    { key: 'risk', label: 'Residual risk', options: [HIGH_RISK] },
    ...(site
      ? [
          {
            key: 'site',
            label: 'Location',
            options: [{ value: site, label: site, asks: { site: '', 'location[exact]': site } }],
          },
        ]
      : []),
  ],
  check: (record) => checkRiskAssessmentCompletion(record, formatIsoAsUkDate),
  compare: {
    omit: ['ppe', 'parentDocumentNumber'],
    labels: {
      ppeItems: 'PPE',
      'matrix.probability': 'Probability names',
      'matrix.severity': 'Severity names',
      'matrix.bands': 'Risk bands',
    },
    rows: (
      field: string,
      rows: readonly Readonly<Record<string, unknown>>[],
      record: Readonly<Record<string, unknown>>,
    ) => {
      const matrix = riskMatrixFromRecord(record)
      return field === 'controls'
        ? comparableHazards(rows, matrix)
        : field === 'matrix.bands'
          ? comparableBands(matrix)
          : rows
    },
  },
} satisfies DocumentTypeScreens

import { quoteCsvCell } from '#kernel/text.ts'
import { ANALYSIS_GROUPINGS, FORMULAS, GROUPING_LABELS, type IncidentAnalysis } from './analysis.ts'
import { formatMonthRange } from './months.ts'
import { MIN_PEOPLE } from './small-groups.ts'

type CsvRow = readonly [figure: string, group: string, period: string, value: number | null, formula: string]

/** Text of a figure that is not shown, or that lacks a fact. */
const NOT_AVAILABLE = 'Not available'

/** Returns the analysis as CSV: one row for each figure, with its period and its formula. */
export function formatAnalysisCsv(analysis: IncidentAnalysis): string {
  const { health, rates } = analysis
  const period = formatMonthRange(analysis.months)
  const healthPeriod = formatMonthRange(health.months)
  const ratePeriod = rates?.months ? formatMonthRange(rates.months) : ''
  const rows: readonly CsvRow[] = [
    ['Incidents', 'All', period, analysis.incidents.count, FORMULAS.incidents],
    ['Near misses', 'All', period, analysis.nearMisses.count, FORMULAS.nearMisses],
    ['Accidents', 'All', period, analysis.accidents.count, FORMULAS.accidents],
    ['Near misses for each accident', 'All', period, analysis.nearMissRatio, FORMULAS.nearMissRatio],
    ['Days lost', 'All', healthPeriod, health.daysLost?.days ?? null, FORMULAS.daysLost],
    ...ANALYSIS_GROUPINGS.flatMap((by) =>
      analysis.groups[by].map(({ label, count }): CsvRow => [GROUPING_LABELS[by], label, period, count, FORMULAS[by]]),
    ),
    ...health.bodyParts.map(
      ({ label, count }): CsvRow => ['Part of the body', label, healthPeriod, count, FORMULAS.bodyParts],
    ),
    ...(health.smallGroupsWithheld
      ? [
          [
            'Part of the body',
            `Other parts, each with fewer than ${MIN_PEOPLE} people or combined with them`,
            healthPeriod,
            health.otherParts,
            FORMULAS.bodyParts,
          ] satisfies CsvRow,
        ]
      : []),
    ...(rates?.rates ?? []).flatMap(({ label, perEmployees, perHours }): CsvRow[] => [
      ['Rate per 100,000 employees', label, ratePeriod, perEmployees, FORMULAS.perEmployees],
      ['Rate per 1,000,000 hours', label, ratePeriod, perHours, FORMULAS.perHours],
    ]),
  ]
  const lines = rows.map(([figure, group, of, value, formula]) =>
    [
      quoteCsvCell(figure),
      quoteCsvCell(group),
      quoteCsvCell(of),
      value === null ? quoteCsvCell(NOT_AVAILABLE) : String(value),
      quoteCsvCell(formula),
    ].join(','),
  )
  return `\uFEFF${[['Figure', 'Group', 'Period', 'Value', 'Formula'].map(quoteCsvCell).join(','), ...lines].join('\r\n')}\r\n`
}

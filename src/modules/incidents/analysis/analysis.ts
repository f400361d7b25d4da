import { INCIDENT_PATHS, REPORTS_URL } from '../reports/paths.ts'
import { buildMonthsFilter, formatMonthSpan, type MonthSpan } from './months.ts'

export const ANALYSIS_URL = '/api/safety/incident_analysis'
/** List of incidents by health details, for users who may read them. */
export const BY_INJURY_URL = `${REPORTS_URL}/by_injury`

/** Fields that can be empty in an incident. */
type EmptyField = 'incidentType' | 'site' | 'department' | 'mainFactor'

/** Incidents counted in a figure, as filters of the accident book. */
export interface IncidentRows {
  readonly months: MonthSpan
  readonly site?: string
  readonly department?: string
  readonly incidentType?: string
  readonly nearMiss?: 'true' | 'false'
  readonly mainFactor?: string
  /** With an injured party. */
  readonly injured?: 'true'
  readonly riddorDecision?: 'reportable'
  /** Field without a value. */
  readonly notSaid?: EmptyField
  /** Health details, which only some users may ask for. */
  readonly bodyPart?: string
  readonly lostTime?: 'true'
}

/** Returns the API query for the rows counted in a figure: reported incidents that are not deleted. */
export const queryOfRows = ({ months, notSaid, ...equal }: IncidentRows): Readonly<Record<string, string>> => ({
  retired: 'false',
  'exists[reportedAt]': 'true',
  ...buildMonthsFilter('datetime', months),
  ...(notSaid ? { [`exists[${notSaid}]`]: 'false' } : {}),
  ...equal,
})

/** Returns the URL of the list with the rows counted in a figure. */
export const listUrlOfRows = ({
  bodyPart,
  lostTime,
}: {
  readonly bodyPart?: string
  readonly lostTime?: string
}): string => (bodyPart || lostTime ? BY_INJURY_URL : REPORTS_URL)

/** Returns the path of the accident book with the rows counted in a figure. */
export const pathOfRows = ({ months, ...equal }: IncidentRows): string =>
  `${INCIDENT_PATHS.book}?${new URLSearchParams({ show: 'reported', months: formatMonthSpan(months), ...equal })}`

export interface AnalysisFigure {
  readonly count: number
  /** Missing if the user may not read the rows. */
  readonly rows?: IncidentRows
}

export interface AnalysisGroup extends AnalysisFigure {
  readonly key: string
  readonly label: string
}

export const ANALYSIS_GROUPINGS = ['month', 'kind', 'cause', 'site', 'department'] as const
export type AnalysisGrouping = (typeof ANALYSIS_GROUPINGS)[number]

export const GROUPING_LABELS: Readonly<Record<AnalysisGrouping, string>> = {
  month: 'Month',
  kind: 'Kind',
  cause: 'Main factor',
  site: 'Site',
  department: 'Department',
}

export interface HealthFigures {
  /** Months to which these figures refer. */
  readonly months: MonthSpan
  /** True if groups of fewer than three people are withheld, because the user may not read health details. */
  readonly smallGroupsWithheld: boolean
  readonly bodyParts: readonly AnalysisGroup[]
  /** Sum of the parts that are not shown; null if it would cover fewer than three people. */
  readonly otherParts: number | null
  /** Days lost, and the incidents with days lost; null if not shown. */
  readonly daysLost: { readonly days: number; readonly incidents: AnalysisFigure } | null
}

export interface AnalysisRate extends AnalysisFigure {
  readonly label: string
  readonly perEmployees: number | null
  readonly perHours: number | null
}

export interface RateFigures {
  /** Completed months; null if there are none. */
  readonly months: MonthSpan | null
  /** Hours worked, and average number of employees; null if a month lacks the value. */
  readonly hours: number | null
  readonly headcount: number | null
  readonly missingHours: readonly string[]
  readonly missingHeadcount: readonly string[]
  readonly rates: readonly AnalysisRate[]
}

export interface IncidentAnalysis {
  readonly months: MonthSpan
  readonly site: string
  readonly department: string
  readonly incidents: AnalysisFigure
  readonly nearMisses: AnalysisFigure
  readonly accidents: AnalysisFigure
  /** Near misses for each accident; null without an accident. */
  readonly nearMissRatio: number | null
  readonly groups: Readonly<Record<AnalysisGrouping, readonly AnalysisGroup[]>>
  readonly health: HealthFigures
  /**
   * Null if the analysis covers only a site or department, because hours and employees are entered for the whole
   * company.
   */
  readonly rates: RateFigures | null
}

/** Formula of each figure, as shown with the figure. */
export const FORMULAS = {
  incidents: 'Reported incidents that are not deleted, by the date on which they happened.',
  nearMisses: 'Incidents marked as a near miss.',
  accidents: 'Incidents that are not marked as a near miss.',
  nearMissRatio: 'Near misses ÷ accidents.',
  month: 'Incidents by the month in which they happened, in London time.',
  kind: 'Incidents by their kind.',
  cause: 'Incidents with an injured party who has this main factor. An incident can count for several.',
  site: 'Incidents by their site.',
  department: 'Incidents by their department.',
  bodyParts: 'Incidents in which this part of an injured party’s body was hurt. An incident can count for several.',
  daysLost:
    'Days on which injured parties could not do their work, up to today, with rest days and without the day of the accident, for incidents of this period.',
  perEmployees: 'Incidents ÷ average number of employees in these months × 100,000, not projected to a year.',
  perHours: 'Incidents ÷ hours worked in these months × 1,000,000.',
} as const

import { problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { titlesOf } from '#server/data/titles.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { lookups } from '../lookups/lookup.ts'
import { INCIDENT_READER_ROLE } from '../rights.ts'
import { incidentDepartment } from '../settings/incident-department.ts'
import {
  type AnalysisFigure,
  type AnalysisGroup,
  type HealthFigures,
  type IncidentAnalysis,
  type IncidentRows,
  queryOfRows,
  type RateFigures,
} from './analysis.ts'
import {
  completedMonths,
  formatMonth,
  lastCompleteYear,
  listMonths,
  londonMonth,
  MAX_MONTHS,
  type MonthSpan,
  monthStart,
  parseMonths,
  usualMonths,
} from './months.ts'
import {
  countInjured,
  countPeopleByBodyPart,
  type DaysLost,
  type InjuredFigures,
  sumDaysLost,
} from './people-figures.server.ts'
import {
  calculateRatePerEmployees,
  calculateRatePerHours,
  nearMissRatio,
  summariseWorkforce,
  type WorkforceValues,
} from './rates.ts'
import { type CountedGroup, countReports } from './report-figures.server.ts'
import { MIN_PEOPLE, type PeopleGroup, withholdSmallGroups } from './small-groups.ts'
import { workforceMonth } from './workforce-month.ts'

type Reading = Pick<RouteContext, 'engine' | 'me' | 'now' | 'query'>

/** Parses the months of an analysis; by default, the last twelve. Throws 400 for months that are not in order, or too many. */
function monthsOf({ query, now }: Reading): MonthSpan {
  const given = firstQueryValue(query.months)
  const months = given ? parseMonths(given) : usualMonths(londonMonth(now))
  if (!months) throw problem.badRequest('"months" must be a first and a last month, such as 2025-12..2026-11.')
  if (listMonths(months).length > MAX_MONTHS) throw problem.badRequest('An analysis covers five years at most.')
  return months
}

function idParameter({ query }: Reading, name: 'site' | 'department'): string {
  const given = firstQueryValue(query[name])
  if (given && !/^\d{1,15}$/.test(given)) throw problem.badRequest(`"${name}" must be an ID.`)
  return given
}

export async function analyseIncidents(c: Reading): Promise<IncidentAnalysis> {
  const months = monthsOf(c)
  const [site, department] = [idParameter(c, 'site'), idParameter(c, 'department')]
  const all: IncidentRows = { months, ...(site ? { site } : {}), ...(department ? { department } : {}) }
  const [figures, injured, entered, ownHealth] = await Promise.all([
    countReports(c, queryOfRows(all), months),
    countInjured(c, queryOfRows(all), monthStart(londonMonth(c.now))),
    site || department ? null : readWorkforce(c, months),
    readHealth(c, all),
  ])
  const total = figures.months.values().reduce((sum, count) => sum + count, 0)
  const { nearMisses } = figures
  const noFactor = { key: '', count: total - injured.withMainFactor }
  const causes = [...injured.mainFactors, ...(noFactor.count ? [noFactor] : [])]
  const [health, kind, cause, sites, departments] = await Promise.all([
    labelHealth(c, all, ownHealth, injured),
    labelGroups(c, all, 'incidentType', lookups.categories, figures.kinds),
    labelGroups(c, all, 'mainFactor', lookups.mainFactors, causes),
    labelGroups(c, all, 'site', incidentSite, figures.sites),
    labelGroups(c, all, 'department', incidentDepartment, figures.departments),
  ])
  return {
    months,
    site,
    department,
    incidents: { count: total, rows: all },
    nearMisses: { count: nearMisses, rows: { ...all, nearMiss: 'true' } },
    accidents: { count: total - nearMisses, rows: { ...all, nearMiss: 'false' } },
    nearMissRatio: nearMissRatio(nearMisses, total - nearMisses),
    groups: {
      month: listMonths(months).map((month) => ({
        key: month,
        label: formatMonth(month),
        count: figures.months.get(month) ?? 0,
        rows: { ...all, months: { from: month, to: month } },
      })),
      kind,
      cause,
      site: sites,
      department: departments,
    },
    health,
    rates: entered && ratesOf(completedMonths(months, londonMonth(c.now)), entered, injured),
  }
}

/**
 * Adds a label and a list filter to groups by a relation, the largest group first. The group without a value comes
 * last.
 */
async function labelGroups(
  { engine, me }: Reading,
  all: IncidentRows,
  field: 'incidentType' | 'site' | 'department' | 'mainFactor',
  of: Resource,
  counted: readonly CountedGroup[],
): Promise<AnalysisGroup[]> {
  const ids = counted.flatMap(({ key }) => (key ? [Number(key)] : []))
  const titles = ids.length ? await titlesOf(engine.db.read, me, of, ids) : new Map<number, string>()
  return counted
    .map(({ key, count }) => ({
      key,
      label: key ? (titles.get(Number(key)) ?? key) : 'Not stated',
      count,
      rows: key ? { ...all, [field]: key } : { ...all, notSaid: field },
    }))
    .sort(
      (a, b) =>
        Number(a.key === '') - Number(b.key === '') || b.count - a.count || a.label.localeCompare(b.label, 'en-GB'),
    )
}

interface HealthRows {
  readonly rows: IncidentRows
  readonly isReader: boolean
  /** Groups by body part, with their people, for users who may not read health details. */
  readonly groups: readonly PeopleGroup[]
  readonly lost: DaysLost
}

/**
 * Reads the figures on health details. Users who may not read these details get the figures for the last complete
 * calendar year, for the whole company and without small groups. Neither filters nor a sliding period can then reveal
 * one person as the difference between two figures.
 */
async function readHealth(c: Reading, all: IncidentRows): Promise<HealthRows> {
  const isReader = hasRole(c.me, INCIDENT_READER_ROLE)
  const rows = isReader ? all : { months: lastCompleteYear(all.months, londonMonth(c.now)) }
  const [groups, lost] = await Promise.all([
    isReader ? [] : countPeopleByBodyPart(c, queryOfRows(rows)),
    sumDaysLost(c, queryOfRows(rows), londonDate(c.now).toString()),
  ])
  return { rows, isReader, groups, lost }
}

/** Returns the figures on health details that the user may see. */
async function labelHealth(
  { engine, me }: Reading,
  all: IncidentRows,
  { rows, isReader, groups, lost }: HealthRows,
  injured: InjuredFigures,
): Promise<HealthFigures> {
  const { shown, others } = isReader ? { shown: injured.bodyParts, others: 0 } : withholdSmallGroups(groups)
  const ids = shown.map(({ key }) => Number(key))
  const titles = await titlesOf(engine.db.read, me, lookups.bodyParts, ids)
  const withRows = (count: number, more: Partial<IncidentRows>): AnalysisFigure => ({
    count,
    ...(isReader ? { rows: { ...all, ...more } } : {}),
  })
  return {
    months: rows.months,
    smallGroupsWithheld: !isReader,
    bodyParts: shown
      .map(({ key, count }) => ({
        key,
        label: titles.get(Number(key)) ?? key,
        ...withRows(count, { bodyPart: key }),
      }))
      .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label, 'en-GB')),
    otherParts: others,
    daysLost:
      isReader || lost.people >= MIN_PEOPLE
        ? { days: lost.days, incidents: withRows(lost.incidents, { lostTime: 'true' }) }
        : null,
  }
}

async function readWorkforce({ engine, me }: Reading, { from, to }: MonthSpan): Promise<WorkforceValues[]> {
  const query = { 'month[after]': `${from}-01`, 'month[before]': `${to}-01` }
  const page = { limit: MAX_MONTHS, offset: 0 }
  const { members } = await engine.list(workforceMonth, me, query, page, { count: false })
  return members.map(({ month, hours, headcount }) => ({ month: month.slice(0, 7), hours, headcount }))
}

/** Returns the whole company's rates for the completed months. */
function ratesOf(
  months: MonthSpan | undefined,
  entered: readonly WorkforceValues[],
  injured: InjuredFigures,
): RateFigures {
  if (!months) return { months: null, ...summariseWorkforce([], []), rates: [] }
  const listed = listMonths(months)
  const workforce = summariseWorkforce(listed, entered)
  const rows: IncidentRows = { months, injured: 'true' }
  const rate = (label: string, of: IncidentRows, count: number) => {
    const [perEmployees, perHours] = [
      calculateRatePerEmployees(count, workforce),
      calculateRatePerHours(count, workforce),
    ]
    return { label, count, rows: of, perEmployees, perHours }
  }
  return {
    months,
    ...workforce,
    rates: [
      rate('Incidents with an injured party', rows, injured.completed),
      rate('Of these, reportable under RIDDOR', { ...rows, riddorDecision: 'reportable' }, injured.completedReportable),
    ],
  }
}

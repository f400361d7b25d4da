import { toSearchForm } from '#kernel/text/search.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { matchingRowsCondition } from '#server/data/matching-rows.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { INJURED_PARTY_SQL } from '../reports/row-filters.server.ts'
import { countDaysLost } from '../riddor/clocks.ts'
import type { AbsencePeriod } from '../riddor/facts.ts'
import type { PeopleGroup } from './small-groups.ts'

type Reading = Pick<RouteContext, 'engine' | 'me'>

/** Local time of an incident in London. */
const LONDON_TIME_SQL = `(t.happened_at AT TIME ZONE '${LONDON_TIME_ZONE}')`

/** Reads rows of incidents `t` and their injured parties `p` that match a list's query, within the actor's access. */
async function readInjuredParties(
  { engine, me }: Reading,
  query: RequestQuery,
  {
    columns,
    where = [],
    groupBy,
    around = (text) => text,
  }: {
    readonly columns: (next: (value: unknown) => string) => string
    readonly where?: readonly string[]
    readonly groupBy?: string
    /** Returns a query over the rows. */
    readonly around?: (text: string) => string
  },
): Promise<readonly (readonly unknown[])[]> {
  const v = new BoundValues()
  const matching = matchingRowsCondition(incidentReport, me, query, engine.extraFilters(incidentReport, query), v)
  if (!matching) return []
  const text = `SELECT ${columns(v.next)} FROM incident_report t JOIN incident_person p ON ${INJURED_PARTY_SQL} WHERE ${[...matching, ...where].join(' AND ')}${groupBy ? ` GROUP BY ${groupBy}` : ''}`
  return engine.db.read.arrays(prepareSql(around(text)), v.list)
}

interface CountedGroup {
  readonly key: string
  readonly count: number
}

/** Numbers of incidents with an injured party. */
export interface InjuredFigures {
  readonly mainFactors: readonly CountedGroup[]
  /** Incidents with any main factor. */
  readonly withMainFactor: number
  readonly bodyParts: readonly CountedGroup[]
  /** Incidents before the current month. */
  readonly completed: number
  /** Of these, the ones that a person decided to be reportable under RIDDOR. */
  readonly completedReportable: number
}

/** Values of `grouping()` for the columns by which incidents with an injured party are counted. */
const [BY_FACTOR, BY_PART, BY_STATED, BY_COMPLETED] = [7, 11, 13, 14]
const GROUPS = 'GROUP BY GROUPING SETS ((factor), (part), (stated), (completed))'
const KEY = 'grouping(factor, part, stated, completed), coalesce(factor, part, stated, completed)::text'

/**
 * Counts incidents by main factor, part of the body and RIDDOR decision of their injured parties, in one pass. Most
 * incidents have one injured party, and are counted without comparing them with others.
 */
export async function countInjured(c: Reading, query: RequestQuery, thisMonth: string): Promise<InjuredFigures> {
  const rows = await readInjuredParties(c, query, {
    columns: (
      next,
    ) => `t.id, p.main_factor_id AS factor, p.body_part_id AS part, (p.main_factor_id IS NOT NULL)::int AS stated,
      CASE WHEN t.happened_at >= ${next(thisMonth)}::timestamptz THEN 0 WHEN t.riddor_decision = 'reportable' THEN 2 ELSE 1 END AS completed,
      count(*) OVER (PARTITION BY t.id) AS parties`,
    around: (text) => `WITH injured AS MATERIALIZED (${text})
      SELECT ${KEY}, count(*) FROM injured WHERE parties = 1 ${GROUPS}
      UNION ALL SELECT ${KEY}, count(DISTINCT id) FROM injured WHERE parties > 1 ${GROUPS}`,
  })
  const counts = new Map<string, number>()
  for (const [set, key, count] of rows) {
    const name = `${Number(set)} ${key === null ? '' : String(key as string)}`
    counts.set(name, (counts.get(name) ?? 0) + Number(count))
  }
  const groups = (set: number) =>
    [...counts].flatMap(([name, count]) => {
      const [of, key] = name.split(' ')
      return Number(of) === set && key ? [{ key, count }] : []
    })
  const [reportable, others] = [counts.get(`${BY_COMPLETED} 2`) ?? 0, counts.get(`${BY_COMPLETED} 1`) ?? 0]
  return {
    mainFactors: groups(BY_FACTOR),
    withMainFactor: counts.get(`${BY_STATED} 1`) ?? 0,
    bodyParts: groups(BY_PART),
    completed: reportable + others,
    completedReportable: reportable,
  }
}

/** Names of a group that are compared. Several spellings of one name are one person. */
const MAX_COMPARED_NAMES = 20

/**
 * Counts incidents by the injured part of the body, with different people of each group. Injured parties without a name
 * count as one person, and so do two people with the same name.
 */
export async function countPeopleByBodyPart(c: Reading, query: RequestQuery): Promise<PeopleGroup[]> {
  const rows = await readInjuredParties(c, query, {
    columns: () =>
      `p.body_part_id::text, count(DISTINCT t.id), (array_agg(DISTINCT lower(p.name)))[1:${MAX_COMPARED_NAMES}]`,
    where: ['p.body_part_id IS NOT NULL'],
    groupBy: 'p.body_part_id',
  })
  return rows.map(([key, count, names]) => ({
    key: key as string,
    count: Number(count),
    people: [...new Set((names as string[]).map(toSearchForm))],
  }))
}

export interface DaysLost {
  readonly days: number
  /** Incidents with days lost. */
  readonly incidents: number
  /** Different people with days lost. */
  readonly people: number
}

/** Adds up the days lost by the injured parties, up to today. */
export async function sumDaysLost(c: Reading, query: RequestQuery, today: string): Promise<DaysLost> {
  const rows = await readInjuredParties(c, query, {
    columns: () => `t.id, ${LONDON_TIME_SQL}::date::text, p.absences, lower(p.name)`,
    where: ['p.absences IS NOT NULL', "jsonb_typeof(p.absences) = 'array'"],
  })
  const lost = rows.flatMap(([id, day, absences, person]) => {
    const days = countDaysLost(absences as readonly AbsencePeriod[], String(day), today)
    return days ? [{ id, days, person }] : []
  })
  return {
    days: lost.reduce((sum, { days }) => sum + days, 0),
    incidents: new Set(lost.map(({ id }) => id)).size,
    people: new Set(lost.map(({ person }) => toSearchForm(String(person)))).size,
  }
}

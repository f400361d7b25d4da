import { toSearchForm } from '#kernel/text/search.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { INJURED_PARTY_SQL } from '../reports/row-filters.server.ts'
import { countDaysLost } from '../riddor/clocks.ts'
import type { AbsencePeriod } from '../riddor/facts.ts'
import { type CountedGroup, type FiguresContext, type FiguresQuery, readReports } from './report-figures.server.ts'
import type { PeopleGroup } from './small-groups.ts'

/** Local time of an incident in London. */
const LONDON_TIME_SQL = `(t.happened_at AT TIME ZONE '${LONDON_TIME_ZONE}')`

/** Reads rows of incidents `t` and their injured parties `p`. */
const readInjuredParties = <T>(c: FiguresContext, query: RequestQuery, more: FiguresQuery) =>
  readReports<T>(c, query, { ...more, join: ` JOIN incident_person p ON ${INJURED_PARTY_SQL}` })

/** Counts of incidents by a value. An incident that is added several times under one value counts once. */
class IncidentCounts {
  private readonly counts = new Map<string, number>()
  private readonly seen = new Set<string>()

  /** Adds an incident by its ID, or a number of different incidents without IDs. */
  add(key: string, id: string | number | null, count: number): void {
    if (id !== null && this.seen.has(`${key} ${id}`)) return
    if (id !== null) this.seen.add(`${key} ${id}`)
    this.counts.set(key, this.of(key) + (id === null ? count : 1))
  }

  of(key: string): number {
    return this.counts.get(key) ?? 0
  }

  groups(): CountedGroup[] {
    return [...this.counts].map(([key, count]) => ({ key, count }))
  }
}

/** Numbers of incidents with an injured party. */
export interface InjuredFigures {
  readonly mainFactors: readonly CountedGroup[]
  /** Incidents with any main factor. */
  readonly withMainFactor: number
  readonly bodyParts: readonly CountedGroup[]
  /** Incidents before the current month. */
  readonly completed: number
  /** Of these, the incidents that a person decided were reportable under RIDDOR. */
  readonly completedReportable: number
}

/** Incidents of the current month, of earlier months and reportable, and the others of earlier months. */
const [CURRENT, REPORTABLE, OTHER] = ['0', '1', '2']
const ANY_FACTOR = 'any'

interface InjuredRow {
  readonly isByFactor: boolean
  readonly factor: number | string | null
  readonly part: number | string | null
  readonly stage: number | null
  /** ID of an incident with several injured parties. */
  readonly separate: number | string | null
  readonly count: number | string
}

/**
 * Counts incidents by main factor, part of the body and RIDDOR decision of their injured parties, in one pass. Most
 * incidents have one injured party, and the database counts them; the others are returned separately.
 */
export async function countInjured(c: FiguresContext, query: RequestQuery, thisMonth: string): Promise<InjuredFigures> {
  const rows = await readInjuredParties<InjuredRow>(c, query, {
    columns: (next) => `t.id, p.main_factor_id AS factor, p.body_part_id AS part,
      CASE WHEN t.happened_at >= ${next(thisMonth)}::timestamptz THEN ${CURRENT} WHEN t.riddor_decision = 'reportable' THEN ${REPORTABLE} ELSE ${OTHER} END AS stage,
      count(*) OVER (PARTITION BY t.id) AS parties`,
    around: (text) => `SELECT grouping(factor) = 0 AS "isByFactor", factor, part, stage, separate, count(*)
      FROM (SELECT *, CASE WHEN parties > 1 THEN id END AS separate FROM (${text}) i) i
      GROUP BY GROUPING SETS ((factor, stage, separate), (part, separate))`,
  })
  const [mainFactors, bodyParts] = [new IncidentCounts(), new IncidentCounts()]
  const [stated, stages] = [new IncidentCounts(), new IncidentCounts()]
  for (const { isByFactor, factor, part, stage, separate, count } of rows) {
    const add = (to: IncidentCounts, key: number | string | null) => {
      if (key !== null) to.add(String(key), separate, Number(count))
    }
    if (!isByFactor) {
      add(bodyParts, part)
      continue
    }
    add(mainFactors, factor)
    add(stated, factor && ANY_FACTOR)
    add(stages, stage)
  }
  const reportable = stages.of(REPORTABLE)
  return {
    mainFactors: mainFactors.groups(),
    withMainFactor: stated.of(ANY_FACTOR),
    bodyParts: bodyParts.groups(),
    completed: stages.of(OTHER) + reportable,
    completedReportable: reportable,
  }
}

/** Maximum number of names compared in a group. Several spellings of one name are one person. */
const MAX_COMPARED_NAMES = 20

/**
 * Counts incidents by the injured part of the body, with the different people in each group. Injured parties without a
 * name count as one person, and so do two people with the same name.
 */
export async function countPeopleByBodyPart(c: FiguresContext, query: RequestQuery): Promise<PeopleGroup[]> {
  const rows = await readInjuredParties<{ key: string; count: number | string; names: string[] }>(c, query, {
    columns: () =>
      `p.body_part_id::text AS key, count(DISTINCT t.id), (array_agg(DISTINCT lower(p.name)))[1:${MAX_COMPARED_NAMES}] AS names`,
    where: ['p.body_part_id IS NOT NULL'],
    groupBy: 'p.body_part_id',
  })
  return rows.map(({ key, count, names }) => ({
    key,
    count: Number(count),
    people: [...new Set(names.map(toSearchForm))],
  }))
}

export interface DaysLost {
  readonly days: number
  /** Incidents with days lost. */
  readonly incidents: number
  /** Different people with days lost. */
  readonly people: number
}

interface AbsenceRow {
  readonly id: number | string
  readonly day: string
  readonly absences: unknown
  readonly person: string
}

/** Adds up the days lost by the injured parties, up to today. */
export async function sumDaysLost(c: FiguresContext, query: RequestQuery, today: string): Promise<DaysLost> {
  const rows = await readInjuredParties<AbsenceRow>(c, query, {
    columns: () => `t.id, ${LONDON_TIME_SQL}::date::text AS day, p.absences, lower(p.name) AS person`,
    where: ['p.absences IS NOT NULL'],
  })
  const lost = rows.flatMap(({ id, day, absences, person }) => {
    const days = Array.isArray(absences) ? countDaysLost(absences as AbsencePeriod[], day, today) : 0
    return days ? [{ id, days, person }] : []
  })
  return {
    days: lost.reduce((sum, { days }) => sum + days, 0),
    incidents: new Set(lost.map(({ id }) => id)).size,
    people: new Set(lost.map(({ person }) => toSearchForm(person))).size,
  }
}

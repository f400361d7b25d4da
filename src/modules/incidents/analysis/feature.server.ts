import { problem, violation } from '#kernel/errors.ts'
import { integer, text } from '#kernel/fields.ts'
import { londonDate } from '#kernel/time.ts'
import { firstQueryValue, type RequestQuery } from '#server/data/filters.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { confidentialField, logConfidentialRead } from '#server/engine/confidential-reads.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { incidentPerson } from '../people/incident-person.ts'
import { incidentReport } from '../reports/incident-report.ts'
import { hasInjuredPartySql } from '../reports/row-filters.server.ts'
import { INCIDENT_BOOK_ROLES, INCIDENT_READER_ROLE } from '../rights.ts'
import { analyseIncidents } from './analysis.server.ts'
import { ANALYSIS_URL, BY_INJURY_URL } from './analysis.ts'
import { formatAnalysisCsv } from './csv.ts'
import { workforceMonth } from './workforce-month.ts'

const workforceBehaviour = behaviour(workforceMonth, {
  beforeSave: ({ values, now }) => {
    const month = values.month?.slice(0, 7)
    if (month && `${month}-01` > londonDate(now).toString())
      throw problem.invalid([violation('month', 'This month is in the future')])
    return month ? { month: `${month}-01` } : undefined
  },
})

const query = {
  months: text({ help: 'First and last month, such as 2025-12..2026-11. If left out, the last twelve months.' }),
  site: integer(),
  department: integer(),
}

const analysisRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: ANALYSIS_URL,
    title: 'Count incidents by month, kind, main factor, site, department and part of the body, with rates',
    allow: INCIDENT_BOOK_ROLES,
    query,
    handle: async (c) => ({ '@id': ANALYSIS_URL, '@type': 'IncidentAnalysis', ...(await analyseIncidents(c)) }),
  },
  {
    method: 'GET',
    path: `${ANALYSIS_URL}/export.csv`,
    title: 'Download the analysis of incidents as a CSV file',
    allow: INCIDENT_BOOK_ROLES,
    query,
    file: ['text/csv'],
    handle: async (c) =>
      new RouteResponse(200, Buffer.from(formatAnalysisCsv(await analyseIncidents(c))), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="incident-analysis.csv"',
      }),
  },
]

/** SQL condition for an injured party `p` who lost at least one day after the accident and up to `today`. */
const lostTimeSql = (today: string) =>
  `EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(p.absences) WHEN 'array' THEN p.absences ELSE '[]' END) a
    WHERE greatest((a->>'from')::date, (t.happened_at AT TIME ZONE 'Europe/London')::date + 1) <= least(coalesce((a->>'until')::date, ${today}), ${today}))`

/** Returns the conditions for incidents by part of the body or days lost. Throws 400 without either. */
function injuryConditions(asked: RequestQuery, today: string): QueryCondition[] {
  const bodyPart = firstQueryValue(asked.bodyPart)
  const isLostTime = firstQueryValue(asked.lostTime) === 'true'
  if (!/^\d{1,15}$/.test(bodyPart) && !isLostTime)
    throw problem.badRequest('Please state "bodyPart" with an ID, or "lostTime=true".')
  return [
    ...(bodyPart
      ? [{ sql: (next: (v: unknown) => string) => hasInjuredPartySql(`p.body_part_id = ${next(bodyPart)}::bigint`) }]
      : []),
    ...(isLostTime
      ? [{ sql: (next: (v: unknown) => string) => hasInjuredPartySql(lostTimeSql(`${next(today)}::date`)) }]
      : []),
  ]
}

const { bodyPart, absences } = incidentPerson.fields
const injuryFields = {
  bodyPart: confidentialField('personnel.bodyPart', bodyPart),
  lostTime: confidentialField('personnel.absences', absences),
}

/** Incidents by health details of their people. Each listed incident is logged as a confidential read. */
const byInjuryRoute = listRoute(
  incidentReport,
  BY_INJURY_URL,
  'List incidents by the injured part of the body, or those with days lost',
  (c) => ({ extra: injuryConditions(c.query, londonDate(c.now).toString()) }),
  {
    allow: INCIDENT_READER_ROLE,
    query: {
      bodyPart: integer({ label: bodyPart.label }),
      lostTime: text({ help: '`true`: only incidents with days lost.' }),
    },
    onListed: async ({ engine, me, query: asked }, { members }) => {
      const fields = Object.entries(injuryFields).flatMap(([name, field]) => (asked[name] ? [field] : []))
      await engine.db.tx({ clientId: me.clientId }, async (tx) => {
        for (const { id, number } of members as readonly { id: number; number?: string }[])
          await logConfidentialRead(tx, me, {
            clientId: me.clientId,
            resource: incidentReport,
            id,
            title: number,
            fields,
          })
      })
    },
  },
)

export const incidentAnalysis = feature({
  pack: 'safety',
  resources: [workforceMonth],
  behaviours: [workforceBehaviour],
  routes: [...analysisRoutes, byInjuryRoute],
})

import { problem } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import { defaultValuesOf } from '#server/data/plan.ts'
import type { Route } from '#server/engine/route.ts'
import { listRoute } from '#server/http/list-route.ts'
import { PLACE_FIELDS } from '../incident-facts.ts'
import { INCIDENT_REPORTER_ROLES } from '../rights.ts'
import { incidentForm } from './form.ts'
import { incidentReport } from './incident-report.ts'

/**
 * Values of a copy: the place and the work. The description, the people and the decisions belong to one incident and
 * are not copied.
 */
const COPIED = [
  'nearMiss',
  'incidentType',
  ...PLACE_FIELDS,
  'department',
  'supportDepartments',
  'subActivity',
  'workProcess',
  'mainIndustry',
] as const

const writable = Object.entries(incidentReport.fields).flatMap(([name, f]) =>
  ('readonly' in f && f.readonly) || ('visible' in f && f.visible === 'nobody') ? [] : [name],
)

/** Returns an incident that is not saved, with the given values. */
function unsavedIncident(values: Readonly<Record<string, unknown>>) {
  const defaults = defaultValuesOf(incidentReport.fields)
  const blank = Object.fromEntries(writable.map((name) => [name, defaults[name] ?? null]))
  return { '@type': incidentReport.type, ...blank, personnel: [], riskLinks: [], dangerousOccurrences: [], ...values }
}

const blankRoute = (path: string, title: string, nearMiss: boolean): Route => ({
  method: 'GET',
  path: `${incidentReport.url}/${path}`,
  title,
  allow: INCIDENT_REPORTER_ROLES,
  handle: async () => unsavedIncident({ nearMiss }),
})

/** Unsaved models, the form, and the search of incidents (safety section 7). */
export const incidentModelRoutes: readonly Route[] = [
  listRoute(incidentReport, `${incidentReport.url}/search`, 'Search incidents', (c) => ({
    query: { retired: 'false', ...c.query },
  })),
  {
    method: 'GET',
    path: `${incidentReport.url}/schema`,
    title: 'Get the form of an incident',
    allow: INCIDENT_REPORTER_ROLES,
    handle: async () => ({ ...incidentForm }),
  },
  blankRoute('create_new', 'Get a blank incident', false),
  blankRoute('create_near_miss', 'Get a blank near miss', true),
  {
    method: 'GET',
    path: `${incidentReport.url}/{id}/copy`,
    title: 'Get a copy of an incident: its place and work, without what happened and who was involved',
    allow: INCIDENT_REPORTER_ROLES,
    handle: async ({ engine, me, params }) => {
      const id = parseId(params.id)
      if (id === undefined) throw problem.notFound()
      const source = await engine.oneAsListed(incidentReport, me, id)
      return unsavedIncident(Object.fromEntries(COPIED.map((name) => [name, source[name]])))
    },
  },
]

import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { document } from '#modules/documents/types/document.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { FigureSeries, GroupFigure } from '#server/data/totals.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { riskAssessment } from '../risk/risk-assessment.ts'
import {
  RESELLER_CLIENT_FIGURES_PATH,
  REVIEW_SOON_DAYS,
  type ResellerClientFigures,
  SAFETY_FIGURES_PATH,
  SAFETY_TASKS,
  type SafetyFigures,
  type SafetyTask,
  type SafetyTaskCount,
} from './figures.ts'

/** Returns the list filters that find the documents with each task. */
function asked(c: RouteContext): Record<SafetyTask, RequestQuery> {
  const today = londonDate(c.now)
  const [now, soon] = [today.toString(), today.add({ days: REVIEW_SOON_DAYS }).toString()]
  const kept = { retired: 'false' }
  return {
    late: { ...kept, current: 'true', 'reviewDue[strictly_before]': now },
    soon: { ...kept, current: 'true', 'reviewDue[after]': now, 'reviewDue[before]': soon },
    approve: { ...kept, state: 'complete' },
    unsigned: { ...kept, waiting: 'true' },
  }
}

const seriesOf = (c: RouteContext, more: RequestQuery, by: readonly string[]): FigureSeries[] =>
  SAFETY_TASKS.map((name) => ({ name, of: document, where: { ...asked(c)[name], ...more }, by, sum: 'missing' }))

const toDo = (f: GroupFigure, task: SafetyTask, kind: string | null | undefined): SafetyTaskCount => ({
  task,
  kind: kind ?? '',
  documents: f.count,
  signatures: task === 'unsigned' ? f.sum : 0,
})
const taskOf = (f: GroupFigure): SafetyTask | undefined => SAFETY_TASKS.find((name) => name === f.series)

async function ownFigures(c: RouteContext): Promise<SafetyFigures> {
  const own = { client: String(c.me.clientId) }
  const inForce = { state: 'current', deleted: 'false', ...own }
  const high = { current: 'true', retired: 'false', highRisk: 'true' }
  const found = await c.engine.figures(c.me, [
    ...seriesOf(c, own, ['kind']),
    { name: 'in force', of: document, where: inForce, by: ['kind'] },
    { name: 'high', of: riskAssessment.resource, where: { ...high, ...own }, by: ['location'] },
  ])
  return {
    today: londonDate(c.now).toString(),
    inForce: found.filter((f) => f.series === 'in force').map((f) => ({ kind: f.by[0] ?? '', documents: f.count })),
    toDo: found.flatMap((f) => {
      const task = taskOf(f)
      return task ? [toDo(f, task, f.by[0])] : []
    }),
    highRisk: found
      .filter((f) => f.series === 'high')
      .map((f) => ({ site: f.by[0] ?? null, documents: f.count }))
      .toSorted((a, b) => b.documents - a.documents || (a.site ?? '').localeCompare(b.site ?? '')),
  }
}

async function clientFigures(c: RouteContext): Promise<ResellerClientFigures> {
  const series = seriesOf(c, {}, ['client', 'kind']).map(
    (one): FigureSeries => ({ ...one, acrossResellerClients: true }),
  )
  const found = await c.engine.figures(c.me, series)
  return {
    today: londonDate(c.now).toString(),
    toDo: found.flatMap((f) => {
      const [client, kind] = f.by
      const task = taskOf(f)
      const theirs = Number(client)
      return task && theirs !== c.me.clientId && theirs !== PROVIDER_CLIENT_ID
        ? [{ client: theirs, ...toDo(f, task, kind) }]
        : []
    }),
  }
}

/** Route that returns a company's open document tasks and its locations with high residual risk. */
const safetyFiguresRoute: Route = {
  pack: 'safety',
  method: 'GET',
  path: SAFETY_FIGURES_PATH,
  title:
    'Count documents by type (in force, to be reviewed, approved or signed), and assessments with a high residual risk by location',
  allow: DOCUMENT_AUTHOR_ROLES,
  handle: async (c) => ({ '@id': SAFETY_FIGURES_PATH, ...(await ownFigures(c)) }),
}

/** Route that returns the open document tasks of a reseller's clients, without the documents' content. */
const clientFiguresRoute: Route = {
  method: 'GET',
  path: RESELLER_CLIENT_FIGURES_PATH,
  title: 'Count the documents to be reviewed, approved or signed, for each client of a reseller',
  allow: 'ROLE_RESELLER',
  handle: async (c) => ({ '@id': RESELLER_CLIENT_FIGURES_PATH, ...(await clientFigures(c)) }),
}

export const safetyFiguresFeature = feature({
  routes: [clientFiguresRoute, safetyFiguresRoute],
})

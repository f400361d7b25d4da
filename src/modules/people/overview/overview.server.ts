import type { Resource } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { FigureSeries } from '#server/data/totals.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { IN_SERVICE } from '../employees/employee-fields.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { PEOPLE_PATHS } from '../nav.ts'
import { RIGHT_TO_WORK_PATHS } from '../right-to-work/nav.ts'
import { rightToWorkStatus } from '../right-to-work/right-to-work.ts'
import { HR_ROLES } from '../rights.ts'
import {
  firstOverviewDay,
  type OverviewFigure,
  PEOPLE_OVERVIEW_URL,
  type PeopleOverview,
  type StarterWithoutStatement,
} from './overview.ts'

/** A figure: the query that counts it, and the query of the screen that lists its rows. */
interface Figure {
  readonly label: string
  /** Resource that is counted; records of employees by default. */
  readonly of?: Resource
  readonly where: Readonly<Record<string, string>>
  readonly rows: string
}

const list = (query: string) => `${PEOPLE_PATHS.list}${query}`

const peopleFigures = (since: string, today: string): Readonly<Record<string, Figure>> => ({
  headcount: { label: 'Employees', where: { ...IN_SERVICE, isSubby: 'false' }, rows: list('?isSubby=false') },
  subcontractors: { label: 'Subcontractors', where: { ...IN_SERVICE, isSubby: 'true' }, rows: list('?isSubby=true') },
  joiners: {
    label: 'Joined in the last 12 months',
    where: { ...IN_SERVICE, 'extCStartDate[after]': since, 'extCStartDate[before]': today },
    rows: list('?joined=recently'),
  },
  starting: { label: 'Starting', where: { ...IN_SERVICE, state: 'starting' }, rows: list('?state=starting') },
  leaving: { label: 'Leaving', where: { ...IN_SERVICE, state: 'leaving' }, rows: list('?state=leaving') },
  leavers: {
    label: 'Left in the last 12 months',
    where: { retired: 'true', 'leavingDate[after]': since },
    rows: `${PEOPLE_PATHS.retired}?left=recently`,
  },
})

const without = (field: string, label: string): Figure => ({
  label,
  where: { ...IN_SERVICE, [`exists[${field}]`]: 'false' },
  rows: list(`?notSaid=${field}`),
})

const MISSING: Readonly<Record<string, Figure>> = {
  start: without('extCStartDate', 'Employment start date'),
  manager: without('manager', 'Manager'),
  department: without('department', 'Department'),
  site: without('site', 'Site'),
  account: { label: 'Account', where: { ...IN_SERVICE, linked: 'false' }, rows: list('?linked=false') },
}

const STARTERS = { ...IN_SERVICE, statement: 'due' } as const

/** Employees without a complete written statement, which is due on the first day (Employment Rights Act 1996, section 1). */
const STATEMENTS: Readonly<Record<string, Figure>> = {
  statementMissing: {
    label: 'In service without a complete one',
    where: { ...IN_SERVICE, statement: 'missing' },
    rows: list('?statement=missing'),
  },
  statementDue: { label: 'Starting without a complete one', where: STARTERS, rows: list('?statement=due') },
}

const MAX_STARTERS = 20

/** Reads the next starters without a written statement, by first day, on which it is due. */
async function readStarters({ engine, me }: Pick<RouteContext, 'engine' | 'me'>): Promise<StarterWithoutStatement[]> {
  const query = { ...STARTERS, 'order[extCStartDate]': 'asc' }
  const page = { limit: MAX_STARTERS, offset: 0 }
  const { members } = await engine.list(employeeRecord, me, query, page, { count: false })
  return members.map(({ id, name, extCStartDate }) => ({ id, name, dueOn: extCStartDate ?? '' }))
}

const rightToWork = (label: string, where: Readonly<Record<string, string>>): Figure => ({
  label,
  of: rightToWorkStatus,
  where,
  rows: `${RIGHT_TO_WORK_PATHS.list}?${new URLSearchParams(where)}`,
})

const EXPIRIES: Readonly<Record<string, Figure>> = {
  rightToWorkDue: rightToWork('Right to work: check again within 60 days', { ...IN_SERVICE, state: 'due' }),
  rightToWorkOverdue: rightToWork('Right to work: check overdue', { ...IN_SERVICE, state: 'overdue' }),
  rightToWorkMissing: rightToWork('Right to work: not checked', {
    ...IN_SERVICE,
    subcontractor: 'false',
    state: 'notChecked',
  }),
  rightToWorkToDestroy: rightToWork('Right to work: checks to be destroyed', { retired: 'true', state: 'toDestroy' }),
}

const overviewRoute: Route = {
  method: 'GET',
  path: PEOPLE_OVERVIEW_URL,
  title: 'Count employees, joiners, leavers, missing details and expiries',
  allow: HR_ROLES,
  handle: async ({ engine, me, now }) => {
    const today = londonDate(now).toString()
    const people = peopleFigures(firstOverviewDay(today), today)
    const all = { ...people, ...MISSING, ...STATEMENTS, ...EXPIRIES }
    const series = Object.entries(all).map(
      ([name, { where, of = employeeRecord }]): FigureSeries => ({ name, of, where }),
    )
    const counted = await engine.figures(me, series)
    const countOf = (name: string) => counted.find((one) => one.series === name)?.count ?? 0
    const figures = (of: Readonly<Record<string, Figure>>): OverviewFigure[] =>
      Object.entries(of).map(([name, { label, rows }]) => ({ name, label, count: countOf(name), rows }))
    const answer: PeopleOverview = {
      people: figures(people),
      missing: figures(MISSING),
      statements: figures(STATEMENTS),
      starters: await readStarters({ engine, me }),
      expiries: figures(EXPIRIES),
    }
    return { ...answer }
  },
}

export const overview = feature({ pack: 'employees', routes: [overviewRoute] })

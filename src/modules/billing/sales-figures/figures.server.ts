import { lastIriSegment } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { dateRangeFilter, recentMondays } from '#kernel/weeks.ts'
import { recordedCall } from '#modules/crm/calls/call.ts'
import { callOutcome } from '#modules/crm/outcomes/outcome.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { FigureSeries, GroupFigure } from '#server/data/totals.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { quote } from '../quotes/quote.ts'
import { INVOICING_PACK, STAFF_ROLE } from '../rights.ts'
import { PAST_WEEKS_SHOWN, SALES_FIGURES_URL, type SalesFigures } from './figures.ts'

/** Maximum number of people in the figures; no provider employs more. */
const MAX_PEOPLE = 1000
/** ID that matches no record; used for users without a staff record. */
const NOBODY = '-1'

/**
 * Returns whether the user sees the work of all staff, as lead administrators do. Others see their own work and that of
 * the staff who report to them.
 */
const seesAll = (c: RouteContext) => hasRole(c.me, 'ROLE_LEADS_ADMIN')

async function sellersFor(c: RouteContext) {
  const theirs: RequestQuery = seesAll(c) ? {} : { user: [c.me.userId, ...(c.me.team ?? [])].map(String) }
  const query = { tray: 'false', 'order[name]': 'asc', ...theirs }
  return (await c.engine.list(staff, c.me, query, { limit: MAX_PEOPLE, offset: 0 }, { count: false })).members
}

/** Returns the lists to count, with the same filters as the call and quote screens. */
function seriesFor(c: RouteContext, ids: readonly number[]): FigureSeries[] {
  const today = londonDate(c.now)
  const weeks = recentMondays(today, PAST_WEEKS_SHOWN)
  const [from, end] = [weeks[0] ?? today, (weeks.at(-1) ?? today).add({ weeks: 1 })]
  const of = (field: string): RequestQuery => (seesAll(c) ? {} : { [field]: ids.length ? ids.map(String) : NOBODY })
  const calls = { retired: 'false', ...of('user') }
  const money = { by: ['owner', 'currency'], sum: 'total' }
  return [
    {
      name: 'calls',
      of: recordedCall,
      where: { ...calls, ...dateRangeFilter('createdAt', from, end) },
      by: ['user', 'lastResult'],
      week: 'createdAt',
      sum: 'minutes',
    },
    {
      name: 'callsToday',
      of: recordedCall,
      where: { ...calls, ...dateRangeFilter('createdAt', today, today.add({ days: 1 })) },
      by: ['user'],
    },
    {
      name: 'sent',
      of: quote,
      where: { ...of('owner'), ...dateRangeFilter('sentAt', from, end) },
      week: 'sentAt',
      ...money,
    },
    {
      name: 'accepted',
      of: quote,
      where: { ...of('owner'), state: 'accepted', ...dateRangeFilter('decidedAt', from, end) },
      week: 'decidedAt',
      ...money,
    },
  ]
}

const personIn = ({ by: [person = null] }: GroupFigure) => (person === null ? null : Number(person))

async function figuresFor(c: RouteContext): Promise<SalesFigures> {
  const sellers = await sellersFor(c)
  const { members: outcomes } = await c.engine.list(
    callOutcome,
    c.me,
    {},
    { limit: MAX_PEOPLE, offset: 0 },
    { count: false },
  )
  const found = await c.engine.figures(
    c.me,
    seriesFor(
      c,
      sellers.map((s) => s.id),
    ),
  )
  const named = (name: string) => found.filter((f) => f.series === name)
  const worked = new Set(found.map(personIn))
  const done = (f: GroupFigure) => ({ person: personIn(f), week: f.week ?? '', count: f.count })
  const offered = (f: GroupFigure) => ({ ...done(f), currency: f.by[1] ?? '', pence: f.sum })
  const today = londonDate(c.now)
  return {
    today: today.toString(),
    weeks: recentMondays(today, PAST_WEEKS_SHOWN).map(String),
    people: sellers
      .filter((s) => !s.retired || worked.has(s.id))
      .map(({ id, name, user, callsPerDay }) => ({
        '@id': iriOf(staff, id),
        id,
        name,
        user: user === null ? null : Number(lastIriSegment(user)),
        callsPerDay,
      })),
    calls: named('calls').map((f) => {
      const result = Number(f.by[1])
      const way = outcomes.find(({ id }) => id === result)?.meaning ?? 'later'
      return { ...done(f), result, way, minutes: f.sum }
    }),
    callsToday: named('callsToday').map((f) => ({ person: personIn(f), count: f.count })),
    sent: named('sent').map(offered),
    accepted: named('accepted').map(offered),
  }
}

const figuresRoute: Route = {
  method: 'GET',
  path: SALES_FIGURES_URL,
  title: 'Get calls, quotes and revenue by person for this week and the last eight weeks, for your team or yourself',
  allow: STAFF_ROLE,
  handle: async (c) => ({ '@id': SALES_FIGURES_URL, ...(await figuresFor(c)) }),
}

export const salesFigures = feature({
  pack: INVOICING_PACK,
  routes: [figuresRoute],
})

import { text } from '#kernel/fields.ts'
import { londonDate } from '#kernel/time.ts'
import { readDayParameter } from '#server/engine/day-range.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { SELLER_ROLE } from '../rights.ts'
import {
  canSeeAllFigures,
  type DatePeriod,
  type SellerFigures,
  sellersVisibleTo,
  type WorkSpan,
  type WorkTotal,
  workTotalsVisibleTo,
} from './figures.server.ts'

const MONEY = 'GBP'
/** Years in one yearly answer. */
const YEARS = 5

interface Sums {
  readonly calls: number
  readonly minutes: number
  readonly sales: number
  /** Pence excluding VAT, of sales in pounds. */
  readonly amount: number
}

const sumsOf = (work: readonly WorkTotal[]): Sums => {
  const sum = (what: WorkTotal['what'], of: (one: WorkTotal) => number) =>
    work.reduce((n, one) => (one.what === what ? n + of(one) : n), 0)
  return {
    calls: sum('call', (one) => one.count),
    minutes: sum('call', (one) => one.amount),
    sales: sum('sale', (one) => one.count),
    amount: sum('sale', (one) => (one.kind === MONEY ? one.amount : 0)),
  }
}

/** The span that contains a day: its first and last day. */
export function periodOf(day: Temporal.PlainDate, span: WorkSpan): DatePeriod {
  const from = span === 'day' ? day : span === 'month' ? day.with({ day: 1 }) : day.with({ month: 1, day: 1 })
  const next = from.add(span === 'day' ? { days: 1 } : span === 'month' ? { months: 1 } : { years: 1 })
  return { from: from.toString(), to: next.subtract({ days: 1 }).toString() }
}

const askedDay = (c: RouteContext) => Temporal.PlainDate.from(readDayParameter(c, 'date', londonDate(c.now).toString()))

const query = { date: text({ help: 'A day within the span, such as 2026-11-25; today if left out.' }) }
const named = ({ '@id': iri, id, name }: SellerFigures) => ({ '@id': iri, id, name })

/** Top sellers of a day, month or year, visible to the whole team. */
const top = (span: WorkSpan): Route => ({
  method: 'GET',
  path: `/api/sales/top_users/${span}`,
  title: `Top ten sellers in a ${span}, by amount and number of sales`,
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const period = periodOf(askedDay(c), span)
    const [people, work] = [await sellersVisibleTo(c, true), await workTotalsVisibleTo(c, span, period, undefined)]
    const users = people
      .map((p) => ({ ...named(p), ...sumsOf(work.filter((w) => w.person === p.id)) }))
      .filter((p) => p.sales > 0)
      .sort((a, b) => b.amount - a.amount || b.sales - a.sales)
      .slice(0, 10)
      .map(({ calls: _calls, minutes: _minutes, ...p }) => p)
    return { '@id': `/api/sales/top_users/${span}?date=${period.from}`, ...period, users }
  },
})

const company: Route = {
  method: 'GET',
  path: '/api/sales/company/month',
  title: 'Calls and sales of the company in each month of a year',
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const year = periodOf(askedDay(c), 'year')
    const work = await workTotalsVisibleTo(c, 'month', year, undefined)
    const months = monthsOf(year).map((month) => ({ month, ...sumsOf(work.filter((w) => w.from === month)) }))
    return { '@id': `/api/sales/company/month?date=${year.from}`, ...year, months }
  },
}

const monthsOf = ({ from }: DatePeriod) =>
  Array.from({ length: 12 }, (_, n) => Temporal.PlainDate.from(from).add({ months: n }).toString())

/** Figures by person: everybody for managers, otherwise the reader's team and the reader. */
async function byPerson(c: RouteContext, span: 'month' | 'year', period: DatePeriod, spans: readonly string[]) {
  const people = await sellersVisibleTo(c)
  const work = await workTotalsVisibleTo(c, span, period, canSeeAllFigures(c) ? undefined : people.map((p) => p.id))
  const worked = Map.groupBy(work, (w) => w.person)
  return people.flatMap((p) => {
    const own = worked.get(p.id) ?? []
    return own.length || !p.retired
      ? [
          {
            ...named(p),
            [`${span}s`]: spans.map((at) => ({ [span]: at, ...sumsOf(own.filter((w) => w.from === at)) })),
          },
        ]
      : []
  })
}

const userByMonth: Route = {
  method: 'GET',
  path: '/api/sales/users/month',
  title: 'Calls and sales of each person in each month of a year: of everybody, or of one’s team and oneself',
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const year = periodOf(askedDay(c), 'year')
    const users = await byPerson(c, 'month', year, monthsOf(year))
    return { '@id': `/api/sales/users/month?date=${year.from}`, ...year, users }
  },
}

const userByYear: Route = {
  method: 'GET',
  path: '/api/sales/users/year',
  title: `Calls and sales of each person in ${YEARS} years up to a year: of everybody, or of one’s team and oneself`,
  allow: SELLER_ROLE,
  query,
  handle: async (c) => {
    const last = Temporal.PlainDate.from(periodOf(askedDay(c), 'year').from)
    const years = Array.from({ length: YEARS }, (_, n) => last.subtract({ years: YEARS - 1 - n }).toString())
    const period = { from: years[0] ?? '', to: last.add({ years: 1 }).subtract({ days: 1 }).toString() }
    return {
      '@id': `/api/sales/users/year?date=${last.toString()}`,
      ...period,
      users: await byPerson(c, 'year', period, years),
    }
  },
}

export const salesServiceRoutes: readonly Route[] = [
  top('day'),
  top('month'),
  top('year'),
  company,
  userByMonth,
  userByYear,
]

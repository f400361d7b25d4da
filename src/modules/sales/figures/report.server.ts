import { problem } from '#kernel/errors.ts'
import { choice, text } from '#kernel/fields.ts'
import { londonDate } from '#kernel/time.ts'
import { formulaSafeCell } from '#modules/crm/imports/row.ts'
import { firstOf } from '#server/data/filters.ts'
import { readDayRange } from '#server/engine/day-range.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { SEE_ALL_SALES_ROLES, SELLER_ROLE } from '../rights.ts'
import { canSeeAllFigures, type DatePeriod } from './figures.server.ts'
import { figuresFromLists, figuresFromTotals, type ReportGroup, usesRunningTotals } from './numbers.server.ts'
import {
  defaultPeriod,
  GROUPING_LABELS,
  type Measure,
  REPORTS_URL,
  type Report,
  type ReportAnswer,
  type ReportRow,
} from './report.ts'
import { REPORTS } from './reports.ts'
import { salesServiceRoutes } from './service.server.ts'
import { sourceCost } from './source-cost.ts'

const CSV = 'text/csv; charset=utf-8'
/** Maximum days in one report. */
const MOST_DAYS = 3660

/** The requested period, or the report's default. */
function periodOf(c: RouteContext, report: Report): DatePeriod {
  const usual = defaultPeriod(report, londonDate(c.now))
  const { from, to } = readDayRange(c, usual)
  if (Temporal.PlainDate.from(from).until(to).days > MOST_DAYS)
    throw problem.badRequest('A report covers ten years at most.')
  return { from, to }
}

async function answerOf(c: RouteContext, report: Report): Promise<ReportAnswer> {
  const asked = firstOf(c.query.by)
  const by = asked ? report.by.find((b) => b === asked) : report.by[0]
  if (!by) throw problem.badRequest(`"by" must be one of: ${report.by.join(', ')}.`)
  const period = periodOf(c, report)
  const isWork = usesRunningTotals(report)
  const { groups, read } = isWork
    ? await figuresFromTotals(c, by, period)
    : await figuresFromLists(c, by, period, report.measures)
  const rowOf = (key: string, label: string, group: ReportGroup | undefined): ReportRow => ({
    key,
    label,
    cells: report.measures.map((m) => {
      const value = numberOf(report, m, (one) => read(one, group))
      // Group figures open no list: only figures of one person do, or any for those who see all.
      const canOpen =
        m.opens && value !== null && value !== 0 && (group?.at.person !== undefined || canSeeAllFigures(c) || !isWork)
      return canOpen ? { value, to: m.opens?.(group?.at ?? period) } : { value }
    }),
  })
  return {
    '@id': `${REPORTS_URL}/${report.name}?${new URLSearchParams({ ...period, by })}`,
    ...period,
    by,
    rows: groups.map((group) => rowOf(group.key, group.label, group)),
    together: rowOf('', 'Total', undefined),
  }
}

/** Ratios use the row's own figures; the total's ratio is not a sum. */
function numberOf({ measures }: Report, m: Measure, read: (m: Measure) => number): number | null {
  const number = (key: string) => {
    const of = measures.find((one) => one.key === key)
    return of ? read(of) : 0
  }
  if ('now' in m.from) {
    const { now, once } = m.from
    return number(once) === 0 ? null : Math.round((number(now) / number(once) - 1) * 1000) / 10
  }
  if ('less' in m.from) return number(m.from.of) - number(m.from.less)
  if (!('top' in m.from)) return read(m)
  const { top, bottom } = m.from
  if (number(bottom) === 0) return null
  const exact = number(top) / number(bottom)
  return m.format === 'money' ? Math.round(exact) : Math.round(exact * 1000) / 10
}

const quoted = (cell: string) => `"${formulaSafeCell(cell).replaceAll('"', '""')}"`

/** Files state money in pounds. */
const inFile = ({ format }: Measure, value: number | null) =>
  value === null ? '' : format === 'money' ? (value / 100).toFixed(2) : String(value)

function fileOf(report: Report, { by, rows, together }: ReportAnswer): string {
  const head = [GROUPING_LABELS[by], ...report.measures.map((m) => (m.format === 'percent' ? `${m.label} %` : m.label))]
  const lines = [...rows, together].map((row) => [
    quoted(row.label),
    ...report.measures.map((m, n) => inFile(m, row.cells[n]?.value ?? null)),
  ])
  return [head.map(quoted), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

const routesFor = (report: Report): Route[] => {
  const query = {
    from: text({ help: 'First day; the report’s default period if left out.' }),
    to: text({ help: 'Last day.' }),
    by: choice([...report.by]),
  }
  // List figures need full access; running totals show what the reader may see.
  const allow = usesRunningTotals(report) ? SELLER_ROLE : SEE_ALL_SALES_ROLES
  const path = `${REPORTS_URL}/${report.name}`
  return [
    {
      method: 'GET',
      path,
      title: `${report.title}: ${report.intro}`,
      allow,
      query,
      handle: async (c) => ({ ...(await answerOf(c, report)) }),
    },
    {
      method: 'GET',
      path: `${path}/export.csv`,
      title: `${report.title} as a file`,
      allow,
      query,
      file: ['text/csv'],
      handle: async (c) =>
        new RouteAnswer(200, Buffer.from(`\uFEFF${fileOf(report, await answerOf(c, report))}`), {
          'content-type': CSV,
          'content-disposition': `attachment; filename="${report.name}.csv"`,
        }),
    },
  ]
}

const reportRoutes: readonly Route[] = REPORTS.flatMap(routesFor)

export const figures = feature({
  resources: [sourceCost],
  routes: [...salesServiceRoutes, ...reportRoutes],
})

import { problem } from '#kernel/errors.ts'
import { choice, text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { quoteCsvCell } from '#kernel/text.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { dateRangeFilter, mondayOf } from '#kernel/weeks.ts'
import { isWorkingDay } from '#kernel/working-days.ts'
import { product } from '#modules/billing/catalogue/plan.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { callOutcome } from '#modules/crm/outcomes/outcome.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { FigureSeries, GroupFigure } from '#server/data/totals.ts'
import { feature } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { parseDateRange, type Route, RouteResponse } from '#server/engine/route.ts'
import { formatCommissionMonth } from '../commission/month.ts'
import { SALE_SOURCES } from '../counted/counted-sale.ts'
import { SEE_ALL_SALES_ROLES, SELLER_ROLE } from '../rights.ts'
import {
  type ActivityTotal,
  canSeeAllFigures,
  type DatePeriod,
  findVisibleSellers,
  readVisibleActivityTotals,
  salesServiceRoutes,
} from './figures.server.ts'
import {
  defaultReportPeriod,
  precedingPeriod,
  REPORT_GROUPING_LABELS,
  REPORTS_URL,
  type ReportDefinition,
  type ReportGrouping,
  type ReportMeasure,
  type ReportResponse,
  type ReportRow,
  type ReportRowFilters,
  type ReportSourceList,
} from './renewal-reports.ts'
import { REPORT_DEFINITIONS, sourceCost } from './reports.ts'

/** Row of a report, without the row's figures: the group, and the filters for the lists behind the figures. */
export interface ReportRowGroup {
  readonly key: string
  readonly label: string
  readonly at: ReportRowFilters
}
/** Function that returns a figure for a group, or the total if `group` is `undefined`. */
type Read = (measure: ReportMeasure, group: ReportRowGroup | undefined) => number
interface Numbers {
  readonly groups: readonly ReportRowGroup[]
  readonly read: Read
}
type Spans = 'day' | 'week' | 'month'

/** Maximum number of weeks or months in one report, because each is counted separately. */
const MAX_SPANS = 60
/** Maximum number of groups. There are never this many products or lead sources. */
const MAX_GROUPS = 1000

/** Returns true if a report uses running totals. These include only the figures that the actor may see. */
const usesRunningTotals = ({ measures }: ReportDefinition): boolean => measures.some((m) => 'work' in m.from)

const isSpan = (by: ReportGrouping): by is Spans => by === 'day' || by === 'week' || by === 'month'

/**
 * Returns the first day of the week or month that contains the given day. For a report grouped by day, returns the day
 * itself.
 */
const beginOf = (by: Spans, of: Temporal.PlainDate) =>
  by === 'day' ? of : by === 'week' ? mondayOf(of) : of.with({ day: 1 })
const labelOf = (by: Spans, of: string) =>
  by === 'month'
    ? formatCommissionMonth(of)
    : by === 'week'
      ? `Week of ${formatIsoDateAsUk(of)}`
      : formatIsoDateAsUk(of)

/** Splits a period into days, weeks or months. The first and last of these are shortened to fit the period. */
function spansOf(by: Spans, { from, to }: DatePeriod): ReportRowGroup[] {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const found: ReportRowGroup[] = []
  for (let at = beginOf(by, first); Temporal.PlainDate.compare(at, last) <= 0; ) {
    const next = at.add(by === 'day' ? { days: 1 } : by === 'week' ? { weeks: 1 } : { months: 1 })
    const end = next.subtract({ days: 1 })
    found.push({
      key: at.toString(),
      label: labelOf(by, at.toString()),
      at: {
        from: Temporal.PlainDate.compare(at, first) < 0 ? from : at.toString(),
        to: Temporal.PlainDate.compare(end, last) > 0 ? to : end.toString(),
      },
    })
    at = next
  }
  return found
}

async function figuresFromTotals(c: RouteContext, by: ReportGrouping, period: DatePeriod): Promise<Numbers> {
  const people = await findVisibleSellers(c)
  const work = await readVisibleActivityTotals(
    c,
    'day',
    period,
    canSeeAllFigures(c) ? undefined : people.map((p) => p.id),
  )
  const outcomes = await c.engine.readIn(c.me.clientId, 'calls are shown by outcome', (r) => r.find(callOutcome, {}))
  const ways = new Map(outcomes.map((o) => [String(o.id), o.meaning]))
  const keyOf = (w: ActivityTotal) =>
    isSpan(by) ? beginOf(by, Temporal.PlainDate.from(w.from)).toString() : String(w.person)
  const found = Map.groupBy(work, keyOf)
  const groups = isSpan(by)
    ? spansOf(by, period)
    : people
        .filter((p) => !p.retired || found.has(String(p.id)))
        .map((p) => ({ key: String(p.id), label: p.name, at: { ...period, person: String(p.id) } }))
  const read: Read = ({ from }, group) => {
    if (!('work' in from)) return 0
    return (group ? (found.get(group.key) ?? []) : work).reduce((n, w) => {
      if (w.what !== from.work || (from.way && from.way !== ways.get(w.kind))) return n
      if (from.add === 'amount' && w.what === 'sale' && w.kind !== 'GBP') return n
      return n + w[from.add]
    }, 0)
  }
  return { groups, read }
}

async function figuresFromLists(
  c: RouteContext,
  by: ReportGrouping,
  period: DatePeriod,
  measures: readonly ReportMeasure[],
): Promise<Numbers> {
  const lists = measures.flatMap((m) => ('list' in m.from ? [{ key: m.key, from: m.from }] : []))
  const series = (name: string, of: ReportSourceList, days: DatePeriod): FigureSeries => ({
    name,
    of: of.list,
    where: { ...of.where, ...(of.web ? { 'cameFrom.web': 'true' } : {}), ...withinDays(of, days) },
    ...(of.sum ? { sum: of.sum } : {}),
  })
  const sumOf = ({ from }: ReportMeasure, figures: readonly GroupFigure[]) =>
    figures.reduce((n, f) => n + ('list' in from && from.sum ? f.sum : f.count), 0)
  if (isSpan(by)) {
    const groups = spansOf(by, period)
    if (groups.length > MAX_SPANS)
      throw problem.badRequest(`A report shows at most ${MAX_SPANS} rows. Group by month, or choose a shorter period.`)
    const asked = groups.flatMap((g) => lists.map(({ key, from }) => series(`${key} ${g.key}`, from, g.at)))
    const [figures, meant] = [await c.engine.figures(c.me, asked), await callsMeant(c, measures)]
    const found = Map.groupBy(figures, (f) => f.series)
    const read: Read = (m, group) =>
      'meant' in m.from
        ? meant(group?.at ?? period)
        : (group ? [group] : groups).reduce((n, g) => n + sumOf(m, found.get(`${m.key} ${g.key}`) ?? []), 0)
    return { groups, read }
  }
  const figures = await c.engine.figures(
    c.me,
    lists.map(({ key, from }) => ({ ...series(key, from, period), by: [by] })),
  )
  const keyOf = ({ by: [value] }: GroupFigure) => value ?? ''
  const named = await namesFor(c, by)
  const groups: ReportRowGroup[] = [...new Set(figures.map(keyOf))]
    .map((key) => ({
      key,
      label: key === '' ? 'Not set' : (named.get(key) ?? key),
      at: { ...period, by, group: key },
    }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en-GB'))
  const read: Read = (m, group) =>
    sumOf(
      m,
      figures.filter((f) => f.series === m.key && (!group || keyOf(f) === group.key)),
    )
  return { groups, read }
}

/** Builds the date filters for the list from which a figure is counted. */
function withinDays({ list, on, earlier }: ReportSourceList, asked: DatePeriod): RequestQuery {
  const { from, to } = earlier ? precedingPeriod(asked.from, asked.to) : asked
  const kind = list.fields[on]?.kind
  if (kind === 'date') return { [`${on}[after]`]: from, [`${on}[before]`]: to }
  return dateRangeFilter(on, Temporal.PlainDate.from(from), Temporal.PlainDate.from(to).add({ days: 1 }))
}

/**
 * Returns a function that sums everybody's call targets for the remaining working days of a period. Days of absence
 * don't count.
 */
async function callsMeant(c: RouteContext, measures: readonly ReportMeasure[]): Promise<(days: DatePeriod) => number> {
  if (!measures.some((m) => 'meant' in m.from)) return () => 0
  const people = await c.engine.readIn(c.me.clientId, 'the forecast uses everybody’s targets', (r) =>
    r.find(staff, { tray: false, retired: false }),
  )
  const today = londonDate(c.now)
  return ({ from, to }) => {
    const first = Temporal.PlainDate.from(from)
    const days = Array.from({ length: first.until(to).days + 1 }, (_, n) => first.add({ days: n })).filter(
      (day) => Temporal.PlainDate.compare(day, today) >= 0 && isWorkingDay(day),
    )
    const of = (p: (typeof people)[number]) =>
      p.callsPerDay * days.filter((day) => p.awayUntil === null || day.toString() > p.awayUntil).length
    return people.reduce((n, p) => n + of(p), 0)
  }
}

async function namesFor(c: RouteContext, by: ReportGrouping): Promise<Map<string, string>> {
  if (by === 'source') return new Map(SALE_SOURCES.map((s) => [s.value, s.label]))
  const r: Resource = by === 'product' ? product : leadSource
  const { members } = await c.engine.list(r, c.me, {}, { limit: MAX_GROUPS, offset: 0 }, { count: false })
  return new Map(members.map((one) => [String(one.id), typeof one.name === 'string' ? one.name : String(one.id)]))
}

const CSV = 'text/csv; charset=utf-8'
/** Maximum number of days in one report. */
const MAX_DAYS = 3660

/** Returns the requested period, or the report's default period if none is requested. */
function periodOf(c: RouteContext, report: ReportDefinition): DatePeriod {
  const usual = defaultReportPeriod(report, londonDate(c.now))
  const { from, to } = parseDateRange(c, usual)
  if (Temporal.PlainDate.from(from).until(to).days > MAX_DAYS)
    throw problem.badRequest('A report covers ten years at most.')
  return { from, to }
}

async function answerOf(c: RouteContext, report: ReportDefinition): Promise<ReportResponse> {
  const asked = firstQueryValue(c.query.by)
  const by = asked ? report.by.find((b) => b === asked) : report.by[0]
  if (!by) throw problem.badRequest(`"by" must be one of: ${report.by.join(', ')}.`)
  const period = periodOf(c, report)
  const isWork = usesRunningTotals(report)
  const { groups, read } = isWork
    ? await figuresFromTotals(c, by, period)
    : await figuresFromLists(c, by, period, report.measures)
  const rowOf = (key: string, label: string, group: ReportRowGroup | undefined): ReportRow => ({
    key,
    label,
    cells: report.measures.map((m) => {
      const value = numberOf(report, m, (one) => read(one, group))
      // A group's figure links to a list only if the figure belongs to one person, the user may see all figures, or the
      // report does not use running totals.
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

/**
 * Calculates a figure. Ratios are calculated from the row's own figures, because the ratio in the total row is not the
 * sum of the rows' ratios.
 */
function numberOf({ measures }: ReportDefinition, m: ReportMeasure, read: (m: ReportMeasure) => number): number | null {
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

/** Formats a figure for an exported file, with money in pounds. */
const inFile = ({ format }: ReportMeasure, value: number | null) =>
  value === null ? '' : format === 'money' ? (value / 100).toFixed(2) : String(value)

function fileOf(report: ReportDefinition, { by, rows, together }: ReportResponse): string {
  const head = [
    REPORT_GROUPING_LABELS[by],
    ...report.measures.map((m) => (m.format === 'percent' ? `${m.label} %` : m.label)),
  ]
  const lines = [...rows, together].map((row) => [
    quoteCsvCell(row.label),
    ...report.measures.map((m, n) => inFile(m, row.cells[n]?.value ?? null)),
  ])
  return [head.map(quoteCsvCell), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

const routesFor = (report: ReportDefinition): Route[] => {
  const query = {
    from: text({ help: 'First day of the period. If left out, the report’s default period is used.' }),
    to: text({ help: 'Last day of the period.' }),
    by: choice([...report.by]),
  }
  // Figures from lists require a role that may see everybody's figures. Running totals don't, because they include only
  // figures that the user may see.
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
      title: `Download the report “${report.title}” as a CSV file`,
      allow,
      query,
      file: ['text/csv'],
      handle: async (c) =>
        new RouteResponse(200, Buffer.from(`\uFEFF${fileOf(report, await answerOf(c, report))}`), {
          'content-type': CSV,
          'content-disposition': `attachment; filename="${report.name}.csv"`,
        }),
    },
  ]
}

const reportRoutes: readonly Route[] = REPORT_DEFINITIONS.flatMap(routesFor)

export const salesFiguresFeature = feature({
  resources: [sourceCost],
  routes: [...salesServiceRoutes, ...reportRoutes],
})

import { problem } from '#kernel/errors.ts'
import { choice, text } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import { happenedIn, mondayOf } from '#kernel/weeks.ts'
import { product } from '#rooms/billing/catalogue/product.ts'
import { cameFrom } from '#rooms/crm/contacts/lookups.ts'
import { safeCell } from '#rooms/crm/imports/row.ts'
import { callOutcome } from '#rooms/crm/outcomes/outcome.ts'
import type { Series } from '#server/data/counts.ts'
import { firstOf } from '#server/data/filters.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { monthWords } from '../commission/month.ts'
import { SOURCES } from '../counted/counted-sale.ts'
import { SEE_ALL, SELL } from '../rights.ts'
import { type Period, seesAll, sellersFor, type Worked, workFor } from './figures.server.ts'
import {
  type At,
  BY_WORDS,
  type By,
  type Measure,
  REPORTS,
  REPORTS_URL,
  type Report,
  type ReportAnswer,
  type ReportRow,
} from './report.ts'

const CSV = 'text/csv; charset=utf-8'
/** Days that a report can be of at once. */
const MOST_DAYS = 3660

/** A row before its numbers: what it is of, and where its lists are found. */
interface Group {
  readonly key: string
  readonly label: string
  readonly at: At
}
/** A number of a row; of the whole, `undefined`. */
type Read = (measure: Measure, group: Group | undefined) => number

const day = (value: string, name: string): Temporal.PlainDate => {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return Temporal.PlainDate.from(value, { overflow: 'reject' })
  } catch {
    // Said below.
  }
  throw problem.badRequest(`"${name}" must be a day such as 2026-11-25.`)
}

/** The period that was asked for: this month unless said. */
function periodOf(c: RouteContext): Period {
  const today = londonDate(c.now)
  const from = firstOf(c.query.from) ? day(firstOf(c.query.from), 'from') : today.with({ day: 1 })
  const to = firstOf(c.query.to) ? day(firstOf(c.query.to), 'to') : today
  if (Temporal.PlainDate.compare(from, to) > 0) throw problem.badRequest('"from" must not be after "to".')
  if (from.until(to).days > MOST_DAYS) throw problem.badRequest('A report is of ten years at most.')
  return { from: from.toString(), to: to.toString() }
}

/** The beginning of the week or month that a day is in; the day itself. */
const beginOf = (by: 'day' | 'week' | 'month', of: Temporal.PlainDate) =>
  by === 'day' ? of : by === 'week' ? mondayOf(of) : of.with({ day: 1 })
const labelOf = (by: 'day' | 'week' | 'month', of: string) =>
  by === 'month' ? monthWords(of) : by === 'week' ? `Week of ${ukDay(of)}` : ukDay(of)

/** The days, weeks or months of a period, as far as they are in it. */
function spansOf(by: 'day' | 'week' | 'month', { from, to }: Period): Group[] {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const found: Group[] = []
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

/** Numbers out of what the writes have counted. */
async function ofWork(c: RouteContext, by: By, period: Period): Promise<{ groups: Group[]; read: Read }> {
  const people = await sellersFor(c)
  const work = await workFor(c, 'day', period, seesAll(c) ? undefined : people.map((p) => p.id))
  const outcomes = await c.engine.readIn(c.me.clientId, 'calls are told by how they ended', (r) =>
    r.find(callOutcome, {}),
  )
  const ways = new Map(outcomes.map((o) => [String(o.id), o.meaning]))
  const keyOf = (w: Worked) =>
    by === 'person'
      ? String(w.person)
      : beginOf(by as 'day' | 'week' | 'month', Temporal.PlainDate.from(w.from)).toString()
  const found = Map.groupBy(work, keyOf)
  const groups =
    by === 'person'
      ? people
          .filter((p) => !p.retired || found.has(String(p.id)))
          .map((p) => ({ key: String(p.id), label: p.name, at: { ...period, person: String(p.id) } }))
      : spansOf(by as 'day' | 'week' | 'month', period)
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

/** Numbers out of lists, counted as they stand. */
async function ofLists(c: RouteContext, by: By, period: Period, measures: readonly Measure[]) {
  const [from, before] = [Temporal.PlainDate.from(period.from), Temporal.PlainDate.from(period.to).add({ days: 1 })]
  const series = measures.flatMap((m): Series[] => {
    if (!('list' in m.from)) return []
    const { list, on, where = {}, sum } = m.from
    const within =
      list.fields[on]?.kind === 'date'
        ? { [`${on}[after]`]: period.from, [`${on}[before]`]: period.to }
        : happenedIn(on, from, before)
    return [{ name: m.key, of: list, where: { ...where, ...within }, by: [by], ...(sum ? { sum } : {}) }]
  })
  const figures = await c.engine.figures(c.me, series)
  const keyOf = (value: string | null | undefined) => value ?? ''
  const named = await namesFor(c, by)
  const keys = new Set(figures.map((f) => keyOf(f.by[0])))
  const groups: Group[] = [...keys]
    .map((key) => ({
      key,
      label: key === '' ? 'Not said' : (named.get(key) ?? key),
      at: { ...period, by, group: key },
    }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en-GB'))
  const read: Read = ({ key, from: of }, group) =>
    figures.reduce(
      (n, f) =>
        f.series !== key || (group && keyOf(f.by[0]) !== group.key)
          ? n
          : n + ('list' in of && of.sum ? f.sum : f.count),
      0,
    )
  return { groups, read }
}

async function namesFor(c: RouteContext, by: By): Promise<Map<string, string>> {
  if (by === 'source') return new Map(SOURCES.map((s) => [s.value, s.label]))
  const r: Resource = by === 'product' ? product : cameFrom
  const { members } = await c.engine.list(r, c.me, {}, { limit: 1000, offset: 0 }, { count: false })
  return new Map(members.map((one) => [String(one.id), typeof one.name === 'string' ? one.name : String(one.id)]))
}

async function answerOf(c: RouteContext, report: Report): Promise<ReportAnswer> {
  const asked = firstOf(c.query.by)
  const by = asked ? report.by.find((b) => b === asked) : report.by[0]
  if (!by) throw problem.badRequest(`"by" must be one of: ${report.by.join(', ')}.`)
  const period = periodOf(c)
  const isWork = by === 'person' || by === 'day' || by === 'week' || by === 'month'
  const { groups, read } = isWork ? await ofWork(c, by, period) : await ofLists(c, by, period, report.measures)
  const rowOf = (key: string, label: string, group: Group | undefined): ReportRow => ({
    key,
    label,
    cells: report.measures.map((m) => {
      const value = numberOf(report, m, (one) => read(one, group))
      // What several see together no list shows: it is opened by person, or by whoever sees all.
      const canOpen = m.opens && value !== 0 && (group?.at.person !== undefined || seesAll(c) || !isWork)
      return canOpen && group?.at.group !== '' ? { value, to: m.opens?.(group?.at ?? period) } : { value }
    }),
  })
  return {
    '@id': `${REPORTS_URL}/${report.name}?${new URLSearchParams({ ...period, by })}`,
    ...period,
    by,
    rows: groups.map((group) => rowOf(group.key, group.label, group)),
    together: rowOf('', 'Together', undefined),
  }
}

/** A ratio is of its row's own numbers: that of the whole is no sum of ratios. */
function numberOf({ measures }: Report, m: Measure, read: (m: Measure) => number): number {
  if (!('top' in m.from)) return read(m)
  const { top, bottom } = m.from
  const number = (key: string) => {
    const of = measures.find((one) => one.key === key)
    return of ? read(of) : 0
  }
  if (number(bottom) === 0) return 0
  const exact = number(top) / number(bottom)
  return m.format === 'money' ? Math.round(exact) : Math.round(exact * 1000) / 10
}

const quoted = (cell: string) => `"${safeCell(cell).replaceAll('"', '""')}"`

/** Money in pounds, as all files say it. */
const inFile = ({ format }: Measure, value: number) => (format === 'money' ? (value / 100).toFixed(2) : String(value))

function fileOf(report: Report, { by, rows, together }: ReportAnswer): string {
  const head = [BY_WORDS[by], ...report.measures.map((m) => (m.format === 'percent' ? `${m.label} %` : m.label))]
  const lines = [...rows, together].map((row) => [
    quoted(row.label),
    ...report.measures.map((m, n) => inFile(m, row.cells[n]?.value ?? 0)),
  ])
  return [head.map(quoted), ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}

const routesFor = (report: Report): Route[] => {
  const query = {
    from: text({ help: 'The first day; that of this month unless said.' }),
    to: text({ help: 'The last day; today unless said.' }),
    by: choice([...report.by]),
  }
  // What is counted of lists is everybody's; what is counted by the writes is as much as one may see.
  const allow = report.measures.some((m) => 'list' in m.from) ? SEE_ALL : SELL
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

export const reportRoutes: readonly Route[] = REPORTS.flatMap(routesFor)

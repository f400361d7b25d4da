import { date, integer } from '#kernel/fields.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { earlierDay, formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext, RouteResponse } from '#server/engine/route.ts'
import { parseYearParameter, readLeaveBalances } from '../leave/balances.server.ts'
import { readLeaveSettings, readPatterns } from '../leave/history.server.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { readOtherLeaveDays } from '../leave/statutory.server.ts'
import { bradfordScore, daysOfSickness } from '../leave-rules/bradford.ts'
import { leaveYearOf } from '../leave-rules/leave-year.ts'
import { averageDayMinutes } from '../leave-rules/work-pattern.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { sicknessAbsence } from '../sickness/sickness.ts'
import { csvResponse, toHours } from './csv.server.ts'
import { type LeaveTables, leavePdfResponse, numberHead, textHead } from './leave-pdf.server.ts'
import { recordRoutes } from './record.server.ts'
import { formatLeave, type LeaveReport, type LeaveReportRow, REPORT_COLUMNS, REPORT_URL } from './report.ts'

const MAX_PEOPLE = 1000
const OTHER_FORMULA = 'Calendar days of approved leave of other kinds up to today'

const query = {
  year: date({ help: 'A day of the leave year; today if left out.' }),
  department: integer(),
}

async function readReport(c: RouteContext): Promise<LeaveReport> {
  const { clientId } = c.me
  const today = londonDate(c.now).toString()
  const asked = parseYearParameter(c, today)
  const department = firstQueryValue(c.query.department)
  const filters = { retired: 'false', subcontractor: 'false', ...(department ? { department } : {}) }
  const page = { limit: MAX_PEOPLE, offset: 0 }
  const { members } = await c.engine.list(leaveAccount, c.me, filters, page, { count: false })
  const ids = members.map(({ id }) => id)
  return c.engine.db.tx({ clientId }, (tx) =>
    c.engine.readIn(clientId, 'figures of people whose leave the reader may read', async (read) => {
      const settings = await readLeaveSettings(read, clientId)
      const year = leaveYearOf(asked, settings.yearStartsOn)
      const past = { from: year.from, until: earlierDay(year.until, today) }
      const [sums, patterns, otherDays, absences] = await settleAll(
        readLeaveBalances(tx, clientId, year.from, ids, today),
        readPatterns(read, ids),
        readOtherLeaveDays(tx, clientId, past, ids),
        ids.length ? read.find(sicknessAbsence, { employee: ids, retired: false }) : [],
      )
      const balances = new Map(sums.map((one) => [one.employee, one]))
      const neverSick = bradfordScore([], today)
      const byEmployee = Map.groupBy(absences, (one) => one.employee)
      const rows = members.map(({ id, name, department: of }): LeaveReportRow => {
        const spells = (byEmployee.get(id) ?? []).map((one) => ({
          from: one.firstDay,
          until: one.lastDay,
          protected: one.protected,
        }))
        const { employee: _employee, statutory: _statutory, ...balance } = balances.get(id) ?? NO_BALANCE
        return {
          employee: id,
          name,
          department: of?.name ?? '',
          dayMinutes: averageDayMinutes(patterns.get(id) ?? [], today),
          counted: balances.has(id),
          ...balance,
          sickDays: daysOfSickness(spells, year, today),
          bradford: spells.length ? bradfordScore(spells, today) : neverSick,
          otherDays: otherDays.get(id) ?? 0,
        }
      })
      return { ...year, unit: settings.unit, rows }
    }),
  )
}

const NO_BALANCE = {
  employee: 0,
  statutory: 0,
  entitlement: 0,
  carriedOver: 0,
  adjusted: 0,
  bankHolidays: 0,
  taken: 0,
  booked: 0,
  waiting: 0,
  paidInLieu: 0,
  left: 0,
}

/** One row for each employee, in hours, and a last row with the formula of each column. */
const reportCsv = ({ from, until, rows }: LeaveReport): RouteResponse =>
  csvResponse('leave-report.csv', [
    [
      'Employee',
      'Department',
      ...REPORT_COLUMNS.map(({ label }) => `${label} (hours)`),
      'Days of sickness',
      'Bradford score',
      'Formula of the score',
      'Days of other leave',
    ],
    ...rows.map((row) => [
      row.name,
      row.department,
      ...REPORT_COLUMNS.map(({ name }) => (row.counted ? toHours(row[name]) : null)),
      row.sickDays,
      row.bradford.score,
      row.bradford.formula,
      row.otherDays,
    ]),
    [
      `Leave year ${from} to ${until}`,
      '',
      ...REPORT_COLUMNS.map(({ formula }) => formula),
      'Calendar days',
      'Spells × spells × days in 52 weeks',
      '',
      OTHER_FORMULA,
    ],
  ])

/** The report as a table of a PDF, in the company's unit. */
export const reportTables = ({ from, until, unit, rows }: LeaveReport): LeaveTables => ({
  title: 'Leave report',
  wide: true,
  facts: [{ label: 'Leave year', value: `${formatIsoDateAsUk(from)} to ${formatIsoDateAsUk(until)}` }],
  tables: [
    {
      title: 'Leave and sickness',
      heads: [
        textHead('Employee'),
        textHead('Department'),
        ...REPORT_COLUMNS.map(({ label }) => numberHead(label)),
        numberHead('Sick days'),
        numberHead('Bradford'),
        numberHead('Other leave'),
      ],
      rows: rows.map((row) => [
        row.name,
        row.department,
        ...REPORT_COLUMNS.map(({ name }) => (row.counted ? formatLeave(row[name], unit, row.dayMinutes) : '')),
        String(row.sickDays),
        String(row.bradford.score),
        String(row.otherDays),
      ]),
    },
  ],
  notes: [
    ...REPORT_COLUMNS.map(({ label, formula }) => `${label}: ${formula}.`),
    `Other leave: ${OTHER_FORMULA.toLowerCase()}.`,
    'Bradford score: spells × spells × days of sickness in 52 weeks. Absences related to a disability or pregnancy are not counted.',
  ],
})

const reportRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: REPORT_URL,
    title: 'Report leave and sickness of a leave year, by employee',
    allow: EMPLOYEE_READER_ROLES,
    query,
    handle: async (c) =>
      ({ '@id': REPORT_URL, '@type': 'LeaveReport', ...(await readReport(c)) }) as unknown as ApiRecord,
  },
  {
    method: 'GET',
    path: `${REPORT_URL}/export.csv`,
    title: 'Download the leave report as a CSV file',
    allow: EMPLOYEE_READER_ROLES,
    query,
    file: ['text/csv'],
    handle: async (c) => reportCsv(await readReport(c)),
  },
  {
    method: 'GET',
    path: `${REPORT_URL}/export.pdf`,
    title: 'Get the leave report as a PDF file',
    allow: EMPLOYEE_READER_ROLES,
    query,
    file: ['application/pdf'],
    handle: async (c) => leavePdfResponse(c, 'leave-report.pdf', reportTables(await readReport(c))),
  },
]

export const leaveReport = feature({ pack: 'holidays', routes: [...reportRoutes, ...recordRoutes] })

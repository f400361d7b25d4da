import { problem } from '#kernel/errors.ts'
import { date } from '#kernel/fields.ts'
import { formatIsoDateAsUk, formatUkDateTime, isCalendarDate, londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { readLeaveBalances } from '../leave/balances.server.ts'
import { readLeaveSettings } from '../leave/history.server.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { LEAVE_PART_OPTIONS, type LeaveEntry, leaveEntry } from '../leave/leave-entry.ts'
import { CARRY_OVER_REASONS } from '../leave-rules/carry-over.ts'
import { LEDGER_KINDS } from '../leave-rules/leave-history.ts'
import { type LeaveYear, leaveYearOf } from '../leave-rules/leave-year.ts'
import { sumMinutes } from '../leave-rules/ledger.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { fileNameOf, formatCsv } from './csv.ts'

const MINUTES_PER_HOUR = 60

/** Years for which regulation 16B requires the record. */
const RETENTION_YEARS = 6

const labelOf = (
  options: readonly { readonly value: string; readonly label: string }[],
  value: string | null,
): string => options.find((one) => one.value === value)?.label ?? ''

const hours = (minutes: number): number => Math.round((minutes / MINUTES_PER_HOUR) * 100) / 100

/** Figures that regulation 16B names, then every row of the ledger from which they are added up. */
function formatRecord(name: string, year: LeaveYear, entries: readonly LeaveEntry[], taken: number): string {
  const sum = (keep: (one: LeaveEntry) => boolean) => hours(sumMinutes(entries.filter(keep)))
  const entitlement = LEAVE_PART_OPTIONS.map(({ value, label }) => [
    `Entitlement: ${label}`,
    sum(({ kind, part }) => kind === 'entitlement' && part === value),
  ])
  const carried = LEAVE_PART_OPTIONS.map(({ value, label }) => [
    `Carried over: ${label}`,
    sum(({ kind, part }) => kind === 'carryOver' && part === value),
  ])
  return formatCsv([
    ['Record of annual leave, regulation 16B of the Working Time Regulations 1998'],
    ['Employee', name],
    ['Leave year', `${formatIsoDateAsUk(year.from)} to ${formatIsoDateAsUk(year.until)}`],
    ['To be stored for', `${RETENTION_YEARS} years`],
    [],
    ['Figure', 'Hours'],
    ...entitlement,
    ...carried,
    ['Adjusted', sum(({ kind }) => kind === 'adjustment')],
    ['Bank holidays that count towards the entitlement', -sum(({ kind }) => kind === 'bankHoliday') || 0],
    ['Taken: approved leave that has started', hours(taken)],
    ['Paid in lieu', -sum(({ kind }) => kind === 'payInLieu') || 0],
    ['Left, with approved leave to come and requests that wait deducted', sum(() => true)],
    [],
    ['Recorded at', 'Kind', 'Rule', 'Minutes', 'Day', 'Can be taken until', 'Formula', 'Reason', 'Recorded by'],
    ...entries.map((one) => [
      formatUkDateTime(Temporal.Instant.from(one.createdAt)),
      labelOf(LEDGER_KINDS, one.kind),
      labelOf(LEAVE_PART_OPTIONS, one.part),
      one.minutes,
      one.day ? formatIsoDateAsUk(one.day) : '',
      one.expiresOn ? formatIsoDateAsUk(one.expiresOn) : '',
      one.formula,
      [labelOf(CARRY_OVER_REASONS, one.carryReason), one.reason].filter(Boolean).join(': '),
      one.author,
    ]),
  ])
}

/** The record of leave that an employer must be able to show for each worker and year. */
export const recordRoute: Route = {
  method: 'GET',
  path: `${leaveAccount.url}/{id}/record.csv`,
  title: 'Download the record of leave of an employee and leave year (regulation 16B)',
  allow: EMPLOYEE_READER_ROLES,
  query: { year: date({ help: 'A day of the leave year; today if left out.' }) },
  file: ['text/csv'],
  handle: async ({ engine, me, actor, params, query, now }) => {
    const { clientId } = me
    const id = await engine.idOf(leaveAccount, actor, params.id)
    const { name } = await engine.one(leaveAccount, actor, id)
    const today = londonDate(now).toString()
    const asked = firstQueryValue(query.year) || today
    if (!isCalendarDate(asked)) throw problem.badRequest('"year" must be a day, such as 2026-01-01.')
    const text = await engine.db.tx({ clientId }, (tx) =>
      engine.readIn(clientId, 'the record of an employee whose leave the reader may read', async (c) => {
        const year = leaveYearOf(asked, (await readLeaveSettings(c, clientId)).yearStartsOn)
        const entries = await c.find(leaveEntry, { employee: id, year: year.from })
        const [balance] = await readLeaveBalances(tx, clientId, year.from, [id], today)
        return formatRecord(name, year, entries, balance?.taken ?? 0)
      }),
    )
    return new RouteResponse(200, Buffer.from(text), {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="leave-record-${fileNameOf(name)}-${asked.slice(0, 4)}.csv"`,
    })
  },
}

import { date } from '#kernel/fields.ts'
import { formatIsoDateAsUk, formatUkDateTime, londonDate } from '#kernel/time.ts'
import type { Route } from '#server/engine/route.ts'
import { parseYearParameter, readLeaveBalances } from '../leave/balances.server.ts'
import { readLeaveSettings } from '../leave/history.server.ts'
import { leaveAccount } from '../leave/leave-account.ts'
import { LEAVE_PART_OPTIONS, type LeaveEntry, leaveEntry } from '../leave/leave-entry.ts'
import { CARRY_OVER_REASONS } from '../leave-rules/carry-over.ts'
import { LEDGER_KINDS } from '../leave-rules/leave-history.ts'
import { type LeaveYear, leaveYearOf } from '../leave-rules/leave-year.ts'
import { sumMinutes } from '../leave-rules/ledger.ts'
import { EMPLOYEE_READER_ROLES } from '../rights.ts'
import { csvResponse, toHours } from './csv.server.ts'

/** Years for which regulation 16B requires the record. */
const RETENTION_YEARS = 6

const labelOf = (
  options: readonly { readonly value: string; readonly label: string }[],
  value: string | null,
): string => options.find((one) => one.value === value)?.label ?? ''

/** Returns a name with the letters that every system accepts in a file name. */
const toFileName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\w -]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
    .toLowerCase()

/** Returns the figures that regulation 16B names, then every row of the ledger from which they are added up. */
function recordRows(name: string, year: LeaveYear, entries: readonly LeaveEntry[], taken: number) {
  const sum = (keep: (one: LeaveEntry) => boolean) => toHours(sumMinutes(entries.filter(keep)))
  const entitlement = LEAVE_PART_OPTIONS.map(({ value, label }) => [
    `Entitlement: ${label}`,
    sum(({ kind, part }) => kind === 'entitlement' && part === value),
  ])
  const carried = LEAVE_PART_OPTIONS.map(({ value, label }) => [
    `Carried over: ${label}`,
    sum(({ kind, part }) => kind === 'carryOver' && part === value),
  ])
  return [
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
    ['Taken: approved leave that has started', toHours(taken)],
    ['Paid in lieu', -sum(({ kind }) => kind === 'payInLieu') || 0],
    ['Left, with approved leave to come and requests that wait deducted', sum(() => true)],
    [],
    ['Recorded at', 'Kind', 'Rule', 'Minutes', 'Day', 'Use by', 'Formula', 'Reason', 'Recorded by'],
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
  ]
}

/** The record of leave that an employer must be able to show for each worker and year. */
export const recordRoute: Route = {
  method: 'GET',
  path: `${leaveAccount.url}/{id}/record.csv`,
  title: 'Download the record of leave of an employee and leave year (regulation 16B)',
  allow: EMPLOYEE_READER_ROLES,
  query: { year: date({ help: 'A day of the leave year; today if left out.' }) },
  file: ['text/csv'],
  handle: async (c) => {
    const { engine, me, actor, params, now } = c
    const { clientId } = me
    const id = await engine.idOf(leaveAccount, actor, params.id)
    const { name } = await engine.one(leaveAccount, actor, id)
    const today = londonDate(now).toString()
    const asked = parseYearParameter(c, today)
    const rows = await engine.db.tx({ clientId }, (tx) =>
      engine.readIn(clientId, 'the record of an employee whose leave the reader may read', async (read) => {
        const year = leaveYearOf(asked, (await readLeaveSettings(read, clientId)).yearStartsOn)
        const entries = await read.find(leaveEntry, { employee: id, year: year.from })
        const [balance] = await readLeaveBalances(tx, clientId, year.from, [id], today)
        return recordRows(name, year, entries, balance?.taken ?? 0)
      }),
    )
    return csvResponse(`leave-record-${toFileName(name)}-${asked.slice(0, 4)}.csv`, rows)
  },
}

import type { RowOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { addDays, laterDay, londonDate } from '#kernel/time.ts'
import { type UkNation, ukNationForPostcode } from '#kernel/working-days.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { mapInSlices } from '#server/slices.ts'
import type { employee } from '../employees/employee.ts'
import type { LeaveHistory, LedgerLine } from '../leave-rules/leave-history.ts'
import { correctLedger, countLedger, sumMinutes } from '../leave-rules/ledger.ts'
import type { RequestPart } from '../leave-rules/request-part.ts'
import type { DatedPattern } from '../leave-rules/work-pattern.ts'
import { type LeaveEntry, leaveEntry } from './leave-entry.ts'
import { LIVE_STATES, leaveRequest, leaveRequestPart } from './leave-request.ts'
import { type LeaveSettings, leaveSettings } from './leave-settings.ts'
import { employeeWorkPattern, leavePayPeriod, workPattern } from './work-patterns.ts'

export type EmployeeRow = RowOf<typeof employee>

/** Days ahead for which the ledger is counted, so that next year's leave can be requested. */
const DAYS_AHEAD = 366

/** Everything known about an employee's leave. */
export interface LeaveAccount {
  readonly person: EmployeeRow
  /** Null if the employee has no start date, without which no entitlement can be calculated. */
  readonly history: LeaveHistory | null
  /** All rows of the ledger. */
  readonly entries: readonly LeaveEntry[]
}

/** Nation whose bank holidays apply: the employee's, otherwise that of the company's postcode. */
export const nationOf = ({ nation }: EmployeeRow, { postcode }: LeaveSettings): UkNation =>
  nation === null
    ? ukNationForPostcode(postcode)
    : nation === 'scotland'
      ? 'scotland'
      : nation === 'northernIreland'
        ? 'northern-ireland'
        : 'england-and-wales'

export async function readLeaveSettings(c: RecordReader, clientId: number): Promise<LeaveSettings> {
  const settings = await c.get(leaveSettings, clientId)
  if (!settings) throw new Error(`Client ${clientId} has no leave settings`)
  return settings
}

const groupByEmployee = <T extends { readonly employee: number | null }>(rows: readonly T[]) =>
  Map.groupBy(rows, (one) => one.employee ?? 0)

/** Reads the work patterns of employees, in the order of their days. */
export async function readPatterns(
  c: RecordReader,
  employees: readonly number[],
): Promise<ReadonlyMap<number, readonly DatedPattern[]>> {
  const assigned = await c.find(employeeWorkPattern, { employee: [...employees] })
  const ids = [...new Set(assigned.flatMap(({ pattern }) => pattern ?? []))]
  const days = new Map((ids.length ? await c.find(workPattern, { id: ids }) : []).map((one) => [one.id, one.days]))
  const sorted = assigned.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return groupByEmployee(
    sorted.map(({ employee: of, from, cycleStart, pattern }) => ({
      employee: of,
      from,
      cycleStart,
      days: pattern === null ? [] : (days.get(pattern) ?? []),
    })),
  )
}

/** Reads the leave of several employees with a fixed number of statements. */
export async function readLeaveAccounts(
  c: RecordReader,
  settings: LeaveSettings,
  people: readonly EmployeeRow[],
): Promise<LeaveAccount[]> {
  if (!people.length) return []
  const ids = people.map(({ id }) => id)
  const [patterns, periods, requests, parts, entries] = await settleAll(
    readPatterns(c, ids),
    c.find(leavePayPeriod, { employee: ids }).then(groupByEmployee),
    c.find(leaveRequest, { employee: ids, deducted: true, state: [...LIVE_STATES] }).then(groupByEmployee),
    c.find(leaveRequestPart, { employee: ids, live: true }).then(groupByEmployee),
    c.find(leaveEntry, { employee: ids }).then(groupByEmployee),
  )
  return people.map((person) => {
    const start = person.extCStartDate
    const rows = entries.get(person.id) ?? []
    const own = parts.get(person.id) ?? []
    return {
      person,
      entries: rows,
      history: start
        ? {
            employment: { start, leaving: person.leavingDate },
            nation: nationOf(person, settings),
            patterns: patterns.get(person.id) ?? [],
            rules: settings,
            payPeriods: periods.get(person.id) ?? [],
            bookings: (requests.get(person.id) ?? []).map(({ id }) => ({
              request: id,
              parts: own.filter((part) => part.request === id),
            })),
            entered: rows.filter(({ entered }) => entered).map(toEnteredLine),
          }
        : null,
    }
  })
}

const toEnteredLine = (entry: LeaveEntry): LeaveHistory['entered'][number] => ({
  ...toLine(entry),
  enteredOn: londonDate(Temporal.Instant.from(entry.createdAt)).toString(),
})

const toLine = ({ year, kind, part, minutes, request, day, expiresOn, formula }: LeaveEntry): LedgerLine => ({
  year,
  kind,
  part,
  minutes,
  request,
  day,
  expiresOn,
  formula,
})

/** A request that is planned, or that ends in the same transaction. */
export interface ChangingRequest {
  readonly started?: { readonly request: number; readonly parts: readonly RequestPart[] }
  readonly ended?: number
}

/** Returns the rows that the ledger lacks. */
function missingEntries(account: LeaveAccount, today: string, { started, ended }: ChangingRequest = {}): LedgerLine[] {
  if (!account.history) return []
  const bookings = account.history.bookings.filter(({ request }) => request !== started?.request && request !== ended)
  const history = { ...account.history, bookings: started ? [...bookings, started] : bookings }
  const last = history.bookings
    .flatMap(({ parts }) => parts)
    .reduce((day, { lastDay }) => laterDay(day, lastDay), today)
  const ahead = addDays(today, DAYS_AHEAD)
  const counted = countLedger(history, today, laterDay(last, ahead))
  return correctLedger(counted, account.entries.filter(({ entered }) => !entered).map(toLine))
}

/** Returns the balance of a leave year in minutes, as if the ledger lacked no rows. */
export const countBalance = (
  account: LeaveAccount,
  year: string,
  today: string,
  changing: ChangingRequest = {},
): number =>
  sumMinutes([...account.entries, ...missingEntries(account, today, changing)].filter((one) => one.year === year))

/**
 * Appends the rows that the ledgers of some employees lack. Lock the employees first, so that no row is appended twice.
 */
export async function recountLeave(
  c: Context,
  people: readonly EmployeeRow[],
  changing: ChangingRequest = {},
): Promise<void> {
  const settings = await readLeaveSettings(c, c.clientId)
  const accounts = await readLeaveAccounts(c, settings, people)
  const today = londonDate(c.now).toString()
  const missing = await mapInSlices(accounts, (account) =>
    missingEntries(account, today, changing).map((line) => ({
      ...line,
      employee: account.person.id,
      createdAt: c.now.toString(),
    })),
  )
  const rows = missing.flat()
  if (rows.length) await c.withoutPermissionCheck('the portal counts the leave ledger').createAll(leaveEntry, rows)
}

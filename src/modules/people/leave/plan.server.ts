import { addDays, earlierDay, formatIsoDateAsUk, type Instant, laterDay, londonDate } from '#kernel/time.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { mapInSlices } from '#server/slices.ts'
import { department, employee } from '../employees/employee.ts'
import { employmentProblem } from '../employees/own-leave.server.ts'
import { countDays } from '../leave-rules/days.ts'
import type { LeaveHistory } from '../leave-rules/leave-history.ts'
import { leaveYearOf } from '../leave-rules/leave-year.ts'
import { isBankHolidayOff, sumMinutes, usesOfPart, worksOn } from '../leave-rules/ledger.ts'
import { daysOfPart, partsOverlap, type RequestPart } from '../leave-rules/request-part.ts'
import { averageDayMinutes } from '../leave-rules/work-pattern.ts'
import { type Absence, countCover, type DaySpan, readAbsences } from './absences.server.ts'
import {
  countBalance,
  type EmployeeRow,
  type LeaveAccount,
  readLeaveAccounts,
  readLeaveSettings,
} from './history.server.ts'
import { leaveBlackout } from './leave-blackout.ts'
import type { DayCover, LeavePlan, YearBalance } from './leave-plan.ts'

/** Regulation 15(4) of the Working Time Regulations 1998: notice is twice as long as the leave. */
const NOTICE_FACTOR = 2

interface PlanInput {
  readonly clientId: number
  readonly now: Instant
  readonly person: EmployeeRow
  readonly parts: readonly RequestPart[]
  readonly deducted: boolean
}

/** Works out what a request would do before it is sent. The request itself is refused for the same `problem`. */
export async function planLeave(c: RecordReader, tx: Pick<SqlConn, 'rows'>, input: PlanInput): Promise<LeavePlan> {
  const { clientId, person, parts, deducted } = input
  const today = londonDate(input.now).toString()
  const settings = await readLeaveSettings(c, clientId)
  const span = spanOfParts(parts)
  const [members, blackouts] = [await readMembers(c, person), await readBlackouts(c, person, span)]
  const accounts = await readLeaveAccounts(c, settings, members)
  const account = accounts.find((one) => one.person.id === person.id)
  const absences = await readAbsences(
    tx,
    clientId,
    span,
    members.map(({ id }) => id),
  )
  const history = account?.history ?? undefined
  const partMinutes = parts.map((part) => (history ? sumMinutes(usesOfPart(history, part, span)) : 0))
  const minutes = partMinutes.reduce((sum, one) => sum + one, 0)
  const balances = account && deducted ? yearBalances(account, parts, today, settings.yearStartsOn) : []
  const days = [...new Set(parts.flatMap((part) => daysOfPart(part, span)))].sort()
  const others = absences.filter((one) => one.employee !== person.id && parts.some((part) => touches(part, one)))
  const minimum =
    person.department === null ? null : ((await c.get(department, person.department))?.minimumCover ?? null)
  return {
    minutes,
    partMinutes,
    balances,
    bankHolidays: history ? days.filter((day) => isBankHolidayOff(history, day)) : [],
    blackouts,
    others: others.map(({ employee: id, firstDay, lastDay }) => ({
      name: members.find((one) => one.id === id)?.name ?? '',
      firstDay,
      lastDay,
    })),
    shortCover: minimum === null ? [] : await shortDays(days, accounts, absences, person, minimum),
    noticeBy: deducted && days.length ? addDays(span.from, -NOTICE_FACTOR * countDays(span.from, span.until)) : null,
    unit: settings.unit,
    dayMinutes: averageDayMinutes(history?.patterns ?? [], today),
    problem: problemOf(input, { history, minutes, balances, absences }),
  }
}

/** First and last day of the parts of a request. */
export const spanOfParts = (parts: readonly RequestPart[]): DaySpan =>
  parts.reduce(
    ({ from, until }, { firstDay, lastDay }) => ({
      from: earlierDay(firstDay, from),
      until: laterDay(lastDay, until),
    }),
    { from: parts[0]?.firstDay ?? '', until: parts[0]?.lastDay ?? '' },
  )

const touches = (part: RequestPart, { firstDay, lastDay }: RequestPart): boolean =>
  part.firstDay <= lastDay && firstDay <= part.lastDay

/** The person, and the other members of the department. */
async function readMembers(c: RecordReader, person: EmployeeRow): Promise<EmployeeRow[]> {
  const all =
    person.department === null ? [] : await c.find(employee, { department: person.department, retired: false })
  return [person, ...all.filter(({ id }) => id !== person.id)]
}

async function readBlackouts(c: RecordReader, person: EmployeeRow, { from, until }: DaySpan) {
  const all = await c.find(leaveBlackout, { retired: false })
  return all
    .filter((one) => one.firstDay <= until && from <= one.lastDay && isFor(one, person))
    .map(({ firstDay, lastDay, reason }) => ({ firstDay, lastDay, reason }))
}

const isFor = ({ department: of }: { readonly department: number | null }, person: EmployeeRow): boolean =>
  of === null || of === person.department

function yearBalances(
  account: LeaveAccount,
  parts: readonly RequestPart[],
  today: string,
  startsOn: string,
): YearBalance[] {
  const started = { request: 0, parts }
  const years = new Set(
    parts.flatMap(({ firstDay, lastDay }) => [firstDay, lastDay].map((day) => leaveYearOf(day, startsOn).from)),
  )
  return [...years].sort().map((year) => ({
    year,
    before: countBalance(account, year, today),
    after: countBalance(account, year, today, { started }),
  }))
}

async function shortDays(
  days: readonly string[],
  accounts: readonly LeaveAccount[],
  absences: readonly Absence[],
  person: EmployeeRow,
  minimum: number,
): Promise<DayCover[]> {
  const members = new Map(
    accounts.flatMap(({ person: one, history }) =>
      history && one.id !== person.id ? [[one.id, (day: string) => worksOn(history, day)] as const] : [],
    ),
  )
  const cover = await mapInSlices(days, (day) => countCover([day], members, absences, minimum))
  return cover.flat().filter(({ atWork }) => atWork < minimum)
}

interface PlanFigures {
  readonly history: LeaveHistory | undefined
  readonly minutes: number
  readonly balances: readonly YearBalance[]
  readonly absences: readonly Absence[]
}

function problemOf(
  { person, parts, deducted }: PlanInput,
  { history, minutes, balances, absences }: PlanFigures,
): string {
  const same = absences.find(
    (one) => one.employee === person.id && one.request && parts.some((part) => partsOverlap(part, one)),
  )
  if (same) return `${person.name} already has leave on ${formatIsoDateAsUk(same.firstDay)}.`
  const { from, until } = spanOfParts(parts)
  const outside = employmentProblem(person, from, until)
  if (outside) return outside
  if (!deducted) return ''
  if (!history) return `The employment start date of ${person.name} is missing. Please ask human resources to enter it.`
  if (!minutes) return `${person.name} does not work at these times, or has no work pattern.`
  const negative = balances.find(({ after, before }) => after < 0 && after < before)
  return negative ? `The balance of the leave year from ${negative.year} would be negative.` : ''
}

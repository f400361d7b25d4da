import { problem } from '#kernel/errors.ts'
import { date, integer } from '#kernel/fields.ts'
import { hasRole } from '#kernel/roles.ts'
import { isCalendarDate, londonDate } from '#kernel/time.ts'
import { bankHolidays, UK_NATIONS } from '#kernel/working-days.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { RecordReader } from '#server/engine/types.ts'
import { department, employee } from '../employees/employee.ts'
import { type Absence, countCover, type DaySpan, readAbsences } from '../leave/absences.server.ts'
import { nationOf, readLeaveSettings, readPatterns } from '../leave/history.server.ts'
import { leaveBlackout } from '../leave/leave-blackout.ts'
import { leaveKind } from '../leave/leave-request.ts'
import type { LeaveSettings } from '../leave/leave-settings.ts'
import { MAX_PERIOD_DAYS } from '../leave-rules/day-limits.ts'
import { countDays, listDays } from '../leave-rules/days.ts'
import { worksOn } from '../leave-rules/ledger.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { CALENDAR_URL, type CalendarAbsence, type CalendarLane, type LeaveCalendar } from './calendar.ts'
import { feedRoutes } from './feed.server.ts'
import { leaveFeed } from './feed.ts'
import { readLanes } from './lanes.server.ts'

/** Longest period for which cover is counted. */
const MAX_COVER_DAYS = 62
/** Last day that the calendar shows. */
const LAST_DAY = '2999-12-31'

function spanOf({ query, now }: Pick<RouteContext, 'query' | 'now'>): DaySpan {
  const [from, until] = [firstQueryValue(query.from), firstQueryValue(query.until)]
  const month = londonDate(now).with({ day: 1 })
  if (!from && !until)
    return { from: month.toString(), until: month.add({ months: 1 }).subtract({ days: 1 }).toString() }
  if (![from, until].every((day) => day.length === 10 && isCalendarDate(day)) || until < from || until > LAST_DAY)
    throw problem.badRequest(
      `"from" and "until" must be a first and a last day, such as 2026-12-01, until ${LAST_DAY}.`,
    )
  if (countDays(from, until) > MAX_PERIOD_DAYS)
    throw problem.badRequest(`A calendar covers ${MAX_PERIOD_DAYS} days at most.`)
  return { from, until }
}

/**
 * Colleagues see that a person is busy, and neither the kind nor the state of the absence. Of private leave, managers who
 * don't approve it see no more.
 */
const toCalendarAbsence = (
  { isPrivate, ...absence }: Absence,
  lane: CalendarLane | undefined,
): CalendarAbsence | undefined =>
  lane?.detailed && (lane.approves || !isPrivate)
    ? absence
    : absence.state === 'requested'
      ? undefined
      : { ...absence, state: 'busy', kind: null, request: null }

async function readLeaveCalendar(c: RouteContext, span: DaySpan, asked: number | null): Promise<LeaveCalendar> {
  const { clientId } = c.me
  return c.engine.db.tx({ clientId }, (tx) =>
    c.engine.readIn(clientId, 'a calendar shows when colleagues are busy', async (read) => {
      const lanes = await readLanes(tx, { clientId, userId: c.me.userId, isHr: hasRole(c.me, HR_ROLES) }, asked)
      const ids = lanes.map(({ employee: id }) => id)
      const absences = await readAbsences(tx, clientId, span, ids)
      const byEmployee = new Map(lanes.map((lane) => [lane.employee, lane]))
      const [kinds, blackouts, settings] = [
        await read.find(leaveKind, {}),
        await read.find(leaveBlackout, { retired: false }),
        await readLeaveSettings(read, clientId),
      ]
      return {
        ...span,
        lanes,
        absences: absences.flatMap((one) => toCalendarAbsence(one, byEmployee.get(one.employee)) ?? []),
        kinds: kinds.map(({ id, name }) => ({ id, name })),
        blackouts: blackouts
          .filter((one) => one.firstDay <= span.until && span.from <= one.lastDay)
          .map(({ firstDay, lastDay, reason, department: of }) => ({ firstDay, lastDay, reason, department: of })),
        bankHolidays: UK_NATIONS.flatMap((nation) => holidaysIn(span).map((day) => ({ nation, day }))).filter(
          ({ nation, day }) => bankHolidays(Number(day.slice(0, 4)), nation).has(day),
        ),
        yearStartsOn: settings.yearStartsOn,
        cover: await readCover(read, settings, { span, lanes, absences }),
      }
    }),
  )
}

/** Bank holidays of any nation in a period. */
function holidaysIn({ from, until }: DaySpan): string[] {
  const years = [...new Set([Number(from.slice(0, 4)), Number(until.slice(0, 4))])]
  const all = new Set(years.flatMap((year) => UK_NATIONS.flatMap((nation) => [...bankHolidays(year, nation)])))
  return [...all].filter((day) => from <= day && day <= until).sort()
}

interface CoverInput {
  readonly span: DaySpan
  readonly lanes: readonly CalendarLane[]
  readonly absences: readonly Absence[]
}

/** Counts the cover of departments with a minimum. Departments that are shown in part are left out. */
async function readCover(
  c: RecordReader,
  settings: LeaveSettings,
  { span, lanes, absences }: CoverInput,
): Promise<LeaveCalendar['cover']> {
  if (countDays(span.from, span.until) > MAX_COVER_DAYS) return []
  const ids = [...new Set(lanes.flatMap((lane) => lane.departmentId ?? []))]
  const groups = ids.length ? await c.find(department, { id: ids }) : []
  const needed = groups.flatMap(({ id, name, minimumCover }) =>
    minimumCover === null ? [] : [{ id, name, minimumCover }],
  )
  if (!needed.length) return []
  const members = await c.find(employee, { department: needed.map(({ id }) => id), retired: false })
  const patterns = await readPatterns(
    c,
    members.map(({ id }) => id),
  )
  const days = listDays(span.from, span.until)
  return needed.map(({ id, name, minimumCover }) => {
    const own = members.filter((one) => one.department === id && !one.isSubby)
    const byMember = new Map(
      own.map((one) => {
        const history = { patterns: patterns.get(one.id) ?? [], nation: nationOf(one, settings), rules: settings }
        return [one.id, (day: string) => worksOn(history, day)] as const
      }),
    )
    return { department: name, days: countCover(days, byMember, absences, minimumCover) }
  })
}

const calendarRoute: Route = {
  method: 'GET',
  path: CALENDAR_URL,
  title: 'Show who is absent in a period, by person',
  allow: EMPLOYEE_READER_ROLES,
  query: {
    from: date({ help: 'First day; of this month if left out.' }),
    until: date({ help: 'Last day, at most 366 days later.' }),
    department: integer(),
  },
  handle: async (c) => {
    const asked = firstQueryValue(c.query.department)
    if (asked && !/^\d{1,15}$/.test(asked)) throw problem.badRequest('"department" must be an ID.')
    const calendar = await readLeaveCalendar(c, spanOf(c), asked ? Number(asked) : null)
    return { '@id': CALENDAR_URL, '@type': 'LeaveCalendar', ...calendar }
  },
}

export const leaveCalendar = feature({
  pack: 'holidays',
  resources: [leaveFeed],
  routes: [calendarRoute, ...feedRoutes],
})

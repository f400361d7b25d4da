import type { RowOf } from '#kernel/resource.ts'
import { addDays, londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { insertTrustedRows } from '#server/seed/fill.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from '../employees/employee.ts'
import { dayNumberOf, weekdayOf } from '../leave-rules/days.ts'
import type { CycleDays, Shift } from '../leave-rules/work-pattern.ts'
import { recountLeave } from './history.server.ts'
import { ANNUAL_LEAVE, leaveKind, leaveRequest } from './leave-request.ts'
import { employeeWorkPattern, workPattern } from './work-patterns.ts'

const SITE_DAY: Shift = { from: '07:30', until: '16:30', breakMinutes: 60 }
const CARE_DAY: Shift = { from: '08:00', until: '16:00', breakMinutes: 30 }
const NIGHT: Shift = { from: '20:00', until: '08:00', breakMinutes: 60 }
const DAYS_PER_WEEK = 7

const weekOf = (shift: Shift, workingDays: number): CycleDays =>
  Array.from({ length: DAYS_PER_WEEK }, (_, n) => (n < workingDays ? [shift] : []))

/** Four nights, then four days off. */
const NIGHTS: CycleDays = Array.from({ length: 8 }, (_, n) => (n < 4 ? [NIGHT] : []))

interface DemoRequest {
  readonly person: string
  readonly username: string
  /** Code of the kind of leave; annual leave by default. */
  readonly kind?: string
  /** Weeks from now until the first day, and days of the calendar. */
  readonly weeks: number
  readonly days: number
  readonly approved: boolean
}

interface DemoCompany {
  readonly clientId: number
  readonly admin: string
  readonly usual: { readonly name: string; readonly days: CycleDays }
  readonly others: readonly { readonly name: string; readonly days: CycleDays; readonly jobs: readonly string[] }[]
  readonly requests: readonly DemoRequest[]
}

const COMPANIES: readonly DemoCompany[] = [
  {
    clientId: 1,
    admin: 'admin.brick',
    usual: { name: 'Site week', days: weekOf(SITE_DAY, 5) },
    others: [],
    requests: [
      { person: 'Callum Fraser', username: 'worker.brick', weeks: 2, days: 4, approved: true },
      { person: 'Callum Fraser', username: 'worker.brick', weeks: 6, days: 1, approved: false },
      { person: 'Nadia Rahman', username: 'nadia.rahman', weeks: 2, days: 2, approved: false },
      { person: 'Owen Price', username: 'owen.price', kind: 'dependants', weeks: 1, days: 1, approved: true },
      { person: 'Keith Staniforth', username: 'admin.brick', weeks: 1, days: 5, approved: true },
      { person: 'Rachel Dyson', username: 'admin.brick', kind: 'jury', weeks: 3, days: 10, approved: true },
    ],
  },
  {
    clientId: 2,
    admin: 'admin.care',
    usual: { name: 'Care week', days: weekOf(CARE_DAY, 5) },
    others: [{ name: 'Four nights on, four off', days: NIGHTS, jobs: ['Night carer'] }],
    requests: [
      { person: 'Carys Ellis', username: 'carys.ellis', weeks: 3, days: 5, approved: true },
      { person: 'Julie Hobbs', username: 'admin.care', weeks: 2, days: 3, approved: true },
      { person: 'Lewis Chivers', username: 'admin.care', kind: 'parental', weeks: 5, days: 7, approved: false },
    ],
  },
]

/** First day of the cycle in which a day is: the Monday of its week, if the pattern has whole weeks. */
const firstCycleDay = (day: string, days: CycleDays): string =>
  days.length % DAYS_PER_WEEK ? day : addDays(day, -weekdayOf(dayNumberOf(day)))

/**
 * Adds the patterns of a company, and assigns one to everyone with a start date. All ledgers are counted together, so that
 * the demo data is loaded quickly.
 */
async function addPatterns(c: Context, { usual, others }: DemoCompany): Promise<void> {
  const add = async ({ name, days }: { readonly name: string; readonly days: CycleDays }) =>
    (await c.create(workPattern, { name, days })).saved()
  const pattern = await add(usual)
  const byJob = new Map<string, RowOf<typeof workPattern>>()
  for (const one of others) {
    const added = await add(one)
    for (const job of one.jobs) byJob.set(job, added)
  }
  const people = await c.find(employee, { retired: false, isSubby: false })
  const assigned = people.flatMap(({ id, extCStartDate, jobtitlename }) => {
    const { id: of, days } = byJob.get(jobtitlename) ?? pattern
    if (!extCStartDate) return []
    return [{ employee: id, pattern: of, from: extCStartDate, cycleStart: firstCycleDay(extCStartDate, days) }]
  })
  await insertTrustedRows(c, employeeWorkPattern, assigned)
  await recountLeave(c, await c.lockAll(employee, { id: assigned.map(({ employee: id }) => id) }))
}

const leavePart: DemoDataPart = {
  name: 'leave',
  needs: ['employees'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    const monday = today.add({ days: DAYS_PER_WEEK + 1 - today.dayOfWeek })
    for (const company of COMPANIES) {
      const { clientId, admin } = company
      await seedAsUser(engine, { clientId, username: admin }, (c) => addPatterns(c, company))
      for (const { person, username, kind: code = ANNUAL_LEAVE, weeks, days, approved } of company.requests) {
        const first = monday.add({ days: (weeks - 1) * DAYS_PER_WEEK })
        const [forename = '', surname = ''] = person.split(' ')
        const id = await seedAsUser(engine, { clientId, username }, async (c) => {
          const [of] = await c.find(employee, { forename, surname })
          const [kind] = await c.find(leaveKind, { code })
          const part = {
            firstDay: first.toString(),
            lastDay: first.add({ days: days - 1 }).toString(),
            portion: 'day' as const,
          }
          const request = { employee: of?.id ?? 0, kind: kind?.id ?? 0, parts: [part as never] }
          return (await (await c.create(leaveRequest, request)).saved()).id
        })
        if (approved)
          await seedAsUser(engine, { clientId, username: admin }, (c) => c.act(leaveRequest, 'approve', id, {}))
      }
    }
  },
}

export const seeds = [leavePart]

import { problem, violation } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { refuseOwnLeave } from '../employees/own-leave.server.ts'
import { dayViolations } from '../leave-rules/day-limits.ts'
import { dayNumberOf, isoDateOf, weekdayOf } from '../leave-rules/days.ts'
import { cycleProblem } from '../leave-rules/work-pattern.ts'
import { recountLeave } from './history.server.ts'
import { employeeWorkPattern, leavePayPeriod, workPattern } from './work-patterns.ts'

const DAYS_PER_WEEK = 7

const workPatternBehaviour = behaviour(workPattern, {
  beforeSave: async (c) => {
    const { before, changes } = c
    if (changes.days === undefined) return undefined
    const wrong = cycleProblem(changes.days)
    if (wrong) throw problem.invalid([violation('days', wrong)])
    if (before && (await c.exists(employeeWorkPattern, { pattern: before.id })))
      throw problem.conflict('Employees work this pattern. Add a new one and assign it from its first day.', 'in_use')
    return undefined
  },
})

const workPatternGuard = guard(workPattern, {
  retire: async (c, { id }) => {
    if (await c.exists(employeeWorkPattern, { pattern: id }))
      throw problem.conflict('Employees work this pattern, or have worked it.', 'in_use')
  },
})

/** Locks the employee, and a former one, and appends the ledger rows that follow from a change. */
async function recountAfterSave(
  c: Context & { readonly before: { readonly employee: number } | undefined },
  { employee: of }: { readonly employee: number },
): Promise<void> {
  const ids = new Set([of, c.before?.employee ?? of])
  await recountLeave(c, await c.lockAll(employee, { id: [...ids] }))
}

const assignmentBehaviour = behaviour(employeeWorkPattern, {
  beforeSave: async (c) => {
    await refuseOwnLeave(c, c.values.employee, c.before?.employee)
    const { from, pattern, cycleStart } = c.values
    if (!from) return undefined
    const wrong = dayViolations(
      { from: c.changes.from, cycleStart: c.changes.cycleStart },
      londonDate(c.now).toString(),
    )
    if (wrong.length) throw problem.invalid(wrong)
    const days = pattern ? (await c.get(workPattern, pattern))?.days : undefined
    const first = dayNumberOf(from)
    const isWeekly = days && days.length % DAYS_PER_WEEK === 0
    return cycleStart ? undefined : { cycleStart: isWeekly ? isoDateOf(first - weekdayOf(first)) : from }
  },
  afterSave: async (c) => recountAfterSave(c, await c.written.saved()),
})

const payPeriodBehaviour = behaviour(leavePayPeriod, {
  beforeSave: async (c) => {
    await refuseOwnLeave(c, c.values.employee, c.before?.employee)
    const wrong = dayViolations({ until: c.changes.until }, londonDate(c.now).toString())
    if (wrong.length) throw problem.invalid(wrong)
    return undefined
  },
  afterSave: async (c) => recountAfterSave(c, await c.written.saved()),
})

export const patternBehaviours = [workPatternBehaviour, assignmentBehaviour, payPeriodBehaviour]
const assignmentGuard = guard(employeeWorkPattern, { retire: (c, { employee: of }) => refuseOwnLeave(c, of) })
const payPeriodGuard = guard(leavePayPeriod, { retire: (c, { employee: of }) => refuseOwnLeave(c, of) })

export const patternGuards = [workPatternGuard, assignmentGuard, payPeriodGuard]

import { problem, violation } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { refuseOwnLeave } from '../employees/own-leave.server.ts'
import { CARRY_OVER_REASONS, carryOverExpiry, unusedLeave } from '../leave-rules/carry-over.ts'
import { dayViolations } from '../leave-rules/day-limits.ts'
import { type LeaveYear, leaveYearOf, nextLeaveYear } from '../leave-rules/leave-year.ts'
import { countLeaveYear } from '../leave-rules/ledger.ts'
import {
  countBalance,
  type LeaveAccount,
  readLeaveAccounts,
  readLeaveSettings,
  recountLeave,
} from './history.server.ts'
import { leaveAccount } from './leave-account.ts'
import { leaveEntry } from './leave-entry.ts'

const accountBehaviour = behaviour(leaveAccount, {
  actions: {
    adjust: async (c) => {
      const { input, row } = c
      const { year } = await openAccount(c, row.id, input.year)
      if (!input.minutes) throw problem.invalid([violation('minutes', 'Please enter the minutes')])
      await enter(c, row.id, [{ year: year.from, kind: 'adjustment', minutes: input.minutes, reason: input.reason }])
      return {}
    },
    carryOver: async (c) => {
      const { input, row } = c
      const { year, account } = await openAccount(c, row.id, input.year)
      const reason = CARRY_OVER_REASONS.find(({ value }) => value === input.carryReason)
      if (!reason?.parts.some((part) => part === input.part))
        throw problem.invalid([violation('part', 'Leave by this rule is not carried over for this reason')])
      const unused = unusedOf(account, year, londonDate(c.now).toString())[input.part]
      if (input.minutes > unused)
        throw problem.invalid([
          violation('minutes', `Only ${Math.max(0, unused)} minutes by this rule are unused in that year`),
        ])
      const carried = {
        kind: 'carryOver' as const,
        part: input.part,
        carryReason: input.carryReason,
        reason: input.reason,
        expiresOn: carryOverExpiry(reason.value, year),
      }
      await enter(c, row.id, [
        { ...carried, year: year.from, minutes: -input.minutes },
        { ...carried, year: nextLeaveYear(year).from, minutes: input.minutes },
      ])
      return {}
    },
    payInLieu: async (c) => {
      const { input, row } = c
      const { year, account } = await openAccount(c, row.id, input.year)
      const { leavingDate } = row
      if (input.part !== 'additional' && !(leavingDate && leavingDate <= year.until))
        throw problem.invalid([
          violation('part', 'Statutory leave is paid only when the employment ends (regulation 14)'),
        ])
      const balance = countBalance(account, year.from, londonDate(c.now).toString())
      if (input.minutes > balance)
        throw problem.invalid([violation('minutes', `Only ${Math.max(0, balance)} minutes are left in that year`)])
      const paid = { year: year.from, kind: 'payInLieu' as const, part: input.part, minutes: -input.minutes }
      await enter(c, row.id, [{ ...paid, reason: input.reason }])
      return {}
    },
  },
})

/** Locks an employee, and returns their leave with the stated leave year. Throws 403 for the actor's own leave. */
async function openAccount(
  c: Context,
  id: number,
  day: string,
): Promise<{ readonly account: LeaveAccount; readonly year: LeaveYear }> {
  const person = await c.lock(employee, id, 'values')
  await refuseOwnLeave(c, id)
  const wrong = dayViolations({ year: day }, londonDate(c.now).toString())
  if (wrong.length) throw problem.invalid(wrong)
  const settings = await readLeaveSettings(c, c.clientId)
  const year = leaveYearOf(day, settings.yearStartsOn)
  if (year.from !== day) throw problem.invalid([violation('year', `The leave year of this day starts on ${year.from}`)])
  const [account] = await readLeaveAccounts(c, settings, [person])
  if (!account?.history) throw problem.conflict(`The employment start date of ${person.name} is missing.`)
  return { account, year }
}

/** Leave of a year that is neither taken, paid nor carried over, by rule. */
function unusedOf({ history }: LeaveAccount, year: LeaveYear, today: string) {
  if (!history) return { reg13: 0, reg13A: 0, additional: 0 }
  const entered = history.entered.filter((one) => one.year === year.from)
  return unusedLeave({ ...countLeaveYear(history, year), entered, carried: [], today })
}

/** Appends rows that a person enters, and the rows that follow from them. */
async function enter(c: Context, id: number, rows: readonly ValuesOf<typeof leaveEntry>[]): Promise<void> {
  await c.withoutPermissionCheck('the action states who may enter rows').createAll(
    leaveEntry,
    rows.map((row) => ({ ...row, employee: id, entered: true, createdAt: c.now.toString() })),
  )
  const person = await c.get(employee, id)
  if (person) await recountLeave(c, [person])
}

export const accountBehaviours = [accountBehaviour]

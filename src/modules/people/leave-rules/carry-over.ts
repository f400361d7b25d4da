import { addDays } from '#kernel/time.ts'
import { FULL_TIME_DAYS, type LeaveParts } from './entitlement.ts'
import type { DayUse, LeaveHistory, LedgerLine } from './leave-history.ts'
import { type LeaveYear, nextLeaveYear } from './leave-year.ts'
import { averageCycle, patternOn } from './work-pattern.ts'

const LATE_MONTHS_AFTER_SICKNESS = 18

/** Reasons for which statutory leave is carried over, with the parts that they concern. */
export const CARRY_OVER_REASONS = [
  { value: 'sickness', label: 'Not taken because of sickness', parts: ['reg13'] },
  { value: 'family', label: 'Not taken because of family leave', parts: ['reg13', 'reg13A'] },
  { value: 'employer', label: 'The employer did not let it be taken, or did not encourage it', parts: ['reg13'] },
  { value: 'agreed', label: 'By agreement', parts: ['reg13A', 'additional'] },
] as const
export type CarryOverReason = (typeof CARRY_OVER_REASONS)[number]['value']

/** Leave of an earlier year. */
export interface CarriedLeave {
  readonly part: keyof LeaveParts
  readonly minutes: number
  readonly expiresOn: string
}

/**
 * Last day on which leave carried out of a year can be taken: 18 months after the year for sickness (regulation 13(15)),
 * otherwise the end of the next leave year.
 */
export const carryOverExpiry = (reason: CarryOverReason, year: LeaveYear): string =>
  reason === 'sickness' ? addMonths(year.until, LATE_MONTHS_AFTER_SICKNESS) : nextLeaveYear(year).until

/** Adds months to the last day of a year: the day before the same day as the first of a month. */
const addMonths = (lastDay: string, months: number): string =>
  addDays(Temporal.PlainDate.from(addDays(lastDay, 1)).add({ months }).toString(), -1)

interface YearFigures {
  readonly lines: readonly LedgerLine[]
  readonly uses: readonly DayUse[]
  readonly entered: readonly (LedgerLine & { readonly enteredOn: string })[]
  readonly carried: readonly CarriedLeave[]
  readonly today: string
}

/** Unused leave of a year, by rule. Carried leave is used first, then that of regulation 13, 13A, and the rest. */
export interface UnusedLeave extends LeaveParts {
  readonly carried: readonly CarriedLeave[]
  /** Minutes of carried leave that have expired. */
  readonly expired: readonly CarriedLeave[]
}

export function unusedLeave({ lines, uses, entered, carried, today }: YearFigures): UnusedLeave {
  const ofKind = (kind: LedgerLine['kind']) => entered.filter((one) => one.kind === kind)
  const enteredCarry = ofKind('carryOver').flatMap(({ part, minutes, expiresOn }) =>
    part && expiresOn && minutes > 0 ? [{ part, minutes, expiresOn }] : [],
  )
  const taken: DayUse[] = [
    ...uses,
    ...[...ofKind('payInLieu'), ...ofKind('adjustment').filter(({ minutes }) => minutes < 0)].map(
      ({ enteredOn, minutes }) => ({ day: enteredOn, minutes: -minutes }),
    ),
  ].sort((a, b) => (a.day < b.day ? -1 : 1))
  const expiring = [...carried, ...enteredCarry]
    .sort((a, b) => (a.expiresOn < b.expiresOn ? -1 : 1))
    .map((one) => ({ ...one, left: one.minutes }))
  let rest = 0
  for (const { day, minutes } of taken) {
    let open = minutes
    for (const pot of expiring) {
      if (pot.expiresOn < day) continue
      const used = Math.min(pot.left, open)
      pot.left -= used
      open -= used
    }
    rest += open
  }
  const movedOut = (part: keyof LeaveParts) =>
    -ofKind('carryOver').reduce((sum, one) => (one.part === part && one.minutes < 0 ? sum + one.minutes : sum), 0)
  const of = (part: keyof LeaveParts) =>
    lines.reduce((sum, one) => (one.kind === 'entitlement' && one.part === part ? sum + one.minutes : sum), 0)
  const added = ofKind('adjustment').reduce((sum, { minutes }) => sum + Math.max(0, minutes), 0)
  const take = (available: number) => {
    const used = Math.min(Math.max(0, available), rest)
    rest -= used
    return available - used
  }
  const [reg13, reg13A] = [take(of('reg13') - movedOut('reg13')), take(of('reg13A') - movedOut('reg13A'))]
  const additional = take(of('additional') + added - movedOut('additional')) - rest
  const pots = expiring.flatMap(({ left, ...one }) => (left ? [{ ...one, minutes: left }] : []))
  return {
    reg13,
    reg13A,
    additional,
    carried: pots.filter(({ expiresOn }) => expiresOn >= today),
    expired: pots.filter(({ expiresOn }) => expiresOn < today),
  }
}

/**
 * Returns the rows that carry leave out of a year, with its counterpart in the next, and the leave that expired. By the
 * company's rule, only leave of regulation 13A and additional leave is carried, of people who are still employed.
 */
export function carryOverLines(
  { employment, patterns, rules }: LeaveHistory,
  year: LeaveYear,
  figures: YearFigures,
): { lines: LedgerLine[]; carried: CarriedLeave[] } {
  const unused = unusedLeave({ ...figures, today: figures.today > year.until ? addDays(year.until, 1) : figures.today })
  const lines = unused.expired.map((one) => row(year, one, -one.minutes, `Not taken by ${one.expiresOn}`))
  const isOver = figures.today > year.until
  if (!isOver || (employment.leaving && employment.leaving <= year.until)) return { lines, carried: [] }
  const next = nextLeaveYear(year)
  const pattern = patternOn(patterns, year.until)
  const perDay = pattern?.days.length ? averageCycle(pattern.days).minutesPerWeek / FULL_TIME_DAYS : 0
  const most = Math.floor(rules.carryOverDays * perDay)
  const expiresOn = addMonths(year.until, rules.carryOverMonths)
  const additional = Math.min(Math.max(0, unused.additional), most)
  const reg13A = Math.min(Math.max(0, unused.reg13A), most - additional)
  const agreed: CarriedLeave[] = [
    { part: 'additional', minutes: additional, expiresOn },
    { part: 'reg13A', minutes: reg13A, expiresOn },
  ]
  const carried = [...unused.carried, ...agreed].filter(({ minutes }) => minutes)
  for (const one of carried)
    lines.push(
      row(year, one, -one.minutes, `Carried into the year from ${next.from}`),
      row(
        next,
        one,
        one.minutes,
        `Not taken in the year from ${year.from}; ${rules.carryOverDays} days at most by the company’s rule`,
      ),
    )
  return { lines, carried }
}

const row = (year: LeaveYear, { part, expiresOn }: CarriedLeave, minutes: number, formula: string): LedgerLine => ({
  year: year.from,
  kind: 'carryOver',
  part,
  minutes,
  request: null,
  day: null,
  expiresOn,
  formula,
})

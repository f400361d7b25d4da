import { addDays } from '#kernel/time.ts'
import { countDays } from './days.ts'
import { daysInLeaveYear, employedPart, type LeaveYear, serviceAnniversary } from './leave-year.ts'
import { averageCycle, type CycleAverage, type DatedPattern, patternOn } from './work-pattern.ts'

/** Weeks of regulation 13 of the Working Time Regulations 1998, and with the further weeks of regulation 13A. */
const REG_13_WEEKS = 4
const STATUTORY_WEEKS = 5.6
const MAX_STATUTORY_DAYS = 28
/** Additional days are stated for a five-day week. */
export const FULL_TIME_DAYS = 5
/** Hours of leave for each hour worked in a pay period, regulation 15B. */
const IRREGULAR_RATE = 0.1207
/** Removes the error of sums of fractions before they are rounded up. */
const FLOAT_TOLERANCE = 1e-6

/** Leave by the rule that governs it. */
export interface LeaveParts {
  readonly reg13: number
  readonly reg13A: number
  readonly additional: number
}

export const LEAVE_PARTS = ['reg13', 'reg13A', 'additional'] as const satisfies readonly (keyof LeaveParts)[]

/** Further days after some years of service, for a five-day week. */
export interface ServiceStep {
  readonly years: number
  readonly days: number
}

export interface AllowanceRules {
  /** Days above the statutory 28, for a five-day week. */
  readonly additionalDays: number
  readonly serviceSteps: readonly ServiceStep[]
}

export interface Employment {
  readonly start: string
  readonly leaving: string | null
}

/** Hours worked in a pay period, of an irregular-hours or part-year worker. */
export interface PayPeriod {
  readonly until: string
  readonly minutes: number
}

export interface EntitlementFigure {
  readonly minutes: LeaveParts
  /** How the minutes were calculated, one line for each period with the same rules. */
  readonly formula: string
}

/** Weeks of leave of a full year by each rule. A worker of more than five days a week has at most 28 days. */
export function weeksOfFullYear({ daysPerWeek }: CycleAverage): { readonly reg13: number; readonly statutory: number } {
  const cap = daysPerWeek ? MAX_STATUTORY_DAYS / daysPerWeek : STATUTORY_WEEKS
  return { reg13: Math.min(REG_13_WEEKS, cap), statutory: Math.min(STATUTORY_WEEKS, cap) }
}

interface Period extends LeaveYear {
  readonly pattern: DatedPattern
  readonly additionalDays: number
}

/** Splits the employed part of a year wherever the pattern or the additional days change. */
function periodsOf(
  year: LeaveYear,
  employment: Employment,
  patterns: readonly DatedPattern[],
  { additionalDays, serviceSteps }: AllowanceRules,
): Period[] {
  const employed = employedPart(year, employment)
  if (!employed) return []
  const steps = serviceSteps.map(({ years, days }) => ({ from: serviceAnniversary(employment.start, years), days }))
  const changes = [...patterns, ...steps]
    .map(({ from }) => from)
    .filter((d) => d > employed.from && d <= employed.until)
  const starts = [...new Set([employed.from, ...changes])].sort()
  return starts.flatMap((from, n) => {
    const next = starts[n + 1]
    const pattern = patternOn(patterns, from)
    const step = steps.reduce((most, s) => (s.from <= from ? Math.max(most, s.days) : most), 0)
    return pattern
      ? [{ from, until: next ? addDays(next, -1) : employed.until, pattern, additionalDays: additionalDays + step }]
      : []
  })
}

/**
 * Entitlement to leave in a leave year, in minutes, rounded up to a whole minute as GOV.UK's calculator does. Starters
 * and leavers have the proportion of days employed. Irregular-hours and part-year workers have 12.07 % of the hours of
 * each pay period, rounded to the nearest hour.
 */
export function entitlementOf(
  year: LeaveYear,
  employment: Employment,
  patterns: readonly DatedPattern[],
  rules: AllowanceRules,
  payPeriods: readonly PayPeriod[] = [],
): EntitlementFigure {
  const length = daysInLeaveYear(year)
  const lines: string[] = []
  const sums = { reg13: 0, statutory: 0, additional: 0 }
  for (const { from, until, pattern, additionalDays } of periodsOf(year, employment, patterns, rules)) {
    if (!pattern.days.length) continue
    const average = averageCycle(pattern.days)
    const weeks = weeksOfFullYear(average)
    const days = countDays(from, until)
    const share = days / length
    sums.reg13 += weeks.reg13 * average.minutesPerWeek * share
    sums.statutory += weeks.statutory * average.minutesPerWeek * share
    sums.additional += (additionalDays / FULL_TIME_DAYS) * average.minutesPerWeek * share
    lines.push(
      `${from} to ${until}: ${round(weeks.statutory)} weeks${additionalDays ? ` + ${additionalDays} days ÷ 5` : ''} × ${round(average.minutesPerWeek / 60)} hours a week × ${days} ÷ ${length} days`,
    )
  }
  const irregular = payPeriods
    .filter(({ until }) => until >= year.from && until <= year.until && isIrregularOn(patterns, until))
    .map((period) => {
      const minutes = irregularAccrual(period.minutes)
      lines.push(`Pay period to ${period.until}: ${round(period.minutes / 60)} hours × 12.07 %, to the nearest hour`)
      return minutes
    })
  const accrued = irregular.reduce((sum, minutes) => sum + minutes, 0)
  const reg13 = roundUp(sums.reg13) + Math.round((accrued * REG_13_WEEKS) / STATUTORY_WEEKS)
  const statutory = roundUp(sums.statutory) + accrued
  return {
    minutes: { reg13, reg13A: statutory - reg13, additional: roundUp(sums.additional) },
    formula: lines.join('\n'),
  }
}

const isIrregularOn = (patterns: readonly DatedPattern[], day: string): boolean =>
  patternOn(patterns, day)?.days.length === 0

/** Leave accrued at the end of a pay period: half an hour or more counts as an hour, and less does not count. */
export const irregularAccrual = (workedMinutes: number): number =>
  Math.floor((workedMinutes * IRREGULAR_RATE) / 60 + 0.5 + FLOAT_TOLERANCE) * 60

const roundUp = (minutes: number): number => Math.max(0, Math.ceil(minutes - FLOAT_TOLERANCE))
const round = (value: number): number => Math.round(value * 100) / 100

import { bankHolidays } from '#kernel/working-days.ts'
import { type CarriedLeave, carryOverLines } from './carry-over.ts'
import { entitlementOf, LEAVE_PARTS } from './entitlement.ts'
import type { DayUse, LeaveHistory, LedgerLine } from './leave-history.ts'
import { employedPart, type LeaveYear, leaveYearOf, nextLeaveYear } from './leave-year.ts'
import { daysOfPart, partMinutesOn, type RequestPart } from './request-part.ts'
import { workingMinutesOn } from './work-pattern.ts'

/** True if the person does not work on the day because it is a bank holiday. */
export const isBankHolidayOff = ({ rules, nation }: Pick<LeaveHistory, 'rules' | 'nation'>, day: string): boolean =>
  rules.bankHolidays !== 'worked' && bankHolidays(Number(day.slice(0, 4)), nation).has(day)

/** True if the person has a shift on the day that is not off for a bank holiday. */
export const worksOn = (history: Pick<LeaveHistory, 'rules' | 'nation' | 'patterns'>, day: string): boolean =>
  workingMinutesOn(history.patterns, day) > 0 && !isBankHolidayOff(history, day)

/** Paid minutes of leave on each day of a part that lies in a period. */
export const usesOfPart = (history: LeaveHistory, part: RequestPart, within: LeaveYear): DayUse[] =>
  daysOfPart(part, within).flatMap((day) => {
    const minutes = isBankHolidayOff(history, day) ? 0 : partMinutesOn(history.patterns, part, day)
    return minutes ? [{ day, minutes }] : []
  })

const line = (year: LeaveYear, more: Pick<LedgerLine, 'kind' | 'minutes'> & Partial<LedgerLine>): LedgerLine => ({
  year: year.from,
  part: null,
  request: null,
  day: null,
  expiresOn: null,
  formula: '',
  ...more,
})

/** Returns the rows of a leave year without its carry-over, and the days on which leave is taken. */
export function countLeaveYear(history: LeaveHistory, year: LeaveYear): { lines: LedgerLine[]; uses: DayUse[] } {
  const { employment, patterns, rules, payPeriods, nation } = history
  const { minutes, formula } = entitlementOf(year, employment, patterns, rules, payPeriods)
  const lines = LEAVE_PARTS.flatMap((part) =>
    minutes[part] ? [line(year, { kind: 'entitlement', part, minutes: minutes[part], formula })] : [],
  )
  const employed = employedPart(year, employment)
  if (!employed) return { lines, uses: [] }
  const uses: DayUse[] = []
  if (rules.bankHolidays === 'counted')
    for (const calendarYear of new Set([employed.from.slice(0, 4), employed.until.slice(0, 4)]))
      for (const day of bankHolidays(Number(calendarYear), nation)) {
        if (day < employed.from || day > employed.until) continue
        const taken = workingMinutesOn(patterns, day)
        if (!taken) continue
        uses.push({ day, minutes: taken })
        lines.push(line(year, { kind: 'bankHoliday', minutes: -taken, day, formula: `Shifts of ${day}` }))
      }
  for (const { request, parts } of history.bookings) {
    const days = parts.flatMap((part) => usesOfPart(history, part, employed))
    const taken = sumMinutes(days)
    if (!taken) continue
    uses.push(...days)
    const formula = `Shifts of ${[...new Set(days.map(({ day }) => day))].join(', ')}`
    lines.push(line(year, { kind: 'booking', minutes: -taken, request, formula }))
  }
  return { lines, uses }
}

/** Returns the rows of all leave years from a person's start to the year of a day, with carry-over between them. */
export function countLedger(history: LeaveHistory, today: string, through = today): LedgerLine[] {
  const lines: LedgerLine[] = []
  let carried: readonly CarriedLeave[] = []
  const last = leaveYearOf(through, history.rules.yearStartsOn)
  for (
    let year = leaveYearOf(history.employment.start, history.rules.yearStartsOn);
    year.from <= last.from;
    year = nextLeaveYear(year)
  ) {
    const counted = countLeaveYear(history, year)
    const entered = history.entered.filter((one) => one.year === year.from)
    const next = carryOverLines(history, year, { ...counted, entered, carried, today })
    lines.push(...counted.lines, ...next.lines)
    carried = next.carried
  }
  return lines
}

const keyOf = ({ year, kind, part, request, day, expiresOn }: LedgerLine): string =>
  [year, kind === 'cancellation' ? 'booking' : kind, part, request, day, kind === 'carryOver' ? expiresOn : null].join()

/**
 * Returns the rows to append so that the stored rows add up to the counted ones. A booking that takes less than is
 * stored is a cancellation of the difference.
 */
export function correctLedger(counted: readonly LedgerLine[], stored: readonly LedgerLine[]): LedgerLine[] {
  const sums = new Map<string, number>()
  for (const one of stored) sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0) + one.minutes)
  const wanted = new Map<string, LedgerLine>()
  for (const one of counted) {
    const same = wanted.get(keyOf(one))
    wanted.set(keyOf(one), same ? { ...one, minutes: one.minutes + same.minutes } : one)
  }
  const gone = stored.filter((one) => !wanted.has(keyOf(one)))
  for (const one of gone) wanted.set(keyOf(one), { ...one, minutes: 0, formula: '' })
  return [...wanted].flatMap(([key, one]) => {
    const before = sums.get(key)
    const minutes = one.minutes - (before ?? 0)
    if (!minutes) return []
    const isBooking = one.kind === 'booking' || one.kind === 'cancellation'
    const kind = isBooking ? (minutes < 0 ? 'booking' : 'cancellation') : one.kind
    const change = before
      ? `${one.formula}\n${Math.abs(one.minutes)} minutes instead of ${Math.abs(before)}`
      : one.formula
    return [{ ...one, kind, minutes, formula: change.trim() }]
  })
}

export const sumMinutes = (all: readonly { readonly minutes: number }[]): number =>
  all.reduce((sum, { minutes }) => sum + minutes, 0)

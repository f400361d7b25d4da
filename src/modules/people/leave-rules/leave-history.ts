import type { UkNation } from '#kernel/working-days.ts'
import type { AllowanceRules, Employment, LeaveParts, PayPeriod } from './entitlement.ts'
import type { RequestPart } from './request-part.ts'
import type { DatedPattern } from './work-pattern.ts'

export const LEDGER_KINDS = [
  { value: 'entitlement', label: 'Entitlement' },
  { value: 'carryOver', label: 'Carry-over' },
  { value: 'adjustment', label: 'Adjustment' },
  { value: 'bankHoliday', label: 'Bank holiday' },
  { value: 'booking', label: 'Booking' },
  { value: 'cancellation', label: 'Cancellation' },
  { value: 'payInLieu', label: 'Pay in lieu' },
] as const
export type LedgerKind = (typeof LEDGER_KINDS)[number]['value']

/** Treatment of bank holidays: days off that count towards the entitlement, further days off, or working days. */
export const BANK_HOLIDAY_RULES = [
  { value: 'counted', label: 'Days off that count towards the entitlement' },
  { value: 'additional', label: 'Days off in addition to the entitlement' },
  { value: 'worked', label: 'Working days' },
] as const

/** A row of the leave ledger. Minutes taken are negative. */
export interface LedgerLine {
  /** First day of the leave year. */
  readonly year: string
  readonly kind: LedgerKind
  /** Rule that governs the leave; null for leave that is taken. */
  readonly part: keyof LeaveParts | null
  readonly minutes: number
  readonly request: number | null
  /** Day of a bank holiday. */
  readonly day: string | null
  /** Last day on which carried leave can be taken. */
  readonly expiresOn: string | null
  readonly formula: string
}

export interface LeaveRules extends AllowanceRules {
  /** Month and day on which leave years start, such as `04-01`. */
  readonly yearStartsOn: string
  readonly bankHolidays: (typeof BANK_HOLIDAY_RULES)[number]['value']
  /** Most days that are carried over without a statutory reason, for a five-day week. */
  readonly carryOverDays: number
  /** Months of the next leave year in which they can be taken. */
  readonly carryOverMonths: number
}

/** Everything from which a person's leave is calculated. */
export interface LeaveHistory {
  readonly employment: Employment
  readonly nation: UkNation
  readonly patterns: readonly DatedPattern[]
  readonly rules: LeaveRules
  readonly payPeriods: readonly PayPeriod[]
  /** Requests that take leave: waiting or approved. */
  readonly bookings: readonly { readonly request: number; readonly parts: readonly RequestPart[] }[]
  /** Rows that people entered: adjustments, pay in lieu and carry-over with a reason. */
  readonly entered: readonly (LedgerLine & { readonly enteredOn: string })[]
}

export interface DayUse {
  readonly day: string
  readonly minutes: number
}

import type { LeaveCondition } from '../leave-rules/statutory-leave.ts'

export interface DayCover {
  readonly day: string
  /** Members who work on the day and are not absent all day. */
  readonly atWork: number
  readonly minimum: number
}

/** Balance of a leave year before and after a request. Requests that wait are deducted. */
export interface YearBalance {
  readonly year: string
  readonly before: number
  readonly after: number
}

export interface LeavePlan {
  /** Paid working time of all parts, and of each. */
  readonly minutes: number
  readonly partMinutes: readonly number[]
  readonly balances: readonly YearBalance[]
  readonly bankHolidays: readonly string[]
  readonly blackouts: readonly { readonly firstDay: string; readonly lastDay: string; readonly reason: string }[]
  /** Colleagues of the department who are absent on these days. */
  readonly others: readonly { readonly name: string; readonly firstDay: string; readonly lastDay: string }[]
  /** Days on which fewer members would be at work than the department needs. */
  readonly shortCover: readonly DayCover[]
  /** Last day on which the law expects notice of this leave, unless agreed otherwise. */
  readonly noticeBy: string | null
  /** Unit of the company, and minutes of the employee's average day; 0 without a pattern. */
  readonly unit: 'days' | 'hours'
  readonly dayMinutes: number
  /** Reason why the request can't be sent. */
  readonly problem: string
}

/** A plan with the conditions of the law on the kind of leave, as the preview shows it. */
export interface LeavePreview extends LeavePlan {
  readonly conditions: readonly LeaveCondition[]
}

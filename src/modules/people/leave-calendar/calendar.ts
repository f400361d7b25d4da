import type { RequestPart } from '../leave-rules/request-part.ts'

export const CALENDAR_URL = '/api/employees/leave_calendar'

/** A person in the calendar. */
export interface CalendarLane {
  readonly employee: number
  readonly name: string
  readonly departmentId: number | null
  readonly department: string | null
  /** True if the reader sees the kind and state of absences. */
  readonly detailed: boolean
  /** True if the reader also sees the kind of leave other than annual leave. */
  readonly approves: boolean
  readonly isMe: boolean
}

/** An absence; `busy` for colleagues, who see no more. */
export interface CalendarAbsence extends RequestPart {
  readonly employee: number
  readonly state: 'requested' | 'approved' | 'sick' | 'busy'
  readonly request: number | null
  readonly kind: number | null
}

export interface LeaveCalendar {
  readonly from: string
  readonly until: string
  readonly lanes: readonly CalendarLane[]
  readonly absences: readonly CalendarAbsence[]
  readonly kinds: readonly { readonly id: number; readonly name: string }[]
  readonly blackouts: readonly {
    readonly firstDay: string
    readonly lastDay: string
    readonly reason: string
    readonly department: number | null
  }[]
  readonly bankHolidays: readonly { readonly nation: string; readonly day: string }[]
  readonly yearStartsOn: string
  /** Members at work by day, of departments with a minimum. Empty for periods longer than two months. */
  readonly cover: readonly {
    readonly department: string
    readonly days: readonly { readonly day: string; readonly atWork: number; readonly minimum: number }[]
  }[]
}

import type { BradfordScore } from '../leave-rules/bradford.ts'

export const REPORT_URL = '/api/employees/leave_report'

/** Leave and sickness of an employee in a leave year. Minutes, except where days are named. */
export interface LeaveReportRow {
  readonly employee: number
  readonly name: string
  readonly department: string
  /** Minutes of an average working day; 0 without a pattern. */
  readonly dayMinutes: number
  /** False if the ledger has no rows: the start date or the pattern is missing. */
  readonly counted: boolean
  readonly entitlement: number
  readonly carriedOver: number
  readonly adjusted: number
  readonly bankHolidays: number
  readonly taken: number
  readonly booked: number
  readonly waiting: number
  readonly paidInLieu: number
  readonly left: number
  /** Calendar days of sickness in the leave year. */
  readonly sickDays: number
  readonly bradford: BradfordScore
  /** Calendar days of approved leave of other kinds in the leave year, up to today. The kinds are private. */
  readonly otherDays: number
}

export interface LeaveReport {
  readonly from: string
  readonly until: string
  readonly unit: 'days' | 'hours'
  readonly rows: readonly LeaveReportRow[]
}

/** Columns of the report with their formulas, in the order of the screen and the CSV file. */
export const REPORT_COLUMNS = [
  { name: 'entitlement', label: 'Entitlement', formula: 'Sum of the entitlement rows of the ledger' },
  { name: 'carriedOver', label: 'Carried over', formula: 'Carried into the year, less carried out and expired' },
  { name: 'adjusted', label: 'Adjusted', formula: 'Sum of adjustments' },
  {
    name: 'bankHolidays',
    label: 'Bank holidays',
    formula: 'Shifts on bank holidays that count towards the entitlement',
  },
  { name: 'taken', label: 'Taken', formula: 'Approved leave that has started' },
  { name: 'booked', label: 'Booked', formula: 'Approved leave to come' },
  { name: 'waiting', label: 'Waiting', formula: 'Requests that wait for approval' },
  { name: 'paidInLieu', label: 'Paid in lieu', formula: 'Leave that was paid at the end of the employment' },
  { name: 'left', label: 'Left', formula: 'Sum of all rows of the ledger' },
] as const satisfies readonly {
  readonly name: keyof LeaveReportRow
  readonly label: string
  readonly formula: string
}[]

const MINUTES_PER_HOUR = 60

/** Formats minutes in the company's unit: days of the employee's average day, or hours and minutes. */
export function formatLeave(minutes: number, unit: 'days' | 'hours', dayMinutes: number): string {
  if (unit === 'days' && dayMinutes) {
    const days = Math.round((minutes / dayMinutes) * 100) / 100
    return `${days} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  }
  const [hours, rest] = [Math.trunc(minutes / MINUTES_PER_HOUR), Math.abs(minutes % MINUTES_PER_HOUR)]
  return `${minutes < 0 && !hours ? '-' : ''}${hours} h${rest ? ` ${rest} min` : ''}`
}

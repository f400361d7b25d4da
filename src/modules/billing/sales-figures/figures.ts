import type { Way } from '#modules/crm/calls/ways.ts'

export const SALES_FIGURES = '/api/sales/salesStats'

export const WEEKS_OVER = 8

export interface Seller {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly user: number | null
  /** Target of calls per day. */
  readonly callsPerDay: number
}

/** Work in the week from this Monday; `person` is null for quotes without an owner. */
interface Done {
  readonly person: number | null
  readonly week: string
  readonly count: number
}
export interface Called extends Done {
  readonly result: number
  /** Effect of the outcome on the sale. */
  readonly way: Way
  readonly minutes: number
}
export interface Offered extends Done {
  readonly currency: string
  readonly pence: number
}

/** Calls and quotes of the last weeks by person and week, for the team or the user alone. */
export interface SalesFigures {
  readonly today: string
  /** Mondays; the last is the current week. */
  readonly weeks: readonly string[]
  readonly people: readonly Seller[]
  readonly calls: readonly Called[]
  readonly callsToday: readonly { readonly person: number | null; readonly count: number }[]
  /** By the week of sending, whatever their status. */
  readonly sent: readonly Offered[]
  /** By the week of acceptance. */
  readonly accepted: readonly Offered[]
}

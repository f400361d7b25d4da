import type { OutcomeMeaning } from '#modules/crm/calls/ways.ts'

export const SALES_FIGURES_URL = '/api/sales/salesStats'

export const PAST_WEEKS_SHOWN = 8

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
export interface CallCount extends Done {
  readonly result: number
  /** Effect of the outcome on the sale. */
  readonly way: OutcomeMeaning
  readonly minutes: number
}
export interface QuoteCount extends Done {
  readonly currency: string
  readonly pence: number
}

/** Calls and quotes of the last weeks by person and week, for the team or the user alone. */
export interface SalesFigures {
  readonly today: string
  /** Mondays; the last is the current week. */
  readonly weeks: readonly string[]
  readonly people: readonly Seller[]
  readonly calls: readonly CallCount[]
  readonly callsToday: readonly { readonly person: number | null; readonly count: number }[]
  /** By the week of sending, whatever their status. */
  readonly sent: readonly QuoteCount[]
  /** By the week of acceptance. */
  readonly accepted: readonly QuoteCount[]
}

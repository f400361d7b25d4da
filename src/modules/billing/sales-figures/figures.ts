import type { Way } from '#modules/crm/calls/ways.ts'

/** Where the figures of the sales are read. */
export const SALES_FIGURES = '/api/sales/salesStats'

/** Whole weeks that are shown before the one that is on. */
export const WEEKS_OVER = 8

/** Somebody whose work is shown. */
export interface Seller {
  readonly '@id': string
  readonly id: number
  readonly name: string
  /** Their account. */
  readonly user: number | null
  /** How many calls they mean to make in a day. */
  readonly callsPerDay: number
}

/** What somebody did in a week that begins with this Monday; of nobody, where a quote has no owner. */
interface Done {
  readonly person: number | null
  readonly week: string
  readonly count: number
}
/** Calls that ended in one way. */
export interface Called extends Done {
  readonly result: number
  /** What the result means for the sale. */
  readonly way: Way
  readonly minutes: number
}
/** Quotes, with what they come to. */
export interface Offered extends Done {
  readonly currency: string
  readonly pence: number
}

/** Calls and quotes of the last weeks, by person and week: of one's team, or one's own. */
export interface SalesFigures {
  readonly today: string
  /** Mondays, the last of the week that is on. */
  readonly weeks: readonly string[]
  readonly people: readonly Seller[]
  readonly calls: readonly Called[]
  readonly callsToday: readonly { readonly person: number | null; readonly count: number }[]
  /** By the week in which they were sent, whatever has become of them. */
  readonly sent: readonly Offered[]
  /** By the week in which the customer signed. */
  readonly accepted: readonly Offered[]
}

/** Where the figures of the day are read, once or as they change. */
export const LIVE = '/api/sales/live'
export const BINGO = '/api/sales/bingo'

/** Somebody who sells. */
interface Person {
  readonly '@id': string
  readonly id: number
  readonly name: string
  /** Their account. */
  readonly user: number | null
}

/** What was done in a day. */
export interface Done {
  readonly calls: number
  /** Calls that take the sale on. */
  readonly forward: number
  readonly sales: number
  /** Pence without VAT, of sales in pounds. */
  readonly amount: number
}

export interface LivePerson extends Person {
  readonly callsPerDay: number
  readonly today: Done
  /** Since the first of the month. */
  readonly month: Done
}

/** The day of everybody, as it stands. */
export interface LiveBoard {
  readonly '@id': string
  /** In London. */
  readonly day: string
  readonly people: readonly LivePerson[]
  readonly waiting: { readonly callbacks: number; readonly checks: number }
}

export interface Card extends Person {
  /** The keys of the squares that are filled. */
  readonly filled: readonly string[]
}

/** Everybody's card of the day. */
export interface BingoBoard {
  readonly '@id': string
  readonly day: string
  readonly cards: readonly Card[]
}

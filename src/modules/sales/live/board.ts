/** URLs of today's figures, for a single response or a stream. */
export const LIVE_FIGURES_PATH = '/api/sales/live'
export const BINGO_PATH = '/api/sales/bingo'

/** A seller with their user. */
interface Person {
  readonly '@id': string
  readonly id: number
  readonly name: string
  /** User ID. */
  readonly user: number | null
}

/** Activity of a day or month. */
export interface SalesActivity {
  readonly calls: number
  /** Calls that moved the sale forward. */
  readonly forward: number
  readonly sales: number
  /** Pence excluding VAT, of sales in pounds. */
  readonly amount: number
}

export interface LiveSellerFigures extends Person {
  readonly callsPerDay: number
  readonly today: SalesActivity
  /** Activity since the first of the month. */
  readonly month: SalesActivity
}

/** Everybody's activity today. */
export interface LiveBoard {
  readonly '@id': string
  /** Today's date in London. */
  readonly day: string
  readonly people: readonly LiveSellerFigures[]
  readonly waiting: { readonly callbacks: number; readonly checks: number }
}

export interface BingoCard extends Person {
  /** Keys of the filled squares. */
  readonly filled: readonly string[]
}

/** Everybody's bingo card of the day. */
export interface BingoBoard {
  readonly '@id': string
  readonly day: string
  readonly cards: readonly BingoCard[]
}

/** URL of today's figures, as a single response or as a stream. */
export const LIVE_FIGURES_URL = '/api/sales/live'
export const BINGO_BOARD_URL = '/api/sales/bingo'

interface Person {
  readonly '@id': string
  readonly id: number
  readonly name: string
  /** User ID of the seller; null if the seller has no account. */
  readonly user: number | null
}

/** Activity in a day or month. */
export interface SalesActivity {
  readonly calls: number
  /** Calls that moved the sale forward. */
  readonly forward: number
  readonly sales: number
  /** Pence excluding VAT, for sales in pounds only. */
  readonly amount: number
}

export interface LiveSellerFigures extends Person {
  readonly callsPerDay: number
  readonly today: SalesActivity
  /** Activity since the first of the month. */
  readonly month: SalesActivity
}

/** Everybody's activity today and this month, with the numbers of open tasks. */
export interface LiveBoard {
  readonly '@id': string
  /** Today's date in London. */
  readonly day: string
  readonly people: readonly LiveSellerFigures[]
  readonly waiting: { readonly callbacks: number; readonly checks: number }
}

export interface BingoCard extends Person {
  /** Keys of the squares that are filled. */
  readonly filled: readonly string[]
}

export interface BingoBoard {
  readonly '@id': string
  readonly day: string
  readonly cards: readonly BingoCard[]
}

/** A person's activity today. */
export interface BingoActivity {
  readonly calls: number
  /** Daily call target. */
  readonly meant: number
  readonly forward: number
  readonly sales: number
  /** Number of calls by the list to which their outcome moved the lead. */
  readonly lists: ReadonlyMap<string, number>
}

interface Square {
  readonly key: string
  readonly label: string
  readonly how: string
  readonly isFilled: (t: BingoActivity) => boolean
}

const once = (list: string) => (t: BingoActivity) => (t.lists.get(list) ?? 0) > 0
const TEN = 10
const THREE = 3

/** The card's squares, row by row. They are filled by activity on the current day in London time. */
export const BINGO_SQUARES: readonly Square[] = [
  { key: 'call', label: 'First call', how: 'A call that ended with an outcome', isFilled: (t) => t.calls > 0 },
  {
    key: 'callback',
    label: 'A callback',
    how: 'A call that ended with a callback',
    isFilled: once('CB'),
  },
  { key: 'pitch', label: 'A pitch', how: 'A call that ended with a pitch for a pack', isFilled: once('PFP') },
  { key: 'ten', label: 'Ten calls', how: 'Ten calls that ended with an outcome', isFilled: (t) => t.calls >= TEN },
  { key: 'demo', label: 'A demo', how: 'A call that led to a demo', isFilled: once('DEMO') },
  {
    key: 'forward',
    label: 'Three calls with progress',
    how: 'Three calls that moved the sale forward',
    isFilled: (t) => t.forward >= THREE,
  },
  { key: 'quote', label: 'A quote', how: 'A quote sent during a call', isFilled: once('QUOTE') },
  {
    key: 'day',
    label: 'Daily target',
    how: 'The day’s call target',
    isFilled: (t) => t.meant > 0 && t.calls >= t.meant,
  },
  { key: 'sale', label: 'A sale', how: 'A sale dated today', isFilled: (t) => t.sales > 0 },
]

const SIDE = 3
const all = [0, 1, 2]
const WINNING_LINES: readonly (readonly number[])[] = [
  ...all.map((row) => all.map((n) => row * SIDE + n)),
  ...all.map((column) => all.map((n) => n * SIDE + column)),
  all.map((n) => n * (SIDE + 1)),
  all.map((n) => (n + 1) * (SIDE - 1)),
]

/** Counts the complete lines on a card: rows, columns and diagonals. */
export const countBingoLines = (filled: readonly string[]): number => {
  const has = BINGO_SQUARES.map(({ key }) => filled.includes(key))
  return WINNING_LINES.filter((line) => line.every((n) => has[n])).length
}

export const isFullBingoCard = (filled: readonly string[]): boolean =>
  BINGO_SQUARES.every(({ key }) => filled.includes(key))

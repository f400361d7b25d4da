import { expect, test } from 'vitest'
import { BINGO_SQUARES, type BingoActivity, countBingoLines, isFullBingoCard } from './squares.ts'

const NOTHING: BingoActivity = { calls: 0, meant: 0, forward: 0, sales: 0, lists: new Map() }
const filled = (t: Partial<BingoActivity>) =>
  BINGO_SQUARES.flatMap((s) => (s.isFilled({ ...NOTHING, ...t }) ? [s.key] : []))

test('each activity fills the matching bingo squares, and a day without activity fills none', () => {
  expect(filled({})).toEqual([])
  expect(filled({ calls: 9, meant: 9 })).toEqual(['call', 'day'])
  expect(filled({ calls: 10, forward: 3, lists: new Map([['CB', 2]]) })).toEqual(['call', 'callback', 'ten', 'forward'])
  expect(filled({ sales: 1, lists: new Map([['QUOTE', 1]]) })).toEqual(['quote', 'sale'])
})

test('a complete row, column or diagonal is a bingo line, and a card with all squares filled is bingo', () => {
  const keys = BINGO_SQUARES.map((s) => s.key)
  const at = (...places: number[]) => places.map((n) => keys[n] ?? '')
  expect([at(0, 1, 2), at(1, 4, 7), at(0, 4, 8), at(2, 4, 6), at(0, 1, 3)].map(countBingoLines)).toEqual([
    1, 1, 1, 1, 0,
  ])
  expect([countBingoLines(keys), isFullBingoCard(keys), isFullBingoCard(keys.slice(1))]).toEqual([8, true, false])
})

import { expect, test } from 'vitest'
import { moveInGrid, visibleRows } from './grid-moves.ts'

const SIZE = { rows: 800, columns: 30, page: 15 }

test('arrow, Page, Home and End keys move within the grid and stop at its edges', () => {
  const from = { row: 10, column: 5 }
  expect(moveInGrid(from, 'ArrowDown', SIZE)).toEqual({ row: 11, column: 5 })
  expect(moveInGrid(from, 'ArrowLeft', SIZE)).toEqual({ row: 10, column: 4 })
  expect(moveInGrid(from, 'PageDown', SIZE)).toEqual({ row: 25, column: 5 })
  expect(moveInGrid(from, 'PageUp', SIZE)).toEqual({ row: 0, column: 5 })
  expect(moveInGrid(from, 'End', SIZE)).toEqual({ row: 10, column: 29 })
  expect(moveInGrid(from, 'Home', SIZE)).toEqual({ row: 10, column: 0 })
  expect(moveInGrid({ row: 799, column: 29 }, 'ArrowDown', SIZE)).toEqual({ row: 799, column: 29 })
  expect(moveInGrid(from, 'a', SIZE)).toBeUndefined()
})

test('only the rows in view and a few others are rendered', () => {
  expect(visibleRows({ top: 0, height: 400, row: 40, rows: 800 })).toEqual({ first: 0, last: 18 })
  expect(visibleRows({ top: 4000, height: 400, row: 40, rows: 800 })).toEqual({ first: 92, last: 118 })
  expect(visibleRows({ top: 31_600, height: 400, row: 40, rows: 800 })).toEqual({ first: 782, last: 800 })
  expect(visibleRows({ top: 0, height: 400, row: 40, rows: 3 })).toEqual({ first: 0, last: 3 })
})

import { expect, test } from 'vitest'
import { computeMaxColumnWidth, fitColumns } from './use-fitting.ts'

test.each([
  ['no truncation if all columns fit', 500, [100, 200, 200], Number.POSITIVE_INFINITY],
  ['only the widest column', 400, [100, 100, 300], 200],
  ['several columns, to the same width', 400, [100, 300, 500], 150],
  ['all columns, to the same width', 90, [100, 300, 500], 30],
  ['no columns to truncate', 90, [], Number.POSITIVE_INFINITY],
])('columns are truncated to fit: %s', (_, module, widths, most) => {
  expect(computeMaxColumnWidth(module, widths)).toBe(most)
})

const leads = (company: number) => [
  { width: 150 },
  { width: company, cut: true, known: true },
  { width: 140, cut: true },
  { width: 260 },
  { width: 160, cut: true, rank: 2 },
  { width: 110, cut: true, rank: 1 },
]

test('the column that identifies the row is truncated only after the others have been truncated and hidden', () => {
  const roomy = fitColumns(leads(200), 1020)
  expect(roomy).toMatchObject({ dropped: 0, known: Number.POSITIVE_INFINITY })
  expect(fitColumns(leads(200), 900)).toEqual({ dropped: 1, most: 150, known: Number.POSITIVE_INFINITY })
  expect(fitColumns(leads(600), 900)).toEqual({ dropped: 2, most: Number.POSITIVE_INFINITY, known: 350 })
  // If nothing more can be hidden, the identifying column gets the remaining width.
  expect(fitColumns(leads(600), 700)).toEqual({ dropped: 2, most: 136, known: 154 })
  // It is never narrower than a column that can be read: the table scrolls sideways instead.
  expect(fitColumns(leads(600), 500)).toMatchObject({ dropped: 2, known: 136 })
})

test('columns of fixed width are hidden before the column that identifies the row is truncated', () => {
  const fixed = [
    { width: 300 },
    { width: 240, cut: true, known: true },
    { width: 110, rank: 2 },
    { width: 70, rank: 1 },
  ]
  expect(fitColumns(fixed, 660)).toMatchObject({ dropped: 1, known: Number.POSITIVE_INFINITY })
  expect(fitColumns(fixed, 500)).toMatchObject({ dropped: 2, known: 200 })
})

import { expect, it } from 'vitest'
import { countPages, describeRowRange } from './list-pager.tsx'

it('the list pager states the range of rows and the total', () => {
  expect(describeRowRange(1, 30, 30, 214)).toBe('1–30 of 214')
  expect(describeRowRange(8, 30, 4, 214)).toBe('211–214 of 214')
  expect(describeRowRange(2, 30, 1, 31)).toBe('31 of 31')
  expect(describeRowRange(1, 30, 0, 0)).toBe('None')
  expect(describeRowRange(9, 30, 0, 214)).toBe('0 of 214')
  expect(describeRowRange(1, 30, 30, undefined)).toBe('1–30')
  expect(describeRowRange(40, 30, 30, 12_000)).toBe('1,171–1,200 of 12,000')
})

it('a list has at least one page, even if it is empty', () => {
  expect(countPages(214, 30)).toBe(8)
  expect(countPages(0, 30)).toBe(1)
  expect(countPages(undefined, 30)).toBe(1)
})

import { expect, it } from 'vitest'
import { moved } from './moved.ts'

it('moves one of a list by a place, and no further than its ends', () => {
  expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moved(['a', 'b', 'c'], 'd', 1)).toEqual(['a', 'b', 'c'])
})

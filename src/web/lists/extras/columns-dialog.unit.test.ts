import { expect, it } from 'vitest'
import { moveItem } from './columns-dialog.tsx'

it('moves one of a list by a place, and no further than its ends', () => {
  expect(moveItem(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moveItem(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moveItem(['a', 'b', 'c'], 'd', 1)).toEqual(['a', 'b', 'c'])
})

import { expect, it } from 'vitest'
import { moveItem } from './columns-dialog.tsx'

it('a list item moves by one position, but not beyond either end of the list', () => {
  expect(moveItem(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
  expect(moveItem(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(moveItem(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c'])
  expect(moveItem(['a', 'b', 'c'], 'd', 1)).toEqual(['a', 'b', 'c'])
})

import { expect, it } from 'vitest'
import { addSelection, filterOptions } from './combo-field.tsx'

it('a combobox ignores a duplicate or sixth selection', () => {
  const five = ['a', 'b', 'c', 'd', 'e']
  expect(addSelection(five, 'f')).toEqual(five)
  expect(addSelection(['Dust'], 'dust')).toEqual(['Dust'])
  expect(addSelection(['a'], 'b')).toEqual(['a', 'b'])
})

it('a combobox offers only matching options that are not yet selected', () =>
  expect(filterOptions(['Dust', 'Noise', 'Dusk'], ['Dust'], ' du ')).toEqual(['Dusk']))

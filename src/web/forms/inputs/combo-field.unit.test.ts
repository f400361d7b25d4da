import { expect, it } from 'vitest'
import { addSelection, optionsFor } from './combo-field.tsx'

it('drops a sixth, and doubles', () => {
  const five = ['a', 'b', 'c', 'd', 'e']
  expect(addSelection(five, 'f')).toEqual(five)
  expect(addSelection(['Dust'], 'dust')).toEqual(['Dust'])
  expect(addSelection(['a'], 'b')).toEqual(['a', 'b'])
})

it('offers what matches and is not chosen', () =>
  expect(optionsFor(['Dust', 'Noise', 'Dusk'], ['Dust'], ' du ')).toEqual(['Dusk']))

import { expect, it } from 'vitest'
import { optionsFor, withOne } from './combo.ts'

it('drops a sixth, and doubles', () => {
  const five = ['a', 'b', 'c', 'd', 'e']
  expect(withOne(five, 'f')).toEqual(five)
  expect(withOne(['Dust'], 'dust')).toEqual(['Dust'])
  expect(withOne(['a'], 'b')).toEqual(['a', 'b'])
})

it('offers what matches and is not chosen', () =>
  expect(optionsFor(['Dust', 'Noise', 'Dusk'], ['Dust'], ' du ')).toEqual(['Dusk']))

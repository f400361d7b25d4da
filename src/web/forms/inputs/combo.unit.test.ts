import { expect, it } from 'vitest'
import { offered, withOne } from './combo.ts'

it('drops a sixth, and doubles', () => {
  const five = ['a', 'b', 'c', 'd', 'e']
  expect(withOne(five, 'f')).toEqual(five)
  expect(withOne(['Dust'], 'dust')).toEqual(['Dust'])
  expect(withOne(['a'], 'b')).toEqual(['a', 'b'])
})

it('offers what matches and is not chosen', () =>
  expect(offered(['Dust', 'Noise', 'Dusk'], ['Dust'], ' du ')).toEqual(['Dusk']))

import { expect, test } from 'vitest'
import { FACES } from '../board/faces.ts'
import { READ_AT } from './screens.ts'

test('documents of every kind are read where its face says', () => {
  expect(READ_AT).toEqual(Object.fromEntries(FACES.map(({ kind, screens }) => [kind, screens.list])))
})

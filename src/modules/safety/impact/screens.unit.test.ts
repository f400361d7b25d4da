import { expect, test } from 'vitest'
import { TYPE_INFOS } from '../board/type-infos.ts'
import { DOCUMENT_PAGE_PATHS } from './screens.ts'

test('documents of every type are read at the address of its info', () => {
  expect(DOCUMENT_PAGE_PATHS).toEqual(Object.fromEntries(TYPE_INFOS.map(({ kind, screens }) => [kind, screens.list])))
})

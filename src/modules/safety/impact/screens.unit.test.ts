import { expect, test } from 'vitest'
import { SAFETY_DOCUMENT_TYPE_INFOS } from '../board/type-infos.ts'
import { DOCUMENT_PAGE_PATHS } from './screens.ts'

test('the page path of every document type equals the path declared in its type info', () => {
  expect(DOCUMENT_PAGE_PATHS).toEqual(
    Object.fromEntries(SAFETY_DOCUMENT_TYPE_INFOS.map(({ kind, screens }) => [kind, screens.list])),
  )
})

import { expect, test } from 'vitest'
import { assignAnswerKey } from './form-link.ts'

test('answers that are sent again have the same key, and changed answers have a new one', () => {
  const first = assignAnswerKey(undefined, '{"what":"first"}', 'one')
  expect(first).toEqual({ key: 'one', content: '{"what":"first"}' })
  expect(assignAnswerKey(first, '{"what":"first"}', 'two')).toEqual(first)
  expect(assignAnswerKey(first, '{"what":"second"}', 'two')).toEqual({ key: 'two', content: '{"what":"second"}' })
})

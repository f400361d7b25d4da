import { expect, test } from 'vitest'
import { ApiError } from '../api/client.ts'
import { sentenceKept } from './sentence-kept.ts'

test('that what was typed is still here is said once', () => {
  const lost = new ApiError(0, 'The connection was lost. What you typed is still here; please try again.')
  expect(sentenceKept(lost)).toBe(lost.message)
  expect(sentenceKept(new Error('x'))).toMatch(
    /^Something went wrong\. What you typed is still here; please try again\.$/,
  )
  expect(sentenceKept(new ApiError(409, 'It stands.'))).toBe('It stands. What you typed is still here.')
})

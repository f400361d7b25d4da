import { expect, test } from 'vitest'
import { ApiError } from '../api/client.ts'
import { inputErrorSentence } from './sentence-for-input.ts'

test('the message for a failed save states only once that no input is lost', () => {
  const lost = new ApiError(0, 'The connection was lost. What you typed is still here; please try again.')
  expect(inputErrorSentence(lost)).toBe(lost.message)
  expect(inputErrorSentence(new Error('x'))).toMatch(
    /^Something went wrong\. What you typed is still here; please try again\.$/,
  )
  expect(inputErrorSentence(new ApiError(409, 'It stands.'))).toBe('It stands. What you typed is still here.')
})

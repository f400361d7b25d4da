import { expect, test } from 'vitest'
import { ApiError } from '../api/client.ts'
import { errorSentence } from './toast.ts'

test("an error message states that the session has ended, or otherwise repeats the server's message", () => {
  expect(errorSentence(new ApiError(401, 'Please sign in.', [], 'sign_in_required'))).toContain('session had ended')
  expect(errorSentence(new ApiError(401, 'They do not belong together.', [], 'wrong_credentials'))).toBe(
    'They do not belong together.',
  )
  expect(errorSentence(new ApiError(409, 'It stands.'))).toBe('It stands.')
  expect(errorSentence(new Error('x'))).toContain('Something went wrong')
})

test('error messages name fields by their labels and contain no paths', () => {
  const path = 'decisionNote'
  const refused = new ApiError(
    422,
    `${path}: Please say why.`,
    [{ propertyPath: path, message: 'Please say why.', code: 'invalid' }],
    'invalid',
  )
  expect(errorSentence(refused)).toBe('Decision note: Please say why.')
  const gone = new ApiError(400, 'Item not found for "/api/safety/documents/61".', [], 'unknown_target')
  expect(errorSentence(gone)).not.toContain('/api')
})

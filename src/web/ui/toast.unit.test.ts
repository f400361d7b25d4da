import { expect, test } from 'vitest'
import { ApiError } from '../api/client.ts'
import { sentence } from './toast.ts'

test('the message after an ended session states that nothing was sent and no input is lost', () => {
  expect(sentence(new ApiError(401, 'Please sign in.', [], 'sign_in_required'))).toContain('session had ended')
  expect(sentence(new ApiError(401, 'They do not belong together.', [], 'wrong_credentials'))).toBe(
    'They do not belong together.',
  )
  expect(sentence(new ApiError(409, 'It stands.'))).toBe('It stands.')
  expect(sentence(new Error('x'))).toContain('Something went wrong')
})

test('messages name fields by their labels and contain no paths', () => {
  const path = 'decisionNote'
  const refused = new ApiError(
    422,
    `${path}: Please say why.`,
    [{ propertyPath: path, message: 'Please say why.', code: 'invalid' }],
    'invalid',
  )
  expect(sentence(refused)).toBe('Decision note: Please say why.')
  const gone = new ApiError(400, 'Item not found for "/api/safety/documents/61".', [], 'unknown_target')
  expect(sentence(gone)).not.toContain('/api')
})

import { expect, test } from 'vitest'
import { fileSizeProblem } from './file-limit.ts'

const MB = 1024 * 1024

test('a file up to the size limit is accepted, and a larger one is rejected with a message', () => {
  expect(fileSizeProblem({ name: 'plan.pdf', size: 25 * MB }, 25 * MB)).toBeUndefined()
  expect(fileSizeProblem({ name: 'plan.pdf', size: 25 * MB + 1 }, 25 * MB)).toBe(
    '"plan.pdf" is larger than 25 MB. Please reduce its size or split it.',
  )
})

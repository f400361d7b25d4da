import { expect, test } from 'vitest'
import { sizeProblem } from './file-limit.ts'

const MB = 1024 * 1024

test('a file is as large as the portal takes, or is told that it is larger', () => {
  expect(sizeProblem({ name: 'plan.pdf', size: 25 * MB }, 25 * MB)).toBeUndefined()
  expect(sizeProblem({ name: 'plan.pdf', size: 25 * MB + 1 }, 25 * MB)).toBe(
    '"plan.pdf" is larger than 25 MB. Please make it smaller, or split it.',
  )
})

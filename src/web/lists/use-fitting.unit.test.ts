import { expect, test } from 'vitest'
import { mostWithin } from './use-fitting.ts'

test.each([
  ['what fits is not cut', 500, [100, 200, 200], Number.POSITIVE_INFINITY],
  ['only the widest is cut', 400, [100, 100, 300], 200],
  ['several are cut to the same', 400, [100, 300, 500], 150],
  ['all are cut alike', 90, [100, 300, 500], 30],
  ['there is nothing to cut', 90, [], Number.POSITIVE_INFINITY],
])('%s', (_, room, widths, most) => {
  expect(mostWithin(room, widths)).toBe(most)
})

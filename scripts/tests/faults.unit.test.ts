import { expect, test } from 'vitest'
import { FAULTS, findFaultProblems } from './faults.mjs'

const fault = FAULTS[0]!

test('every fault can be injected into the current code, and has tests that should detect it', () => {
  expect(FAULTS.flatMap(findFaultProblems)).toEqual([])
  expect(FAULTS.length).toBeGreaterThanOrEqual(30)
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length)
})

test.each([
  [{ file: 'src/gone.ts' }, 'there is no src/gone.ts'],
  [{ find: 'text that occurs nowhere' }, 'occurs 0 times'],
  [{ find: 'const' }, /occurs \d+ times .* not once/],
  [{ replace: fault.find }, 'changes nothing'],
  [{ checks: ['http src/gone'] }, 'no tests of "http src/gone"'],
  [{ checks: ['nothing src'] }, 'no tests of "nothing src"'],
])('a fault definition with %o is reported as invalid', (change, problem) => {
  expect(findFaultProblems({ ...fault, ...change })).toEqual([expect.stringMatching(problem)])
})

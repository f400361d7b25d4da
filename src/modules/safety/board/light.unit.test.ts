import { expect, test } from 'vitest'
import { reviewTrafficLightFor } from './figures.ts'

test.each([
  [{ inForce: 0, late: 0, soon: 0 }, 'none'],
  [{ inForce: 9, late: 0, soon: 0 }, 'well'],
  [{ inForce: 9, late: 0, soon: 1 }, 'soon'],
  [{ inForce: 9, late: 1, soon: 8 }, 'late'],
] as const)('a document type with the review counts %j has the traffic light %s', (standing, light) => {
  expect(reviewTrafficLightFor(standing)).toBe(light)
})

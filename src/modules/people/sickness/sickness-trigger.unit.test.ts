import { expect, test } from 'vitest'
import { reachesLimit } from './sickness-trigger.ts'

test('sickness reaches a limit at its value, and no limit that is not set', () => {
  const sickness = { score: 36, spells: 3 }
  const reaches = (sicknessScoreLimit: number | null, sicknessSpellLimit: number | null) =>
    reachesLimit(sickness, { sicknessScoreLimit, sicknessSpellLimit })
  expect([reaches(null, null), reaches(36, null), reaches(37, null)]).toEqual([false, true, false])
  expect([reaches(null, 3), reaches(null, 4), reaches(100, 3)]).toEqual([true, false, true])
})

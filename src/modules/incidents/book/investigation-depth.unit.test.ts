import { expect, test } from 'vitest'
import { proposeInvestigationLevel } from './investigation-depth.ts'

const HARMS = ['none', 'minor', 'serious', 'major', 'fatal'] as const
const RECURRENCES = ['rare', 'unlikely', 'possible', 'likely', 'certain'] as const
const LEVELS = ['minimal', 'low', 'medium', 'high']
const depth = (potentialSeverity: string, recurrence: string) =>
  LEVELS.indexOf(proposeInvestigationLevel({ potentialSeverity, recurrence }) ?? '')

test('a worse or more likely incident is never investigated less deeply', () => {
  for (const [h, harm] of HARMS.entries())
    for (const [r, recurrence] of RECURRENCES.entries()) {
      expect(depth(harm, recurrence)).toBeGreaterThanOrEqual(0)
      expect(depth(harm, recurrence)).toBeLessThanOrEqual(depth(HARMS[h + 1] ?? 'fatal', recurrence))
      expect(depth(harm, recurrence)).toBeLessThanOrEqual(depth(harm, RECURRENCES[r + 1] ?? 'certain'))
    }
})

test('a near miss that could have killed someone is investigated like a fatal accident', () => {
  const judged = { actualSeverity: 'none', potentialSeverity: 'fatal', recurrence: 'possible' }
  expect(proposeInvestigationLevel(judged)).toBe('high')
})

test('the actual severity decides if it is worse than the potential severity', () => {
  const judged = { actualSeverity: 'major', potentialSeverity: 'minor', recurrence: 'likely' }
  expect(proposeInvestigationLevel(judged)).toBe('high')
})

test('no depth is proposed until the potential severity and the likelihood are known', () => {
  expect(proposeInvestigationLevel({ potentialSeverity: 'fatal' })).toBeUndefined()
  expect(proposeInvestigationLevel({ actualSeverity: 'fatal', recurrence: 'certain' })).toBeUndefined()
})

import { expect, it } from 'vitest'
import { initials } from './avatar.tsx'

it('initials are the first letters of the first and the last name', () => {
  expect(initials('Maya Campbell')).toBe('MC')
  expect(initials('  Ana Maria de la Cruz ')).toBe('AC')
  expect(initials('Cher')).toBe('C')
  expect(initials('Élodie 李')).toBe('É李')
  expect(initials('😀 Smith')).toBe('😀S')
  expect(initials('')).toBe('')
})

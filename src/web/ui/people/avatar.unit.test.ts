import { expect, it } from 'vitest'
import { getInitials } from './avatar.tsx'

it('initials are the first letters of the first and the last name', () => {
  expect(getInitials('Maya Campbell')).toBe('MC')
  expect(getInitials('  Ana Maria de la Cruz ')).toBe('AC')
  expect(getInitials('Cher')).toBe('C')
  expect(getInitials('Élodie 李')).toBe('É李')
  expect(getInitials('😀 Smith')).toBe('😀S')
  expect(getInitials('')).toBe('')
})

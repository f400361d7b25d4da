import { expect, test } from 'vitest'
import { fileNameOf } from './export.ts'

test('a file says what it is, and when', () => {
  const at = Temporal.ZonedDateTime.from('2026-11-23T09:30:12[Europe/London]')
  expect(fileNameOf('Leads', at, 'csv')).toBe('Leads 2026-11-23 0930.csv')
})

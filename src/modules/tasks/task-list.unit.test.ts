import { expect, test } from 'vitest'
import { describeDueDay } from './task-list.web.tsx'

/** Half past midnight in London on 2 June, when the date in UTC is still 1 June. */
const NIGHT = Date.parse('2026-06-01T23:30:00Z')

test.each([
  ['2026-06-01', 'Overdue since Mon 1 June', true],
  ['2026-06-02', 'Due today', false],
  ['2026-06-03', 'Due tomorrow', false],
  ['2026-06-12', 'Due Fri 12 June', false],
])('a task due on %s is described as “%s” by London’s date', (due, words, isLate) => {
  expect(describeDueDay(due, NIGHT)).toEqual({ words, isLate })
})

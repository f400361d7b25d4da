import { expect, test } from 'vitest'
import { isCorrectiveActionOverdue } from './corrective-action.ts'

const action = (more: object = {}) => ({ state: 'open' as const, deadline: '2026-11-20', retired: false, ...more })

test('a corrective action is overdue from the day after its deadline', () => {
  expect(['2026-11-19', '2026-11-20', '2026-11-21'].map((today) => isCorrectiveActionOverdue(action(), today))).toEqual(
    [false, false, true],
  )
})

test('a corrective action that is closed, retired or without a deadline is never overdue', () => {
  const late = (more: object) => isCorrectiveActionOverdue(action(more), '2026-12-31')
  expect(['started', 'waiting'].map((state) => late({ state }))).toEqual([true, true])
  expect(['rectified', 'verified', 'not needed'].map((state) => late({ state }))).toEqual([false, false, false])
  expect([late({ deadline: null }), late({ retired: true })]).toEqual([false, false])
})

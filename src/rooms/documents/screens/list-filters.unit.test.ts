import { expect, test } from 'vitest'
import type { Actor } from '#kernel/roles.ts'
import { riskAssessment } from '#rooms/safety/risk/risk-assessment.ts'
import { filtersOf, narrowedBy } from '#web/lists/filters.ts'
import { filtersFor } from './list-filters.web.ts'

const actor = (...roles: string[]): Actor => ({
  userId: 1,
  clientId: 3,
  username: 'ada',
  name: 'Ada',
  roles,
  scopes: [],
})
const filters = (...roles: string[]) =>
  filtersOf(riskAssessment.resource, filtersFor(riskAssessment, actor(...roles), false))

test('what was rejected, and what was withdrawn, is found by its state, though both are put away', () => {
  const asked = (state: string) => narrowedBy(filters('ROLE_SAFETY_AUTHOR'), { state, retired: 'false' })
  expect(asked('rejected')).toEqual({ state: 'rejected', retired: '' })
  expect(asked('withdrawn')).toEqual({ state: 'current', retired: 'true' })
  expect(asked('current')).toEqual({ state: 'current', retired: 'false' })
})

test('whoever reads only what is in force is offered no states', () => {
  expect(filters('ROLE_SAFETY_AUTHOR').map((f) => f.key)).toContain('state')
  expect(filters('ROLE_EMPLOYEE').map((f) => f.key)).toEqual(['waiting', 'industry'])
})

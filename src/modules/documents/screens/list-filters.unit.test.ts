import { expect, test } from 'vitest'
import type { Actor } from '#kernel/roles.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { buildFilters, resolveFilterValues } from '#web/lists/filters.ts'
import { documentFilters } from './list-filters.web.ts'

const actor = (...roles: string[]): Actor => ({
  userId: 1,
  clientId: 3,
  username: 'ada',
  name: 'Ada',
  roles,
  scopes: [],
})
const filters = (...roles: string[]) =>
  buildFilters(riskAssessment.resource, documentFilters(riskAssessment, actor(...roles), false))

test('rejected and withdrawn documents can be filtered by status, and rejected ones are not listed as deleted', () => {
  const asked = (state: string) => resolveFilterValues(filters('ROLE_SAFETY_AUTHOR'), { state, deleted: 'false' })
  expect(asked('rejected')).toEqual({ state: 'rejected', deleted: 'false' })
  expect(asked('withdrawn')).toEqual({ state: 'current', deleted: 'true' })
  expect(asked('current')).toEqual({ state: 'current', deleted: 'false' })
})

test('users who can read only documents in force get no status filter', () => {
  expect(filters('ROLE_SAFETY_AUTHOR').map((f) => f.key)).toContain('state')
  expect(filters('ROLE_EMPLOYEE').map((f) => f.key)).toEqual(['waiting', 'industry'])
})

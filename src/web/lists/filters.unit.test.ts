import { expect, it } from 'vitest'
import { buildFilters, resolveFilterValues, visibleFilterValues } from './filters.ts'

const filters = buildFilters({ fields: {} }, [
  {
    key: 'state',
    options: [
      { value: 'open', label: 'Open' },
      { value: 'refused', label: 'Rejected', asks: { retired: '' } },
      { value: 'put away', label: 'Put away', asks: { state: 'open', retired: 'true' } },
    ],
  },
  { key: 'retired' },
])

it('choosing a filter option overrides the other filters that it sets', () => {
  expect(resolveFilterValues(filters, { state: 'refused', retired: 'false' })).toEqual({
    state: 'refused',
    retired: '',
  })
})

it('choosing a filter option that sets no other filter leaves the other filters unchanged', () => {
  expect(resolveFilterValues(filters, { state: 'open', retired: 'false' })).toEqual({ state: 'open', retired: 'false' })
  expect(resolveFilterValues(filters, { state: '', retired: 'true' })).toEqual({ state: '', retired: 'true' })
})

it('a filter option that sends a value other than its own is still shown as chosen', () => {
  const chosen = { state: 'put away', retired: 'false' }
  expect(resolveFilterValues(filters, chosen)).toEqual({ state: 'open', retired: 'true' })
  expect(visibleFilterValues(filters, chosen)).toEqual({ state: 'put away', retired: 'true' })
})

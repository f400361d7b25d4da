import { expect, test } from 'vitest'
import { isSearchChanged, toSearchValues } from './search-values.ts'

const DEFAULTS = { forename: null, retired: 'false' }

test('an empty search text is sent as null, and surrounding spaces are removed', () => {
  expect(toSearchValues({ forename: '  ', surname: ' Day ', retired: 'false' })).toEqual({
    forename: null,
    surname: 'Day',
    retired: 'false',
  })
})

test('a search differs from the default if any value differs by more than surrounding spaces', () => {
  expect(isSearchChanged({ forename: ' ', retired: 'false' }, DEFAULTS)).toBe(false)
  expect(isSearchChanged({ forename: 'Ann', retired: 'false' }, DEFAULTS)).toBe(true)
  expect(isSearchChanged({ forename: '', retired: 'true' }, DEFAULTS)).toBe(true)
})

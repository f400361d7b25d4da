import { expect, test } from 'vitest'
import { isSearchChanged, toSearchValues } from './search-values.ts'

const DEFAULTS = { forename: null, retired: 'false' }

test('an empty text is searched as null, and spaces around a text are removed', () => {
  expect(toSearchValues({ forename: '  ', surname: ' Day ', retired: 'false' })).toEqual({
    forename: null,
    surname: 'Day',
    retired: 'false',
  })
})

test('a search differs from the default by any value, but not by spaces', () => {
  expect(isSearchChanged({ forename: ' ', retired: 'false' }, DEFAULTS)).toBe(false)
  expect(isSearchChanged({ forename: 'Ann', retired: 'false' }, DEFAULTS)).toBe(true)
  expect(isSearchChanged({ forename: '', retired: 'true' }, DEFAULTS)).toBe(true)
})

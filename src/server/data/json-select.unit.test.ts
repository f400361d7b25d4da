import { expect, test } from 'vitest'
import { createPlainFieldSerialiser } from './json-select.ts'

test.each([0, -0, 0.5, 1e300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])(
  'the number %s is sent as JSON.stringify would write it',
  (number) => {
    expect(createPlainFieldSerialiser('size', ([cell]) => cell).text([number], 'linked')).toBe(JSON.stringify(number))
  },
)

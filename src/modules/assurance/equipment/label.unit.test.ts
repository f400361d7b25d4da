import { expect, test } from 'vitest'
import { parseLabel } from './label.ts'

const SECRET = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'

test('the company and the item are read from the address of a label, and from the last part of it', () => {
  expect(parseLabel(`https://portal.example/equipment/12-345-${SECRET}`)).toEqual({ clientId: 12, id: 345 })
  expect(parseLabel(`12-345-${SECRET}`)).toEqual({ clientId: 12, id: 345 })
})

test.each(['EQ-0001', '12-345', `12-345-${SECRET}x`, `https://portal.example/talk/12-345-${SECRET}`, ''])(
  'the text %j is not a label',
  (text) => {
    expect(parseLabel(text)).toBeUndefined()
  },
)

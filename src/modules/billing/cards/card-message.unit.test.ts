import { expect, test } from 'vitest'
import { parseCardMessage } from './card.ts'

const frame = {}
const data = { type: 'card', card: 'tok_1' }

test("a card message is accepted from the payment page's own frame", () => {
  expect(parseCardMessage({ source: frame, data }, frame)).toBe('tok_1')
})

test.each([
  ['from another window', { source: {}, data }, frame],
  ['without a source while the frame is missing', { source: null, data }, null],
  ['of another type', { source: frame, data: { type: 'other', card: 'tok_1' } }, frame],
  ['without data', { source: frame, data: null }, frame],
])('a card message %s is ignored', (_, message, own) => {
  expect(parseCardMessage(message, own)).toBeUndefined()
})

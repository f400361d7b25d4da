import { expect, test } from 'vitest'
import { parseCardMessage } from './card-message.ts'

const frame = {}
const data = { type: 'card', card: 'tok_1' }

test("a card is accepted from the payment page's own frame", () => {
  expect(parseCardMessage({ source: frame, data }, frame)).toBe('tok_1')
})

test.each([
  ['another window', { source: {}, data }, frame],
  ['no window, while there is no frame', { source: null, data }, null],
  ['the frame, of something else', { source: frame, data: { type: 'other', card: 'tok_1' } }, frame],
  ['the frame, of no card', { source: frame, data: null }, frame],
])('no card is accepted from %s', (_, message, own) => {
  expect(parseCardMessage(message, own)).toBeUndefined()
})

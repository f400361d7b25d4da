import { describe, expect, it } from 'vitest'
import type { BulkAction } from '#kernel/bulk.ts'
import { describeBulkResult } from './bulk-words.ts'

const retire: BulkAction = { name: 'retire', title: 'Retire', input: {}, change: { field: 'retired', value: true } }
const owner: BulkAction = { name: 'owner', title: 'Owner', input: {}, change: { field: 'owner' } }
const send: BulkAction = { name: 'send', title: 'Send', input: {} }

describe('the result of a bulk action', () => {
  it.each([
    [retire, undefined, { done: 12, unchanged: 3, refused: 2 }, '12 retired, 3 unchanged, 2 refused.'],
    [retire, 'deleted', { done: 1, unchanged: 0, refused: 0 }, '1 deleted.'],
    [owner, undefined, { done: 1200, unchanged: 1, refused: 0 }, 'Owner changed for 1,200, one unchanged.'],
    [send, undefined, { done: 4, unchanged: 0, refused: 1 }, 'Send: 4 done, one refused.'],
    [retire, undefined, { done: 0, unchanged: 1, refused: 0 }, 'One unchanged.'],
    [retire, undefined, { done: 0, unchanged: 0, refused: 0 }, 'Nothing to change.'],
  ])('the result of a bulk action is described in one sentence', (action, word, counts, sentence) =>
    expect(describeBulkResult(action, word, counts)).toBe(sentence),
  )

  it('the result of a bulk action names the new value of a changed field', () => {
    const counts = { done: 22, unchanged: 3, refused: 0 }
    expect(describeBulkResult(owner, undefined, counts, 'Alan Barker')).toBe(
      'Owner changed to Alan Barker for 22, 3 unchanged.',
    )
  })
})

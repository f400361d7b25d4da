import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currentOf, flagsOf, STATE_WORDS, STATES } from './states.ts'

const revision = fc.record({
  id: fc.integer({ min: 1, max: 99 }),
  state: fc.constantFrom(...STATES),
  retired: fc.boolean(),
})
const revisions = fc
  .uniqueArray(revision, { selector: (r) => r.id, maxLength: 9 })
  .map((all) => all.map((r) => ({ id: r.id, ...flagsOf(r.state, r.retired) })))

describe('the revision that counts', () => {
  test('is the one flagged current, if there is one', () => {
    fc.assert(
      fc.property(revisions, (all) => {
        if (all.some((r) => r.current)) expect(currentOf(all)?.current).toBe(true)
      }),
    )
  })

  test('is otherwise the latest that is complete and not retired', () => {
    fc.assert(
      fc.property(revisions, (all) => {
        const found = currentOf(all)
        if (!found || found.current) return
        expect([found.complete, found.retired]).toEqual([true, false])
        for (const r of all) if (r.complete && !r.retired) expect(r.id).toBeLessThanOrEqual(found.id)
      }),
    )
  })

  test('does not depend on the order in which they come', () => {
    fc.assert(
      fc.property(revisions, (all) => {
        const ambiguous = all.filter((r) => r.current).length > 1
        if (!ambiguous) expect(currentOf(all.toReversed())?.id).toBe(currentOf(all)?.id)
      }),
    )
  })

  test('is none, where nothing is complete', () => {
    fc.assert(
      fc.property(revisions, (all) => {
        if (all.every((r) => !r.complete || r.retired)) expect(currentOf(all)).toBeUndefined()
      }),
    )
  })
})

test('every state has words, and what is retired is current no more', () => {
  for (const state of STATES) {
    expect(STATE_WORDS[state]).toBeTruthy()
    expect(flagsOf(state, true).current).toBe(false)
  }
})

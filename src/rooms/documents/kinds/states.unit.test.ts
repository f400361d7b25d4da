import { expect, test } from 'vitest'
import { flagsOf, STATE_WORDS, STATES } from './states.ts'

test('every state has words, and what is retired is current no more', () => {
  for (const state of STATES) {
    expect(STATE_WORDS[state]).toBeTruthy()
    expect(flagsOf(state, true).current).toBe(false)
  }
})

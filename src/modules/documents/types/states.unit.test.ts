import { expect, test } from 'vitest'
import { flagsOf, STATE_WORDS, STATES, standingOf } from './states.ts'

test('every state has words, and what is retired is current no more', () => {
  for (const state of STATES) {
    expect(STATE_WORDS[state]).toBeTruthy()
    expect(flagsOf(state, true).current).toBe(false)
  }
})

test('what was in force is withdrawn, what was rejected stays that, and all else that is put away is deleted', () => {
  const words = (retired: boolean) => STATES.map((state) => STATE_WORDS[standingOf({ state, retired })])
  expect(words(false)).toEqual(['Incomplete', 'Awaiting approval', 'Current', 'Rejected', 'Replaced'])
  expect(words(true)).toEqual(['Deleted', 'Deleted', 'Withdrawn', 'Rejected', 'Deleted'])
})

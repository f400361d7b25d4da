import { expect, test } from 'vitest'
import { flagsOf, STATE_WORDS, STATES, standingOf } from './states.ts'

test('every state has a label, and a retired revision is never current', () => {
  for (const state of STATES) {
    expect(STATE_WORDS[state]).toBeTruthy()
    expect(flagsOf(state, true).current).toBe(false)
  }
})

test('a retired revision is withdrawn if it was in force, rejected if it was rejected, and otherwise deleted', () => {
  const words = (retired: boolean) => STATES.map((state) => STATE_WORDS[standingOf({ state, retired })])
  expect(words(false)).toEqual(['Incomplete', 'Awaiting approval', 'Current', 'Rejected', 'Replaced'])
  expect(words(true)).toEqual(['Deleted', 'Deleted', 'Withdrawn', 'Rejected', 'Deleted'])
})

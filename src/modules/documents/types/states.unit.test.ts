import { expect, test } from 'vitest'
import { DOCUMENT_STATES, DOCUMENT_STATUS_LABELS, stateFlags, toDocumentStatus } from './transitions.ts'

test('every state has a label, and a retired revision is never current', () => {
  for (const state of DOCUMENT_STATES) {
    expect(DOCUMENT_STATUS_LABELS[state]).toBeTruthy()
    expect(stateFlags(state, true).current).toBe(false)
  }
})

test('a retired revision is withdrawn if it was in force, rejected if it was rejected, and otherwise deleted', () => {
  const words = (retired: boolean) =>
    DOCUMENT_STATES.map((state) => DOCUMENT_STATUS_LABELS[toDocumentStatus({ state, retired })])
  expect(words(false)).toEqual(['Incomplete', 'Awaiting approval', 'Current', 'Rejected', 'Replaced'])
  expect(words(true)).toEqual(['Deleted', 'Deleted', 'Withdrawn', 'Rejected', 'Deleted'])
})

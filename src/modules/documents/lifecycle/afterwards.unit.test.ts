import { expect, test } from 'vitest'
import {
  type DOCUMENT_STATES,
  DOCUMENT_TRANSITIONS,
  restoreTransitionName,
  stateFlags,
  type TransitionName,
} from '../types/transitions.ts'
import { predictTransition } from './predict-transition.ts'

const told = { by: 'ann', at: '2026-11-23T08:00:00Z', input: { note: 'Read on site.' } }
const after = (state: (typeof DOCUMENT_STATES)[number], retired: boolean, name: TransitionName) =>
  predictTransition(
    { transitions: DOCUMENT_TRANSITIONS },
    { ...stateFlags(state, retired), decisionNote: 'Earlier items' },
    name,
    told,
  )

test("a document's predicted flags after any action match its predicted new state", () => {
  for (const name of Object.keys(DOCUMENT_TRANSITIONS) as TransitionName[])
    for (const state of DOCUMENT_TRANSITIONS[name].from)
      for (const retired of [false, true]) {
        const shown = after(state, retired, name)
        expect(shown).toMatchObject(stateFlags(shown.state, shown.retired))
        expect(shown).toMatchObject({ underway: true })
      }
})

test("a document's predicted person and reason match what the transition will record", () => {
  expect(after('complete', false, 'approve')).toMatchObject({
    current: true,
    authorUsername: 'ann',
    decisionNote: 'Read on site.',
  })
  expect(after('current', false, 'withdraw')).toMatchObject({
    current: false,
    retired: true,
    endedBy: 'ann',
    decisionNote: 'Read on site.',
  })
  expect(after('current', true, restoreTransitionName({ state: 'current' }))).toMatchObject({
    current: true,
    endedBy: null,
    decisionNote: null,
  })
  expect(after('draft', false, 'retire')).toMatchObject({
    retired: true,
    state: 'draft',
    decisionNote: 'Earlier items',
  })
})

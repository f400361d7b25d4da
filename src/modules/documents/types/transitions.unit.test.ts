import { expect, test } from 'vitest'
import { DOCUMENT_ROLES } from '../rights.ts'
import {
  DOCUMENT_STATES,
  DOCUMENT_STATUS_LABELS,
  DOCUMENT_TRANSITIONS,
  stateFlags,
  type TransitionName,
  toDocumentStatus,
  transitionRejectionMessage,
  transitionsFor,
} from './transitions.ts'

const names: readonly TransitionName[] = Object.keys(DOCUMENT_TRANSITIONS) as TransitionName[]
const revision = (state: (typeof DOCUMENT_STATES)[number]) => ({ documentNumber: 'RA-0001', revision: 2, state })

test('every state except draft is reached by a transition, and a revision can be deleted in every state', () => {
  for (const state of DOCUMENT_STATES.filter((s) => s !== 'draft'))
    expect([state, names.some((name) => DOCUMENT_TRANSITIONS[name].to === state)]).toEqual([state, true])
  for (const state of DOCUMENT_STATES) expect(DOCUMENT_TRANSITIONS.retire.from).toContain(state)
})

test('in every state, a transition is either allowed or rejected with a message', () => {
  for (const name of names)
    for (const state of DOCUMENT_STATES)
      expect([
        name,
        state,
        transitionRejectionMessage(DOCUMENT_TRANSITIONS[name], revision(state)) === undefined,
      ]).toEqual([name, state, DOCUMENT_TRANSITIONS[name].from.includes(state)])
  expect(transitionRejectionMessage(DOCUMENT_TRANSITIONS.edit, revision('current'))).toBe(
    'RA-0001 revision 2 is complete and can’t be changed. Start the next revision instead.',
  )
})

test('a complete revision can never be edited, and only approval makes a revision current', () => {
  expect(DOCUMENT_TRANSITIONS.edit.from).toEqual(['draft'])
  expect(names.filter((name) => DOCUMENT_TRANSITIONS[name].to === 'current')).toEqual(['approve'])
})

test("without approval, a complete revision is in force, can't be approved or rejected, and can be withdrawn by its author", () => {
  const life = transitionsFor({ approval: false }, DOCUMENT_ROLES.safety)
  expect(names.filter((name) => life[name].to === 'current')).toEqual(['complete', 'approve'])
  for (const name of ['approve', 'reject'] as const)
    expect([life[name].may, transitionRejectionMessage(life[name], revision('complete'))]).toEqual([
      'nobody',
      'This document needs no approval: it comes into force as soon as it is complete.',
    ])
  expect(life.withdraw.may).toEqual(DOCUMENT_TRANSITIONS.edit.may)
})

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

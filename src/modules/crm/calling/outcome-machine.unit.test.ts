import { expect, test } from 'vitest'
import { ApiError } from '#web/api/client.ts'
import type { LeadWithNotes } from '../contacts/data.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'
import {
  isOutcomeRuleChangedError,
  type OutcomeAttempt,
  type OutcomeContext,
  type OutcomeEvent,
  type OutcomeState,
  transitionOutcome,
} from './outcome-machine.web.ts'

const LEAD = 1
const IDLE: OutcomeState = { kind: 'idle' }
const attempt: OutcomeAttempt = {
  outcome: { id: 7, text: 'No answer' } as OutcomeRecord,
  url: '/outcomes',
  body: {},
  key: 'k',
}
const lead = (id: number) => ({ id }) as LeadWithNotes
const context = (more: Partial<OutcomeContext> = {}): OutcomeContext => ({
  lead: LEAD,
  calling: true,
  following: undefined,
  isOpen: true,
  isShowing: () => true,
  ...more,
})
const saving = (ahead?: number): OutcomeState => ({ kind: 'saving', attempt, ahead })

/** Returns the next state and its effects, each as `type` or `type lead`. */
function after(state: OutcomeState, event: OutcomeEvent, more: Partial<OutcomeContext> = {}) {
  const next = transitionOutcome(state, event, context(more))
  const effects = next.effects.map((e) => ('lead' in e ? `${e.type} ${e.lead}` : e.type))
  return { kind: next.state.kind, effects }
}

test('choosing an outcome opens the prefetched lead before the server responds', () => {
  const { state, effects } = transitionOutcome(IDLE, { type: 'chosen', attempt, ahead: 2 }, context())
  expect(state).toEqual(saving(2))
  expect(effects.map((e) => e.type)).toEqual(['begin late note', 'mark dealt with', 'send', 'offer undo', 'open'])
})

test('choosing an outcome without a prefetched lead leaves the current lead open until the server responds', () => {
  const { kind, effects } = after(IDLE, { type: 'chosen', attempt, ahead: undefined })
  expect(kind).toBe('saving')
  expect(effects).toEqual(['begin late note', 'mark dealt with', 'send'])
})

test('a second outcome chosen while the first is being saved is ignored', () => {
  expect(after(saving(2), { type: 'chosen', attempt, ahead: 3 })).toEqual({ kind: 'saving', effects: [] })
})

test('an outcome that could not be saved can be resent or dismissed', () => {
  const failed: OutcomeState = { kind: 'failed', attempt, error: new Error('lost') }
  expect(after(failed, { type: 'chosen', attempt, ahead: undefined }).kind).toBe('saving')
  expect(after(failed, { type: 'dismissed' })).toEqual({ kind: 'idle', effects: [] })
})

test('a response is ignored if no outcome of the lead is being saved', () => {
  for (const event of [{ type: 'queued' }, { type: 'saved', next: lead(2) }] as const)
    expect(after(IDLE, event)).toEqual({ kind: 'idle', effects: [] })
})

test("a saved outcome doesn't open a lead if the next lead is already on the screen", () => {
  expect(after(saving(2), { type: 'saved', next: lead(2) })).toEqual({
    kind: 'idle',
    effects: ['keep typed rest', 'end call', 'refresh lead', 'remove from lists', 'end late note'],
  })
})

test("if the server's next lead is not the prefetched one, the server's lead is cached and its lease released", () => {
  expect(after(saving(2), { type: 'saved', next: lead(3) }).effects).toEqual([
    'keep typed rest',
    'end call',
    'store next',
    'refresh lead',
    'release 3',
    'remove from lists',
    'end late note',
  ])
})

test('in a calling session without a prefetched lead, the next lead from the response opens', () => {
  expect(after(saving(), { type: 'saved', next: lead(3) }).effects).toEqual([
    'offer undo',
    'keep typed rest',
    'end call',
    'store next',
    'refresh lead',
    'open 3',
    'remove from lists',
    'end late note',
  ])
})

test('a calling session without a next lead returns to the list', () => {
  expect(after(saving(), { type: 'saved', next: null }).effects).toContain('finish list')
})

test('an outcome recorded while paging through the list opens the next row and releases the lead leased from the queue', () => {
  const { effects } = after(saving(), { type: 'saved', next: lead(3) }, { calling: false, following: 4 })
  expect(effects).toContain('release 3')
  expect(effects).toContain('open 4')
})

test('if the next row is also the next lead of the queue, its lease is not released', () => {
  const { effects } = after(saving(), { type: 'saved', next: lead(3) }, { calling: false, following: 3 })
  expect(effects).not.toContain('release 3')
  expect(effects).toContain('open 3')
})

test("if the user has left the screen, a saved outcome doesn't reopen a lead, and the next lead's lease is released", () => {
  const { effects } = after(saving(), { type: 'saved', next: lead(3) }, { isOpen: false })
  expect(effects).toContain('release 3')
  expect(effects.filter((e) => e.startsWith('open') || e === 'finish list')).toEqual([])
})

test('a queued outcome closes the lead and can still be undone', () => {
  expect(after(saving(), { type: 'queued' })).toEqual({
    kind: 'idle',
    effects: ['offer undo', 'track queued undo', 'keep typed rest', 'end call', 'empty screen', 'end late note'],
  })
})

test('a queued outcome shows only a message if another lead is already on the screen', () => {
  const { effects } = after(saving(2), { type: 'queued' })
  expect(effects).toContain('announce queued')
  expect(effects).not.toContain('offer undo')
})

test('a rejected outcome reopens its lead if the prefetched lead is still on the screen', () => {
  const { kind, effects } = after(saving(2), { type: 'refused', error: new ApiError(422, 'no') })
  expect(kind).toBe('failed')
  expect(effects).toEqual(['mark dealt with', 'withdraw undo', 'open 1'])
})

test('a rejected outcome shows only a message if the user is already working on another lead', () => {
  const { effects } = after(saving(2), { type: 'refused', error: new ApiError(0, 'lost') }, { isShowing: () => false })
  expect(effects).toEqual(['mark dealt with', 'withdraw undo', 'release 1', 'report failure'])
})

test('an outcome rejected because its rule has changed renews the lease and reloads the outcomes', () => {
  const changed = new ApiError(409, 'changed', [], 'rule_changed')
  expect(isOutcomeRuleChangedError(changed)).toBe(true)
  expect(after(saving(), { type: 'refused', error: changed }).effects).toEqual([
    'mark dealt with',
    'withdraw undo',
    'reload outcomes',
    'end late note',
    'renew lease',
  ])
})

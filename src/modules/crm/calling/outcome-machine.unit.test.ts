import { expect, test } from 'vitest'
import { ApiError } from '#web/api/client.ts'
import type { LeadWithNotes } from '../contacts/data.web.ts'
import type { OutcomeRecord } from '../outcomes/data.web.ts'
import {
  isOutcomeRuleChanged,
  type OutcomeAttempt,
  type OutcomeContext,
  type OutcomeEvent,
  type OutcomeState,
  transition,
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

/** The state that follows, and the effects as `type` or `type lead`. */
function after(state: OutcomeState, event: OutcomeEvent, more: Partial<OutcomeContext> = {}) {
  const next = transition(state, event, context(more))
  const effects = next.effects.map((e) => ('lead' in e ? `${e.type} ${e.lead}` : e.type))
  return { kind: next.state.kind, effects }
}

test('a chosen outcome opens the lead taken ahead before the server answers', () => {
  const { state, effects } = transition(IDLE, { type: 'chosen', attempt, ahead: 2 }, context())
  expect(state).toEqual(saving(2))
  expect(effects.map((e) => e.type)).toEqual(['begin late note', 'mark dealt with', 'send', 'offer undo', 'open'])
})

test('a chosen outcome without a lead ahead stays on the screen until the server answers', () => {
  const { kind, effects } = after(IDLE, { type: 'chosen', attempt, ahead: undefined })
  expect(kind).toBe('saving')
  expect(effects).toEqual(['begin late note', 'mark dealt with', 'send'])
})

test('an outcome chosen while another is being saved is ignored', () => {
  expect(after(saving(2), { type: 'chosen', attempt, ahead: 3 })).toEqual({ kind: 'saving', effects: [] })
})

test('a failed outcome can be sent again or dismissed', () => {
  const failed: OutcomeState = { kind: 'failed', attempt, error: new Error('lost') }
  expect(after(failed, { type: 'chosen', attempt, ahead: undefined }).kind).toBe('saving')
  expect(after(failed, { type: 'dismissed' })).toEqual({ kind: 'idle', effects: [] })
})

test('an answer for a lead that is not being saved changes nothing', () => {
  for (const event of [{ type: 'queued' }, { type: 'saved', next: lead(2) }] as const)
    expect(after(IDLE, event)).toEqual({ kind: 'idle', effects: [] })
})

test('a saved outcome whose next lead is on the screen already only tidies up', () => {
  expect(after(saving(2), { type: 'saved', next: lead(2) })).toEqual({
    kind: 'idle',
    effects: ['keep typed rest', 'end call', 'refresh lead', 'remove from lists', 'end late note'],
  })
})

test('a next lead other than the one opened ahead is stored and released', () => {
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

test('without a lead ahead, calling opens the next lead of the answer', () => {
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

test('without a next lead, calling ends on the list', () => {
  expect(after(saving(), { type: 'saved', next: null }).effects).toContain('finish list')
})

test('going through the list opens the next row and releases the lead of the queue', () => {
  const { effects } = after(saving(), { type: 'saved', next: lead(3) }, { calling: false, following: 4 })
  expect(effects).toContain('release 3')
  expect(effects).toContain('open 4')
})

test('a next row that is also the next lead of the queue is not released', () => {
  const { effects } = after(saving(), { type: 'saved', next: lead(3) }, { calling: false, following: 3 })
  expect(effects).not.toContain('release 3')
  expect(effects).toContain('open 3')
})

test('a screen that was left is not called back, and the next lead is released', () => {
  const { effects } = after(saving(), { type: 'saved', next: lead(3) }, { isOpen: false })
  expect(effects).toContain('release 3')
  expect(effects.filter((e) => e.startsWith('open') || e === 'finish list')).toEqual([])
})

test('a queued outcome empties the screen and keeps its undo', () => {
  expect(after(saving(), { type: 'queued' })).toEqual({
    kind: 'idle',
    effects: ['offer undo', 'track queued undo', 'keep typed rest', 'end call', 'empty screen', 'end late note'],
  })
})

test('a queued outcome is announced where another lead is on the screen', () => {
  const { effects } = after(saving(2), { type: 'queued' })
  expect(effects).toContain('announce queued')
  expect(effects).not.toContain('offer undo')
})

test('a refused outcome brings its lead back where the lead opened ahead is still on the screen', () => {
  const { kind, effects } = after(saving(2), { type: 'refused', error: new ApiError(422, 'no') })
  expect(kind).toBe('failed')
  expect(effects).toEqual(['mark dealt with', 'withdraw undo', 'open 1'])
})

test('a refused outcome is reported where somebody is busy with another lead', () => {
  const { effects } = after(saving(2), { type: 'refused', error: new ApiError(0, 'lost') }, { isShowing: () => false })
  expect(effects).toEqual(['mark dealt with', 'withdraw undo', 'release 1', 'report failure'])
})

test('a conflict renews the lease, and a changed rule reloads the outcomes', () => {
  const changed = new ApiError(409, 'changed', [], 'rule_changed')
  expect(isOutcomeRuleChanged(changed)).toBe(true)
  expect(after(saving(), { type: 'refused', error: changed }).effects).toEqual([
    'mark dealt with',
    'withdraw undo',
    'reload outcomes',
    'end late note',
    'renew lease',
  ])
})

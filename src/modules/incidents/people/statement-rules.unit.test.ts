import { expect, test } from 'vitest'
import {
  countWords,
  formatClosedLinkSentence,
  MAX_STATEMENT_WORDS,
  statementProblem,
  witnessPlace,
} from './statement-rules.ts'

const words = (count: number, word = 'word') => Array.from({ length: count }, () => word).join(' ')

test('a statement of 20,000 words is accepted, and an empty or longer one is refused with the reason', () => {
  expect(countWords(' one\ntwo  three ')).toBe(3)
  expect(statementProblem(words(MAX_STATEMENT_WORDS))).toBeUndefined()
  expect(statementProblem(words(MAX_STATEMENT_WORDS + 1))).toContain('at most 20,000 words. Yours has 20,001')
  expect(statementProblem(words(19_000, 'incomprehensible'))).toContain('at most 200,000 characters')
  for (const empty of ['', ' \n', '\u200b']) expect(statementProblem(empty)).toContain('what you saw')
})

test('the place shown to a witness is the site or address with the exact location', () => {
  const place = { addressLine1: '1 High Street', city: 'Leeds', internalLocation: 'Bay 3' }
  expect(witnessPlace(place, undefined)).toBe('1 High Street, Leeds, Bay 3')
  expect(witnessPlace(place, 'Mill Lane')).toBe('Mill Lane, Bay 3')
  expect(witnessPlace({ addressLine1: '', city: '', internalLocation: '' }, undefined)).toBe('')
})

test('a closed link shows why it is closed, and shows a received statement until it expires or is withdrawn', () => {
  const open = {
    request: { state: 'open', until: '2026-03-31' },
    person: { retired: false, recordType: 'WT' },
    report: { retired: false, state: 'reported' },
    company: 'Acme Ltd',
    today: '2026-03-31',
  }
  const received = { ...open, request: { ...open.request, state: 'received' } }
  const closed = { retired: false, state: 'closed' }
  expect(formatClosedLinkSentence(open)).toBe('')
  expect(formatClosedLinkSentence({ ...received, report: closed })).toBe('')
  expect(formatClosedLinkSentence({ ...open, report: closed })).toContain('closed its investigation')
  expect(formatClosedLinkSentence({ ...received, today: '2026-04-01' })).toContain('expired')
  expect(formatClosedLinkSentence({ ...open, request: { ...open.request, state: 'withdrawn' } })).toContain('withdrawn')
  for (const gone of [
    { person: { retired: true, recordType: 'WT' } },
    { person: { retired: false, recordType: 'IP' } },
    { report: { retired: true, state: 'reported' } },
  ])
    expect(formatClosedLinkSentence({ ...open, ...gone })).toContain('no longer asks')
})

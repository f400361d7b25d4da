import { expect, test } from 'vitest'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { completionTexts, documentStatesFor, inForceText } from './in-force.ts'

const record = {
  author: 'wendy',
  completedBy: 'wendy',
  completedAt: '2026-03-01',
  authorUsername: 'ada',
  approvedAt: '2026-03-02',
}
const MEMO = { approval: false } as const
const NAMES_BY_USERNAME: Readonly<Record<string, string>> = { wendy: 'Wendy Taylor', ada: 'Ada Wright' }
const shown = {
  day: (instant: string | null) => (instant ? formatIsoDateAsUk(instant) : 'no day'),
  name: (username: string | null) => NAMES_BY_USERNAME[username ?? ''] ?? 'nobody',
}

test('a document that needs approval is in force once approved, and its status text names the approver and date', () => {
  expect(documentStatesFor({})).toContain('complete')
  expect(completionTexts({}).button).toBe('Complete and seal')
  expect(inForceText({}, record, shown)).toBe('Approved by Ada Wright on 02/03/2026, and in force.')
  expect(inForceText({}, { ...record, authorUsername: 'wendy' }, shown)).toBe(
    'Approved by Wendy Taylor (author) on 02/03/2026, and in force.',
  )
})

test('a document that needs no approval is in force as soon as it is complete', () => {
  expect(documentStatesFor(MEMO)).toEqual(['draft', 'current', 'replaced'])
  expect(completionTexts(MEMO)).toEqual({
    button: 'Complete and bring into force',
    done: 'is complete, sealed and in force',
  })
  expect(inForceText(MEMO, { ...record, authorUsername: null, approvedAt: null }, shown)).toBe(
    'Completed by Wendy Taylor on 01/03/2026, and in force since.',
  )
})

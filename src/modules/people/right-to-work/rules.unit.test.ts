import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import {
  type CheckFacts,
  checkViolations,
  defenceEnd,
  firstDestructionDay,
  lastShareCodeDay,
  normaliseShareCode,
  type ProofDocument,
  RETENTION_YEARS,
} from './rules.ts'

const { documents } = readReferenceFile('right-to-work.json') as {
  readonly documents: readonly (ProofDocument & {
    readonly id: number
    readonly list?: string
    readonly group?: number
  })[]
}
const documentOf = (id: number): ProofDocument => {
  const found = documents.find((one) => one.id === id)
  if (!found) throw new Error(`No document ${id}`)
  return { ...found, refusal: found.refusal ?? '' }
}
const TODAY = '2026-11-30'
const facts = (more: Partial<CheckFacts> = {}): CheckFacts => ({
  method: 'manual',
  checkedOn: '2026-11-02',
  expiresOn: null,
  noticeOn: null,
  shareCode: '',
  ...more,
})
const wrong = (id: number, more: Partial<CheckFacts> = {}, today = TODAY) =>
  checkViolations(documentOf(id), facts(more), today).map(({ propertyPath }) => propertyPath)

test('the retention of two years is that of the reference list', () => {
  const { periods } = readReferenceFile('retention-periods.json')
  expect(periods.find(({ id }: { id: number }) => id === 18)).toMatchObject({ keepYears: RETENTION_YEARS })
})

test.each([
  ['2025-08-31', '2026-02-28'],
  ['2027-08-31', '2028-02-29'],
  ['2025-08-29', '2026-02-28'],
  ['2026-03-31', '2026-09-30'],
  ['2024-02-29', '2024-08-29'],
  ['2026-01-15', '2026-07-15'],
])('the defence of a notice of %s ends on %s', (noticeOn, end) => {
  expect(defenceEnd({ validity: 'notice' }, { expiresOn: null, noticeOn })).toBe(end)
})

test('the defence ends with a limited permission, and never for documents of list A', () => {
  expect(defenceEnd({ validity: 'limited' }, { expiresOn: '2028-02-29', noticeOn: null })).toBe('2028-02-29')
  for (const { id, list } of documents.filter((one) => one.list === 'A'))
    expect([id, list, defenceEnd(documentOf(id), { expiresOn: '2020-01-01', noticeOn: null })]).toEqual([id, 'A', null])
})

test.each([
  ['2024-02-29', '2026-03-01'],
  ['2022-02-28', '2024-02-29'],
  ['2023-12-31', '2026-01-01'],
  ['2024-10-31', '2026-11-01'],
])('checks of a person who left on %s may be destroyed from %s on', (left, first) => {
  expect(firstDestructionDay(left)).toBe(first)
})

test('a share code is stored for 90 days after the check, across a leap day', () => {
  expect(lastShareCodeDay('2027-12-01')).toBe('2028-02-29')
  expect(normaliseShareCode('w12-ab3 4cd')).toBe('W12AB34CD')
})

test('each method accepts only its documents', () => {
  expect(wrong(1)).toEqual([])
  expect(wrong(4, { method: 'identityService', expiresOn: '2030-01-01' })).toEqual(['document'])
  expect(wrong(6, { method: 'identityService' })).toEqual(['document'])
  expect(wrong(16)).toEqual(['document'])
  expect(wrong(17)).toEqual(['document'])
  expect(wrong(1, { method: 'shareCode', shareCode: 'W12AB34CD' })).toEqual(['document'])
})

test('an identity service provider accepts only British and Irish passports that have not expired', () => {
  const accepted = documents.filter(({ methods }) => methods.includes('identityService')).map(({ id }) => id)
  expect(accepted).toEqual([1, 2])
  expect(wrong(1, { method: 'identityService' })).toEqual(['expiresOn'])
  expect(wrong(1, { method: 'identityService', expiresOn: '2026-11-01' })).toEqual(['expiresOn'])
  expect(wrong(1, { method: 'identityService', expiresOn: '2026-11-02' })).toEqual([])
  expect(wrong(1, { expiresOn: '2016-11-02' })).toEqual([])
})

test('residence permits are refused, and so is a permission that had ended', () => {
  for (const expiresOn of [null, '2024-12-31', '2030-01-01']) expect(wrong(19, { expiresOn })).toEqual(['document'])
  expect(wrong(9)).toEqual(['expiresOn'])
  expect(wrong(9, { expiresOn: '2026-11-01' })).toEqual(['expiresOn'])
  expect(wrong(9, { expiresOn: '2026-11-02' })).toEqual([])
  expect(wrong(4, { expiresOn: '2026-11-01' })).toEqual(['expiresOn'])
})

test('documents of list B, group 2 need a notice of the last six months', () => {
  const byService = (noticeOn: string | null) => wrong(16, { method: 'employerCheckingService', noticeOn })
  expect(byService(null)).toEqual(['noticeOn'])
  expect(byService('2026-11-03')).toEqual(['noticeOn'])
  expect(byService('2026-05-01')).toEqual(['noticeOn'])
  expect(byService('2026-05-02')).toEqual([])
  expect(wrong(1, { noticeOn: '2026-10-01' })).toEqual(['noticeOn'])
  expect(documents.filter(({ group }) => group === 2).every(({ validity }) => validity === 'notice')).toBe(true)
})

test('an online check needs a share code while it is stored, and none afterwards', () => {
  const online = (shareCode: string, checkedOn = '2026-11-02') =>
    wrong(17, { method: 'shareCode', shareCode, checkedOn })
  expect(online('')).toEqual(['shareCode'])
  expect(online('W12AB34C')).toEqual(['shareCode'])
  expect(online('w12 ab3 4cd')).toEqual([])
  expect(online('W12AB34CD', '2026-08-31')).toEqual(['shareCode'])
  expect(online('', '2026-08-31')).toEqual([])
  expect(online('', '2026-09-01')).toEqual(['shareCode'])
  expect(wrong(1, { shareCode: 'W12AB34CD' })).toEqual(['shareCode'])
})

test('a check in the future or before there was such a duty is refused', () => {
  expect(wrong(1, { checkedOn: '2026-12-01' })).toEqual(['checkedOn'])
  expect(wrong(1, { checkedOn: '1997-01-26' })).toEqual(['checkedOn'])
})

const days = fc
  .integer({ min: 0, max: 70_000 })
  .map((n) => Temporal.PlainDate.from('1997-01-27').add({ days: n }).toString())

test('every accepted check of list B has a defence that lasts at least until the day of the check', () => {
  const kinds = documents.filter(({ list }) => list === 'B').map(({ id }) => id)
  fc.assert(
    fc.property(fc.constantFrom(...kinds), days, days, days, (id, checkedOn, expiresOn, noticeOn) => {
      const document = documentOf(id)
      const [method = ''] = document.methods
      const given = facts({
        method,
        checkedOn,
        ...(document.validity === 'notice' ? { noticeOn } : { expiresOn }),
        ...(method === 'shareCode' ? { shareCode: 'W12AB34CD' } : {}),
      })
      if (checkViolations(document, given, checkedOn).length) return
      const end = defenceEnd(document, given)
      expect(end).not.toBeNull()
      expect((end ?? '') >= checkedOn).toBe(true)
    }),
    { numRuns: scaleRunCount(3000) },
  )
})

test('retention is never shorter than two years and never longer than two years and a day', () => {
  fc.assert(
    fc.property(days, (left) => {
      const length = Temporal.PlainDate.from(left).until(firstDestructionDay(left)).days
      expect(length).toBeGreaterThanOrEqual(731)
      expect(length).toBeLessThanOrEqual(732)
    }),
    { numRuns: scaleRunCount(3000) },
  )
})

import { expect, test } from 'vitest'
import type { Conn } from '#server/db/db.ts'
import { Totals } from './totals.ts'

const countOf = (text: string) => {
  const bound = { query: { text }, values: [5] }
  return { cap: 100, capped: bound, whole: bound }
}
const never: Conn = {
  rows: () => Promise.reject(new Error('It was asked')),
  arrays: () => Promise.reject(new Error('It was asked')),
}

test('a count is held for the moment that it was made at', async () => {
  const totals = new Totals(never)
  const count = countOf(
    'SELECT count(*) FROM (SELECT 1 FROM lead t WHERE t.client_id = $1::int AND (lower(t.name) = ANY($2))) c',
  )
  expect(totals.of('lead', count).moment).toBeNull()
  expect(await totals.of('lead', count).found(40, '7:7:')).toBe(40)
  const again = totals.of('lead', count)
  expect(again.moment).toBe('7:7:')
  expect(await again.found(null, '7:7:')).toBe(40)
  expect(await again.found(41, '8:8:')).toBe(41)
  await expect(totals.of('lead', count).found(null, '9:9:')).rejects.toThrow('It was asked')
})

test('nothing is held of a transaction that has written, nor of a count that asks for the time', async () => {
  const totals = new Totals(never)
  for (const text of [
    'SELECT count(*) FROM lead t WHERE t.due <= portal_now()',
    'SELECT count(*) FROM lead t WHERE is_due (t.due)',
    'SELECT count(*) FROM lead t WHERE t.due < CURRENT_DATE',
  ]) {
    await totals.of('lead', countOf(text)).found(40, '7:7:')
    expect(totals.of('lead', countOf(text)).moment, text).toBeNull()
  }
  const steady = countOf('SELECT count(*) FROM lead t')
  await totals.of('lead', steady).found(40, null)
  expect(totals.of('lead', steady).moment).toBeNull()
})

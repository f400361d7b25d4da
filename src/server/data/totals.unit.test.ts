import { afterEach, describe, expect, test, vi } from 'vitest'
import type { SqlConn } from '#server/db/db.ts'
import { ListTotals } from './totals.ts'

const countOf = (text: string) => {
  const bound = { query: { text }, values: [5] }
  return { cap: 100, capped: bound, whole: bound }
}
const never: SqlConn = {
  rows: () => Promise.reject(new Error('It was asked')),
  arrays: () => Promise.reject(new Error('It was asked')),
}

test('a list total is reused only for the database snapshot in which it was counted', async () => {
  const totals = new ListTotals(never)
  const count = countOf(
    'SELECT count(*) FROM (SELECT 1 FROM lead t WHERE t.client_id = $1::int AND (lower(t.name) = ANY($2))) c',
  )
  expect(totals.of('lead', count).snapshot).toBeNull()
  expect(await totals.of('lead', count).found(40, '7:7:')).toBe(40)
  const again = totals.of('lead', count)
  expect(again.snapshot).toBe('7:7:')
  expect(await again.found(null, '7:7:')).toBe(40)
  expect(await again.found(41, '8:8:')).toBe(41)
  await expect(totals.of('lead', count).found(null, '9:9:')).rejects.toThrow('It was asked')
})

test('a list total is not cached if its transaction has written data, or if the total depends on the time', async () => {
  const totals = new ListTotals(never)
  for (const text of [
    'SELECT count(*) FROM lead t WHERE t.due <= portal_now()',
    'SELECT count(*) FROM lead t WHERE is_due (t.due)',
    'SELECT count(*) FROM lead t WHERE t.due < CURRENT_DATE',
  ]) {
    await totals.of('lead', countOf(text)).found(40, '7:7:')
    expect(totals.of('lead', countOf(text)).snapshot, text).toBeNull()
  }
  const steady = countOf('SELECT count(*) FROM lead t')
  await totals.of('lead', steady).found(40, null)
  expect(totals.of('lead', steady).snapshot).toBeNull()
})

/** Creates a database whose counts are resolved by the test. */
function slowly() {
  const waiting: ((n: number) => void)[] = []
  const arrays = () => new Promise<unknown[][]>((done) => waiting.push((n) => done([[n]])))
  return { conn: { ...never, arrays }, waiting, answer: (n: number) => waiting.shift()?.(n) }
}
const settled = () => new Promise((done) => setImmediate(done))
const large = countOf('SELECT count(*) FROM lead t')

describe('a large list total', () => {
  afterEach(() => vi.useRealTimers())

  test('a large list total is counted once for all concurrent requests', async () => {
    const { conn, waiting, answer } = slowly()
    const totals = new ListTotals(conn)
    const asked = [1, 2, 3].map(() => totals.of('lead', large).found(100, '1:1:'))
    await settled()
    expect(waiting).toHaveLength(1)
    answer(500)
    expect(await Promise.all(asked)).toEqual([500, 500, 500])
    expect(totals.of('lead', large).known).toBe(500)
  })

  test('a large list total is recounted after a write, and a count that began before the write is not used', async () => {
    const { conn, waiting, answer } = slowly()
    const totals = new ListTotals(conn)
    const before = totals.of('lead', large).found(100, '1:1:')
    totals.changed('lead')
    const after = totals.of('lead', large).found(100, '2:2:')
    await settled()
    expect(waiting).toHaveLength(2)
    answer(500)
    expect(await before).toBe(500)
    expect(totals.of('lead', large).known).toBeUndefined()
    answer(501)
    expect(await after).toBe(501)
    expect(totals.of('lead', large).known).toBe(501)
    totals.changed('lead')
    expect(totals.of('lead', large).known).toBeUndefined()
  })

  test('a slow list total is reused for twenty times as long as its count took, even after writes, and only one count runs at a time', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const { conn, waiting, answer } = slowly()
    const totals = new ListTotals(conn)
    const first = totals.of('lead', large).found(100, '1:1:')
    vi.advanceTimersByTime(4000)
    answer(5000)
    expect(await first).toBe(5000)
    for (let n = 0; n < 5; n++) {
      totals.changed('lead')
      vi.advanceTimersByTime(15_000)
      expect(totals.of('lead', large).known).toBe(5000)
    }
    expect(waiting).toHaveLength(0)
    vi.advanceTimersByTime(10_000)
    for (let n = 0; n < 3; n++) {
      expect(totals.of('lead', large).known).toBe(5000)
      totals.changed('lead')
    }
    expect(waiting).toHaveLength(1)
    answer(5010)
    await settled()
    expect(totals.of('lead', large).known).toBe(5010)
  })
})

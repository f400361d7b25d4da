import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => void stored.set(key, text),
})
const { currentRecordPager: currentPager } = await import('./record-pager.ts')
const { goToNeighbouringRecord: goToNeighbour, hasRecordAt } = await import('./use-record-pager.ts')
type Walk = NonNullable<ReturnType<typeof currentPager.read>>
type Row = { readonly id: string; readonly to: string }

const SIZE = 3
const stop = (id: number, lead = id): Row => ({ id: String(id), to: `/lead/${lead}` })
const PAGES: Readonly<Record<number, readonly Row[]>> = {
  1: [stop(1), stop(2), stop(3)],
  2: [stop(4), stop(5), stop(6)],
  3: [stop(7)],
}
const walk = (page: number, at: string, stops = PAGES[page] ?? []): Walk => ({
  path: '/calls',
  search: page === 1 ? '?order=-at' : `?order=-at&page=${page}`,
  url: '/api/calls',
  params: {},
  size: SIZE,
  total: 7,
  page,
  stops,
  at,
})

/** Moves from a position in the pager. Returns the new position and the state passed to the page that opens. */
async function goFrom(on: Walk, by: 1 | -1, pages = PAGES) {
  const went: unknown[] = []
  const index = on.stops.findIndex(({ id }) => id === on.at)
  await goToNeighbour({ walk: on, index }, by, {
    read: async (_, params) => pages[Number(params.page ?? 1)] ?? [],
    go: (...to) => void went.push(...to),
  })
  return went
}
const onScreen = () => {
  currentPager.ways = { stopOf: (row) => row as Row, rows: [] }
}

afterAll(() => void vi.unstubAllGlobals())
beforeEach(() => {
  stored.clear()
  currentPager.ways = undefined
})

test("moving to the next record of the page opens it and makes it the pager's current record", async () => {
  onScreen()
  expect(await goFrom(walk(1, '1'), 1)).toEqual(['/lead/2'])
  expect(currentPager.read()).toMatchObject({ at: '2', page: 1 })
})

test('moving past the last record of a page opens the first record of the next page, and the list then returns to that page', async () => {
  onScreen()
  expect(await goFrom(walk(1, '3'), 1)).toEqual(['/lead/4'])
  expect(currentPager.read()).toMatchObject({ at: '4', page: 2, search: '?order=-at&page=2' })
})

test('moving back from the first record of a page opens the last record of the previous page', async () => {
  onScreen()
  expect(await goFrom(walk(2, '4'), -1)).toEqual(['/lead/3'])
  expect(currentPager.read()).toMatchObject({ at: '3', page: 1, search: '?order=-at' })
})

test('after a reload, moving to another page opens the list, which then opens the record', async () => {
  expect(await goFrom(walk(1, '3'), 1)).toEqual(['/calls?order=-at&page=2', { enters: 1, from: '/lead/3' }])
  expect(await goFrom(walk(2, '4'), -1)).toEqual(['/calls?order=-at', { enters: -1, from: '/lead/4' }])
})

test('consecutive records with the same URL count as one record in the pager', async () => {
  onScreen()
  const twice = [stop(1), stop(2, 1), stop(3)]
  expect(await goFrom(walk(1, '1', twice), 1)).toEqual(['/lead/3'])
  const overTheEdge = { ...PAGES, 2: [stop(4, 3), stop(5)] }
  expect(await goFrom(walk(1, '3'), 1, overTheEdge)).toEqual(['/lead/5'])
})

test('moving before the first or after the last record opens nothing', async () => {
  onScreen()
  expect(hasRecordAt(walk(1, '1'), -1)).toBe(false)
  expect(hasRecordAt(walk(3, '7'), 1)).toBe(false)
  expect(hasRecordAt(walk(1, '3'), 3)).toBe(true)
  expect(await goFrom(walk(1, '1'), -1)).toEqual([])
  expect(await goFrom(walk(3, '7'), 1)).toEqual([])
})

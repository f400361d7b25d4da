import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api/client.ts'
import type { QueuedRequest } from '../api/parcel.ts'
import { createKeeper, NO_ROOM, PART_MISSING, TOO_OLD } from './keeper.ts'
import type { ParcelStore } from './store.ts'

const DAY = 86_400_000

/** What a browser keeps, for all of its pages. */
function memory(module = Number.POSITIVE_INFINITY) {
  let kept: QueuedRequest[] = []
  const store: ParcelStore = {
    all: async (owner) => kept.filter((p) => p.owner === owner),
    add: async (parcel) => {
      if (kept.length >= module) throw new Error('QuotaExceededError')
      kept = [...kept, parcel]
    },
    change: async (parcel) => {
      const there = kept.some((p) => p.key === parcel.key)
      kept = kept.map((p) => (p.key === parcel.key ? parcel : p))
      return there
    },
    remove: async (owner, key) => {
      const is = (p: QueuedRequest) => p.key === key && p.owner === owner
      const there = kept.some(is)
      kept = kept.filter((p) => !is(p))
      return there
    },
  }
  return { store, kept: () => kept }
}

/** The locks of a browser. */
function locks() {
  const lines = new Map<string, Promise<unknown>>()
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (lines.get(name) ?? Promise.resolve()).then(work)
    lines.set(
      name,
      turn.catch(() => undefined),
    )
    return turn
  }
}

/** The portal: it does a thing once for each key, and can be unreachable, or answer into the void. */
function portal() {
  const done: { key: string; by: string }[] = []
  const state = { reachable: true, answers: true, refuses: new Map<string, ApiError>() }
  return {
    done,
    state,
    take: async (parcel: QueuedRequest) => {
      await Promise.resolve()
      if (!state.reachable) throw new ApiError(0, 'lost')
      const refusal = state.refuses.get(parcel.key)
      if (refusal) throw refusal
      if (!done.some((d) => d.key === parcel.key)) done.push({ key: parcel.key, by: parcel.owner })
      if (!state.answers) throw new ApiError(0, 'lost')
      return { made: parcel.key }
    },
  }
}

const given = (key: string, more: Partial<QueuedRequest> = {}): QueuedRequest => ({
  key,
  owner: '1/1/',
  method: 'POST',
  path: '/api/crm/actions',
  body: {},
  what: 'Note',
  about: [],
  givenAt: 0,
  ...more,
})

function browser({ module, pages = 1 }: { module?: number; pages?: number } = {}) {
  const { store, kept } = memory(module)
  const alone = locks()
  const server = portal()
  const who = { is: '1/1/' as string | undefined }
  const clock = { now: 0 }
  const told: (readonly QueuedRequest[])[] = []
  const sends: string[] = []
  const open = () =>
    createKeeper({
      store,
      alone,
      owner: () => who.is,
      isOnline: () => true,
      now: () => clock.now,
      tell: (next) => told.push(next),
      tellOthers: () => undefined,
      arrived: () => undefined,
      send: (parcel) => {
        sends.push(parcel.key)
        expect(parcel.owner).toBe(who.is)
        return server.take(parcel)
      },
    })
  return { keepers: Array.from({ length: pages }, open), open, kept, server, who, clock, told, sends }
}

const keysOf = (all: readonly { readonly key: string }[]) => all.map((p) => p.key)

test('what is kept is sent in order, each once, and is gone then', async () => {
  const { keepers, kept, server, told } = browser()
  const [keeper] = keepers
  server.state.reachable = false
  for (const key of ['a', 'b', 'c']) await keeper?.keep(given(key))
  await keeper?.send()
  expect(keysOf(kept())).toEqual(['a', 'b', 'c'])
  server.state.reachable = true
  await keeper?.send()
  expect(keysOf(server.done)).toEqual(['a', 'b', 'c'])
  expect(kept()).toEqual([])
  expect(told.at(-1)).toEqual([])
})

test('what arrived without an answer is sent again under its key, and done once', async () => {
  const { keepers, kept, server, sends } = browser()
  server.state.answers = false
  await keepers[0]?.keep(given('a'))
  await keepers[0]?.send()
  expect(kept()).toMatchObject([{ key: 'a', tried: 0 }])
  server.state.answers = true
  await keepers[0]?.send()
  expect(sends.length).toBeGreaterThan(1)
  expect(keysOf(server.done)).toEqual(['a'])
})

test('a key that the portal may have forgotten is sent again only when its person says so', async () => {
  const { keepers, kept, server, clock } = browser()
  server.state.answers = false
  await keepers[0]?.keep(given('a'))
  await keepers[0]?.send()
  server.state.answers = true
  clock.now = DAY
  await keepers[0]?.send()
  expect(kept()).toMatchObject([{ key: 'a', refused: { why: TOO_OLD } }])
  await keepers[0]?.send('a')
  expect(kept()).toEqual([])
  expect(keysOf(server.done)).toEqual(['a'])
})

test('what is refused stays with the portal’s words, and holds up nothing', async () => {
  const { keepers, kept, server } = browser()
  server.state.refuses.set('a', new ApiError(409, 'This lead has had another outcome.', [], 'conflict'))
  for (const key of ['a', 'b']) await keepers[0]?.keep(given(key))
  await keepers[0]?.send()
  expect(keysOf(server.done)).toEqual(['b'])
  expect(kept()).toMatchObject([{ key: 'a', refused: { status: 409, why: 'This lead has had another outcome.' } }])
  await keepers[0]?.send()
  expect(keysOf(kept())).toEqual(['a'])
  server.state.refuses.clear()
  await keepers[0]?.send('a')
  expect(keysOf(server.done)).toEqual(['b', 'a'])
})

test.each([401, 429, 503])('after an answer of %i it is sent later', async (status) => {
  const { keepers, kept, server } = browser()
  server.state.refuses.set('a', new ApiError(status, 'Not now'))
  for (const key of ['a', 'b']) await keepers[0]?.keep(given(key))
  await keepers[0]?.send()
  expect(kept().map((p) => [p.key, p.refused])).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
})

test('somebody else neither sees nor sends it', async () => {
  const { keepers, kept, server, who, told } = browser()
  server.state.reachable = false
  await keepers[0]?.keep(given('a'))
  await keepers[0]?.send()
  server.state.reachable = true
  for (const other of ['1/2/', '2/1/', undefined]) {
    who.is = other
    await keepers[0]?.refresh()
    await keepers[0]?.send()
    expect(told.at(-1)).toEqual([])
    expect(await keepers[0]?.remove('a')).toBe(false)
  }
  expect(keysOf(kept())).toEqual(['a'])
  expect(server.done).toEqual([])
  who.is = '1/1/'
  await keepers[0]?.send()
  expect(server.done).toEqual([{ key: 'a', by: '1/1/' }])
})

test('of two pages only one sends', async () => {
  const { keepers, server, sends } = browser({ pages: 2 })
  server.state.reachable = false
  for (const key of ['a', 'b', 'c']) await keepers[0]?.keep(given(key))
  await keepers[0]?.send()
  server.state.reachable = true
  sends.length = 0
  await Promise.all(keepers.map((k) => k.send()))
  expect(sends).toEqual(['a', 'b', 'c'])
})

test('what is being sent by the page that gave it is sent by no other, and not shown as waiting', async () => {
  const { keepers, kept, told, sends } = browser({ pages: 2 })
  const answer = Promise.withResolvers<string>()
  const watched = keepers[0]?.watch(given('a', { sending: true }), answer.promise)
  await expect.poll(() => keysOf(kept())).toEqual(['a'])
  const other = keepers[1]?.send()
  await keepers[1]?.refresh()
  expect(told.at(-1)).toEqual([])
  answer.resolve('made')
  expect(await watched).toBe('made')
  await other
  expect(sends).toEqual([])
  expect(kept()).toEqual([])
})

test('a page that is closed while it sends leaves what it was sending, and the next one sends it', async () => {
  const { kept, server, open, keepers } = browser()
  server.state.reachable = false
  const lost = Promise.reject(new ApiError(0, 'lost'))
  await keepers[0]?.watch(given('a', { sending: true, tried: 0 }), lost).catch(() => undefined)
  expect(kept()).toMatchObject([{ key: 'a', sending: true }])
  server.state.reachable = true
  await open().send()
  expect(keysOf(server.done)).toEqual(['a'])
})

test('where there is no room it says so, and keeps nothing', async () => {
  const { keepers, kept } = browser({ module: 1 })
  await keepers[0]?.keep(given('a'))
  await expect(keepers[0]?.keep(given('b'))).rejects.toThrow(NO_ROOM)
  expect(kept().length).toBeLessThanOrEqual(1)
})

test('what a screen wants to have is kept until that has it', async () => {
  const { keepers, kept } = browser()
  await keepers[0]?.keep(given('a', { collect: true }))
  await keepers[0]?.send()
  expect(kept()).toMatchObject([{ key: 'a', arrived: { made: 'a' } }])
  expect(await keepers[0]?.remove('a')).toBe(true)
})

test('whatever the connection does, everything arrives once, in order', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('give' as const), page: fc.nat(1) }),
    fc.record({ do: fc.constant('send' as const), page: fc.nat(1) }),
    fc.record({ do: fc.constant('reach' as const), yes: fc.boolean(), answers: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { keepers, kept, server } = browser({ pages: 2 })
      const gave: string[] = []
      for (const s of steps) {
        if (s.do === 'give') {
          gave.push(`${gave.length}`)
          await keepers[s.page]?.keep(given(gave.at(-1) ?? ''))
        } else if (s.do === 'send') void keepers[s.page]?.send()
        else Object.assign(server.state, { reachable: s.yes, answers: s.answers })
      }
      Object.assign(server.state, { reachable: true, answers: true })
      await Promise.all(keepers.map((k) => k.send()))
      await keepers[0]?.send()
      expect(keysOf(server.done)).toEqual(gave)
      expect(kept()).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('what names pictures goes after them, with their addresses; where one was not taken, it is not sent', async () => {
  const { keepers, kept, server } = browser()
  const [keeper] = keepers
  const bodies: unknown[] = []
  const take = server.take
  server.take = async (parcel) => {
    const made = await take(parcel)
    bodies.push(parcel.body)
    return { ...made, '@id': `/files/${parcel.key}` }
  }
  server.state.reachable = false
  await keeper?.keep(given('picture', { collect: true }))
  await keeper?.keep(given('form', { parts: ['picture'], body: { photos: ['parcel:picture', 'parcel:moon'] } }))
  server.state.reachable = true
  await keeper?.send()
  expect(bodies).toEqual([{}, { photos: ['/files/picture', 'parcel:moon'] }])
  expect(kept()).toEqual([])

  server.state.refuses.set('second', new ApiError(413, 'too large'))
  server.state.reachable = false
  await keeper?.keep(given('second', { collect: true }))
  await keeper?.keep(given('another', { parts: ['second'], body: { photos: ['parcel:second'] } }))
  server.state.reachable = true
  await keeper?.send()
  expect(kept().map((p) => [p.key, p.refused?.why])).toEqual([
    ['second', 'too large'],
    ['another', PART_MISSING],
  ])
  server.state.refuses.clear()
  await keeper?.send('second')
  await keeper?.send('another')
  expect([kept(), bodies.at(-1)]).toEqual([[], { photos: ['/files/second'] }])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/client.ts'
import type { RequestStore } from '../request-store.ts'
import type { QueuedRequest } from '../requests.ts'
import { createRequestQueue, NO_SPACE_MESSAGE, PART_MISSING_MESSAGE, REQUEST_TOO_OLD_MESSAGE } from './request-queue.ts'

const DAY = 86_400_000

/** Creates simulated browser storage for requests, shared by all pages. */
function memory(space = Number.POSITIVE_INFINITY) {
  let stored: QueuedRequest[] = []
  const store: RequestStore = {
    all: async (owner) => stored.filter((p) => p.owner === owner),
    add: async (request) => {
      if (stored.length >= space) throw new Error('QuotaExceededError')
      stored = [...stored, request]
    },
    change: async (request) => {
      const there = stored.some((p) => p.key === request.key)
      stored = stored.map((p) => (p.key === request.key ? request : p))
      return there
    },
    remove: async (owner, key) => {
      const is = (p: QueuedRequest) => p.key === key && p.owner === owner
      const there = stored.some(is)
      stored = stored.filter((p) => !is(p))
      return there
    },
  }
  return { store, stored: () => stored }
}

/** Creates simulated browser locks. */
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

/** Creates a simulated server that processes each request key only once. It can be unreachable or lose its response. */
function portal() {
  const done: { key: string; by: string }[] = []
  const state = { reachable: true, answers: true, refuses: new Map<string, ApiError>() }
  return {
    done,
    state,
    take: async (request: QueuedRequest) => {
      await Promise.resolve()
      if (!state.reachable) throw new ApiError(0, 'lost')
      const refusal = state.refuses.get(request.key)
      if (refusal) throw refusal
      if (!done.some((d) => d.key === request.key)) done.push({ key: request.key, by: request.owner })
      if (!state.answers) throw new ApiError(0, 'lost')
      return { created: request.key }
    },
  }
}

const queued = (key: string, more: Partial<QueuedRequest> = {}): QueuedRequest => ({
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

function browser({ space, pages = 1 }: { space?: number; pages?: number } = {}) {
  const { store, stored } = memory(space)
  const exclusively = locks()
  const server = portal()
  const who = { is: '1/1/' as string | undefined, online: true }
  const clock = { now: 0 }
  const changes: (readonly QueuedRequest[])[] = []
  const sends: string[] = []
  const open = () =>
    createRequestQueue({
      store,
      exclusively,
      owner: () => who.is,
      isOnline: () => who.online,
      now: () => clock.now,
      onChange: (next) => changes.push(next),
      notifyTabs: () => undefined,
      onDelivered: () => undefined,
      send: (request) => {
        sends.push(request.key)
        expect(request.owner).toBe(who.is)
        return server.take(request)
      },
    })
  return { queues: Array.from({ length: pages }, open), open, stored, server, who, clock, changes, sends }
}

const keysOf = (all: readonly { readonly key: string }[]) => all.map((p) => p.key)

test('queued requests are sent in order, once each, and then removed', async () => {
  const { queues, stored, server, changes } = browser()
  const [queue] = queues
  server.state.reachable = false
  for (const key of ['a', 'b', 'c']) await queue?.add(queued(key))
  await queue?.send()
  expect(keysOf(stored())).toEqual(['a', 'b', 'c'])
  server.state.reachable = true
  await queue?.send()
  expect(keysOf(server.done)).toEqual(['a', 'b', 'c'])
  expect(stored()).toEqual([])
  expect(changes.at(-1)).toEqual([])
})

test('a queued request whose response was lost is sent again with its idempotency key and takes effect once', async () => {
  const { queues, stored, server, sends } = browser()
  server.state.answers = false
  await queues[0]?.add(queued('a'))
  await queues[0]?.send()
  expect(stored()).toMatchObject([{ key: 'a', tried: 0 }])
  server.state.answers = true
  await queues[0]?.send()
  expect(sends.length).toBeGreaterThan(1)
  expect(keysOf(server.done)).toEqual(['a'])
})

test('a queued request whose idempotency key may have expired on the server is sent again only if its owner requests it', async () => {
  const { queues, stored, server, clock } = browser()
  server.state.answers = false
  await queues[0]?.add(queued('a'))
  await queues[0]?.send()
  server.state.answers = true
  clock.now = DAY
  await queues[0]?.send()
  expect(stored()).toMatchObject([{ key: 'a', refused: { why: REQUEST_TOO_OLD_MESSAGE } }])
  await queues[0]?.send('a')
  expect(stored()).toEqual([])
  expect(keysOf(server.done)).toEqual(['a'])
})

test("a rejected request remains queued with the server's reason and does not block other requests", async () => {
  const { queues, stored, server } = browser()
  server.state.refuses.set('a', new ApiError(409, 'This lead has had another outcome.', [], 'conflict'))
  for (const key of ['a', 'b']) await queues[0]?.add(queued(key))
  await queues[0]?.send()
  expect(keysOf(server.done)).toEqual(['b'])
  expect(stored()).toMatchObject([{ key: 'a', refused: { status: 409, why: 'This lead has had another outcome.' } }])
  await queues[0]?.send()
  expect(keysOf(stored())).toEqual(['a'])
  server.state.refuses.clear()
  await queues[0]?.send('a')
  expect(keysOf(server.done)).toEqual(['b', 'a'])
})

test.each([401, 429, 503])('a queued request is retried later after a response with status %i', async (status) => {
  const { queues, stored, server } = browser()
  server.state.refuses.set('a', new ApiError(status, 'Not now'))
  for (const key of ['a', 'b']) await queues[0]?.add(queued(key))
  await queues[0]?.send()
  expect(stored().map((p) => [p.key, p.refused])).toEqual([
    ['a', undefined],
    ['b', undefined],
  ])
})

test('other users neither see nor send a queued request', async () => {
  const { queues, stored, server, who, changes } = browser()
  server.state.reachable = false
  await queues[0]?.add(queued('a'))
  await queues[0]?.send()
  server.state.reachable = true
  for (const other of ['1/2/', '2/1/', undefined]) {
    who.is = other
    await queues[0]?.refresh()
    await queues[0]?.send()
    expect(changes.at(-1)).toEqual([])
    expect(await queues[0]?.remove('a')).toBe(false)
  }
  expect(keysOf(stored())).toEqual(['a'])
  expect(server.done).toEqual([])
  who.is = '1/1/'
  await queues[0]?.send()
  expect(server.done).toEqual([{ key: 'a', by: '1/1/' }])
})

test('only one of two open pages sends the queue', async () => {
  const { queues, server, sends } = browser({ pages: 2 })
  server.state.reachable = false
  for (const key of ['a', 'b', 'c']) await queues[0]?.add(queued(key))
  await queues[0]?.send()
  server.state.reachable = true
  sends.length = 0
  await Promise.all(queues.map((k) => k.send()))
  expect(sends).toEqual(['a', 'b', 'c'])
})

test('a request that one page is sending is neither sent nor shown as queued by another page', async () => {
  const { queues, stored, changes, sends } = browser({ pages: 2 })
  const answer = Promise.withResolvers<string>()
  const watched = queues[0]?.track(queued('a', { sending: true }), answer.promise)
  await expect.poll(() => keysOf(stored())).toEqual(['a'])
  const other = queues[1]?.send()
  await queues[1]?.refresh()
  expect(changes.at(-1)).toEqual([])
  answer.resolve('made')
  expect(await watched).toBe('made')
  await other
  expect(sends).toEqual([])
  expect(stored()).toEqual([])
})

test('a request whose page is closed while sending is sent by the next page', async () => {
  const { stored, server, open, queues } = browser()
  server.state.reachable = false
  const lost = Promise.reject(new ApiError(0, 'lost'))
  await queues[0]?.track(queued('a', { sending: true, tried: 0 }), lost).catch(() => undefined)
  expect(stored()).toMatchObject([{ key: 'a', sending: true }])
  server.state.reachable = true
  await open().send()
  expect(keysOf(server.done)).toEqual(['a'])
})

test("if the device's storage is full, queueing a request fails with an error and stores nothing", async () => {
  const { queues, stored } = browser({ space: 1 })
  await queues[0]?.add(queued('a'))
  await expect(queues[0]?.add(queued('b'))).rejects.toThrow(NO_SPACE_MESSAGE)
  expect(stored().length).toBeLessThanOrEqual(1)
})

test('a response that a screen must collect remains in the queue until it is collected', async () => {
  const { queues, stored } = browser()
  await queues[0]?.add(queued('a', { collect: true }))
  await queues[0]?.send()
  expect(stored()).toMatchObject([{ key: 'a', arrived: { created: 'a' } }])
  expect(await queues[0]?.remove('a')).toBe(true)
})

test('every queued request arrives once and in order, even if the connection is lost repeatedly', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('give' as const), page: fc.nat(1) }),
    fc.record({ do: fc.constant('send' as const), page: fc.nat(1) }),
    fc.record({ do: fc.constant('reach' as const), yes: fc.boolean(), answers: fc.boolean() }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { queues, stored, server } = browser({ pages: 2 })
      const added: string[] = []
      for (const s of steps) {
        if (s.do === 'give') {
          added.push(`${added.length}`)
          await queues[s.page]?.add(queued(added.at(-1) ?? ''))
        } else if (s.do === 'send') void queues[s.page]?.send()
        else Object.assign(server.state, { reachable: s.yes, answers: s.answers })
      }
      Object.assign(server.state, { reachable: true, answers: true })
      await Promise.all(queues.map((k) => k.send()))
      await queues[0]?.send()
      expect(keysOf(server.done)).toEqual(added)
      expect(stored()).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('a queued request is sent after the uploads that it refers to, with their URLs, and is rejected if an upload was rejected', async () => {
  const { queues, stored, server } = browser()
  const [queue] = queues
  const bodies: unknown[] = []
  const take = server.take
  server.take = async (request) => {
    const answer = await take(request)
    bodies.push(request.body)
    return { ...answer, '@id': `/files/${request.key}` }
  }
  server.state.reachable = false
  await queue?.add(queued('picture', { collect: true }))
  await queue?.add(queued('form', { parts: ['picture'], body: { photos: ['parcel:picture', 'parcel:moon'] } }))
  server.state.reachable = true
  await queue?.send()
  expect(bodies).toEqual([{}, { photos: ['/files/picture', 'parcel:moon'] }])
  expect(stored()).toEqual([])

  server.state.refuses.set('second', new ApiError(413, 'too large'))
  server.state.reachable = false
  await queue?.add(queued('second', { collect: true }))
  await queue?.add(queued('another', { parts: ['second'], body: { photos: ['parcel:second'] } }))
  server.state.reachable = true
  await queue?.send()
  expect(stored().map((p) => [p.key, p.refused?.why])).toEqual([
    ['second', 'too large'],
    ['another', PART_MISSING_MESSAGE],
  ])
  server.state.refuses.clear()
  await queue?.send('second')
  await queue?.send('another')
  expect([stored(), bodies.at(-1)]).toEqual([[], { photos: ['/files/second'] }])
})

/** Makes the simulated server respond like the talk routes. Returns the requests that it receives. */
function talkServer(server: ReturnType<typeof portal>) {
  const got: [path: string, body: unknown][] = []
  const take = server.take
  server.take = async (request) => {
    const answer = await take(request)
    got.push([request.path, request.body])
    const rows = [0, 1].map((i) => ({ '@id': `/rows/${request.key}${i}` }))
    return {
      ...answer,
      ...(request.path.endsWith('/people') ? { attendees: rows } : { '@id': `/talks/${request.key}` }),
    }
  }
  return got
}
const talkRequests = [
  queued('talk', { what: 'Talk started', path: '/talks', shared: true }),
  queued('names', { what: 'Two names', path: 'parcel:talk/people', parts: ['talk'], shared: true }),
  queued('first', {
    path: 'parcel:talk/sign',
    parts: ['talk', 'names'],
    body: { attendee: 'parcel:names#attendees.0' },
  }),
  queued('second', {
    path: 'parcel:talk/sign',
    parts: ['talk', 'names'],
    body: { attendee: 'parcel:names#attendees.1' },
  }),
]

test('several queued requests can depend on one record created offline, whose address fills their paths and bodies', async () => {
  const { queues, stored, server, clock } = browser()
  const got = talkServer(server)
  server.state.reachable = false
  for (const request of talkRequests) await queues[0]?.add(request)
  server.state.reachable = true
  await queues[0]?.send()
  expect(got).toEqual([
    ['/talks', {}],
    ['/talks/talk/people', {}],
    ['/talks/talk/sign', { attendee: '/rows/names0' }],
    ['/talks/talk/sign', { attendee: '/rows/names1' }],
  ])
  // The responses stay, because the screen may still add a request that depends on them.
  expect(stored().map((p) => [p.key, p.arrived !== undefined])).toEqual([
    ['talk', true],
    ['names', true],
  ])
  await queues[0]?.add(queued('third', { path: 'parcel:talk/close', parts: ['talk'] }))
  await queues[0]?.send()
  expect(got.at(-1)).toEqual(['/talks/talk/close', {}])
  clock.now = DAY / 24 + 1
  await queues[0]?.send()
  expect(stored()).toEqual([])
})

test('requests that depend on a rejected request are rejected with its name, and are sent after it when it is sent again', async () => {
  const { queues, stored, server } = browser()
  const got = talkServer(server)
  server.state.refuses.set('names', new ApiError(409, 'This record is closed.'))
  server.state.reachable = false
  for (const request of talkRequests) await queues[0]?.add(request)
  server.state.reachable = true
  await queues[0]?.send()
  const why =
    'This change depends on “Two names”, which was not accepted. Send “Two names” again; this change will then follow.'
  expect(stored().flatMap((p) => (p.refused ? [[p.key, p.refused.why]] : []))).toEqual([
    ['names', 'This record is closed.'],
    ['first', why],
    ['second', why],
  ])
  server.state.refuses.clear()
  await queues[0]?.send('names')
  expect(got.slice(1).map(([path]) => path)).toEqual(['/talks/talk/people', '/talks/talk/sign', '/talks/talk/sign'])
  expect(stored().filter((p) => p.refused || p.arrived === undefined)).toEqual([])
})

test('30 signatures and 5 leave requests from a week without a signal are each sent once, and a refused one can still be edited', async () => {
  const { queues, stored, server, who, clock } = browser()
  server.state.reachable = who.online = false
  const keys = Array.from({ length: 35 }, (_, n) => (n % 7 ? `signature ${n}` : `leave ${n}`))
  for (const [n, key] of keys.entries()) {
    clock.now = (n * 7 * DAY) / keys.length
    await queues[0]?.add(queued(key, { givenAt: clock.now, body: { notes: key } }))
  }
  await queues[0]?.send()
  expect(stored().every(({ tried, refused }) => tried === undefined && refused === undefined)).toBe(true)
  Object.assign(server.state, { reachable: true, answers: false })
  server.state.refuses.set('leave 14', new ApiError(409, 'No leave can be requested then: Stocktaking.'))
  who.online = true
  await queues[0]?.send()
  server.state.answers = true
  await queues[0]?.send()
  expect(keysOf(server.done)).toEqual(keys.filter((key) => key !== 'leave 14'))
  expect(stored()).toMatchObject([{ key: 'leave 14', body: { notes: 'leave 14' }, refused: { status: 409 } }])
})

import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type TestUser, testPortal } from '#test/support/portal.ts'
import { expectSuccess, makeSignOffHelpers, sendSignature, TALKS_URL } from '#test/support/sign-offs.ts'

const portal = await testPortal()
const { company, ask } = makeSignOffHelpers(portal)
const SUMMARY = '/api/portal/notices/summary'
const open: AbortController[] = []

afterEach(() => {
  for (const one of open.splice(0)) one.abort()
})

const tokenOf = async ({ clientId, id: userId }: TestUser) =>
  (await portal.sessions.open({ clientId, userId }, { address: '127.0.0.1', agent: 'test', browser: false })).token

/**
 * Listens like a browser tab. Records the response's status and type, the latest summary, the `changed` events, whether
 * an `over` event has arrived and whether the stream has ended.
 */
async function listen(origin: string, token: string) {
  const control = new AbortController()
  open.push(control)
  const answer = await fetch(`${origin}${SUMMARY}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal: control.signal,
  })
  const heard = {
    status: answer.status,
    type: answer.headers.get('content-type'),
    summary: undefined as unknown,
    over: false,
    changed: [] as unknown[],
    ended: false,
  }
  const read = async () => {
    let text = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      heard.changed = []
      for (const [, event, data] of text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
        if (event === 'summary') heard.summary = JSON.parse(data ?? '')
        if (event === 'changed') heard.changed.push(JSON.parse(data ?? ''))
        if (event === 'over') heard.over = true
      }
    }
  }
  read()
    .catch(() => {})
    .finally(() => {
      heard.ended = true
    })
  return heard
}

test('a notification stream sends the summary immediately, and again when any process changes the summary', async () => {
  const [here, there] = [await portal.listen(), await (await portal.with({})).listen()]
  const { author, workers, current, as } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  const token = await tokenOf(will)
  const [one, other, zoes] = [
    await listen(here, token),
    await listen(there, token),
    await listen(here, await tokenOf(zoe)),
  ]
  expect([one.status, one.type]).toEqual([200, 'text/event-stream'])
  const none = { unread: 0, waiting: {}, waitsFor: {} }
  await expect.poll(() => [one.summary, other.summary, zoes.summary]).toEqual([none, none, none])

  const on = await current()
  expectSuccess(await ask(author, on, { people: [will.id] }))
  await portal.drain()
  const waits = { unread: 1, waiting: { Documents: 1 }, waitsFor: { Documents: '1 to sign' } }
  await expect.poll(() => [one.summary, other.summary, zoes.summary]).toEqual([waits, waits, none])
  expectSuccess(await sendSignature(as(will), on))
  await expect.poll(() => [one.summary, other.summary]).toEqual([none, none])
})

test("a changed document is announced on the streams of its company's users, and on no other stream", async () => {
  const here = await portal.listen()
  const { author, workers } = await company('Will')
  const other = await company('Zoe')
  const own = await listen(here, await tokenOf(workers[0] as TestUser))
  const elsewhere = await listen(here, await tokenOf(other.workers[0] as TestUser))
  const made = expectSuccess(await author.post(TALKS_URL, { title: 'Ladders', points: [{ text: 'Look up.' }] }))
  await expect.poll(() => [own.summary, elsewhere.summary]).not.toContain(undefined)
  expectSuccess(await author.post(`${made['@id']}/complete`))
  await expect.poll(() => own.changed).toEqual([{ what: 'document', id: made.id }])
  expectSuccess(await author.post(`${made['@id']}/reject`, { note: 'No rescue plan' }))
  await expect.poll(() => own.changed.length).toBe(2)
  expect(elsewhere.changed).toEqual([])
})

test('a document that changes after the first summary is announced, even if listening to the database starts late', async () => {
  const db = portal.engine.db
  const original = db.listen.bind(db)
  const late = vi.spyOn(db, 'listen').mockImplementation((...listener) => {
    let end: (() => void) | undefined
    const timer = setTimeout(() => {
      end = original(...listener)
    }, 2000)
    return () => {
      clearTimeout(timer)
      end?.()
    }
  })
  onTestFinished(() => late.mockRestore())
  const here = await portal.listen()
  const { author, workers } = await company('Will')
  const made = expectSuccess(await author.post(TALKS_URL, { title: 'Ladders', points: [{ text: 'Look up.' }] }))
  const own = await listen(here, await tokenOf(workers[0] as TestUser))
  await expect.poll(() => own.summary).toBeDefined()
  expectSuccess(await author.post(`${made['@id']}/complete`))
  await expect.poll(() => own.changed, { timeout: 10_000 }).toEqual([{ what: 'document', id: made.id }])
})

test('a stream announces the end of its session and closes', async () => {
  const here = await portal.listen()
  const { workers, author, current } = await company('Will')
  const [will] = workers as [TestUser]
  const token = await tokenOf(will)
  const heard = await listen(here, token)
  await expect.poll(() => heard.summary).toBeDefined()
  await portal.sessions.close(token)
  expectSuccess(await ask(author, await current(), { people: [will.id] }))
  await portal.drain()
  await expect.poll(() => [heard.over, heard.ended]).toEqual([true, true])
})

test('looking up the user of a token extends neither the token nor the session', async () => {
  const { client, workers } = await company('Will')
  const [will] = workers as [TestUser]
  const token = await tokenOf(will)
  const lives = () =>
    portal.db.tx('system', (tx) =>
      tx.rows(
        `SELECT s.seen_at, s.expires_at AS s, a.expires_at AS a FROM session s JOIN access_token a ON a.client_id = s.client_id AND a.session_id = s.id
         WHERE s.client_id = $1`,
        [client.id],
      ),
    )
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE session SET seen_at = seen_at - interval '5 minutes' WHERE client_id = $1", [client.id]),
  )
  const before = await lives()
  expect(await portal.sessions.look(token)).toMatchObject({ userId: will.id })
  expect(await lives()).toEqual(before)
})

test("a user's oldest stream is closed when the user opens a ninth stream", async () => {
  const here = await portal.listen()
  const { workers } = await company('Will')
  const token = await tokenOf(workers[0] as TestUser)
  const first = await listen(here, token)
  for (let n = 0; n < 8; n++) expect((await listen(here, token)).status).toBe(200)
  await expect.poll(() => first.ended).toBe(true)
})

test('a server that shuts down closes its open streams', async () => {
  const second = await portal.with({ LOG_LEVEL: 'silent' })
  const there = await second.listen()
  const { workers } = await company('Will')
  const heard = await listen(there, await tokenOf(workers[0] as TestUser))
  await expect.poll(() => heard.summary).toBeDefined()
  await second.app.close()
  await expect.poll(() => heard.ended).toBe(true)
})

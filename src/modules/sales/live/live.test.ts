import { afterEach, expect, test } from 'vitest'
import { type TestUser, testPortal } from '#test/support/portal.ts'
import { BINGO_BOARD_URL, LIVE_FIGURES_URL, type LiveBoard } from './board.ts'

const portal = await testPortal()
const open: AbortController[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.abort()
})

async function floor() {
  const client = await portal.client()
  const [boss, ann] = [
    await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }),
    await client.user({ roles: ['ROLE_STAFF'] }),
  ]
  const lead = await client.as(ann).post('/api/crm/contacts', { companyName: 'Acme' })
  const outcome = (result: number) => client.as(ann).post(`${lead.body['@id']}/outcomes`, { result })
  return { client, boss, ann, outcome }
}

const tokenOf = async ({ clientId, id: userId }: TestUser) =>
  (await portal.sessions.open({ clientId, userId }, { address: '127.0.0.1', agent: 'test', browser: false })).token

/**
 * Reads a stream as a screen does. Records the latest figures, whether an `over` event has arrived and whether the
 * stream has ended.
 */
async function look(url: string, token: string) {
  const control = new AbortController()
  open.push(control)
  const answer = await fetch(`${await portal.listen()}${url}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal: control.signal,
  })
  // biome-ignore lint/suspicious/noExplicitAny: figures as they come
  const heard = { status: answer.status, last: undefined as any, over: false, ended: false }
  const read = async () => {
    let text = ''
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      for (const [, event, data] of text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
        if (event === 'figures') heard.last = JSON.parse(data ?? '')
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

const of = (board: LiveBoard | undefined, person: TestUser) => board?.people.find((p) => p.user === person.id)?.today

test("managers receive live updates on everybody's activity today", async () => {
  const { client, boss, ann, outcome } = await floor()
  expect((await client.as(ann).get(LIVE_FIGURES_URL)).status).toBe(403)
  const heard = await look(LIVE_FIGURES_URL, await tokenOf(boss))
  await expect.poll(() => of(heard.last, ann)).toEqual({ calls: 0, forward: 0, sales: 0, amount: 0 })
  expect((await outcome(5)).status).toBe(200)
  await expect.poll(() => of(heard.last, ann)).toEqual({ calls: 1, forward: 1, sales: 0, amount: 0 })
  const today = Temporal.Now.plainDateISO('Europe/London').toString()
  const sold = await client.as(ann).post('/api/sales/sales/create', { day: today, amount: 1200, what: 'x' })
  await expect.poll(() => of(heard.last, ann)).toEqual({ calls: 1, forward: 1, sales: 1, amount: 1200 })
  await expect.poll(() => heard.last.waiting.checks).toBe(1)
  await client.as(boss).post(`${sold.body['@id']}/retire`, { reason: 'x' })
  await expect.poll(() => of(heard.last, ann)?.sales).toBe(0)
  expect((await client.as(boss).get(LIVE_FIGURES_URL)).body).toEqual(heard.last)
})

test('all users in a company see all its bingo cards, and none from other companies', async () => {
  const { ann, outcome } = await floor()
  const other = await floor()
  const heard = await look(BINGO_BOARD_URL, await tokenOf(ann))
  await outcome(5)
  await outcome(31)
  await expect
    .poll(() => heard.last?.cards.find((card: { user: number }) => card.user === ann.id)?.filled)
    .toEqual(['call', 'callback', 'pitch'])
  expect(heard.last.cards.map((card: { user: number }) => card.user)).not.toContain(other.ann.id)
})

test('a live stream ends when the user signs out', async () => {
  const { client, boss, outcome } = await floor()
  const token = await tokenOf(boss)
  const heard = await look(LIVE_FIGURES_URL, token)
  await expect.poll(() => heard.last).toBeDefined()
  await portal.sessions.close(token)
  await outcome(5)
  await expect.poll(() => [heard.over, heard.ended]).toEqual([true, true])
  expect(client.id).toBeGreaterThan(0)
})

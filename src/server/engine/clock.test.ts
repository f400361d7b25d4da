import { afterEach, describe, expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { QueueWorkers } from '#server/jobs/workers.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeQuoteWorld } from '#test/support/quotes.ts'
import { moveClock } from './clock.ts'

const portal = await testPortal()
const DAY = 86_400_000
afterEach(() => moveClock(portal.engine, 0))

/** Lets the portal's processes read the clock and run due work. */
async function lookAtClock(): Promise<void> {
  const workers = new QueueWorkers(portal.engine, { error: () => {} })
  await workers.tick()
  await workers.drain()
}
const letters = async (clientId: number, template: string) =>
  (
    await portal.db.tx({ clientId }, (tx) =>
      tx.rows<{ subject: string }>('SELECT subject FROM message WHERE client_id = $1 AND template = $2 ORDER BY id', [
        clientId,
        template,
      ]),
    )
  ).map((l) => l.subject)

describe('the portal clock', () => {
  test('handlers, SQL and the API use the same portal clock', async () => {
    const client = await portal.client()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    await moveClock(portal.engine, 40)
    const ahead = portal.engine.clock.now().epochMilliseconds - Date.now()
    expect(Math.round(ahead / DAY)).toBe(40)
    const talk = await admin.post('/api/safety/toolbox_talks', { title: 'Later', points: [{ text: 'One' }] })
    expect(Math.round((Date.parse(talk.body.createdAt) - Date.now()) / DAY)).toBe(40)
    expect(Math.round((Date.parse(talk.body.updatedAt) - Date.now()) / DAY)).toBe(40)
    // The session remains valid, because sessions use real time.
    expect((await admin.get(talk.body['@id'])).status).toBe(200)
  })

  test('moving the portal clock ahead sends the reminders that have become due', async () => {
    const client = await portal.client()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: `boss@c${client.id}.example` }))
    const made = await admin.post('/api/safety/toolbox_talks', {
      title: 'Ladders',
      points: [{ text: 'One' }],
      complete: true,
    })
    const due = londonDate(portal.engine.clock.now()).add({ days: 50 })
    await admin.post(`${made.body['@id']}/approve`, { reviewDue: due.toString() })
    await lookAtClock()
    expect(await letters(client.id, 'document.review')).toEqual([])
    for (const days of [25, 26, 45, 51]) {
      await moveClock(portal.engine, days)
      await lookAtClock()
    }
    const on = due.toString().split('-').reverse().join('/')
    const title = `${made.body.documentNumber} Ladders`
    expect(await letters(client.id, 'document.review')).toEqual([
      `Review by ${on}: ${title}`,
      `Review by ${on}: ${title}`,
      `Review due: ${title}`,
    ])
  })

  test("moving the portal clock past a quote's expiry date expires the quote, and its link reports the expiry", async () => {
    const w = await makeQuoteWorld()
    const { quote, token } = await w.sent()
    await moveClock(portal.engine, 29)
    await lookAtClock()
    expect((await w.api.get(quote['@id'])).body.state).toBe('open')
    await moveClock(portal.engine, 32)
    const seen = await portal.anonymous.get(`/api/financial/acceptances/${token}`)
    expect([seen.status, seen.body.state]).toEqual([200, 'expired'])
    await lookAtClock()
    expect((await w.api.get(quote['@id'])).body.state).toBe('expired')
  })

  test('only provider administrators can move the portal clock ahead, in whole days', async () => {
    const api = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const { body } = await api.post('/api/portal/clock', { days: 10 })
    expect(Math.round((Date.parse(body.now) - Date.now()) / DAY)).toBe(10)
    expect((await api.get('/api/portal/clock')).body.now.slice(0, 10)).toBe(body.now.slice(0, 10))
    expect((await api.post('/api/portal/clock', { days: 1.5 })).status).toBe(400)
    expect((await staff.post('/api/portal/clock', { days: 1 })).status).toBe(403)
    const client = await portal.client()
    const theirs = client.as(await client.user({ roles: ['ROLE_USER_ADMIN', 'ROLE_BILLING_ADMIN'] }))
    for (const path of ['/api/portal/clock', '/api/financial/test_clock']) {
      expect([path, (await theirs.get(path)).status]).toEqual([path, 403])
      expect([path, (await theirs.post(path, { days: 1 })).status]).toEqual([path, 403])
    }
  })

  test('the portal clock can be moved only in demo and test databases', async () => {
    await portal.db.tx('system', (tx) => tx.rows('DELETE FROM clock'))
    try {
      await expect(moveClock(portal.engine, 1)).rejects.toThrow(
        'This portal’s clock can’t be moved because the portal contains no demo data.',
      )
      expect(await portal.engine.clock.load()).toBe(false)
    } finally {
      await portal.db.tx('system', (tx) => tx.rows('INSERT INTO clock DEFAULT VALUES'))
    }
  })
})

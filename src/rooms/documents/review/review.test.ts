import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const LIST = '/api/safety/toolbox_talks'

test('author and administrators are told a month, a week and a day before a review, each once', async () => {
  const whole = await testPortal()
  const portal = await whole.with({ PUBLIC_URL: 'https://portal.example' })
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: `boss@c${client.id}.example` }))
  await client.user({ roles: ['ROLE_EMPLOYEE'], email: `worker@c${client.id}.example` })
  const due = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString()
  const current = async (days: number) => {
    const made = await admin.post(LIST, { title: `Due in ${days}`, points: [{ text: 'One' }], complete: true })
    return (await admin.post(`${made.body['@id']}/approve`, { reviewDue: due(days) })).body
  }
  const letters = async () => {
    await portal.runSchedule('document.review')
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows<{ payload: { to: string; subject: string; body: string } }>(
        "DELETE FROM outbox WHERE client_id = $1 AND kind = 'mail' RETURNING payload",
        [client.id],
      ),
    )
    return rows.map((r) => r.payload)
  }

  const far = await current(31)
  expect(await letters()).toEqual([])
  const [soon, late] = [await current(20), await current(-2)]
  const first = await letters()
  expect(first.map((l) => l.subject).sort()).toEqual([
    `Review by ${due(20).split('-').reverse().join('/')}: ${soon.documentNumber} Due in 20`,
    `Review due: ${late.documentNumber} Due in -2`,
  ])
  expect(new Set(first.map((l) => l.to))).toEqual(new Set([`boss@c${client.id}.example`]))
  expect(first[0]?.body).toContain(`https://portal.example/safety/toolbox-talks/view/`)
  expect(await letters()).toEqual([])
  // A week before, once more.
  await admin.put(soon['@id'], { reviewDue: due(6) })
  expect((await letters()).map((l) => l.subject)).toEqual([expect.stringContaining(soon.documentNumber)])
  // Once it is late, and its day is put off: it comes again, as for a new day.
  expect(await letters()).toEqual([])
  await admin.put(late['@id'], { reviewDue: due(40) })
  expect(await letters()).toEqual([])
  await admin.put(late['@id'], { reviewDue: due(5) })
  expect((await letters()).map((l) => l.subject)).toEqual([
    `Review by ${due(5).split('-').reverse().join('/')}: ${late.documentNumber} Due in -2`,
  ])
  // What is put away asks for nothing.
  await admin.put(far['@id'], { retired: true })
  await admin.put(far['@id'], { reviewDue: due(1) })
  expect(await letters()).toEqual([])
})

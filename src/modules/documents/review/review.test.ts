import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestPortal, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

const LIST = '/api/safety/toolbox_talks'
const REMINDS = [30, 7, 0]

/** Returns the review e-mails that a client gets on one morning. */
async function morning(portal: TestPortal, clientId: number) {
  await portal.runSchedule('document.review')
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ payload: { to: string; subject: string; body: string } }>(
      "DELETE FROM outbox WHERE client_id = $1 AND kind = 'mail' RETURNING payload",
      [clientId],
    ),
  )
  return rows.map((r) => r.payload)
}

test('the author and the administrators get one reminder each a month, a week and a day before a review', async () => {
  const whole = await testPortal()
  const portal = await whole.with({ PUBLIC_URL: 'https://portal.example' })
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: `boss@c${client.id}.example` }))
  await client.user({ roles: ['ROLE_EMPLOYEE'], email: `worker@c${client.id}.example` })
  const due = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString()
  const current = async (days: number) => {
    const made = await admin.post(LIST, {
      title: `Due in ${days}, at https://evil.example`,
      points: [{ text: 'One' }],
      complete: true,
    })
    await admin.post(`${made.body['@id']}/approve`)
    return (await admin.put(made.body['@id'], { reviewDue: due(days) })).body
  }
  const letters = () => morning(portal, client.id)

  const far = await current(31)
  expect(await letters()).toEqual([])
  const [soon, late] = [await current(20), await current(-2)]
  const first = await letters()
  expect(first.map((l) => l.subject).sort()).toEqual([
    `Review by ${due(20).split('-').reverse().join('/')}: ${soon.documentNumber} Due in 20, at evil. example`,
    `Review due: ${late.documentNumber} Due in -2, at evil. example`,
  ])
  expect(new Set(first.map((l) => l.to))).toEqual(new Set([`boss@c${client.id}.example`]))
  expect(first[0]?.body).toContain(`https://portal.example/safety/toolbox-talks/view/`)
  expect(await letters()).toEqual([])
  // The next reminder is sent a week before the review.
  await admin.put(soon['@id'], { reviewDue: due(6) })
  expect((await letters()).map((l) => l.subject)).toEqual([expect.stringContaining(soon.documentNumber)])
  // If an overdue date is postponed, the reminders start again.
  expect(await letters()).toEqual([])
  await admin.put(late['@id'], { reviewDue: due(40) })
  expect(await letters()).toEqual([])
  await admin.put(late['@id'], { reviewDue: due(5) })
  expect((await letters()).map((l) => l.subject)).toEqual([
    `Review by ${due(5).split('-').reverse().join('/')}: ${late.documentNumber} Due in -2, at evil. example`,
  ])
  // Withdrawn documents need no review.
  await admin.put(far['@id'], { retired: true, decisionNote: 'The job is over' })
  await admin.put(far['@id'], { reviewDue: due(1) })
  expect(await letters()).toEqual([])
})

/** Random events: the review date moves by a number of days or is cleared, or the state changes. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<number | null>(null, -3, 0, 1, 5, 7, 8, 20, 30, 31, 90) },
  { weight: 1, arbitrary: fc.constantFrom('withdraw' as const, 'restore' as const, 'replace' as const) },
)

test('the author and the administrators get one reminder per review date and stage, after any sequence of events', async () => {
  const portal = await testPortal()
  const client = await portal.client()
  const at = (name: string) => `${name}@c${client.id}.example`
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: at('boss') }))
  const author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'], email: at('author') }))
  for (const [name, role] of Object.entries({ other: 'ROLE_SAFETY_AUTHOR', worker: 'ROLE_EMPLOYEE' }))
    await client.user({ roles: [role], email: at(name) })
  const today = Temporal.Now.plainDateISO('Europe/London')
  const bringInForce = async (one: { '@id': string }) => {
    await admin.post(`${one['@id']}/complete`)
    return (await admin.post(`${one['@id']}/approve`, { reviewDue: today.add({ days: 90 }).toString() })).body
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
      let on = await bringInForce((await author.post(LIST, { title: 'Ladders', points: [{ text: 'One' }] })).body)
      let [days, withdrawn] = [90 as number | null, false]
      let told = new Set<string>()
      for (const next of steps) {
        if (next === 'replace') {
          if (withdrawn) continue
          on = await bringInForce((await author.post(`${on['@id']}/revise`, {})).body)
          ;[days, told] = [90, new Set()]
        } else if (next === 'withdraw' || next === 'restore') {
          withdrawn = next === 'withdraw'
          await admin.put(on['@id'], { retired: withdrawn, ...(withdrawn ? { decisionNote: 'Over' } : {}) })
        } else {
          days = next
          await admin.put(on['@id'], { reviewDue: days === null ? null : today.add({ days }).toString() })
        }
        // Runs the schedule twice, because reminders must not be repeated.
        const letters = [...(await morning(portal, client.id)), ...(await morning(portal, client.id))]
        const reached = REMINDS.filter((before) => days !== null && before >= days)
        const time = `${days} ${Math.min(...reached)}`
        const due = reached.length > 0 && !withdrawn && !told.has(time)
        if (due) for (const before of reached) told.add(`${days} ${before}`)
        expect([next, letters.map((l) => l.to).sort()]).toEqual([next, due ? [at('author'), at('boss')] : []])
      }
    }),
    { numRuns: scaleRunCount(8) },
  )
})

import { expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const DAILY = '/api/crm/daily_emails'

async function desk() {
  const client = await portal.client()
  const boss = await client.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] })
  const [api, ann] = [client.as(boss), client.as(await client.user({ roles: ['ROLE_STAFF'] }))]
  const lead = async (email: string, consents = true) => {
    await ann.post('/api/crm/contacts', { companyName: email, email, name: 'Ann Carter' })
    if (consents)
      await ann.post('/api/crm/marketing_consents', {
        address: email,
        how: 'form',
        givenOn: '2026-01-05',
        evidence: 'Form of 5 January: “Send me news”',
      })
  }
  const write = async (more: object = {}) =>
    api.post(DAILY, { day: today(0), subject: 'ISO 9001 for {{company}}', body: 'Hello {{first name|there}}', ...more })
  const sent = () =>
    portal.db.tx('system', (tx) =>
      tx.rows<{ recipient: string; subject: string; stoppable: boolean }>(
        'SELECT recipient, subject, stoppable FROM message WHERE client_id = $1 AND run_id IS NOT NULL ORDER BY recipient',
        [client.id],
      ),
    )
  return { client, boss, api, ann, lead, write, sent }
}
const today = (days: number) => londonDate(portal.engine.clock.now()).add({ days }).toString()
const run = async () => {
  await portal.runSchedule('daily-emails')
  await portal.drain()
}

test('a daily e-mail is sent once on its day, only to leads with consent and no opt-out', async () => {
  const { api, ann, lead, write, sent } = await desk()
  await lead('yes@daily.example')
  await lead('YES@daily.example')
  await lead('stopped@daily.example')
  await lead('never@daily.example', false)
  await ann.post('/api/email/suppressions', { address: 'stopped@daily.example', reason: 'asked' })
  const { body: made } = await write()
  await run()
  expect(await sent()).toEqual([])
  expect((await api.post(`${made['@id']}/plan`)).body.state).toBe('planned')
  await run()
  expect(await sent()).toMatchObject([{ subject: 'ISO 9001 for yes@daily.example', stoppable: true }])
  expect((await api.get(made['@id'])).body).toMatchObject({ state: 'sent', run: expect.any(Number) })
  await run()
  expect(await sent()).toHaveLength(1)
  expect((await api.put(made['@id'], { subject: 'Another' })).status).toBe(409)
  expect((await api.post(`${made['@id']}/cancel`)).status).toBe(409)
})

test('daily e-mails are limited to one per topic and day, reject unknown placeholders and can be changed only while they are drafts', async () => {
  const { api, ann, write } = await desk()
  const { body: one } = await write({ day: today(3) })
  const second = await write({ day: today(3) })
  expect([second.status, second.body.violations[0].propertyPath]).toEqual([422, 'day'])
  expect((await write({ day: today(4), body: 'Hello {{nonsense}}' })).status).toBe(422)
  expect((await ann.post(DAILY, {})).status).toBe(403)
  expect((await ann.get(DAILY)).status).toBe(403)
  await api.post(`${one['@id']}/plan`)
  expect((await api.put(one['@id'], { subject: 'Later' })).status).toBe(409)
  expect((await api.post(`${one['@id']}/unplan`)).body.state).toBe('draft')
  expect((await api.put(one['@id'], { subject: 'Later' })).body.subject).toBe('Later')
  expect((await api.post(`${one['@id']}/cancel`)).body.state).toBe('cancelled')
  expect((await write({ day: today(3) })).status).toBe(201)
})

test('a daily e-mail is not sent if its day has passed or its author has lost the role, and the e-mail shows the reason', async () => {
  const { client, boss, api, lead, write, sent } = await desk()
  await lead('yes@late.example')
  const { body: past } = await write({ day: today(-1) })
  expect((await api.post(`${past['@id']}/plan`)).status).toBe(422)
  const { body: one } = await write()
  await api.post(`${one['@id']}/plan`)
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE user_account SET roles = '{ROLE_STAFF}' WHERE client_id = $1 AND id = $2", [client.id, boss.id]),
  )
  await run()
  expect(await sent()).toEqual([])
  const other = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  expect((await other.get(one['@id'])).body).toMatchObject({
    state: 'missed',
    reason: 'The user who scheduled this e-mail is no longer allowed to send it.',
  })
})

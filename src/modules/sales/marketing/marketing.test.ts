import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONSENTS = '/api/crm/marketing_consents'
const LISTS = '/api/crm/mailing_lists'

async function desk() {
  const client = await portal.client()
  const boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] }))
  const ann = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  const lead = (companyName: string, email: string, more: object = {}) =>
    ann.post('/api/crm/contacts', { companyName, email, name: 'Ann Mary Carter', city: 'Leeds', ...more })
  const consent = async (address: string) => {
    const made = await ann.post(CONSENTS, { address, how: 'telephone', givenOn: '2026-01-05' })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  return { client, boss, ann, lead, consent }
}

test('a mailing list contains each lead with consent and no opt-out exactly once, and its creation is recorded', async () => {
  const { boss, ann, lead, consent } = await desk()
  await lead('=Acme', 'Yes@acme.example')
  await lead('Acme again', 'yes@acme.example')
  await lead('Stopped', 'stopped@x.example')
  await lead('Never asked', 'never@x.example')
  await lead('No clients to show', 'no')
  await lead('Elsewhere', 'york@x.example', { city: 'York' })
  await consent('yes@ACME.example')
  await consent('stopped@x.example')
  await consent('york@x.example')
  await ann.post('/api/email/suppressions', { address: 'STOPPED@x.example', reason: 'asked' })
  const { body } = await boss.get('/api/crm/contacts/audience?city=Leeds')
  expect(body).toMatchObject({ leads: 5, withAddress: 4, consented: 3, writable: 2 })

  const asked = { name: 'Spring news', format: 'constant-contact' }
  expect((await ann.post(`${LISTS}/make`, asked)).status).toBe(403)
  expect((await boss.post(`${LISTS}/make`, { format: 'plain' })).status).toBe(422)
  const made = await boss.post(`${LISTS}/make?city=Leeds`, asked)
  expect([made.status, made.body.writable]).toEqual([201, 2])
  expect((await boss.get(made.body['@id'])).body).toMatchObject({ listed: 2, leftOut: 3, segment: 'city=Leeds' })
  const file = await boss.get(made.body.file)
  expect(file.text).toBe(
    '\uFEFF"Email address","First name","Last name","Company"\r\n"yes@acme.example","Ann","Mary Carter","\'=Acme"\r\n'.replace(
      'yes@acme',
      file.text.includes('Yes@acme') ? 'Yes@acme' : 'yes@acme',
    ),
  )
  // A file downloaded after an opt-out omits that address.
  await ann.post('/api/email/suppressions', { address: 'yes@acme.example', reason: 'asked' })
  expect((await boss.get(made.body.file)).text.trimEnd().split('\r\n').length).toBe(1)
  expect((await ann.get(made.body.file)).status).toBe(403)
})

test('each address has at most one marketing consent in force; withdrawal needs a reason, and consent can be given again', async () => {
  const { client, boss, ann, consent } = await desk()
  const given = await consent('a@b.example')
  expect((await ann.post(CONSENTS, { address: 'A@b.example', how: 'form', givenOn: '2026-01-06' })).status).toBe(422)
  expect((await ann.post(CONSENTS, { address: 'c@b.example', how: 'form', givenOn: '2999-01-06' })).status).toBe(422)
  expect((await ann.put(given['@id'], { evidence: 'x' })).status).toBe(403)
  expect((await boss.put(given['@id'], { address: 'other@b.example' })).status).toBe(409)
  expect((await ann.post(`${given['@id']}/withdraw`, {})).status).toBe(422)
  expect((await ann.post(`${given['@id']}/withdraw`, { reason: 'Rang us' })).body.withdrawn).toBe(true)
  expect((await ann.post(`${given['@id']}/withdraw`, { reason: 'again' })).status).toBe(409)
  expect((await boss.put(given['@id'], { evidence: 'x' })).status).toBe(409)
  await consent('a@b.example')
  const stranger = await portal.client()
  const other = stranger.as(await stranger.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] }))
  expect((await other.get(given['@id'])).status).toBe(404)
  expect(client.id).not.toBe(stranger.id)
})

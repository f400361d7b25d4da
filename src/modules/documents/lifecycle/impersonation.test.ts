import { beforeAll, describe, expect, test } from 'vitest'
import { policy } from '#modules/safety/policies/policy.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, type TestClient, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'

const LIST = '/api/safety/policies'
const body = makeCompleteDocumentBody(policy)

let portal: TestPortal
let client: TestClient
let admin: TestApi
let author: TestApi
/** Provider staff who impersonate the client's administrator, with permission to write. */
let visitor: TestApi
let adminId: number

beforeAll(async () => {
  portal = await testPortal()
  client = await portal.client()
  const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  adminId = user.id
  admin = client.as(user)
  author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const visit = await staff.get(`/api/security/user/switch?username=${user.username}&client=${client.id}`)
  visitor = portal.bearing(visit.body.token)
  await visitor.post('/api/security/user/write', { reason: 'They asked for help' })
})

const refusal = ({ status, body }: TestResponse) => [status, body.code]
const IN_PERSON = [403, 'in_person']

async function complete() {
  const { body: made } = await author.post(LIST, body)
  const done = await author.post(`${made['@id']}/complete`, {})
  expect(done.status).toBe(200)
  return done.body as { readonly '@id': string; readonly id: number }
}
async function current() {
  const made = await complete()
  expect((await admin.post(`${made['@id']}/approve`, {})).status).toBe(200)
  return made
}

describe('a person who impersonates a user', () => {
  test('cannot approve or reject a document through any entry point', async () => {
    const { '@id': iri, id } = await complete()
    expect(refusal(await visitor.post(`${iri}/approve`, {}))).toEqual(IN_PERSON)
    expect(refusal(await visitor.post(`${iri}/reject`, { note: 'No' }))).toEqual(IN_PERSON)
    expect(refusal(await visitor.put(iri, { approved: true }))).toEqual(IN_PERSON)
    expect(refusal(await visitor.patch(iri, { approved: true }))).toEqual(IN_PERSON)
    await visitor.post(`${LIST}/bulk`, { action: 'approve', ids: [id] })
    expect((await admin.get(iri)).body).toMatchObject({ state: 'complete', approved: false })
  })

  test('cannot withdraw, retire or restore a sealed document, nor change its review date or readers', async () => {
    const { '@id': iri } = await current()
    expect(refusal(await visitor.post(`${iri}/withdraw`, { note: 'Wrong' }))).toEqual(IN_PERSON)
    for (const change of [{ retired: true }, { reviewDue: '2030-01-01' }, { audience: ['ROLE_CLIENT_ADMIN'] }])
      expect(refusal(await visitor.put(iri, change))).toEqual(IN_PERSON)
    expect((await admin.get(iri)).body).toMatchObject({ state: 'current', retired: false })
    expect((await admin.post(`${iri}/withdraw`, { note: 'Wrong' })).status).toBe(200)
    expect(refusal(await visitor.put(iri, { retired: false }))).toEqual(IN_PERSON)
  })

  test('cannot mark a document as reviewed, whether a draft or in force', async () => {
    const { body: draft } = await author.post(LIST, body)
    for (const iri of [draft['@id'], (await current())['@id']])
      for (const method of ['put', 'patch'] as const)
        expect(refusal(await visitor[method](iri, { reviewed: true }))).toEqual(IN_PERSON)
    expect(refusal(await visitor.post(LIST, { ...body, reviewed: true }))).toEqual(IN_PERSON)
    expect((await visitor.put(draft['@id'], { reviewed: false, title: 'Drafted with help' })).status).toBe(200)
  })

  test('cannot send documents out or ask for signatures', async () => {
    const { '@id': iri, id } = await current()
    const sent = await visitor.post('/api/safety/document/send', { to: 'a@b.example', documents: [iri] })
    expect(refusal(sent)).toEqual(IN_PERSON)
    expect(refusal(await visitor.post('/api/safety/sign_offs', { document: `/api/safety/documents/${id}` }))).toEqual(
      IN_PERSON,
    )
    expect(refusal(await visitor.post('/api/safety/rams_requests', { company: 'Sub Ltd' }))).toEqual(IN_PERSON)
  })

  test('cannot rename or retire a user, nor turn off the requirement for a second approver', async () => {
    expect(refusal(await visitor.patch(`/api/portal/users/${adminId}`, { name: 'Somebody Else' }))).toEqual(IN_PERSON)
    const other = await client.user()
    expect(refusal(await visitor.patch(other.iri, { isRetired: true }))).toEqual(IN_PERSON)
    for (const url of [`/api/safety/settings/${client.id}`, `/api/portal/clients/${client.id}`]) {
      expect((await admin.patch(url, { forbidSelfApproval: true })).status).toBe(200)
      expect(refusal(await visitor.patch(url, { forbidSelfApproval: false }))).toEqual(IN_PERSON)
      expect((await admin.get(url)).body.forbidSelfApproval).toBe(true)
      await admin.patch(url, { forbidSelfApproval: false })
    }
  })

  test('cannot change whether a signing PIN is required, and a change by the administrator is in the audit trail', async () => {
    const url = `/api/safety/settings/${client.id}`
    for (const [before, after] of [
      ['pin', 'drawing'],
      ['drawing', 'pin'],
    ]) {
      expect((await admin.patch(url, { deviceSignatures: before })).body.deviceSignatures).toBe(before)
      for (const method of ['patch', 'put'] as const)
        expect(refusal(await visitor[method](url, { deviceSignatures: after }))).toEqual(IN_PERSON)
      expect((await admin.get(url)).body.deviceSignatures).toBe(before)
    }
    expect((await author.patch(url, { deviceSignatures: 'pin' })).status).toBe(403)
    await admin.patch(`/api/portal/clients/${client.id}`, { deviceSignatures: 'pin' })
    expect((await admin.get(url)).body.deviceSignatures).toBe('drawing')
    expect((await admin.patch(url, { deviceSignatures: 'none' })).status).toBeGreaterThanOrEqual(400)
    const trail = await portal.db.tx('system', (tx) =>
      tx.rows("SELECT changes FROM audit WHERE client_id = $1 AND changes ? 'deviceSignatures' ORDER BY id", [
        client.id,
      ]),
    )
    expect(trail.map(({ changes }) => changes)).toMatchObject([
      { deviceSignatures: ['drawing', 'pin'] },
      { deviceSignatures: ['pin', 'drawing'] },
    ])
  })

  test('can write drafts, and start the next revision of a document', async () => {
    const { '@id': iri } = await current()
    const revised = await visitor.post(`${iri}/revise`, {})
    expect(revised.status).toBeLessThan(300)
    const { signatory: _signatory, jobTitle: _jobTitle, signedOn: _signedOn, ...content } = body
    const { body: draft } = await visitor.post(LIST, content)
    expect((await visitor.patch(draft['@id'], { title: 'Drafted with help' })).status).toBe(200)
    expect((await visitor.put(draft['@id'], { retired: true })).status).toBe(200)
  })
})

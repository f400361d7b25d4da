import { expect, test } from 'vitest'
import { expectOk, findAttendee, makeAttendances, SAMPLE_STROKES } from '#test/support/attendances.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const READS = '/api/portal/confidential_reads'
const DOCUMENTS = '/api/safety/documents'
const SIGNATURES = '/api/safety/signatures'
const ATTENDEES = '/api/safety/toolbox_talk_attendees'

const portal = await testPortal()
const { client, admin, worker, talk, present, sign } = await makeAttendances(portal)

interface ReadBody {
  readonly '@id': string
  readonly [field: string]: unknown
}
const readsOf = async (record: string, who: TestApi = admin): Promise<ReadBody[]> =>
  expectOk(await who.get(`${READS}?record=${record}`))['hydra:member']

/** Creates a talk record with one drawn signature. */
async function presentSigned() {
  const record = await present(await talk(), 'Will Worker')
  expectOk(await sign(worker, record, 'Will Worker', { method: 'finger', strokes: SAMPLE_STROKES }))
  return { ...record, attendee: findAttendee(record, 'Will Worker') }
}

/** Creates a document with one drawn signature. */
async function signedDocument() {
  const { id, '@id': iri } = await talk('Dust')
  const strokes = { method: 'finger', strokes: SAMPLE_STROKES, opened: [] }
  const signature = expectOk(await worker.post(SIGNATURES, { document: `${DOCUMENTS}/${id}`, ...strokes }))
  return { id, iri, document: `${DOCUMENTS}/${id}`, signature: signature['@id'] as string }
}

/** Starts working as the client's administrator. */
async function workAs(username: string) {
  const user = await portal.provider.user({ roles: ['ROLE_STAFF'], name: 'Sue Support' })
  const switched = await portal.provider
    .as(user)
    .get(`/api/security/user/switch?${new URLSearchParams({ username, client: `${client.id}`, reason: 'They asked' })}`)
  return { user, api: portal.bearing(expectOk(switched).token) }
}

test('the log shows an administrator the reader, the record, the fields and the time of each read, but no values', async () => {
  const { iri, document, signature } = await signedDocument()
  expect(await readsOf(document)).toEqual([])
  expectOk(await admin.get(signature))
  const [read, ...more] = await readsOf(document)
  expect(more).toEqual([])
  expect(read).toMatchObject({
    '@type': 'ConfidentialRead',
    name: 'Ada Admin',
    readBy: 'company',
    asName: null,
    asUsername: null,
    recordType: 'Signature',
    record: signature,
    partOf: document,
    recordName: 'Signature: Dust',
    fields: ['strokes'],
    data: ['Drawn signature'],
  })
  expect(Date.now() - Date.parse(read?.readAt as string)).toBeLessThan(60_000)
  expect(await readsOf(signature)).toEqual([read])
  expect(expectOk(await admin.get(read?.['@id'] ?? ''))).toMatchObject({ name: 'Ada Admin' })
  expect(await readsOf(iri.replace(/\d+$/, '987654321'))).toEqual([])
  expect(await readsOf('/api/nothing/like_that/1')).toEqual([])
  const everything = [await admin.get(READS), await admin.get(`${READS}/export.csv`)].map(({ text }) => text)
  for (const text of everything) expect(text).not.toMatch(/[[,]0\.8\b/)
  expect(everything[1]).toMatch(/Ada Admin.*Signature: Dust.*Drawn signature/)
})

test.each<[string, (record: Awaited<ReturnType<typeof presentSigned>>) => Promise<unknown>, string]>([
  ['opening the record with its rows', (r) => admin.get(r['@id']), 'attendees.strokes'],
  ['opening one row', (r) => admin.get(r.attendee['@id']), 'strokes'],
  ['the response to a change of the record', (r) => admin.put(r['@id'], { notes: 'Windy' }), 'attendees.strokes'],
  ['the PDF of the record', (r) => admin.get(`${r.talk}/pdf?presented=${r.id}`), 'attendees.strokes'],
])('%s adds an entry to the log', async (_, read) => {
  const record = await presentSigned()
  const before = (await readsOf(record['@id'])).length
  await read(record)
  const [latest, ...earlier] = await readsOf(record['@id'])
  expect(earlier).toHaveLength(before)
  expect(latest).toMatchObject({ name: 'Ada Admin', fields: [expect.stringMatching(/strokes$/)] })
})

test('a repeated response with confidential data adds another entry, and is refused once the reader has lost a role', async () => {
  const user = await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] })
  const hr = client.as(user)
  const once = (key: string) => ({ 'idempotency-key': key })
  const person = { forename: 'Pat', surname: 'Moss', dob: '1980-02-29', nationalInsuranceNumber: 'AB123456C' }
  const created = await hr.post('/api/employees/employees', person, once('pat'))
  const iri = expectOk(created)['@id']
  const leave = () =>
    hr.post(`${iri}/end-employment`, { leavingDate: '2026-01-31', leavingReason: 'resigned' }, once('leaves'))
  expect((await leave()).body.dob).toBe('1980-02-29')
  const before = (await readsOf(iri)).length
  const again = await leave()
  expect([again.headers['idempotency-replayed'], again.body.dob]).toEqual(['true', '1980-02-29'])
  const reads = await readsOf(iri)
  expect(reads).toHaveLength(before + 1)
  expect(reads[0]?.fields).toEqual(reads[1]?.fields)
  expectOk(await admin.put(user.iri, { roles: ['ROLE_HR'] }))
  portal.sessions.forget()
  for (const repeated of [await leave(), await hr.post('/api/employees/employees', person, once('pat'))])
    expect([repeated.status, repeated.body.code, repeated.text.includes('AB123456C')]).toEqual([
      422,
      'key_reused',
      false,
    ])
})

test("downloading a document's PDF adds one entry, and a signatory who signs adds none for their own signature", async () => {
  const { document, iri } = await signedDocument()
  expect(await readsOf(document)).toEqual([])
  expect((await admin.get(`${iri}/pdf`)).status).toBe(200)
  expect(await readsOf(document)).toMatchObject([
    { record: document, recordName: 'Document: Dust', fields: ['signatures.strokes'], data: ['Drawn signature'] },
  ])
})

test('the log can be filtered by reader, type and time, and counted by type', async () => {
  const { signature } = await signedDocument()
  expectOk(await worker.get(signature))
  expectOk(await admin.get(signature))
  const { username } = expectOk(await worker.get('/api/security/user_check'))
  const found = async (query: string): Promise<ReadBody[]> =>
    expectOk(await admin.get(`${READS}?record=${signature}&${query}`))['hydra:member']
  expect((await found('')).map(({ name }) => name)).toEqual(['Ada Admin', 'Will Worker'])
  expect((await found(`username=${username}`)).map(({ name }) => name)).toEqual(['Will Worker'])
  expect(await found('recordType=Signature')).toHaveLength(2)
  expect(await found('recordType=Document')).toEqual([])
  expect(await found('readBy=provider')).toEqual([])
  expect(await found('readAt[after]=2001-01-01')).toHaveLength(2)
  expect(await found('readAt[before]=2001-01-01')).toEqual([])
  const { counts } = expectOk(await admin.get(`${READS}/counts?by=recordType&record=${signature}`))
  expect(counts).toEqual([{ value: 'Signature', label: 'Signature', count: 2 }])
})

test("a read while impersonating names both people, and provider staff can see the log only while they work as the company's administrator", async () => {
  const { signature } = await signedDocument()
  const { username } = expectOk(await admin.get('/api/security/user_check'))
  const { user, api } = await workAs(username)
  expectOk(await api.get(signature))
  const named = { name: 'Sue Support', username: user.username, asName: 'Ada Admin', asUsername: username }
  expect(await readsOf(signature)).toMatchObject([{ ...named, readBy: 'provider' }])
  expect(await readsOf(signature, api)).toMatchObject([named])
  const roles = ['ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN']
  const staff = portal.provider.as(await portal.provider.user({ roles }))
  expect((await staff.get(READS)).status).toBe(403)
  const head = portal.provider.as(await portal.provider.user({ roles: [...roles, 'ROLE_CLIENT_ADMIN'] }))
  expect(await readsOf(signature, head)).toEqual([])
})

test('the log includes provider staff who read a record without impersonating', async () => {
  const { document, iri } = await signedDocument()
  const roles = ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN']
  const consultant = portal.provider.as(await portal.provider.user({ roles, name: 'Connie Consultant' }))
  expect((await consultant.get(`${iri}/pdf`)).status).toBe(200)
  expect(await readsOf(document)).toMatchObject([{ name: 'Connie Consultant', readBy: 'provider', asName: null }])
})

test('only administrators of the same company can read the log', async () => {
  const { signature } = await signedDocument()
  expectOk(await admin.get(signature))
  expect((await worker.get(READS)).status).toBe(403)
  expect((await portal.anonymous.get(READS)).status).toBe(401)
  const stranger = await portal.client()
  const theirs = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect(await readsOf(signature, theirs)).toEqual([])
  expect(expectOk(await theirs.get(READS))['hydra:totalItems']).toBe(0)
  const [read] = await readsOf(signature)
  expect((await theirs.get(read?.['@id'] ?? '')).status).toBe(404)
})

test('an entry in the log of confidential reads can’t be added, changed or deleted by any user', async () => {
  const { signature } = await signedDocument()
  expectOk(await admin.get(signature))
  const [read] = await readsOf(signature)
  const iri = read?.['@id'] ?? ''
  expect((await admin.post(READS, { recordType: 'Signature' })).status).toBe(405)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await admin.send(method, iri, { body: { name: 'Nobody' } })).status).toBe(405)
  await expect(
    portal.db.tx('system', (tx) => tx.rows('DELETE FROM audit WHERE client_id = $1', [client.id])),
  ).rejects.toThrow('permission denied')
})

test('an entry from before names were stored shows the username, the type and the names of the fields', async () => {
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username)
       VALUES ($1, 'Signature', 7654321, 'look', '{"fields": ["strokes"]}', 1, 'early.bird')`,
      [client.id],
    ),
  )
  const [read] = expectOk(await admin.get(`${READS}?username=early.bird`))['hydra:member']
  expect(read).toMatchObject({
    name: 'early.bird',
    recordName: 'Signature 7654321',
    data: ['strokes'],
    readBy: null,
    record: null,
  })
  expect(await readsOf(`${ATTENDEES}/7654321`)).toEqual([])
  expect(await readsOf(`${SIGNATURES}/7654321`)).toHaveLength(1)
})

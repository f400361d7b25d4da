import { expect, onTestFinished, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { emailAccepted } from '#modules/portal/mail/letter.ts'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers } from '#test/support/riddor.ts'
import { incidentStatementRequest, STATEMENT_LINK_DAYS } from '../people/statement-request.ts'
import { statementRequestEmail, statementSecretLink } from './request.server.ts'

const portal = await testPortal()
const { report, post, world: riddorWorld } = makeRiddorHelpers(portal)
const REQUESTS = incidentStatementRequest.url
const anyone = portal.anonymous
const WORDS = 'I saw Ann slip.\nThe floor was wet.'

async function world() {
  const { client, api, approver, reader, worker, decider } = await riddorWorld()
  const incident = await post(api, report(2, [{ recordType: 'WT', name: 'Sam Reed' }]))
  const [witness] = incident.personnel
  const ask = (by: TestApi = api, more: object = {}) =>
    by.post(REQUESTS, { person: witness['@id'], email: 'sam@reed.example', ...more })
  const requestLink = async () => {
    const made = await ask()
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    const link = await statementSecretLink.make(portal.engine, client.id, { request: made.body.id })
    return { request: made.body, at: `/api/safety/linked_statements/${link?.split('/').at(-1)}` }
  }
  const personOf = async () => (await api.get(witness['@id'])).body
  return { client, api, approver, reader, worker, decider, incident, witness, ask, requestLink, personOf }
}

const give = (at: string, statement = WORDS) => anyone.post(`${at}/statement`, { statement })
const historyOf = async (api: TestApi, { id }: { readonly id: number }) => {
  const { body } = await api.get(`/api/safety/incident_events?report=${id}`)
  return (body['hydra:member'] as { event: string; notes: string; author: string }[]).map(
    ({ event, notes, author }) => `${event}${notes && `: ${notes}`} (${author.includes(' ') ? author : 'office'})`,
  )
}

test('a witness gives a statement by link and sees only the place, the day and their own words, and the office can read it', async () => {
  const { client, api, incident, requestLink, personOf } = await world()
  const { request, at } = await requestLink()
  const { body: seen } = await anyone.get(at)
  expect(seen).toEqual({
    '@id': at,
    '@type': 'LinkedStatement',
    company: expect.any(String),
    logo: null,
    sentence: '',
    incident: { place: 'Bay 3', day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    until: request.until,
  })
  expect((await anyone.post(`${at}/opened`, {})).status).toBe(200)
  const given = await give(at)
  expect([given.status, given.body.received]).toEqual([200, { statement: WORDS, at: expect.any(String) }])
  expect(await personOf()).toMatchObject({ statement: WORDS, statementReceivedAt: given.body.received.at })
  expect((await api.get(request['@id'])).body).toMatchObject({
    state: 'received',
    emailedAt: null,
    openedAt: expect.any(String),
    receivedAt: given.body.received.at,
  })
  expect(await historyOf(api, incident)).toEqual([
    'Reported (office)',
    'Statement of a witness requested (office)',
    'Statement of a witness received by link (by link)',
  ])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a statement sent twice is stored once, and nobody can change it by the link afterwards', async () => {
  const { api, incident, requestLink, personOf } = await world()
  const { at } = await requestLink()
  const both = await Promise.all([give(at), give(at)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await give(at, 'Something else')).status).toBe(410)
  expect((await anyone.get(at)).body.received.statement).toBe(WORDS)
  expect((await personOf()).statement).toBe(WORDS)
  expect((await historyOf(api, incident)).filter((event) => event.includes('received'))).toHaveLength(1)
})

test('the office can neither change nor remove a statement given by link, but can enter additions', async () => {
  const { client, api, incident, witness, requestLink, personOf } = await world()
  const { at } = await requestLink()
  await give(at)
  const row = { '@id': witness['@id'] }
  for (const answer of [
    await api.put(incident['@id'], { personnel: [{ ...row, statement: 'Nothing happened' }] }),
    await api.patch(incident['@id'], { personnel: [{ ...row, statement: '' }] }),
    await api.put(incident['@id'], { personnel: [{ ...row, statement: null }] }),
  ])
    expect([answer.status, answer.body.violations?.[0]?.propertyPath]).toEqual([422, 'personnel[0].statement'])
  await api.put(incident['@id'], { personnel: [{ ...row, statementReceivedAt: null }] })
  const added = await api.put(incident['@id'], { personnel: [{ ...row, statementAddition: 'Confirmed by telephone' }] })
  expect([added.status, added.body.violations]).toEqual([200, undefined])
  expect(await personOf()).toMatchObject({
    statement: WORDS,
    statementAddition: 'Confirmed by telephone',
    statementReceivedAt: expect.any(String),
  })
  for (const [change, path] of [
    [{ name: 'Zed Other' }, 'name'],
    [{ recordType: 'IP' }, 'recordType'],
    [{ statementAddition: 'Not confirmed' }, 'statementAddition'],
    [{ statementAddition: null }, 'statementAddition'],
    [{ retired: true }, 'retired'],
  ] as const)
    for (const method of ['put', 'patch'] as const) {
      const { status, body } = await api[method](incident['@id'], { personnel: [{ ...row, ...change }] })
      expect([status, body.violations?.[0]?.propertyPath]).toEqual([422, `personnel[0].${path}`])
    }
  for (const method of ['put', 'patch'] as const)
    expect((await api[method](incident['@id'], { personnel: [] })).status).toBe(422)
  const more = 'Confirmed by telephone\nAnd in person'
  expect((await api.put(incident['@id'], { personnel: [{ ...row, statementAddition: more }] })).status).toBe(200)
  expect(await personOf()).toMatchObject({
    name: 'Sam Reed',
    statement: WORDS,
    statementAddition: more,
    retired: false,
  })
  for (const sql of [
    "UPDATE incident_person SET statement = 'x' WHERE client_id = $1 AND id = $2",
    "UPDATE incident_person SET name = 'x' WHERE client_id = $1 AND id = $2",
    "UPDATE incident_person SET statement_addition = 'x' WHERE client_id = $1 AND id = $2",
    'UPDATE incident_person SET retired = true WHERE client_id = $1 AND id = $2',
    'UPDATE incident_person SET statement_received_at = NULL WHERE client_id = $1 AND id = $2',
    'DELETE FROM incident_person WHERE client_id = $1 AND id = $2',
  ])
    await expect(portal.db.tx('system', (tx) => tx.rows(sql, [client.id, witness.id]))).rejects.toThrow('by link')
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test("renaming a witness closes the open link, so that a statement can't appear under another name", async () => {
  const { api, incident, witness, requestLink, personOf } = await world()
  const { request, at } = await requestLink()
  const change = (values: object) => api.patch(incident['@id'], { personnel: [{ '@id': witness['@id'], ...values }] })
  expect((await change({ jobTitle: 'Roofer' })).status).toBe(200)
  expect((await anyone.get(at)).body.sentence).toBe('')
  const [renamed, given] = await Promise.all([change({ name: 'Bob Marsh' }), give(at)])
  expect([`${renamed.status} ${given.status}`]).toEqual([expect.stringMatching(/^(200 410|409 200|422 200)$/)])
  const { name, statement } = await personOf()
  expect([name, statement]).toEqual(renamed.status === 200 ? ['Bob Marsh', ''] : ['Sam Reed', WORDS])
  if (renamed.status !== 200) return
  expect((await api.get(request['@id'])).body.state).toBe('withdrawn')
  expect(await historyOf(api, incident)).toContain('Link of a witness withdrawn: The witness was renamed (office)')
})

test("a statement request can't be withdrawn once the statement has been received", async () => {
  const { api, requestLink } = await world()
  const { request, at } = await requestLink()
  await give(at)
  expect((await api.post(`${request['@id']}/withdraw`)).status).toBe(409)
  expect((await api.get(request['@id'])).body.state).toBe('received')
  expect((await anyone.get(at)).body.received.statement).toBe(WORDS)
})

test("a statement request can't be sent to the requester’s own address or to that of another reader of health details", async () => {
  const { client, api, ask } = await world()
  await client.user({ roles: ['ROLE_INCIDENT_READER'], email: 'rita@acme.example' })
  for (const email of ['dee@acme.example', 'Dee+sam@ACME.example', 'rita@acme.example']) {
    const { status, body } = await ask(api, { email })
    expect([email, status, body.violations?.[0]?.propertyPath]).toEqual([email, 422, 'email'])
  }
})

test("an incident's reporter can't read a witness's later statement", async () => {
  const { client, api, worker } = await world()
  const made = await post(worker, report(2, [{ recordType: 'WT', name: 'Sam Reed', telephone: '01632 960001' }]))
  const [person] = made.personnel
  const { body } = await api.post(REQUESTS, { person: person['@id'], email: 'sam@reed.example' })
  const link = await statementSecretLink.make(portal.engine, client.id, { request: body.id })
  expect((await give(`/api/safety/linked_statements/${link?.split('/').at(-1)}`)).status).toBe(200)
  const [shown] = (await worker.get(made['@id'])).body.personnel
  const row = (await worker.get(person['@id'])).body
  for (const one of [shown, row]) {
    expect(one.name).toBe('Sam Reed')
    for (const name of ['statement', 'statementAddition', 'telephone']) expect(one, name).not.toHaveProperty(name)
  }
  expect((await worker.get(`${made['@id']}/accident-record.pdf`)).status).toBe(403)
})

test('once a statement has been requested by link, only the witness can enter it', async () => {
  const { api, incident, witness, ask, requestLink } = await world()
  const { request, at } = await requestLink()
  const enter = () => api.put(incident['@id'], { personnel: [{ '@id': witness['@id'], statement: 'By telephone' }] })
  expect((await enter()).status).toBe(422)
  expect((await api.post(`${request['@id']}/withdraw`)).body.state).toBe('withdrawn')
  expect((await enter()).status).toBe(200)
  const closed = await give(at)
  expect([closed.status, closed.body.detail]).toEqual([410, expect.stringContaining('has withdrawn this link')])
  expect((await ask()).status).toBe(409)
})

test('only readers of health details can request statements, and only from witnesses to open incidents at their company', async () => {
  const { api, approver, worker, incident, ask } = await world()
  expect([(await ask(approver)).status, (await ask(worker)).status]).toEqual([403, 403])
  expect((await approver.get(REQUESTS)).status).toBe(403)
  const other = await world()
  expect((await ask(other.api)).status).toBe(400)
  for (const email of ['sam', 'no', '']) expect((await ask(api, { email })).status, email).toBe(422)
  const injured = await post(api, report(1, [{ recordType: 'IP', name: 'Ann Carter' }]))
  expect((await ask(api, { person: injured.personnel[0]['@id'] })).body.violations[0].propertyPath).toBe('person')
  const draft = await post(api, { state: 'draft', description: 'x', personnel: [{ recordType: 'WT', name: 'Al' }] })
  expect((await ask(api, { person: draft.personnel[0]['@id'] })).status).toBe(409)
  await api.put(incident['@id'], { retired: true, retireReason: 'Entered twice' })
  expect((await ask()).status).toBe(409)
})

test('a link says so and accepts nothing if it has expired, was replaced or withdrawn, or its witness or incident is deleted', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const cases = [
    ['later e-mail', async ({ ask }: World) => expect((await ask()).status).toBe(201)],
    ['withdrawn', async ({ api }: World, at: string) => api.post(`${at}/withdraw`)],
    [
      'no longer asks',
      async ({ api, incident, witness }: World) =>
        api.put(incident['@id'], { personnel: [{ '@id': witness['@id'], retired: true }] }),
    ],
    [
      'no longer asks',
      async ({ api, incident }: World) => api.put(incident['@id'], { retired: true, retireReason: 'Entered twice' }),
    ],
    ['expired', async () => moveClock(portal.engine, STATEMENT_LINK_DAYS + 1)],
  ] as const
  for (const [words, close] of cases) {
    const one = await world()
    const { request, at } = await one.requestLink()
    await close(one, request['@id'])
    const { body } = await anyone.get(at)
    expect([body.sentence, body.incident, body.received], words).toEqual([
      expect.stringContaining(words),
      undefined,
      undefined,
    ])
    expect((await give(at)).status, words).toBe(410)
    expect((await anyone.post(`${at}/opened`, {})).status, words).toBe(410)
    expect((await one.personOf()).statement, words).toBe('')
  }
})

type World = Awaited<ReturnType<typeof world>>

test("an altered link and a link with another company's secret get 404", async () => {
  const [one, other] = [await world(), await world()]
  const [{ at }, { at: foreign }] = [await one.requestLink(), await other.requestLink()]
  const [, secret] = /\/\d+-\d+-(.+)$/.exec(at) ?? []
  for (const wrong of [
    foreign.replace(/(?<=\/\d+-\d+-).+$/, secret ?? ''),
    at.slice(0, -1),
    '/api/safety/linked_statements/1-1-x',
  ])
    expect((await anyone.get(wrong)).status, wrong).toBe(404)
})

test('a statement of 20,000 words is accepted, and a longer or an empty one is refused with the reason', async () => {
  const { requestLink } = await world()
  const { at } = await requestLink()
  const words = (n: number) => Array.from({ length: n }, () => 'word').join(' ')
  for (const [text, reason] of [
    [words(20_001), 'at most 20,000 words. Yours has 20,001'],
    ['\u200b ', 'what you saw'],
    ['', 'what you saw'],
    [`a${'\n'.repeat(199_000)}b`, 'at most 5,000 lines. This has 199,001'],
  ] as const) {
    const refused = await give(at, text)
    expect([refused.status, refused.body.violations?.[0]?.message]).toEqual([422, expect.stringContaining(reason)])
  }
  expect((await give(at, words(20_000))).status).toBe(200)
})

test('a request says that its e-mail was sent only once a mail server has accepted it', async () => {
  const { client, api, requestLink } = await world()
  const { request } = await requestLink()
  await portal.drain()
  expect((await api.get(request['@id'])).body.emailedAt).toBeNull()
  const letters = await portal.db.tx('system', (tx) =>
    tx.rows('SELECT recipient, body, state FROM message WHERE client_id = $1', [client.id]),
  )
  expect(letters).toEqual([
    { recipient: 'sam@reed.example', body: 'This e-mail contains a personal link and is not shown.', state: 'kept' },
  ])
  const sentAt = portal.engine.clock.now().round({ smallestUnit: 'second', roundingMode: 'trunc' }).toString()
  const accepted = { about: request['@id'], template: statementRequestEmail.name, sentAt }
  const actor = createSystemActor(client.id, 'test')
  await portal.engine.inTenant(client.id, { actor, requestId: 'test' }, async (c) => {
    await c.emit(emailAccepted, accepted)
    return () => undefined
  })
  await portal.drain()
  expect(Date.parse((await api.get(request['@id'])).body.emailedAt)).toBe(Date.parse(sentAt))
})

test('nobody can request or give a statement while impersonating', async () => {
  const { client, ask, requestLink, decider, personOf } = await world()
  const { at } = await requestLink()
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  const reason = 'Help with a statement'
  const query = new URLSearchParams({ username: decider.username, client: `${client.id}`, reason })
  const switched = await staff.get(`/api/security/user/switch?${query}`)
  const impersonator = portal.bearing(switched.body.token) as TestApi
  await impersonator.post('/api/security/user/write', { reason })
  expect((await ask(impersonator)).status).toBe(403)
  const given = await impersonator.post(`${at}/statement`, { statement: WORDS })
  expect([given.status, given.body.code]).toEqual([403, 'in_person'])
  expect((await personOf()).statement).toBe('')
})

test('statements are refused once the safety pack has lapsed', async () => {
  const { client, requestLink } = await world()
  const { at } = await requestLink()
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, [], ['safety']))
  expect((await give(at)).status).toBe(410)
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety']))
})

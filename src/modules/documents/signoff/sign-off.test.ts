import { describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type TestClient, type TestUser, testPortal } from '#test/support/portal.ts'
import {
  collectionMembers,
  documentApiUrl,
  expectSuccess,
  loadDocumentsToSign,
  loadSignOffCounts,
  loadSignOffStates,
  makeSignOffHelpers,
  openParts,
  SIGN_OFF_PEOPLE_URL,
  SIGN_OFFS_URL,
  sendSignature,
  signOffProblem,
  TALKS_URL,
} from '#test/support/sign-offs.ts'

const portal = await (await testPortal()).with({ PUBLIC_URL: 'https://portal.example' })
const { day, company, ask } = makeSignOffHelpers(portal)
const sql = <T>(text: string, clientId: number) => portal.db.tx('system', (tx) => tx.rows<T>(text, [clientId]))
const remove = (client: TestClient, person: TestUser) =>
  portal.db.tx('system', (tx) =>
    tx.rows('UPDATE user_account SET is_retired = true WHERE client_id = $1 AND id = $2', [client.id, person.id]),
  )

test('the counts of requested and missing signatures are updated as people sign, and people see only their own requests', async () => {
  const { author, workers, current, as } = await company('Will', 'Zoe', 'Idle')
  const [will, zoe, idle] = workers as [TestUser, TestUser, TestUser]
  const on = await current()
  const other = await current('Nobody asks for it')
  const asked = expectSuccess(await ask(author, on, { people: [will.id, zoe.iri], notes: 'Before Monday' }))
  expect(asked).toMatchObject({ state: 'open', people: [will.id, zoe.id], due: day(14) })
  expect(await loadSignOffCounts(author, on)).toEqual([2, 2, true])
  expect(await loadSignOffStates(author, on)).toEqual({ Will: 'asked', Zoe: 'asked' })
  expect(await loadSignOffStates(as(will), on)).toEqual({ Will: 'asked' })
  expect((await as(will).get(SIGN_OFFS_URL)).status).toBe(403)
  // Documents without named signatories are still listed for everyone to sign.
  expect((await loadDocumentsToSign(as(will))).sort()).toEqual(['Ladders', 'Nobody asks for it'])
  expect(await loadDocumentsToSign(as(idle))).toEqual(['Nobody asks for it'])
  expect(collectionMembers(await as(will).get('/api/safety/documents/to_sign?asked=false'))).toMatchObject([
    { id: other.id },
  ])
  expect(collectionMembers(await author.get('/api/safety/documents/awaited'))).toMatchObject([
    { id: on.id, asked: 2, missing: 2 },
  ])

  expect((await sendSignature(as(will), on)).status).toBe(201)
  expect(await loadSignOffStates(author, on)).toEqual({ Will: 'signed', Zoe: 'asked' })
  expect(await loadSignOffCounts(author, on)).toEqual([2, 1, true])
  expect(collectionMembers(await author.get(`${TALKS_URL}?waiting=true`))).toMatchObject([{ id: on.id }])
  expect((await sendSignature(as(zoe), on)).status).toBe(201)
  expect(await loadSignOffCounts(author, on)).toEqual([2, 0, false])
  expect(collectionMembers(await author.get('/api/safety/documents/awaited'))).toEqual([])
})

test("signatures by visitors or on behalf of a person don't count as that person's own", async () => {
  const { author, workers, current, as } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  const on = await current()
  expectSuccess(await ask(author, on, { people: [will.id] }))
  expectSuccess(
    await as(zoe).post('/api/safety/signatures', {
      document: documentApiUrl(on),
      name: 'Will from Acme',
      visitor: true,
      method: 'typed',
    }),
  )
  expectSuccess(
    await author.post('/api/safety/signatures', { document: documentApiUrl(on), name: 'Will', method: 'on behalf' }),
  )
  expect(await loadSignOffCounts(author, on)).toEqual([1, 1, true])
})

test('signing a toolbox talk as an attendee counts as signing the document', async () => {
  const { author, workers, current, as } = await company('Will')
  const [will] = workers as [TestUser]
  const on = await current()
  expectSuccess(await ask(author, on, { people: [will.id] }))
  expectSuccess(
    await as(will).post('/api/safety/toolbox_talk_presenteds', {
      talk: on['@id'],
      presenter: 'Grace',
      date: day(0),
      attendees: [{ name: 'Will', method: 'typed', signedAt: '2026-11-20T08:00:00Z' }],
    }),
  )
  expect(await loadSignOffStates(author, on)).toEqual({ Will: 'signed' })
})

test('after a material change all signatories must sign again; after a minor change their signatures are carried forward', async () => {
  const { author, workers, current, next, as } = await company('Will', 'Zoe')
  const [will] = workers as [TestUser]
  const first = await current()
  expectSuccess(await ask(author, first, { everybody: true }))
  expectSuccess(await sendSignature(as(will), first))
  expect(await loadSignOffStates(author, first)).toEqual({ 'Ada Admin': 'asked', Will: 'signed', Zoe: 'asked' })

  const minor = await next(first, 'minor')
  expect(await loadSignOffStates(author, minor)).toEqual({ 'Ada Admin': 'asked', Will: 'signed', Zoe: 'asked' })
  expect(expectSuccess(await author.get(minor['@id']))).toMatchObject({
    asked: 3,
    missing: 2,
    carried: 1,
    signatures: 0,
  })
  expect(
    collectionMembers(await as(will).get(`${SIGN_OFF_PEOPLE_URL}?document=${documentApiUrl(minor)}`)),
  ).toMatchObject([{ state: 'signed', revision: 1 }])
  expect(await loadDocumentsToSign(as(will))).toEqual([])

  expect(collectionMembers(await as(will).get(`${documentApiUrl(minor)}/carried`))).toEqual([
    expect.objectContaining({ name: 'Will', revision: 1, method: 'typed' }),
  ])
  const printed = await as(will).get(`${minor['@id']}/pdf`)
  expect([printed.status, printed.status === 200 || printed.text]).toEqual([200, true])
  expect(await extractResponseText(printed)).toContain('Signed revision 1, carried over to 2 (minor change)')
  // People may read a revision that they signed, even if it has been replaced since, but not one that only others
  // signed.
  expect((await as(will).get(first['@id'])).status).toBe(404)
  expect(expectSuccess(await as(will).get(`${minor['@id']}/signed`))).toMatchObject({
    id: first.id,
    points: [{ text: 'Look up.' }],
  })
  expect((await as(workers[1] as TestUser).get(`${minor['@id']}/signed`)).status).toBe(404)

  const material = await next(minor, 'material')
  expect(await loadSignOffStates(author, material)).toEqual({ 'Ada Admin': 'asked', Will: 'asked', Zoe: 'asked' })
  expect(await loadSignOffCounts(author, material)).toEqual([3, 3, true])
  expect(await loadDocumentsToSign(as(will))).toEqual(['Ladders'])
  expect(
    collectionMembers(await as(will).get(`${SIGN_OFF_PEOPLE_URL}?document=${documentApiUrl(material)}`)),
  ).toMatchObject([{ state: 'asked', revision: 1 }])
  expectSuccess(await sendSignature(as(will), material))
  expect(await loadSignOffCounts(author, material)).toEqual([3, 2, true])
})

test('a minor change also carries forward signatures given without a request', async () => {
  const { author, workers, current, next, as } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  const first = await current()
  expectSuccess(await sendSignature(as(will), first))
  const minor = await next(first, 'minor')
  expect(await loadDocumentsToSign(as(will))).toEqual([])
  expect(await loadDocumentsToSign(as(zoe))).toEqual(['Ladders'])
  expect(expectSuccess(await author.get(minor['@id'])).carried).toBe(1)
  await next(minor)
  expect(await loadDocumentsToSign(as(will))).toEqual(['Ladders'])
})

test('a group request includes people who join later, and drops those who leave or lose the role', async () => {
  const { client, author, workers, hire, current, as } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  const roof = await hire('Ron Roofer', ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'])
  const on = await current()
  expectSuccess(await ask(author, on, { role: 'ROLE_SIGN_ON_BEHALF' }))
  expect(await loadSignOffStates(author, on)).toEqual({ 'Ron Roofer': 'asked' })
  expectSuccess(await author.put(zoe.iri, { roles: ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'] }))
  await hire('New Roofer', ['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'])
  // This user can't read documents, so they are never asked to sign.
  await hire('Sub Contractor', ['ROLE_SIGN_ON_BEHALF'])
  expect(await loadSignOffStates(author, on)).toEqual({ 'Ron Roofer': 'asked', Zoe: 'asked', 'New Roofer': 'asked' })
  expectSuccess(await author.put(roof.iri, { roles: ['ROLE_EMPLOYEE'] }))
  expectSuccess(await author.put(zoe.iri, { isRetired: true }))
  expect(await loadSignOffStates(author, on)).toEqual({ 'Ron Roofer': 'out', Zoe: 'left', 'New Roofer': 'asked' })
  expect(await loadSignOffCounts(author, on)).toEqual([1, 1, true])
  // A request to everyone includes Ron, even though he has lost the role of the earlier request.
  expectSuccess(await ask(author, on, { everybody: true }))
  expect(await loadSignOffStates(author, on)).toMatchObject({ 'Ron Roofer': 'asked', Will: 'asked', Zoe: 'left' })
  expectSuccess(await sendSignature(as(will), on))
  await remove(client, will)
  expect((await loadSignOffStates(author, on)).Will).toBe('signed')
})

test('repeated or concurrent requests ask each person once, and excused people can be asked again', async () => {
  const { author, client, workers, current } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  const second = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const on = await current()
  const both = await Promise.all([ask(author, on, { people: [will.id] }), ask(second, on, { people: [will.id] })])
  expect(both.map((a) => a.status).sort()).toEqual([201, 409])
  const request = both.find((a) => a.status === 201)?.body
  expect((await ask(author, on, { people: [will.id, zoe.id] })).status).toBe(201)
  expect(await loadSignOffCounts(author, on)).toEqual([2, 2, true])
  expectSuccess(await author.post(`${request['@id']}/excuse`, { people: [will.id], reason: 'On leave until May' }))
  expect(await loadSignOffCounts(author, on)).toEqual([1, 1, true])
  expect(
    collectionMembers(await author.get(`${SIGN_OFF_PEOPLE_URL}?document=${documentApiUrl(on)}&state=excused`)),
  ).toMatchObject([{ excusedWhy: 'On leave until May', excusedBy: expect.stringContaining('ada') }])
  expect((await ask(author, on, { people: [will.id] })).status).toBe(201)
  expect(await loadSignOffStates(author, on)).toEqual({ Will: 'asked', Zoe: 'asked' })
  expect(signOffProblem(await author.post(`${request['@id']}/ask-again`, { people: [zoe.id] }))).toEqual([
    409,
    'None of these people has been excused.',
  ])
  expectSuccess(await author.post(`${request['@id']}/cancel`))
  expect((await author.post(`${request['@id']}/remind`, { people: [zoe.id] })).status).toBe(409)
})

test('only authors can request signatures, and only for a document in force, from its readers and with a future due date', async () => {
  const { author, workers, current, as, client } = await company('Will')
  const [will] = workers as [TestUser]
  const stranger = await company('Eve')
  const on = await current()
  expect((await ask(as(will), on, { people: [will.id] })).status).toBe(403)
  expect((await ask(stranger.author, on, { everybody: true })).status).toBe(400)
  expect((await ask(author, on, { people: [(stranger.workers[0] as TestUser).id] })).status).toBe(422)
  const blind = await client.user({ roles: ['ROLE_RESELLER'] })
  expect((await ask(author, on, { people: [blind.id] })).status).toBe(422)
  for (const people of ['Will', [{}], ['x'], [null]]) expect((await ask(author, on, { people })).status).toBe(422)
  expect(signOffProblem(await ask(author, on, {}))).toEqual([422, 'Please choose who should sign'])
  expect(signOffProblem(await ask(author, on, { everybody: true, due: day(-1) }))).toEqual([
    422,
    'This date is in the past. Please choose a later date',
  ])
  const draft = expectSuccess(await author.post(TALKS_URL, { title: 'Draft', points: [{ text: 'x' }] }))
  expect(signOffProblem(await ask(author, draft, { everybody: true }))).toEqual([
    409,
    'This document is not in force. You can request signatures once it is in force.',
  ])
  const request = expectSuccess(await ask(author, on, { people: [will.id] }))
  for (const path of ['', '/cancel', '/remind', '/excuse'])
    expect([
      path,
      (await stranger.author.post(`${request['@id']}${path}`, { people: [will.id], reason: 'x' })).status,
    ]).toEqual([path, path ? 404 : 405])
  expect((await author.put(request['@id'], { everybody: true })).status).toBe(409)
  const unsaid = { due: null } as Record<string, unknown>
  const answers = [await author.put(request['@id'], unsaid), await author.patch(request['@id'], unsaid)]
  for (const answer of [...answers, await ask(author, on, { everybody: true, ...unsaid })])
    expect(signOffProblem(answer)).toEqual([422, 'Please enter a date'])
  const [row] = collectionMembers(await author.get(SIGN_OFF_PEOPLE_URL))
  expect((await author.put(row['@id'], { state: 'signed' })).status).toBe(405)
  expect((await author.post(SIGN_OFF_PEOPLE_URL, { state: 'signed' })).status).toBe(405)
  // A withdrawn document has no outstanding signatures.
  expectSuccess(await author.post(`${on['@id']}/withdraw`, { note: 'The job is over' }))
  expect(await loadDocumentsToSign(as(will))).toEqual([])
  expect(collectionMembers(await as(will).get(`${SIGN_OFF_PEOPLE_URL}/mine`))).toEqual([])
  expect(await loadDocumentsToSign(as(will))).toEqual([])
})

test('signing while a replacement is being approved leaves each person with the correct signature status', async () => {
  const { author, workers, current, as } = await company('Will', 'Zoe')
  const on = await current()
  expectSuccess(await ask(author, on, { everybody: true }))
  const next = expectSuccess(await author.post(`${on['@id']}/revise`, {}))
  expectSuccess(await author.post(`${next['@id']}/complete`))
  const retire = () => author.put((workers[0] as TestUser).iri, { isRetired: true })
  const opened = await openParts(as(workers[0] as TestUser), on)
  const [approved, retired, ...signed] = await Promise.all([
    author.post(`${next['@id']}/approve`, {}),
    retire(),
    ...workers.map((w) => sendSignature(as(w), on, { opened })),
  ])
  expect(approved.status).toBe(200)
  // A change that collides with a signature is refused, and repeated by the user.
  expect((retired.status === 409 ? await retire() : retired).status).toBe(200)
  for (const one of signed) expect([200, 201, 400, 401, 409]).toContain(one.status)
  const states = await loadSignOffStates(author, next)
  expect(states.Zoe).toBe('asked')
  expect(states.Will).toBe('left')
  expect(await loadSignOffCounts(author, next)).toEqual([2, 2, true])
})

test('people asked to sign are e-mailed immediately, before and on the due date, and weekly afterwards, until they sign or leave', async () => {
  const { client, author, workers, hire, current, next, as } = await company('Will', 'Zoe', 'Lea')
  const [will, zoe, lea] = workers as [TestUser, TestUser, TestUser]
  const letters = async () => {
    await portal.drain()
    const found = await portal.db.tx('system', (tx) =>
      tx.rows<{ to: string; subject: string; body: string }>(
        'DELETE FROM message WHERE client_id = $1 RETURNING recipient AS to, subject, body, id',
        [client.id],
      ),
    )
    const sent = found.map((l) => `${l.to.split('@')[0]}: ${l.subject.split(':')[0]}`)
    const last = found.find((l) => l.to.startsWith('zoe'))
    return { sent: sent.sort(), last }
  }
  const morning = async () => {
    await portal.runSchedule('sign-off.tell-joined')
    await portal.runSchedule('sign-off.remind')
    return (await letters()).sent
  }
  const by = (days: number) => day(days).split('-').reverse().join('/')
  const start = by(14)
  const on = await current()
  const request = expectSuccess(
    await ask(author, on, { people: [will.id, zoe.id, lea.id], notes: 'All of it, please' }),
  )
  const first = await letters()
  expect(first.sent).toEqual(['lea: Please sign', 'will: Please sign', 'zoe: Please sign'])
  expect(first.last?.body).toMatch(
    new RegExp(
      `and sign at the end by ${start}\\.\\s+ada.*“All of it, please”\\s+https://portal.example/safety/toolbox-talks/view/${on.id}$`,
    ),
  )
  expect(await morning()).toEqual([])
  expectSuccess(await sendSignature(as(zoe), on))
  await remove(client, lea)
  try {
    await moveClock(portal.engine, 11)
    expect(await morning()).toEqual([`will: Please sign by ${start}`])
    expect(await morning()).toEqual([])
    await moveClock(portal.engine, 14)
    expect(await morning()).toHaveLength(1)
    await moveClock(portal.engine, 20)
    expect(await morning()).toEqual([])
    await moveClock(portal.engine, 21)
    expect(await morning()).toHaveLength(1)
    // A new due date restarts the reminders.
    expectSuccess(await author.put(request['@id'], { due: day(2) }))
    await moveClock(portal.engine, 22)
    expect(await morning()).toEqual([`will: Please sign by ${by(1)}`])
    expect(collectionMembers(await as(will).get(`${SIGN_OFF_PEOPLE_URL}/mine`))).toMatchObject([
      { due: day(1), reminders: 5 },
    ])
    const remindAll = () => author.post(`${request['@id']}/remind`, { people: [will.id, zoe.id, lea.id] })
    expect(signOffProblem(await remindAll())).toEqual([
      409,
      'Everyone who has not signed was e-mailed within the last day. Please send reminders tomorrow.',
    ])
    await moveClock(portal.engine, 23)
    expectSuccess(await remindAll())
    expect((await letters()).sent).toEqual([`will: Please sign by ${by(0)}`])
    // People who join a group are e-mailed the next morning. If they signed an earlier revision, the e-mail says so.
    const second = await next(on)
    expect((await letters()).sent).toEqual(['zoe: Please sign again'])
    expectSuccess(await ask(author, second, { everybody: true }))
    await letters()
    await hire('Nia New')
    expect(await morning()).toEqual(['nia.new: Please sign'])
    expect(await morning()).toEqual([])
  } finally {
    await moveClock(portal.engine, 0)
  }
})

test('the nightly job corrects a tampered signature status from the signatures', async () => {
  const { client, author, workers, current } = await company('Will')
  const on = await current()
  expectSuccess(await ask(author, on, { people: [(workers[0] as TestUser).id] }))
  const forged = "state = 'signed', revision = 1, signed_at = now()"
  await sql(`UPDATE sign_off_person SET ${forged} WHERE client_id = $1`, client.id)
  await portal.runSchedule('sign-off.settle')
  expect(await loadSignOffStates(author, on)).toEqual({ Will: 'asked' })
})

describe('misuse of signature requests to send e-mails', () => {
  const letters = async (client: TestClient) => {
    await portal.drain()
    const taken = 'DELETE FROM message WHERE client_id = $1 RETURNING subject, body'
    return sql<{ subject: string; body: string }>(taken, client.id)
  }

  test('text that a mail program would turn into a link is made harmless in signature e-mails', async () => {
    const { client, author, workers, current } = await company('Will')
    const on = await current('Ladders: www.evil.example/now')
    const notes = 'Sign in at https://evil.example/x or write to thief@evil.example by 10:30'
    expectSuccess(await ask(author, on, { people: workers.map((w) => w.id), notes }))
    const [sent] = await letters(client)
    expect(sent?.subject).toContain('Ladders: www. evil. example/now')
    expect(sent?.body).toContain('“Sign in at evil. example/x or write to thief@ evil. example by 10:30”')
  })

  test("repeated signature requests don't send repeated e-mails", async () => {
    const { client, author, workers, current } = await company('Will')
    const on = await current()
    const people = workers.map((w) => w.id)
    const { '@id': first } = expectSuccess(await ask(author, on, { people }))
    expect(await letters(client)).toHaveLength(1)
    expectSuccess(await author.post(`${first}/cancel`, {}))
    const { '@id': second } = expectSuccess(await ask(author, on, { people }))
    expect(await letters(client)).toEqual([])
    expectSuccess(await author.post(`${second}/excuse`, { people, reason: 'On leave' }))
    expectSuccess(await author.post(`${second}/ask-again`, { people }))
    expect(await letters(client)).toEqual([])
  })

  test("signature e-mails to people who have never signed in count towards the company's daily limit", async () => {
    const { client, author, workers, current } = await company('Will', 'Zoe')
    await sql('UPDATE client SET letters_per_day = 1 WHERE id = $1', client.id)
    expectSuccess(await ask(author, await current(), { people: workers.map((w) => w.id) }))
    expect(await letters(client)).toHaveLength(1)
    await sql('UPDATE user_account SET last_login_at = now() WHERE client_id = $1', client.id)
    await portal.runSchedule('sign-off.tell-joined')
    expect(await letters(client)).toHaveLength(1)
  })
})

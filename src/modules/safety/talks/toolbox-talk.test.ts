import { beforeAll, describe, expect, test } from 'vitest'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { approveLongAgo } from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { type TestApi, type TestClient, type TestPortal, testPortal } from '#test/support/portal.ts'
import { toolboxTalk } from './toolbox-talk.ts'

const TALKS = '/api/safety/toolbox_talks'
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

let portal: TestPortal
let client: TestClient
let admin: TestApi
let worker: TestApi

beforeAll(async () => {
  portal = await testPortal()
  client = await portal.client()
  admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
})

const talk = { title: 'Ladders', points: [{ text: 'Check the feet' }, { text: 'Three points of contact' }] }
const accepted = async () => {
  const made = await admin.post(TALKS, talk)
  expect(made.status).toBe(201)
  const put = await admin.put(made.body['@id'], { complete: true, approved: true })
  expect([put.status, put.text]).toEqual([200, expect.anything()])
  return put.body
}

describe('a toolbox talk', () => {
  test('a talk can be created and accepted in a single request, and its author is recorded', async () => {
    expect(await accepted()).toMatchObject({
      complete: true,
      approved: true,
      current: true,
      authorUsername: expect.any(String),
      documentNumber: expect.stringMatching(/^TT-\d{4}$/),
    })
    expect((await worker.post(TALKS, talk)).status).toBe(403)
  })

  test("a talk with a blank point can't be completed", async () => {
    const made = await admin.post(TALKS, { title: 'Empty', points: [{ text: ' ' }] })
    const refused = await admin.put(made.body['@id'], { complete: true, approved: true })
    expect([refused.status, refused.body.violations?.[0]?.propertyPath]).toEqual([422, 'points[0].text'])
  })

  test('accepting a talk that names a previous revision replaces that revision', async () => {
    const old = await accepted()
    const { '@id': _, ...model } = (await admin.get(`${TALKS}/${old.id}/review`)).body
    const next = await admin.post(TALKS, { ...model, title: 'Ladders and steps', complete: true, approved: true })
    expect(next.body).toMatchObject({ previous: old['@id'], revision: 2, current: true })
    expect((await admin.get(old['@id'])).body).toMatchObject({ state: 'replaced', current: false })
    const listed = await admin.get(`${TALKS}?current=1&documentNumber=${old.documentNumber}&client=${client.id}`)
    expect(listed.body['hydra:member'].map((t: { id: number }) => t.id)).toEqual([next.body.id])
  })
})

describe('a talk record', () => {
  const inForceLongAgo = async () => {
    const { body } = await admin.post(TALKS, talk)
    await approveLongAgo(portal, client.id, body)
    return (await admin.get(body['@id'])).body
  }
  const strokes = {
    width: 300,
    height: 100,
    strokes: [
      [
        [0.1, 0.1],
        [0.9, 0.9],
      ],
    ],
  }
  const record = (of: { '@id': string }, more: Record<string, unknown> = {}) => ({
    talk: of['@id'],
    presenter: 'Grace Walker',
    date: daysAgo(6),
    startTime: '07:30',
    ...more,
  })

  test("a talk record can be closed once everyone has signed or is absent, and can't be changed afterwards", async () => {
    const made = await worker.post(
      PRESENTED,
      record(await inForceLongAgo(), { attendees: [{ name: 'Ben' }, { name: 'Zoë' }] }),
    )
    expect([made.status, made.body?.title]).toEqual([201, 'Ladders'])
    const at = made.body['@id']
    const early = await worker.put(at, { complete: true })
    expect(early.body.violations.map((v: { propertyPath: string }) => v.propertyPath)).toEqual([
      'attendees[0].signedAt',
      'attendees[1].signedAt',
    ])
    const [ben, zoe] = made.body.attendees
    const signed = await worker.put(at, {
      attendees: [
        { ...ben, method: 'finger', strokes, signedAt: '2020-01-01T00:00:00Z' },
        { ...zoe, absence: 'On holiday' },
      ],
    })
    expect(signed.body).toMatchObject({ signed: 1 })
    expect(signed.body.attendees[0].signedAt.slice(0, 4)).not.toBe('2020')
    expect((await worker.put(at, { complete: true })).body).toMatchObject({ complete: true, signed: 1 })
    expect((await worker.put(at, { notes: 'Details' })).status).toBe(409)
    expect((await worker.put(at, { attendees: [] })).status).toBe(409)
    const pdf = await worker.get(`${made.body.talk}/pdf?presented=${made.body.id}`)
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
    const listed = await worker.get('/api/safety/toolbox_talks_presented/list')
    expect(listed.body['hydra:member'][0]).toMatchObject({ title: 'Ladders', complete: true })
    expect(listed.body['hydra:member'][0]).not.toHaveProperty('attendees')
  })

  test("the name, method, time and talk of a signature can't be changed", async () => {
    const signedAt = '2020-01-01T00:00:00Z'
    const attendees = [{ name: 'Ben', method: 'finger', strokes, signedAt }, { name: 'Zoë' }]
    const made = await worker.post(PRESENTED, record(await inForceLongAgo(), { attendees }))
    expect([made.status, made.body.signed]).toEqual([201, 1])
    const at = made.body['@id']
    const [ben, zoe] = made.body.attendees
    const other = await inForceLongAgo()
    for (const change of [
      { attendees: [{ ...ben, name: 'Bob' }, zoe] },
      { attendees: [{ ...ben, method: 'typed', strokes: null }, zoe] },
      // Lists sent by a second phone that has outdated data.
      { attendees: [{ ...ben, method: null, strokes: null, signedAt: null }, zoe] },
      { attendees: [zoe] },
      { talk: other['@id'] },
    ])
      expect((await worker.put(at, change)).status).toBe(409)
    const kept = () => portal.db.tx('system', (tx) => tx.rows('SELECT * FROM talk_attendee WHERE id = $1', [ben.id]))
    const before = await kept()
    const second = await worker.put(at, { attendees: [ben, { ...zoe, method: 'typed', signedAt }] })
    expect([second.status, second.body.signed]).toEqual([200, 2])
    expect(await kept()).toEqual(before)
  })

  test('a talk record must be saved before it can be closed, as a closed record accepts no attendees', async () => {
    const attendees = [{ name: 'Ben', absence: 'On holiday' }]
    const closed = await worker.post(PRESENTED, record(await inForceLongAgo(), { attendees, complete: true }))
    expect([closed.status, closed.body['hydra:description']]).toEqual([
      409,
      'Please save the record first, then close it.',
    ])
  })

  test('only talks that are in force and belong to the company or the provider can be presented', async () => {
    const draft = (await admin.post(TALKS, talk)).body
    expect((await admin.post(PRESENTED, record(draft))).status).toBe(409)
    expect((await worker.post(PRESENTED, record(draft))).status).toBe(400)
    await admin.post(`${draft['@id']}/complete`)
    expect((await admin.post(PRESENTED, record(draft))).body.detail).toBe(
      'This talk is not in force. Please choose a talk that is in force.',
    )
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await stranger.post(PRESENTED, record(await inForceLongAgo()))).status).toBe(400)
  })

  test('an attendance signature without a signing method is refused', async () => {
    const wrong = await worker.post(
      PRESENTED,
      record(await inForceLongAgo(), { attendees: [{ name: 'Ben', signedAt: '2026-11-20T08:00:00Z' }] }),
    )
    expect(wrong.body.violations[0].propertyPath).toBe('attendees[0].method')
  })
})

describe('a talk whose revision was replaced later', () => {
  const yesterday = (time: string) =>
    Temporal.PlainDate.from(daysAgo(1)).toZonedDateTime({ timeZone: 'Europe/London', plainTime: time }).toInstant()
  const approveAt = ({ id, author }: { id: number; author: string }, at: Temporal.Instant) =>
    seedAsUser(portal.engine, { clientId: client.id, username: author, at }, (c) =>
      c.change(toolboxTalk.resource, id, { complete: true, approved: true }),
    )
  /** Two revisions of a talk: the first was in force for two years, until the second replaced it at noon yesterday. */
  const revisions = async () => {
    const { body: first } = await admin.post(TALKS, talk)
    await approveLongAgo(portal, client.id, first)
    const { body: second } = await admin.post(`${first['@id']}/revise`, {})
    await approveAt(second, yesterday('12:00'))
    return [first, second]
  }
  const held = (date: string, startTime: string | null = null) => ({
    presenter: 'Grace Walker',
    date,
    ...(startTime ? { startTime } : {}),
  })
  const record = (api: TestApi, of: { '@id': string }, more: object) =>
    api.post(PRESENTED, { talk: of['@id'], ...more })
  const field = ({ status, body }: { status: number; body: { violations?: { code: string }[] } }) => [
    status,
    body.violations?.[0]?.code,
  ]

  test('a talk is recorded only under the revision in force when it was held', async () => {
    const [first, second] = await revisions()
    for (const more of [held(daysAgo(2), '07:30'), held(daysAgo(1), '11:59'), held(daysAgo(1))]) {
      const made = await record(worker, first, more)
      expect([made.status, made.text]).toEqual([201, expect.anything()])
    }
    for (const more of [held(daysAgo(0)), held(daysAgo(1), '12:01')])
      expect(field(await record(worker, first, more))).toEqual([422, 'too_big'])
    for (const more of [held(daysAgo(2)), held(daysAgo(1), '11:59')])
      expect(field(await record(worker, second, more))).toEqual([422, 'too_small'])
    for (const more of [held(daysAgo(0)), held(daysAgo(1), '12:00'), held(daysAgo(1))])
      expect((await record(worker, second, more)).status).toBe(201)
  })

  test('a talk held under a replaced revision can be signed and closed, and neither an edit nor a correction changes its time', async () => {
    const [first] = await revisions()
    const { body: made } = await record(worker, first, { ...held(daysAgo(2)), attendees: [{ name: 'Vic' }] })
    const [vic] = made.attendees
    expect(field(await worker.put(made['@id'], { date: daysAgo(0) }))).toEqual([422, 'too_big'])
    const sign = (body: object) => worker.post(`${made['@id']}/sign`, { method: 'typed', ...body })
    expect((await sign({ attendee: vic['@id'] })).status).toBe(200)
    expect((await sign({})).status).toBe(200)
    const correct = (body: object) =>
      admin.post('/api/safety/toolbox_talk_corrections', { presented: made['@id'], reason: 'Wrong day', ...body })
    expect(field(await correct({ date: daysAgo(0) }))).toEqual([422, 'too_big'])
    expect((await correct({ date: daysAgo(3) })).status).toBe(201)
    expect((await worker.put(made['@id'], { complete: true })).body).toMatchObject({ complete: true, signed: 2 })
    // A person who was absent signs the revision in force instead.
    expect((await admin.post(`${made['@id']}/sign`, { method: 'typed' })).status).toBe(409)
  })

  test("a talk can't be recorded under a revision that was rejected, deleted or never approved", async () => {
    const [, second] = await revisions()
    const { body: third } = await admin.post(`${second['@id']}/revise`, {})
    const refused = async () => [
      (await record(admin, third, held(daysAgo(0)))).status,
      (await record(worker, third, held(daysAgo(0)))).status,
    ]
    expect(await refused()).toEqual([409, 400])
    await admin.post(`${third['@id']}/complete`)
    expect(await refused()).toEqual([409, 400])
    expect((await admin.post(`${third['@id']}/reject`, { note: 'Too long' })).status).toBe(200)
    expect(await refused()).toEqual([409, 400])
  })

  test('a talk that has been withdrawn can be recorded if it was held before the withdrawal', async () => {
    const [, second] = await revisions()
    expect((await admin.post(`${second['@id']}/withdraw`, { note: 'Not needed' })).status).toBe(200)
    expect((await record(worker, second, held(daysAgo(1), '13:00'))).status).toBe(201)
    expect((await record(worker, second, held(daysAgo(2)))).status).toBe(422)
  })
})

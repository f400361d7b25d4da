import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AttendeeBody,
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  type PresentedTalkBody,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { daysAgo, inDays } from '#test/support/days.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
})

const signedIn = ({ attendees }: PresentedTalkBody) => attendees.filter((p) => p.signedAt).map((p) => p.name)
/** Creates a closed record with one signature, by Will, and two absent people, Zoë and Olga. */
async function closed(talk = of) {
  const { worker, present, sign, close, now } = world
  const record = await present(talk, 'Will Worker', 'Zoë', 'Olga Other')
  expectOk(await sign(worker, record, 'Will Worker'))
  for (const name of ['Zoë', 'Olga Other'])
    expectOk(
      await worker.post(`${record['@id']}/absent`, {
        attendee: findAttendee(record, name)['@id'],
        absence: 'On holiday',
      }),
    )
  expectOk(await close(record))
  return now(record)
}
const links = async (id: number) =>
  (
    await portal.db.tx('system', (tx) =>
      tx.rows<{ event: string }>(
        "SELECT event FROM seal WHERE client_id = $1 AND subject_type = 'ToolboxTalkPresented' AND subject_id = $2 ORDER BY place",
        [world.client.id, id],
      ),
    )
  ).map(({ event }) => event)

describe('attendance signatures sent individually', () => {
  test('twelve attendance signatures sent at the same time are all saved', async () => {
    const { worker, other, present, sign, now } = world
    const names = Array.from({ length: 10 }, (_, i) => `Visitor ${'ABCDEFGHIJ'[i]}`)
    const record = await present(of, 'Will Worker', 'Olga Other', ...names)
    const answers = await Promise.all([
      sign(worker, record, 'Will Worker', { method: 'finger', strokes: SAMPLE_STROKES }),
      sign(other, record, 'Olga Other'),
      ...names.map((name, i) => sign(i % 2 ? worker : other, record, name)),
    ])
    expect(answers.map((a) => a.status)).toEqual(answers.map(() => 200))
    const after = await now(record)
    expect([after.signed, signedIn(after)]).toEqual([12, record.attendees.map((p) => p.name)])
  })

  test('a signature is saved even if the whole attendance list is saved at the same time', async () => {
    const { worker, other, present, sign, now } = world
    const record = await present(of, 'Olga Other', 'Vic', 'Pat')
    const whole = record.attendees.map((p) => (p.name === 'Vic' ? { ...p, absence: 'On site B' } : p))
    const [signed, put] = await Promise.all([
      sign(other, record, 'Olga Other'),
      worker.put(record['@id'], { attendees: whole }),
    ])
    expect([signed.status, [200, 409].includes(put.status)]).toEqual([200, true])
    expect(await now(record)).toMatchObject({ signed: 1, attendees: [{ signedAt: expect.any(String) }, {}, {}] })
    expect((await worker.put(record['@id'], { attendees: [] })).status).toBe(409)
    expect((await worker.put(record['@id'], { attendees: whole })).status).toBe(409)
  })

  test('a signature repeated with its idempotency key is saved once, and a signature repeated without a key is refused', async () => {
    const { worker, present, join, sign } = world
    const record = await present(of, 'Vic')
    const body = { method: 'finger', strokes: SAMPLE_STROKES, name: 'Pat', visitor: true }
    const key = { 'idempotency-key': `pat ${record.id}` }
    const first = expectOk(await worker.post(`${record['@id']}/sign`, body, key))
    expect(expectOk(await worker.post(`${record['@id']}/sign`, body, key))).toEqual(first)
    const twice = await Promise.all([sign(worker, record, 'Vic'), sign(worker, record, 'Vic')])
    expect(twice.map((a) => a.status).sort()).toEqual([200, 409])
    const again = await Promise.all([join(worker, record), join(worker, record)])
    expect(again.map((a) => a.status).sort()).toEqual([200, 422])
    expect((await world.now(record)).signed).toBe(3)
  })

  test("a signature without a row is saved in the signatory's own row, or in a new row if the signatory is not listed", async () => {
    const { worker, other, present, join } = world
    const record = await present(of, 'Will Worker')
    expect(expectOk(await join(worker, record))['@id']).toBe(findAttendee(record, 'Will Worker')['@id'])
    expect(expectOk(await join(other, record))).toMatchObject({ name: 'Olga Other', position: 1, late: false })
    expect(attendanceProblem(await join(worker, record, { name: 'Olga Other' }))[0]).toBe(403)
    expect(attendanceProblem(await join(worker, record, { name: 'Olga Other', visitor: true }))[0]).toBe(422)
  })

  test("signing on behalf of another attendee requires permission, and visitors can sign on any attendee's device", async () => {
    const { worker, foreman, present, sign, join } = world
    const record = await present(of, 'Olga Other', 'Vic')
    expect(attendanceProblem(await sign(worker, record, 'Olga Other'))[0]).toBe(422)
    expect(attendanceProblem(await sign(worker, record, 'Olga Other', { method: 'on behalf' }))[0]).toBe(403)
    expect(expectOk(await sign(foreman, record, 'Olga Other', { method: 'on behalf' }))).toMatchObject({
      byName: 'Fay Foreman',
      name: 'Olga Other',
    })
    expect(attendanceProblem(await join(foreman, record, { method: 'on behalf', name: 'Olga Other' }))).toEqual([
      422,
      'Olga Other has already signed.',
    ])
    expect(expectOk(await sign(worker, record, 'Vic'))).toMatchObject({ visitor: true, byName: 'Will Worker' })
    expect((await join(worker, record, { method: 'finger' })).body.violations[0].propertyPath).toBe('strokes')
    const flat = { ...SAMPLE_STROKES, height: 0 }
    expect((await join(worker, record, { method: 'finger', strokes: flat })).body.violations[0].propertyPath).toBe(
      'strokes',
    )
    const elsewhere = await present(of, 'Pat')
    expect((await join(worker, record, { attendee: findAttendee(elsewhere, 'Pat')['@id'] })).status).toBe(400)
  })

  test('a signature sent while the record is being closed is always saved, either as on time or as late', async () => {
    const { worker, other, present, sign, close, now } = world
    const record = await present(of, 'Will Worker')
    expectOk(await sign(worker, record, 'Will Worker'))
    const [shut, late] = await Promise.all([close(record), world.join(other, record)])
    expect([shut.status, late.status]).toEqual([200, 200])
    const after = await now(record)
    expect(signedIn(after)).toEqual(['Will Worker', 'Olga Other'])
    expect(await links(record.id)).toEqual(after.attendees[1]?.late ? ['closed', 'signed late'] : ['closed'])
  })
})

describe('attendees added, marked absent and removed individually', () => {
  test('a person added by two users at the same time is listed once', async () => {
    const { worker, admin, present, now } = world
    const record = await present(of)
    const both = await Promise.all(
      [worker, admin].map((who) => who.post(`${record['@id']}/people`, { names: ['Vic'] })),
    )
    expect(both.map((a) => a.status).sort()).toEqual([200, 422])
    expect((await now(record)).attendees.map((p) => p.name)).toEqual(['Vic'])
  })

  test('duplicate and invalid attendee names are refused', async () => {
    const { worker, present } = world
    const record = await present(of, 'Olga Other', 'Vic')
    const name = (...names: string[]) => worker.post(`${record['@id']}/people`, { names })
    expect(attendanceProblem(await name('Pat', 'vic '))[1]).toBe(
      'vic is already on the list. Please add their company to distinguish two people with the same name',
    )
    expect(attendanceProblem(await name('olga  OTHER'))).toEqual([422, 'olga  OTHER is already on the list.'])
    expect(attendanceProblem(await name('Pat', 'Pat'))[0]).toBe(422)
    expect(attendanceProblem(await name('—'))).toEqual([422, 'Please enter the person’s name'])
    expect((await name()).status).toBe(422)
    const whole = [{ name: 'Vic' }, { name: 'Vic' }]
    expect((await worker.put(record['@id'], { attendees: [...record.attendees, ...whole] })).status).toBe(422)
    expect(expectOk(await name('Vic of Acme')).attendees).toMatchObject([
      { name: 'Vic of Acme', visitor: true, position: 2 },
    ])
  })

  test('an attendee entered by username is listed by name', async () => {
    const { client, worker, present } = world
    const john = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'John Smith' })
    const record = await present(of)
    expect(expectOk(await worker.post(`${record['@id']}/people`, { names: [john.username] })).attendees).toMatchObject([
      { name: 'John Smith', user: john.id },
    ])
  })

  test("attendees who have signed can't be removed or marked absent", async () => {
    const { worker, present, sign, now } = world
    const record = await present(of, 'Vic', 'Pat')
    expectOk(await sign(worker, record, 'Vic'))
    const vic = { attendee: findAttendee(record, 'Vic')['@id'] }
    expect((await worker.post(`${record['@id']}/strike`, vic)).status).toBe(409)
    expect((await worker.post(`${record['@id']}/absent`, { ...vic, absence: 'Away' })).status).toBe(409)
    expectOk(await worker.post(`${record['@id']}/strike`, { attendee: findAttendee(record, 'Pat')['@id'] }))
    expect((await now(record)).attendees.map((p) => p.name)).toEqual(['Vic'])
  })
})

describe('late signatures in a closed record', () => {
  test('a late signature by an absent or unlisted person is marked as late and sealed in the audit chain', async () => {
    const { worker, other, join, sign, now } = world
    const record = await closed()
    expect(
      expectOk(await sign(other, record, 'Olga Other', { method: 'finger', strokes: SAMPLE_STROKES })),
    ).toMatchObject({
      late: true,
      absence: 'On holiday',
      signedAt: expect.any(String),
    })
    expect(expectOk(await join(worker, record, { name: 'Pat of Acme', visitor: true }))).toMatchObject({ late: true })
    const after = await now(record)
    expect([after.signed, after.attendees.map((p) => p.late)]).toEqual([3, [false, false, true, true]])
    expect(await links(record.id)).toEqual(['closed', 'signed late', 'signed late'])
    const list = `/api/safety/toolbox_talk_attendees?presented=${record['@id']}`
    expect(expectOk(await worker.get(`${list}&late=true`))['hydra:member']).toHaveLength(2)
    const { text } = await worker.get(list.replace('?', '/export.csv?'))
    expect(text).toContain('Signed late')
  })

  test('a closed record accepts each late signature once and no other change', async () => {
    const { worker, other, join, sign } = world
    const record = await closed()
    expectOk(await sign(other, record, 'Olga Other'))
    expect((await sign(other, record, 'Olga Other')).status).toBe(409)
    expect((await join(other, record)).status).toBe(422)
    const zoe = { attendee: findAttendee(record, 'Zoë')['@id'], absence: 'Off sick' }
    for (const [name, body] of [
      ['people', { names: ['Pat'] }],
      ['absent', zoe],
      ['strike', zoe],
    ] as const)
      expect([name, (await worker.post(`${record['@id']}/${name}`, body)).status]).toEqual([name, 409])
    expect((await worker.put(record['@id'], { attendees: [] })).status).toBe(409)
    expect((await worker.put(record['@id'], { complete: false })).status).toBe(409)
  })

  test('a late signature is accepted only while the talk is in force', async () => {
    const { admin, other, sign } = world
    const talk = await world.talk('Vibration')
    const record = await closed(talk)
    const next = expectOk(await admin.post(`${talk['@id']}/revise`, {}))
    expectOk(await admin.post(`${next['@id']}/complete`))
    expectOk(await admin.post(`${next['@id']}/approve`, {}))
    expect(attendanceProblem(await sign(other, record, 'Olga Other'))).toEqual([
      409,
      'This revision of the talk is no longer in force. Please present the current one.',
    ])
  })

  test('after a late signature the talk is no longer listed under "To sign"', async () => {
    const { other, sign } = world
    const talk = await world.talk('Manual handling')
    const waits = async () => (await other.get('/api/safety/documents/to_sign')).text.includes('Manual handling')
    const record = await closed(talk)
    expect(await waits()).toBe(true)
    expectOk(await sign(other, record, 'Olga Other'))
    expect(await waits()).toBe(false)
  })
})

test('nobody can sign a closed record during impersonation', async () => {
  const { client, other, present, now } = world
  const record = await present(of, 'Olga Other', 'Vic')
  const { username } = expectOk(await other.get('/api/security/user_check'))
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const visit = expectOk(await staff.get(`/api/security/user/switch?username=${username}&client=${client.id}`))
  const visitor = portal.bearing(visit.token)
  expectOk(await visitor.post('/api/security/user/write', { reason: 'They asked for help' }))
  const late = await closed()
  for (const answer of [
    await world.sign(visitor, record, 'Olga Other'),
    await world.sign(visitor, record, 'Vic'),
    await world.join(visitor, record),
    await world.sign(visitor, late, 'Olga Other'),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'in_person'])
  expect((await now(record)).signed).toBe(0)
})

test("another company can't access a talk record or its rows", async () => {
  const record = await world.present(of, 'Vic')
  const client = await portal.client()
  const stranger = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const vic = { attendee: findAttendee(record, 'Vic')['@id'], absence: 'Away' }
  expect((await stranger.post(`${record['@id']}/people`, { names: ['Eve'] })).status).toBe(404)
  expect((await world.join(stranger, record)).status).toBe(404)
  for (const name of ['absent', 'strike'])
    expect((await stranger.post(`${record['@id']}/${name}`, vic)).status).toBe(404)
})

describe('validation of a talk record', () => {
  test.each([
    [{ date: inDays(1000) }, 'date', 'Talks can’t be recorded in advance. Please choose today or an earlier date'],
    [{ date: '1900-01-02' }, 'date', 'Talks must be recorded within a year. Please choose a later date'],
    [
      { startTime: '09:00', finishTime: '08:30' },
      'finishTime',
      'The talk can’t finish before it starts. Please correct the times',
    ],
    [{ presenter: '???' }, 'presenter', 'Please enter the name of the presenter'],
  ])('a talk record with impossible values is refused: %j', async (wrong, field, message) => {
    const { worker, present } = world
    const record = await present(of)
    const put = await worker.put(record['@id'], wrong)
    expect([put.status, put.body.violations]).toMatchObject([422, [{ propertyPath: field, message }]])
    const begun = { talk: of['@id'], presenter: 'Will Worker', date: daysAgo(6), ...wrong }
    expect((await worker.post('/api/safety/toolbox_talk_presenteds', begun)).status).toBe(422)
  })

  test('a presenter without an account is recorded as a visitor', async () => {
    const { worker, present } = world
    const record = await present(of)
    const put = async (presenter: string) => expectOk(await worker.put(record['@id'], { presenter })).presenterVisitor
    expect([await put('Not Me'), await put('Ada Admin')]).toEqual([true, false])
  })
})

test("only approvers can delete a signed talk record, and a deleted record can't be changed", async () => {
  const { admin, worker, present, sign, join } = world
  const record = await present(of, 'Vic')
  expectOk(await sign(worker, record, 'Vic'))
  expect((await worker.put(record['@id'], { retired: true })).status).toBe(403)
  expectOk(await admin.put(record['@id'], { retired: true }))
  expect((await join(worker, record)).status).toBe(409)
  expect((await worker.put(record['@id'], { notes: 'Details' })).status).toBe(409)
  expect((await worker.put(record['@id'], { retired: false })).status).toBe(403)
  const late = await closed()
  expect((await worker.put(late['@id'], { retired: true })).status).toBe(403)
  expectOk(await admin.put(late['@id'], { retired: true }))
  expect(await links(late.id)).toEqual(['closed', 'retired'])
})

describe("attendance rows written with the application's database role", () => {
  const sql = (text: string, ...values: unknown[]) =>
    portal.db.tx({ clientId: world.client.id }, (tx) => tx.rows(text, values))
  const ROW = 'UPDATE talk_attendee SET'

  test.each([
    `${ROW} name = 'Eve' WHERE id = $1`,
    `${ROW} signed_at = NULL WHERE id = $1`,
    `${ROW} strokes = NULL, method = 'finger' WHERE id = $1`,
    `${ROW} visitor = false WHERE id = $1`,
    `${ROW} presented_id = $2 WHERE id = $1`,
    'DELETE FROM talk_attendee WHERE id = $1',
    'DELETE FROM talk_presented WHERE id = (SELECT presented_id FROM talk_attendee WHERE id = $1)',
    'UPDATE talk_presented SET talk_id = talk_id + 1 WHERE id = (SELECT presented_id FROM talk_attendee WHERE id = $1)',
  ])('the database refuses changes to a signed attendance row: %s', async (text) => {
    const { worker, present, sign } = world
    const [record, elsewhere] = [await present(of, 'Vic'), await present(of)]
    const { id } = expectOk(await sign(worker, record, 'Vic')) as AttendeeBody
    await expect(text.includes('$2') ? sql(text, id, elsewhere.id) : sql(text, id)).rejects.toThrow(
      /stands|stays|signed/,
    )
  })

  test.each([
    "UPDATE talk_attendee SET absence = 'Off sick' WHERE presented_id = $1 AND signed_at IS NULL",
    "UPDATE talk_attendee SET signed_at = now(), method = 'typed' WHERE presented_id = $1 AND name = 'Zoë'",
    "UPDATE talk_attendee SET signed_at = now(), late = true, name = 'Eve' WHERE presented_id = $1 AND name = 'Zoë'",
    'DELETE FROM talk_attendee WHERE presented_id = $1',
    "INSERT INTO talk_attendee (client_id, presented_id, name) SELECT client_id, id, 'Eve' FROM talk_presented WHERE id = $1",
    "INSERT INTO talk_attendee (client_id, presented_id, name, signed_at) SELECT client_id, id, 'Eve', now() FROM talk_presented WHERE id = $1",
    'UPDATE talk_presented SET complete = false WHERE id = $1',
    "UPDATE talk_presented SET presenter = 'Eve' WHERE id = $1",
    'UPDATE talk_presented SET signed = 0 WHERE id = $1',
    'DELETE FROM talk_presented WHERE id = $1',
  ])('the database refuses changes to a closed attendance record: %s', async (text) => {
    await expect(sql(text, (await closed()).id)).rejects.toThrow(/stand/)
  })

  test.each(["method = 'typed'", `strokes = '{"strokes": []}'`, "by_name = 'Eve'"])(
    'the database refuses signature data in an unsigned row: %s',
    async (hand) => {
      const record = await world.present(of, 'Vic')
      await expect(sql(`${ROW} ${hand} WHERE presented_id = $1`, record.id)).rejects.toThrow(/talk_attendee_hand/)
    },
  )

  test('the database refuses late signatures in an open attendance record', async () => {
    const record = await world.present(of, 'Vic')
    await expect(sql(`${ROW} signed_at = now(), late = true WHERE presented_id = $1`, record.id)).rejects.toThrow(
      /late/,
    )
  })
})

test('a record with 505 attendees can be filled in, signed, listed and closed', async () => {
  const { worker, present, now, close } = world
  const record = await present(of)
  const names = Array.from({ length: 505 }, (_, i) => `Visitor number ${i}`)
  const added = expectOk(await worker.post(`${record['@id']}/people`, { names })).attendees as AttendeeBody[]
  const signEach = (who: TestApi) =>
    Promise.all(
      added
        .slice(0, 12)
        .map((row) =>
          who.post(`${record['@id']}/sign`, { attendee: row['@id'], method: 'finger', strokes: SAMPLE_STROKES }),
        ),
    )
  for (const answer of await signEach(worker)) expectOk(answer)
  await portal.db.tx({ clientId: world.client.id }, (tx) =>
    tx.rows(
      "UPDATE talk_attendee SET signed_at = now(), method = 'typed' WHERE presented_id = $1 AND signed_at IS NULL",
      [record.id],
    ),
  )
  expect(expectOk(await close(record)).signed).toBe(505)
  expect((await now(record)).attendees).toHaveLength(505)
  const listed = await worker.get(`/api/safety/toolbox_talk_attendees?presented=${record['@id']}&pagination=false`)
  expect(expectOk(listed)['hydra:member']).toHaveLength(505)
})

import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AttendeeBody,
  attendanceProblem,
  expectOk,
  makeAttendances,
  type PresentedTalkBody,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

// Attacks that need only the API: deleting or moving a signature, or signing as someone else.

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
})

const PRESENTED = '/api/safety/toolbox_talk_presenteds'
const KEY = { 'idempotency-key': 'once more' }
/** Creates a record with two attendees: Olga, who has signed, and Vic, who has not. */
const signedRecord = async () => {
  const record = await world.present(of, 'Olga Other', 'Vic')
  expectOk(await world.sign(world.other, record, 'Olga Other'))
  return world.now(record)
}
const signatures = ({ attendees }: PresentedTalkBody) =>
  attendees
    .filter((p) => p.signedAt)
    .map(({ id, name, user, signer, signedAt, method }) => ({ id, name, user, signer, signedAt, method }))

test('everyone who can read a talk can sign its attendance record, but only its author and document authors can edit it', async () => {
  const { worker, other, foreman, admin, present, now, sign, join } = world
  const record = await present(of, 'Olga Other', 'Vic')
  const { attendees } = record as { attendees: readonly AttendeeBody[] }
  const row = (name: string) => attendees.find((p) => p.name === name)?.['@id']
  const door = (who: TestApi, name: string, body: Record<string, unknown>) => who.post(`${record['@id']}/${name}`, body)
  for (const who of [other, foreman]) {
    expect((await door(who, 'absent', { attendee: row('Vic'), absence: 'Off sick' })).status).toBe(403)
    expect((await door(who, 'strike', { attendee: row('Vic') })).status).toBe(403)
    expect((await door(who, 'people', { names: ['Eve'] })).status).toBe(403)
    for (const body of [{ complete: true }, { place: 'Elsewhere' }, { attendees: [] }, { retired: true }])
      for (const verb of ['put', 'patch'] as const)
        expect([body, (await who[verb](record['@id'], body)).status]).toEqual([body, 403])
  }
  expectOk(await sign(other, record, 'Olga Other'))
  expectOk(await join(foreman, record))
  expect((await now(record)).attendees.map((p) => [p.name, p.absence ?? null])).toEqual([
    ['Olga Other', null],
    ['Vic', null],
    ['Fay Foreman', null],
  ])
  expectOk(await door(admin, 'absent', { attendee: row('Vic'), absence: 'Off sick' }))
  expectOk(await worker.put(record['@id'], { complete: true }))
})

describe('protecting an attendance signature', () => {
  test("a signature can't be moved to another record, and a signed record can't be moved to another talk", async () => {
    const { worker, admin, present, now } = world
    const from = await signedRecord()
    const to = await present(of, 'Pat')
    const [row] = from.attendees as readonly AttendeeBody[]
    for (const body of [
      { attendees: [...to.attendees, row] },
      { attendees: [...to.attendees, { id: row?.id }] },
      { attendees: [...to.attendees, { '@id': row?.['@id'] }] },
      { attendees: [{ ...to.attendees[0], presented: from['@id'], id: row?.id }] },
      { attendees: from.attendees },
    ])
      for (const verb of ['put', 'patch'] as const)
        expect((await worker[verb](to['@id'], body)).status).toBeLessThan(500)
    const begun = await worker.post(PRESENTED, {
      talk: of['@id'],
      presenter: 'Will Worker',
      date: daysAgo(6),
      attendees: from.attendees,
    })
    expect(begun.status).toBeGreaterThanOrEqual(400)
    const another = await world.talk('Vibration')
    for (const who of [worker, admin]) expect((await who.put(from['@id'], { talk: another['@id'] })).status).toBe(409)
    expect(signatures(await now(from))).toEqual(signatures(from))
    expect(signatures(await now(to))).toEqual([])
  })

  test("the date, place and presenter of a talk record can't be edited once someone has signed", async () => {
    const { worker, foreman, admin, present, now } = world
    const open = await present(of, 'Olga Other')
    expectOk(
      await worker.put(open['@id'], {
        place: 'Yard',
        presenter: 'Will Worker',
        date: daysAgo(40),
        startTime: '08:00',
      }),
    )
    expectOk(await world.sign(world.other, open, 'Olga Other'))
    const said = { place: 'Roof', presenter: 'Mallory of Ladders Ltd', date: daysAgo(2000), startTime: '11:00' }
    for (const [name, value] of Object.entries(said))
      for (const who of [worker, foreman])
        for (const verb of ['put', 'patch'] as const)
          expect([name, (await who[verb](open['@id'], { [name]: value })).status]).toEqual([name, 403])
    // Unchanged values, and details that may be added while people sign, are accepted.
    const details = { finishTime: '08:20', notes: 'Two asked about the ladder.' }
    expectOk(await worker.put(open['@id'], { place: 'Yard', ...details }))
    for (const change of [
      { finishTime: '12:00' },
      { finishTime: null },
      { notes: 'Four hours of training' },
      { notes: '' },
    ])
      for (const [who, status] of [
        [worker, 403],
        [admin, 409],
      ] as const)
        expect([change, (await who.patch(open['@id'], change)).status]).toEqual([change, status])
    // Nobody can overwrite signed values, whatever their permissions. Errors are fixed by adding a correction with a
    // reason.
    for (const verb of ['put', 'patch'] as const)
      expect((await admin[verb](open['@id'], { place: 'Yard 2' })).status).toBe(409)
    expect(await now(open)).toMatchObject({ place: 'Yard', presenter: 'Will Worker', startTime: '08:00', ...details })
  })

  test("saving an outdated attendance list can't delete, rename or undo a signature", async () => {
    const { worker, admin, now, present } = world
    const stale = await present(of, 'Olga Other', 'Vic')
    expectOk(await world.sign(world.other, stale, 'Olga Other'))
    const record = await now(stale)
    const [row, ...others] = record.attendees as readonly AttendeeBody[]
    for (const attendees of [
      stale.attendees,
      [],
      others,
      null,
      [{ ...row, signedAt: null }, ...others],
      [{ ...row, name: 'Vic' }, ...others],
      [{ ...row, method: 'finger', strokes: SAMPLE_STROKES }, ...others],
      [{ ...row, id: undefined, '@id': undefined }, ...others],
      [row, { ...row }, ...others],
    ])
      for (const who of [worker, admin])
        for (const verb of ['put', 'patch'] as const)
          expect((await who[verb](record['@id'], { attendees })).status).toBeLessThan(500)
    expect(signatures(await now(record))).toEqual(signatures(record))
    for (const verb of ['put', 'patch', 'post'] as const)
      expect([404, 405]).toContain((await worker[verb](row?.['@id'] ?? '', { name: 'Eve' })).status)
    expect((await admin.delete(row?.['@id'] ?? '')).status).toBe(405)
  })

  test('a signature is saved for the user who sent it, even if the request names another account or time', async () => {
    const { worker, other, present, sign, now, client } = world
    const ada = (await world.admin.get('/api/security/user_check')).body
    const forged = { user: ada.id, signer: ada.id, byName: 'Ada Admin', signedAt: '2020-01-01T00:00:00Z', late: true }
    const record = await present(of, 'Ada Admin')
    const rows = [
      { name: 'Ada Admin', method: 'typed', ...forged },
      { name: 'Will Worker', method: 'typed', ...forged },
    ]
    const whole = await worker.put(record['@id'], { attendees: [...record.attendees, rows[0]] })
    expect(whole.status).toBeGreaterThanOrEqual(400)
    expectOk(await worker.put(record['@id'], { attendees: [...record.attendees, rows[1]] }))
    const will = (await worker.get('/api/security/user_check')).body
    const [, own] = (await now(record)).attendees
    expect(own).toMatchObject({ name: 'Will Worker', user: will.id, signer: will.id, late: false, byName: null })
    expect(String(own?.signedAt) > '2021').toBe(true)

    const again = await present(of, 'Olga Other')
    const url = `${again['@id']}/sign`
    const [first, second] = [
      await other.post(url, { method: 'typed', ...forged }, KEY),
      await other.post(url, { method: 'typed', ...forged }, KEY),
    ]
    expect([expectOk(first).id, expectOk(second).id]).toEqual([first.body.id, first.body.id])
    const mine = expectOk(await worker.post(url, { method: 'typed', ...forged }, KEY))
    expect([mine.name, mine.id === first.body.id]).toEqual(['Will Worker', false])
    expect((await sign(worker, again, 'Olga Other')).status).toBeGreaterThanOrEqual(400)
    expect((await now(again)).signed).toBe(2)
    expect(client.id).toBe(ada.client?.id ?? client.id)
  })
})

test('no route can add a signing method or drawing to an unsigned row, in open or closed records', async () => {
  const { worker, now, close } = world
  const ada = expectOk(await world.admin.get('/api/security/user_check'))
  const hand = {
    method: 'finger',
    strokes: SAMPLE_STROKES,
    signer: ada.id,
    byName: 'Ada Admin',
    user: ada.id,
    late: true,
    visitor: true,
  }
  const begun = expectOk(
    await worker.post(PRESENTED, {
      talk: of['@id'],
      presenter: 'Will Worker',
      date: daysAgo(6),
      attendees: [
        { name: 'Olga Other', ...hand },
        { name: 'Vic', ...hand, method: 'typed' },
      ],
    }),
  )
  const bare = (name: string) => ({ name, method: null, signer: null, byName: null, signedAt: null, late: false })
  const isBare = async () => {
    const { attendees, signed } = expectOk(await world.admin.get(begun['@id']))
    expect([signed, attendees]).toMatchObject([0, [bare('Olga Other'), bare('Vic')]])
    expect(attendees.map((p: AttendeeBody) => p.strokes ?? null)).toEqual([null, null])
  }
  await isBare()
  for (const verb of ['put', 'patch'] as const) {
    const { attendees } = await now(begun)
    expectOk(await worker[verb](begun['@id'], { attendees: attendees.map((p) => ({ ...p, ...hand })) }))
    await isBare()
    expectOk(
      await worker[verb](begun['@id'], {
        attendees: attendees.map((p) => ({ '@id': p['@id'], id: p.id, name: p.name, method: 'typed' })),
      }),
    )
    await isBare()
  }
  for (const name of ['people', 'absent']) {
    const row = { attendee: begun.attendees[0]['@id'], absence: 'Off sick', names: ['Pat'], ...hand }
    expectOk(await worker.post(`${begun['@id']}/${name}`, row))
    expectOk(await worker.post(`${begun['@id']}/absent`, { ...row, attendee: begun.attendees[1]['@id'] }))
    if (name === 'people') {
      const pat = (await now(begun)).attendees.find((p) => p.name === 'Pat')
      expect(pat).toMatchObject(bare('Pat'))
      expectOk(await worker.post(`${begun['@id']}/strike`, { attendee: pat?.['@id'] }))
    }
  }
  await isBare()
  expectOk(await close(begun))
  await isBare()
})

describe('a delayed attendance signature', () => {
  const waited = async () => {
    const record = await world.present(of, 'Vic', 'Pat')
    const [vic, pat] = record.attendees as readonly [AttendeeBody, AttendeeBody]
    const rename = async (name: string) =>
      expectOk(
        await world.admin.patch(record['@id'], {
          attendees: [
            { '@id': vic['@id'], id: vic.id, name },
            { '@id': pat['@id'], id: pat.id, name: 'Pat' },
          ],
        }),
      )
    const arrive = (more: object) =>
      world.worker.post(`${record['@id']}/sign`, {
        attendee: vic['@id'],
        method: 'finger',
        strokes: SAMPLE_STROKES,
        ...more,
      })
    return { record, rename, arrive }
  }

  test('a delayed signature is refused if its row now shows another name', async () => {
    const { record, rename, arrive } = await waited()
    const renamed = await rename('Bob')
    expect(renamed.attendees[0]).toMatchObject({ id: record.attendees[0]?.id, name: 'Bob' })
    const refused = await arrive({ shownName: 'Vic', shownUser: null })
    expect(attendanceProblem(refused)).toEqual([
      409,
      'This signature was for Vic, but the list now shows Bob. Please sign again.',
    ])
    expect((await world.now(record)).signed).toBe(0)
    expectOk(await arrive({ shownName: 'bob ' }))
    expect(signatures(await world.now(record))).toMatchObject([{ name: 'Bob', user: null }])
  })

  test('a delayed signature is refused if its row now belongs to another account with the same name', async () => {
    const { record, arrive } = await waited()
    const refused = await arrive({ shownName: 'Vic', shownUser: 1 })
    expect(attendanceProblem(refused)).toEqual([
      409,
      'This signature was for a different Vic from the one now on the list. Please sign again.',
    ])
    expect((await world.now(record)).signed).toBe(0)
  })

  test('a delayed signature sent without the displayed name is accepted for its row', async () => {
    const { record, arrive } = await waited()
    expectOk(await arrive({}))
    expect((await world.now(record)).signed).toBe(1)
  })
})

test('nobody can sign an attendance record or its talk during impersonation, by any route', async () => {
  const { client, admin, present, close, now } = world
  const talk = await world.talk('Manual handling')
  const on = (who: TestApi, record: PresentedTalkBody) => {
    const row = record.attendees[0]?.['@id']
    const list = (more: object) => ({
      attendees: [...record.attendees, { method: 'typed', signedAt: '2026-11-20T08:00:00Z', ...more }],
    })
    return [
      ['sign', () => who.post(`${record['@id']}/sign`, { method: 'typed' })],
      ['sign the row', () => who.post(`${record['@id']}/sign`, { attendee: row, method: 'typed' })],
      ['for another', () => who.post(`${record['@id']}/sign`, { name: 'Pat', method: 'on behalf' })],
      ['a visitor', () => who.post(`${record['@id']}/sign`, { name: 'Pat', method: 'typed', visitor: true })],
      ['the list', () => who.put(record['@id'], list({ name: 'Ada Admin' }))],
      ['a part of the list', () => who.patch(record['@id'], list({ name: 'Pat' }))],
      [
        'the talk',
        () => who.post('/api/safety/signatures', { document: `/api/safety/documents/${talk.id}`, method: 'typed' }),
      ],
    ] as const
  }
  const ada = expectOk(await admin.get('/api/security/user_check'))
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const open = await present(talk, 'Ada Admin')
  const late = await present(talk, 'Ada Admin')
  const absent = expectOk(
    await world.worker.post(`${late['@id']}/absent`, { attendee: late.attendees[0]?.['@id'], absence: 'Away' }),
  )
  expect(absent.absence).toBe('Away')
  expectOk(await close(late))
  for (const mayWrite of [false, true]) {
    const visit = expectOk(await staff.get(`/api/security/user/switch?username=${ada.username}&client=${client.id}`))
    const visitor = portal.bearing(visit.token)
    if (mayWrite) expectOk(await visitor.post('/api/security/user/write', { reason: 'They asked for help' }))
    for (const record of [open, await now(late)])
      for (const [door, knock] of on(visitor, record)) {
        const { status } = await knock()
        expect([door, mayWrite, status === 403 || status === 409]).toEqual([door, mayWrite, true])
      }
  }
  for (const record of [open, late]) expect((await now(record)).signed).toBe(0)
  expect((await admin.get(talk['@id'])).body.signatures).toBe(0)
})

test("people outside a talk's audience can't access the talk's records, and the records of a withdrawn talk are retained", async () => {
  const { admin, worker, other, client, talk } = world
  const hidden = 'Redundancies'
  const made = await talk(hidden)
  const record: PresentedTalkBody = expectOk(
    await admin.post(PRESENTED, {
      talk: made['@id'],
      presenter: 'Ada Admin',
      date: daysAgo(6),
      notes: hidden,
      attendees: [{ name: 'Olga Other' }],
    }),
  )
  const [row] = record.attendees
  const attendees = `/api/safety/toolbox_talk_attendees`
  const reads = (who: TestApi) => {
    const doors = [record['@id'], row?.['@id'] ?? '', `${made['@id']}/pdf?presented=${record.id}`]
    return Promise.all(doors.map(async (url) => (await who.get(url)).status))
  }
  const finds = async (who: TestApi) => {
    const lists = [
      `${PRESENTED}?q=${hidden}`,
      `/api/safety/toolbox_talks_presented/list?title=${hidden}`,
      `${attendees}?presented=${record['@id']}`,
    ]
    const totals = await Promise.all(lists.map(async (url) => expectOk(await who.get(url))['hydra:totalItems']))
    return [...totals, (await who.get(`${PRESENTED}/export.csv?client=${client.id}`)).text.includes(hidden)]
  }
  expect([await reads(other), await finds(other)]).toEqual([
    [200, 200, 200],
    [1, 1, 1, true],
  ])
  expectOk(await admin.put(made['@id'], { audience: ['ROLE_CLIENT_ADMIN'] }))
  expect([await reads(other), await finds(other)]).toEqual([
    [404, 404, 404],
    [0, 0, 0, false],
  ])
  for (const answer of [
    await other.put(record['@id'], { notes: 'Empty' }),
    await other.patch(record['@id'], { attendees: [] }),
    await other.post(`${record['@id']}/sign`, { method: 'typed' }),
    await other.post(`${record['@id']}/sign`, { method: 'typed', name: 'Pat Passing', visitor: true }),
    await other.post(`${record['@id']}/people`, { names: ['Pat Passing'] }),
    await other.post(`${record['@id']}/absent`, { attendee: row?.['@id'], absence: 'Away' }),
    await other.post(`${record['@id']}/strike`, { attendee: row?.['@id'] }),
  ])
    expect(answer.status).toBe(404)
  expect(expectOk(await admin.get(record['@id']))).toMatchObject({
    notes: hidden,
    signed: 0,
    attendees: [{ absence: null }],
  })
  const open = await talk('Ladders again')
  const kept = await world.present(open, 'Will Worker')
  expectOk(await admin.post(`${open['@id']}/withdraw`, { note: 'Unsafe' }))
  expect((await worker.get(kept['@id'])).status).toBe(200)
})

import { beforeAll, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  attendanceProblem,
  expectOk,
  makeAttendances,
  type PresentedTalkBody,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { daysAgo, inDays } from '#test/support/days.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

const CORRECTIONS = '/api/safety/toolbox_talk_corrections'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
})

/** Creates a talk record dated six days ago and signed by Olga. */
async function signed(): Promise<PresentedTalkBody> {
  const record = await world.present(of, 'Olga Other')
  expectOk(await world.sign(world.other, record, 'Olga Other'))
  return record
}
const correct = (record: PresentedTalkBody, more: object = {}, who = world.admin) =>
  who.post(CORRECTIONS, { presented: record['@id'], date: daysAgo(7), reason: 'It was the day before', ...more })
const correctionsOf = async (record: PresentedTalkBody, who = world.other) =>
  expectOk(await who.get(`${CORRECTIONS}?presented=${record['@id']}`))['hydra:member']

test('no endpoint records a talk on a day before its revision came into force', async () => {
  const world = await makeAttendances(portal)
  const of = await world.talk()
  const revised = expectOk(await world.admin.post(`${of['@id']}/revise`, { reason: 'New ladders' }))
  const now = expectOk(await world.admin.put(revised['@id'], { complete: true, approved: true }))
  const begin = (day: string, talk = now) =>
    world.worker.post('/api/safety/toolbox_talk_presenteds', { talk: talk['@id'], presenter: 'Will Worker', date: day })
  for (const day of [daysAgo(1), daysAgo(300)]) {
    const { status, body } = await begin(day)
    expect([status, body.violations?.[0]?.propertyPath]).toEqual([422, 'date'])
  }
  const { body: record, status } = await begin(daysAgo(0))
  expect(status).toBe(201)
  for (const method of ['put', 'patch'] as const)
    expect((await world.worker[method](record['@id'], { date: daysAgo(1) })).status).toBe(422)
  expectOk(await world.worker.post(`${record['@id']}/sign`, { method: 'typed' }))
  const correction = { presented: record['@id'], date: daysAgo(1), reason: 'It was yesterday' }
  expect((await world.admin.post(CORRECTIONS, correction)).status).toBe(422)
})

test('a correction with a reason changes a signed record, retains the values as signed and notifies the signatories', async () => {
  const record = await signed()
  const made = expectOk(await correct(record))
  expect(made).toMatchObject({ date: daysAgo(7), formerly: { date: daysAgo(6) }, author: expect.any(String) })
  expect(await world.now(record)).toMatchObject({ date: daysAgo(7), presenter: 'Will Worker', signed: 1 })
  // Signatories can read the values they signed, the corrected values and the reason.
  expect(await correctionsOf(record)).toMatchObject([
    { date: daysAgo(7), formerly: { date: daysAgo(6) }, reason: 'It was the day before' },
  ])
  const notices = expectOk(await world.other.get('/api/portal/notices/inbox'))['hydra:member']
  expect(notices.map((n: { words: string }) => n.words)).toContain(
    'The record of “Ladders”, which you signed, was corrected: “It was the day before”',
  )
  const [year, month, day] = daysAgo(6).split('-')
  const words = await extractResponseText(await world.admin.get(`${of['@id']}/pdf?presented=${record.id}`))
  for (const said of [`previously ${day}/${month}/${year}`, 'It was the day before', 'Ada Admin'])
    expect(words).toContain(said)
  expectOk(await correct(record, { date: undefined, place: 'Yard', presenter: 'Olga Other', startTime: '08:00' }))
  expect(await world.now(record)).toMatchObject({
    place: 'Yard',
    presenter: 'Olga Other',
    presenterVisitor: false,
    startTime: '08:00',
    date: daysAgo(7),
  })
})

test('only a correction can change the finish time and the notes of a signed talk', async () => {
  const record = await signed()
  const { admin, worker } = world
  expectOk(await worker.patch(record['@id'], { finishTime: '08:30', notes: 'Ten minutes' }))
  expect((await admin.patch(record['@id'], { finishTime: '09:00' })).status).toBe(409)
  expectOk(await correct(record, { date: undefined, finishTime: '08:10', notes: 'Two questions' }))
  expect(await world.now(record)).toMatchObject({ finishTime: '08:10', notes: 'Two questions' })
  expect(await correctionsOf(record)).toMatchObject([{ formerly: { finishTime: '08:30', notes: 'Ten minutes' } }])
  for (const set of [`finish_time = '12:00'`, `notes = 'Four hours'`])
    await expect(
      portal.db.tx('system', (tx) => tx.rows(`UPDATE talk_presented SET ${set} WHERE id = $1`, [record.id])),
    ).rejects.toThrow('corrected with a reason')
})

test('only approvers can correct a talk record, and a correction is refused unless the record is signed and open and at least one value changes', async () => {
  const record = await signed()
  for (const who of [world.worker, world.other, world.foreman])
    expect((await correct(record, {}, who)).status).toBe(403)
  const stranger = await portal.client()
  const admin = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await correct(record, {}, admin)).status).toBe(400)
  expect((await admin.get(`${CORRECTIONS}?presented=${record['@id']}`)).body['hydra:totalItems'] ?? 0).toBe(0)
  for (const [more, field] of [
    [{ reason: '' }, 'reason'],
    [{ reason: '   ' }, 'reason'],
    [{ date: daysAgo(6) }, 'date'],
    [{ date: undefined }, 'date'],
    [{ date: inDays(1) }, 'date'],
    [{ date: daysAgo(400) }, 'date'],
    [{ presenter: '…' }, 'presenter'],
    [{ startTime: '25:00' }, 'startTime'],
  ] as const) {
    const { status, body } = await correct(record, more)
    expect([more, status, body.violations?.[0]?.propertyPath]).toEqual([more, 422, field])
  }
  const forged = { formerly: { date: '2001-01-01' }, author: 'olga', createdAt: '2001-01-01T00:00:00Z' }
  const made = expectOk(await correct(record, forged))
  expect(made).toMatchObject({ formerly: { date: daysAgo(6) } })
  expect([made.author, String(made.createdAt) > '2021']).toEqual([expect.not.stringContaining('olga'), true])
  for (const verb of ['put', 'patch'] as const)
    expect((await world.admin[verb](made['@id'], { reason: 'Empty' })).status).toBe(405)
  expect((await world.admin.delete(made['@id'])).status).toBe(405)
  const nobody = await world.present(of, 'Olga Other')
  expect(attendanceProblem(await correct(nobody))).toEqual([
    409,
    'Nobody has signed this record yet: please edit it instead.',
  ])
  expectOk(await world.close(record))
  expect(attendanceProblem(await correct(record, { date: daysAgo(8) }))).toEqual([
    409,
    'This record is closed and can’t be changed.',
  ])
})

test('the database refuses to change a signed record without a correction, and to delete a correction', async () => {
  const record = await signed()
  const sql = (text: string) => portal.db.tx('system', (tx) => tx.rows(text, [record.id]))
  for (const set of [`date = '2020-01-01'`, `presenter = 'Mallory'`])
    await expect(sql(`UPDATE talk_presented SET ${set} WHERE id = $1`)).rejects.toThrow('corrected with a reason')
  expectOk(await correct(record))
  await expect(sql(`UPDATE talk_presented SET presenter = 'Mallory' WHERE id = $1`)).rejects.toThrow('with a reason')
  await expect(sql(`DELETE FROM talk_correction WHERE presented_id = $1`)).rejects.toThrow('permission denied')
  expectOk(await world.close(record))
  const seals = expectOk(await world.admin.get(`/api/safety/seals?record=${record['@id']}`))
  expect(JSON.stringify(seals)).not.toContain('Mallory')
  await expect(
    sql(
      `INSERT INTO talk_correction (client_id, presented_id, date, formerly, reason)
       SELECT client_id, id, '2020-01-01', '{"date":"x"}', 'x' FROM talk_presented WHERE id = $1`,
    ),
  ).rejects.toThrow('stands as it is')
})

test('a correction can’t move a talk to a date after one of its signatures was drawn', async () => {
  const record = await world.present(of, 'Olga Other')
  const drawnAt = `${daysAgo(4)}T10:00:00Z`
  expectOk(await world.sign(world.other, record, 'Olga Other', { method: 'finger', strokes: SAMPLE_STROKES, drawnAt }))
  const refused = await correct(record, { date: daysAgo(3) })
  expect(refused.status).toBe(422)
  const [year, month, day] = daysAgo(4).split('-')
  expect(refused.body.violations).toMatchObject([
    { propertyPath: 'date', message: expect.stringContaining(`Olga Other signed on ${day}/${month}/${year}`) },
  ])
  expect(await world.now(record)).toMatchObject({ date: daysAgo(6) })
  expectOk(await correct(record, { date: daysAgo(4) }))
})

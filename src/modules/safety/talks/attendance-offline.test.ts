import { beforeAll, expect, test } from 'vitest'
import {
  type AttendeeBody,
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { testPortal } from '#test/support/portal.ts'

let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }

beforeAll(async () => {
  world = await makeAttendances(await testPortal())
  of = await world.talk()
})

const once = (key: string) => ({ 'idempotency-key': key })
const rowsOf = (answer: { readonly attendees: readonly AttendeeBody[] }) => answer.attendees.map((row) => row['@id'])

test('names queued on two devices are each listed once, and each device gets the rows for its own people', async () => {
  const { worker, admin, present, now } = world
  const record = await present(of, 'Olga Other')
  const add = async (who: typeof worker, ...names: string[]) =>
    rowsOf(expectOk(await who.post(`${record['@id']}/people`, { names, listed: true })))
  const first = await add(worker, 'Vic', 'Pat')
  const second = await add(admin, 'pat ', 'Zoë', 'Olga Other')
  const after = await now(record)
  expect(after.attendees.map((p) => p.name)).toEqual(['Olga Other', 'Vic', 'Pat', 'Zoë'])
  const [olga, vic, pat, zoe] = after.attendees.map((p) => p['@id'])
  expect([first, second]).toEqual([
    [vic, pat],
    [pat, zoe, olga],
  ])
})

test('a talk record delivered twice from a device is stored once, with each person and signature once and in order', async () => {
  const { worker, now } = world
  const names = ['Olga Other', 'Vic', 'Pat']
  const deliver = async () => {
    const start = { talk: of['@id'], presenter: 'Will Worker', date: daysAgo(0), startTime: '07:30' }
    const record = expectOk(await worker.post('/api/safety/toolbox_talk_presenteds', start, once('start-1')))
    for (const [i, name] of names.entries()) {
      const people = await worker.post(`${record['@id']}/people`, { names: [name], listed: true }, once(`add-${i}`))
      const [attendee] = rowsOf(expectOk(people))
      const signature = { attendee, shownName: name, method: 'finger', strokes: SAMPLE_STROKES }
      expectOk(await worker.post(`${record['@id']}/sign`, signature, once(`sign-${i}`)))
    }
    expectOk(await worker.put(record['@id'], { complete: true }, once('close-1')))
    return record as { '@id': string; id: number }
  }
  const record = await deliver()
  expect((await deliver()).id).toBe(record.id)
  const after = await now(record)
  expect(after).toMatchObject({ signed: 3, complete: true, startTime: '07:30' })
  expect(after.attendees.map((p) => [p.name, Boolean(p.signedAt), p.late])).toEqual(names.map((n) => [n, true, false]))
})

test('a name queued on one device is refused with a clear message if the record was closed on another', async () => {
  const { worker, admin, present, sign } = world
  const record = await present(of, 'Will Worker')
  expectOk(await sign(worker, record, 'Will Worker'))
  expectOk(await admin.put(record['@id'], { complete: true }))
  for (const listed of [true, false])
    expect(attendanceProblem(await worker.post(`${record['@id']}/people`, { names: ['Will Worker'], listed }))).toEqual(
      [409, 'This record is closed and can’t be changed. People who attended but have not signed can sign late.'],
    )
})

test('a signature drawn offline shows when it was drawn and when it arrived, unless the device’s clock is wrong', async () => {
  const { worker, present, sign, now } = world
  const record = await present(of, 'Vic', 'Pat', 'Zoë', 'Noor')
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString().replace(/\d{3}Z$/, '000Z')
  const times = { Vic: ago(3_600_000), Pat: ago(0), Zoë: ago(-3_600_000), Noor: ago(30 * 86_400_000) }
  const drawing = { method: 'finger', strokes: SAMPLE_STROKES }
  for (const [name, drawnAt] of Object.entries(times))
    expectOk(await sign(worker, record, name, { ...drawing, drawnAt }))
  const after = await now(record)
  expect(
    after.attendees.map((p) => (typeof p.drawnAt === 'string' ? new Date(p.drawnAt).toISOString() : null)),
  ).toEqual([times.Vic, null, null, null])
  expect(after.attendees.every((p) => String(p.signedAt) > times.Vic)).toBe(true)
})

test('a typed signature, or a late one beside a stated absence, has no time of its own', async () => {
  const { worker, other, admin, present, sign, now } = world
  const record = await present(of, 'Will Worker', 'Olga Other')
  const olga = findAttendee(record, 'Olga Other')['@id']
  const drawnAt = new Date(Date.now() - 3_600_000).toISOString()
  expectOk(await sign(worker, record, 'Will Worker', { method: 'typed', drawnAt }))
  expectOk(await worker.post(`${record['@id']}/absent`, { attendee: olga, absence: 'On holiday' }))
  expectOk(await admin.put(record['@id'], { complete: true }))
  const drawing = { method: 'finger', strokes: SAMPLE_STROKES }
  expectOk(await other.post(`${record['@id']}/sign`, { attendee: olga, ...drawing, drawnAt }))
  expect((await now(record)).attendees.map((p) => [p.name, p.late, p.drawnAt])).toEqual([
    ['Will Worker', false, null],
    ['Olga Other', true, null],
  ])
})

test('the drawn signature of a visitor is refused if their name on the list belongs to an account', async () => {
  const { worker, client, present, now } = world
  const record = await present(of)
  await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Pat Smith' })
  const people = expectOk(await worker.post(`${record['@id']}/people`, { names: ['Pat Smith'], listed: true }))
  const sent = { attendee: people.attendees[0]['@id'], shownName: 'Pat Smith', shownUser: null, method: 'finger' }
  const refused = await worker.post(`${record['@id']}/sign`, { ...sent, strokes: SAMPLE_STROKES, company: 'ACME' })
  expect(attendanceProblem(refused)).toEqual([409, expect.stringContaining('for Pat Smith of ACME, a visitor')])
  expect((await now(record)).signed).toBe(0)
})

test('two visitors with the same name queued on two devices are both listed and can both sign if their companies differ', async () => {
  const { worker, admin, present, now } = world
  const record = await present(of)
  const at = record['@id']
  const add = async (who: typeof worker, names: string[], more: object = {}) =>
    rowsOf(expectOk(await who.post(`${at}/people`, { names, listed: true, ...more })))
  const drawn = { shownUser: null, method: 'finger', strokes: SAMPLE_STROKES }
  const companies = async (name: string) =>
    (await now(record)).attendees.flatMap((p) => (p.name === name ? [[p.company, Boolean(p.signedAt)]] : []))
  for (const [who, company] of [
    [worker, 'Beam Ltd'],
    [admin, 'Brick Ltd'],
    [admin, 'beam ltd '],
  ] as const)
    await add(who, ['Sam Smith'], { company })
  expect(await companies('Sam Smith')).toEqual([
    ['Beam Ltd', false],
    ['Brick Ltd', false],
  ])
  // Both devices add the name alone, and the visitors enter their companies only when they sign.
  const [attendee] = await add(worker, ['Pat Jones'])
  expect(await add(admin, ['Pat Jones'])).toEqual([attendee])
  const sign = (who: typeof worker, company: string) =>
    who.post(`${at}/sign`, { attendee, shownName: 'Pat Jones', company, ...drawn })
  expectOk(await sign(worker, 'Beam Ltd'))
  expectOk(await sign(admin, 'Brick Ltd'))
  expect((await sign(admin, 'Brick Ltd')).status).toBe(422)
  expect((await sign(admin, 'Beam Ltd')).status).toBe(409)
  expect(await companies('Pat Jones')).toEqual([
    ['Beam Ltd', true],
    ['Brick Ltd', true],
  ])
})

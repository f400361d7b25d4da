import { beforeAll, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  type AttendeeBody,
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  type PresentedTalkBody,
} from '#test/support/attendances.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
})

const BEHALF = { method: 'on behalf' }
const signedAt = '2026-11-20T08:00:00Z'
const says = (name: string) =>
  `${name} can’t be marked as absent and also signed for by another person. Absent people sign for themselves later.`
/** Creates a record with two absent people: Olga, who has an account, and Vic, who has none. */
async function bothAway(): Promise<PresentedTalkBody> {
  const record = await world.present(of, 'Olga Other', 'Vic')
  for (const name of ['Olga Other', 'Vic'])
    expectOk(
      await world.worker.post(`${record['@id']}/absent`, {
        attendee: findAttendee(record, name)['@id'],
        absence: 'On leave',
      }),
    )
  return world.now(record)
}

test('nobody can sign on behalf of an absent person, whether by row, by name or by saving the list', async () => {
  const { admin, foreman, sign, join, now } = world
  const record = await bothAway()
  for (const name of ['Olga Other', 'Vic']) {
    expect(attendanceProblem(await sign(foreman, record, name, BEHALF))).toEqual([409, says(name)])
    expect(attendanceProblem(await join(foreman, record, { ...BEHALF, name: name.toLowerCase() }))[0]).toBe(409)
    const signed = { ...BEHALF, signedAt }
    for (const absence of ['On leave', null]) {
      const attendees = record.attendees.map((row) => (row.name === name ? { ...row, ...signed, absence } : row))
      expect(attendanceProblem(await admin.put(record['@id'], { attendees }))).toEqual([409, says(name)])
    }
    const attendees = [...record.attendees, { name, ...signed }]
    expect(attendanceProblem(await admin.put(record['@id'], { attendees }))).toEqual([409, says(name)])
  }
  expect(await now(record)).toMatchObject({ signed: 0, attendees: [{ absence: 'On leave' }, { absence: 'On leave' }] })
})

test("a person who was signed for can't be marked as absent in another row", async () => {
  const { admin, foreman, worker, sign, now } = world
  const record = await world.present(of, 'Olga Other')
  expectOk(await sign(foreman, record, 'Olga Other', BEHALF))
  // A person for whom someone else signed can still sign in a row of their own.
  const [own] = expectOk(await worker.post(`${record['@id']}/people`, { names: ['Olga Other'] })).attendees
  const absent = { attendee: own['@id'], absence: 'On leave' }
  expect(attendanceProblem(await worker.post(`${record['@id']}/absent`, absent))).toEqual([409, says('Olga Other')])
  const { attendees } = await now(record)
  const listed = attendees.map((row) => (row.id === own.id ? { ...row, absence: 'On leave' } : row))
  expect(attendanceProblem(await admin.put(record['@id'], { attendees: listed }))).toEqual([409, says('Olga Other')])
})

test('a person marked absent who signs while the record is open counts as present', async () => {
  const { other, worker, sign, now } = world
  const record = await bothAway()
  expectOk(await sign(other, record, 'Olga Other'))
  const attendees = (await now(record)).attendees.map((row) =>
    row.name === 'Vic' ? { ...row, method: 'typed', signedAt } : row,
  )
  expectOk(await worker.put(record['@id'], { attendees }))
  expect((await now(record)).attendees).toMatchObject([{ absence: null }, { absence: null }])
})

test('once a record is closed, nobody can sign on behalf of others, and people who sign late must sign for themselves', async () => {
  const { admin, foreman, other, close, sign, join, now } = world
  const record = await bothAway()
  expectOk(await close(record))
  const late = 'This record is closed. People who attended but have not signed can only sign late for themselves.'
  for (const who of [admin, foreman]) {
    for (const name of ['Olga Other', 'Vic'])
      expect(attendanceProblem(await sign(who, record, name, BEHALF))).toEqual([409, late])
    for (const name of ['Will Worker', 'Pat Passing'])
      expect(attendanceProblem(await join(who, record, { ...BEHALF, name }))).toEqual([409, late])
    const attendees = record.attendees.map((row) => ({ ...row, ...BEHALF, signedAt }))
    expect((await who.put(record['@id'], { attendees })).status).toBeGreaterThanOrEqual(400)
  }
  expect((await now(record)).signed).toBe(0)
  expectOk(await sign(other, record, 'Olga Other'))
  expectOk(await sign(foreman, record, 'Vic'))
  expect((await now(record)).attendees).toMatchObject([
    { late: true, absence: 'On leave' },
    { late: true, absence: 'On leave', visitor: true },
  ])
})

test('a record can be closed before everyone has signed, and people who were there can sign late', async () => {
  const { worker, other, present, talk, now, sign: signRow, close } = world
  const record = await present(await talk(), 'Will Worker', 'Olga Other')
  expectOk(await signRow(worker, record, 'Will Worker'))
  expect((await close(record)).status).toBe(422)
  expectOk(await worker.put(record['@id'], { complete: true, lateSignatures: true }))
  expect(await now(record)).toMatchObject({ complete: true, lateSignatures: true, signed: 1 })
  const paper = await extractResponseText(await worker.get(`${(await now(record)).talk}/pdf?presented=${record.id}`))
  expect(paper).toMatch(/Had not signed when the record was closed .*Olga Other/)
  expect(paper).not.toMatch(/Absent|Still to sign/)
  const toSign = expectOk(await other.get('/api/safety/toolbox_talk_attendees/mine'))['hydra:member'] as AttendeeBody[]
  expect(toSign.map(({ id }) => id)).toContain(findAttendee(record, 'Olga Other').id)
  expectOk(await signRow(other, record, 'Olga Other'))
  expect(findAttendee(await now(record), 'Olga Other')).toMatchObject({ late: true, absence: null })
})

test('a record that everyone has signed is not marked as closed early, whatever the request contains', async () => {
  const { worker, present, talk, now, sign: signRow } = world
  const record = await present(await talk(), 'Will Worker')
  expectOk(await worker.put(record['@id'], { lateSignatures: true }))
  expect(await now(record)).toMatchObject({ lateSignatures: false })
  expectOk(await signRow(worker, record, 'Will Worker'))
  expectOk(await worker.put(record['@id'], { complete: true, lateSignatures: true }))
  expect(await now(record)).toMatchObject({ complete: true, lateSignatures: false })
})

test('the PDF of an open record lists who is still to sign, and absent people with their reason', async () => {
  const { worker, present, talk, now } = world
  const record = await present(await talk(), 'Olga Other', 'Fay Foreman')
  const paper = async () =>
    extractResponseText(await worker.get(`${(await now(record)).talk}/pdf?presented=${record.id}`))
  expect(await paper()).toMatch(/Still to sign .*Olga Other .*Fay Foreman/)
  expect(await paper()).not.toMatch(/Absent|when the record was closed/)
  expectOk(
    await worker.post(`${record['@id']}/absent`, {
      attendee: findAttendee(record, 'Olga Other')['@id'],
      absence: 'Off sick',
    }),
  )
  expect(await paper()).toMatch(/Still to sign .*Fay Foreman .*Absent .*Olga Other Off sick/)
})

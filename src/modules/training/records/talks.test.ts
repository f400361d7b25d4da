import { expect, test } from 'vitest'
import { expectOk, findAttendee, makeAttendances } from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { testPortal } from '#test/support/portal.ts'
import { TRAINING as AT } from '#test/support/training.ts'

const portal = await testPortal()
const { admin, worker, other, foreman, talk, present, now, sign, close } = await makeAttendances(portal)

/** Adds the employee that an account belongs to. */
async function employ(name: string): Promise<number> {
  const [account] = expectOk(await admin.get(`/api/portal/users?name=${encodeURIComponent(name)}`))['hydra:member']
  const [forename, surname] = name.split(' ')
  const sent = { forename, surname, user: account['@id'], extCStartDate: '2020-01-06' }
  return expectOk(await admin.post(AT.employees, sent)).id
}

test('a closed talk adds training for the employees who signed, late signatures follow, and a deleted talk is an error', async () => {
  const [olga, fay] = [await employ('Olga Other'), await employ('Fay Foreman')]
  const course = expectOk(
    await admin.post(AT.courses, { name: 'Ladder talk', validityMonths: 12, talkTitle: 'ladders!' }),
  )
  const stateOf = async (employee: number) => {
    await portal.drain()
    const { cells } = expectOk(await admin.get(`${AT.matrix}?employee=${employee}`))
    return cells.find((one: { course: number }) => one.course === course.id)
  }
  const record = await present(await talk('Ladders'), 'Olga Other', 'Fay Foreman', 'Ada Admin', 'A Visitor')
  expectOk(await sign(other, record, 'Olga Other'))
  expectOk(await sign(admin, record, 'Ada Admin'))
  expectOk(
    await worker.post(`${record['@id']}/absent`, {
      attendee: findAttendee(record, 'A Visitor')['@id'],
      absence: 'Left early',
    }),
  )
  expect(await stateOf(olga)).toBeUndefined()
  expectOk(await worker.put(record['@id'], { complete: true, lateSignatures: true }))
  expect(await stateOf(olga)).toMatchObject({ state: 'inDate', completedOn: daysAgo(6) })
  expect(await stateOf(fay)).toBeUndefined()
  expectOk(await sign(foreman, record, 'Fay Foreman'))
  expect(await stateOf(fay)).toMatchObject({ completedOn: daysAgo(6) })
  const listed = expectOk(await admin.get(`${AT.records}?course=${course.id}`))['hydra:member']
  expect(listed).toHaveLength(2)
  expect(listed[0]).toMatchObject({ result: 'attended', provider: 'Will Worker', talk: record['@id'] })
  // The record of the talk is deleted, then restored: each step adds records, and changes none.
  expectOk(await admin.put(record['@id'], { retired: true }))
  for (const id of [olga, fay]) expect(await stateOf(id)).toBeUndefined()
  expectOk(await admin.put(record['@id'], { retired: false }))
  for (const id of [olga, fay]) expect(await stateOf(id)).toMatchObject({ competent: true })
  expect(expectOk(await admin.get(`${AT.records}?course=${course.id}`))['hydra:totalItems']).toBe(6)
})

test('a talk with another title, or a person marked as absent, adds no training', async () => {
  const record = await present(await talk('Slips and trips'), 'Olga Other')
  expectOk(await sign(other, record, 'Olga Other'))
  expectOk(await close(record))
  await portal.drain()
  expect(
    expectOk(await admin.get(AT.records))['hydra:member'].every((one: { talk: string }) => one.talk !== record['@id']),
  ).toBe(true)
})

test('an employee without an account who signed on the presenter’s device has the training of the talk', async () => {
  const dev = expectOk(
    await admin.post(AT.employees, { forename: 'Dev', surname: 'Shah', extCStartDate: '2020-01-06' }),
  )
  const course = expectOk(await admin.post(AT.courses, { name: 'Noise talk', validityMonths: 12, talkTitle: 'Noise' }))
  const record = await present(await talk('Noise'))
  expectOk(await worker.post(`${record['@id']}/people`, { names: ['Dev', 'A Visitor'], employees: [dev.id, 0] }))
  const listed = await now(record)
  for (const name of ['Dev Shah', 'A Visitor']) expectOk(await sign(worker, listed, name, { visitor: true }))
  expectOk(await close(record))
  await portal.drain()
  const added = expectOk(await admin.get(`${AT.records}?course=${course.id}`))['hydra:member']
  expect(added.map((one: { employee: { name: string } }) => one.employee.name)).toEqual(['Dev Shah'])
})

import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { expectOk, findAttendee, makeAttendances } from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { testPortal } from '#test/support/portal.ts'

const EMPLOYEES = '/api/employees/employees'
const portal = await testPortal()
const { client, admin, worker, talk, present, now, close } = await makeAttendances(portal)

const hire = async (forename: string, surname: string, more: object = {}): Promise<{ '@id': string; id: number }> =>
  expectOk(await admin.post(EMPLOYEES, { forename, surname, ...more }))
const account = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Cat Eves' })
const cat = await hire('Catherine', 'Eves', { user: account.iri })
const dev = await hire('Dev', 'Shah')

test('an attendee with an account is listed with their employee, and so is an employee chosen under a former name', async () => {
  const record = await present(await talk(), 'Cat Eves')
  expect(findAttendee(record, 'Cat Eves')).toMatchObject({ user: account.id, employee: cat.id })
  const added = await worker.post(`${record['@id']}/people`, { names: ['Dev', 'Will Visitor'], employees: [dev.id, 0] })
  expectOk(added)
  const listed = await now(record)
  expect(findAttendee(listed, 'Dev Shah')).toMatchObject({ user: null, visitor: true, employee: dev.id })
  expect(findAttendee(listed, 'Will Visitor')).toMatchObject({ user: null, employee: null })
  for (const name of ['Dev Shah', 'Will Visitor', 'Cat Eves'])
    expectOk(
      await (name === 'Cat Eves' ? client.as(account) : worker).post(`${record['@id']}/sign`, {
        attendee: findAttendee(listed, name)['@id'],
        method: 'typed',
        visitor: name !== 'Cat Eves',
      }),
    )
  await close(record)
  await admin.put(dev['@id'], { surname: 'Patel' })
  expect(findAttendee(await now(record), 'Dev Shah')).toMatchObject({ employee: dev.id })
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('an employee of another company or a leaver can be neither listed nor the presenter', async () => {
  const stranger = await portal.client()
  const boss = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const theirs = expectOk(await boss.post(EMPLOYEES, { forename: 'Eve', surname: 'Other' })).id
  const leaver = await hire('Lee', 'Gone')
  await admin.put(leaver['@id'], { retired: true })
  const of = await talk()
  const record = await present(of, 'Cat Eves')
  for (const employee of [theirs, leaver.id])
    for (const refused of [
      await worker.post(`${record['@id']}/people`, { names: ['X'], employees: [employee] }),
      await worker.put(record['@id'], { presenterEmployee: employee }),
      await worker.patch(record['@id'], { presenterEmployee: employee }),
      await worker.post('/api/safety/toolbox_talk_presenteds', {
        talk: of['@id'],
        presenter: 'X',
        presenterEmployee: employee,
        date: daysAgo(6),
      }),
    ])
      expect([refused.status, refused.body.violations?.[0].propertyPath]).toEqual([
        422,
        expect.stringMatching(/mployee/),
      ])
  // A complete list can't name an employee: the row of an account has the account's employee.
  const { attendees } = await now(record)
  await worker.put(record['@id'], {
    attendees: [
      { ...attendees[0], employee: dev.id },
      { name: 'Ann', employee: dev.id },
    ],
  })
  expect((await now(record)).attendees.map((p) => p.employee)).toEqual([cat.id, null])
})

test('the presenter is the account’s employee or the chosen employee, until another name is entered', async () => {
  const record = await present(await talk())
  const put = async (values: Record<string, unknown>) => {
    const { presenter, presenterEmployee } = expectOk(await worker.put(record['@id'], values))
    return [presenter, presenterEmployee]
  }
  expect(await put({ presenter: 'Cat Eves' })).toEqual(['Cat Eves', cat.id])
  expect(await put({ presenter: 'A trainer' })).toEqual(['A trainer', null])
  expect(await put({ presenter: 'D. Patel', presenterEmployee: dev.id })).toEqual(['D. Patel', dev.id])
  expect(await put({ place: 'Yard' })).toEqual(['D. Patel', dev.id])
  expect(await put({ presenter: 'Another trainer' })).toEqual(['Another trainer', null])
})

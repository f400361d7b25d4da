import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { createLeaveCompany, type TestPerson } from '#test/support/leave.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const SICKNESS = '/api/employees/sickness_absences'
const TRIGGERS = '/api/employees/sickness_triggers'
const before = (days: number) =>
  portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().subtract({ days }).toString()

async function company(limits: Record<string, number | null>) {
  const made = await createLeaveCompany(portal)
  const manager = await made.person()
  const worker = await made.person({ manager: manager.iri })
  await made.hr.put(`/api/employees/leave_settings/${made.client.id}`, limits)
  const sick = async (of: TestPerson, days: number, length = 1, more: Record<string, unknown> = {}) => {
    const values = { employee: of.iri, firstDay: before(days), lastDay: before(days - length + 1), ...more }
    const { status, body } = await made.hr.post(SICKNESS, values)
    expect(status).toBe(201)
    await portal.drain()
    return body
  }
  return { ...made, manager, worker, sick }
}
const triggers = async (api: TestApi) => (await api.get(TRIGGERS)).body['hydra:member']
const notices = async (api: TestApi): Promise<string[]> =>
  (await api.get('/api/portal/notices/inbox')).body['hydra:member']
    .filter(({ kind }: { kind: string }) => kind === 'sickness.limit')
    .map(({ words }: { words: string }) => words)

test('a number of spells notifies human resources and the manager once for each absence, without the reason', async () => {
  const { hr, manager, worker, sick } = await company({ sicknessSpellLimit: 3 })
  await sick(worker, 60, 1, { reason: 'Flu' })
  await sick(worker, 40)
  expect(await triggers(hr)).toEqual([])
  const third = await sick(worker, 20, 2)
  expect(await triggers(hr)).toMatchObject([{ spells: 3, days: 4, score: 36 }])
  for (const api of [hr, manager.api]) {
    const told = await notices(api)
    expect(told).toEqual([expect.stringContaining('3 spells of sickness in 52 weeks, Bradford score 36')])
    expect(told.join()).not.toContain('Flu')
  }
  expect(await notices(worker.api)).toEqual([])
  expect(await triggers(worker.api)).toEqual([])
  await hr.put(third['@id'], { lastDay: before(18) })
  await portal.drain()
  expect(await triggers(hr)).toHaveLength(1)
  expect(await notices(manager.api)).toHaveLength(1)
})

test('a Bradford score notifies, protected absences never do, and a correction below the limit deletes the record', async () => {
  const { hr, client, worker, sick } = await company({ sicknessScoreLimit: 20 })
  const privateHr = client.as(await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] }))
  const first = await sick(worker, 50, 15)
  expect(await triggers(hr)).toEqual([])
  await privateHr.put(first['@id'], { protected: true })
  const second = await sick(worker, 20, 20)
  expect(await triggers(hr)).toMatchObject([{ spells: 1, score: 20 }])
  await hr.put(second['@id'], { retired: true })
  await portal.drain()
  expect(await triggers(hr)).toEqual([])
})

test('an absence that continues is compared with the limits each day', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { hr, worker, sick } = await company({ sicknessScoreLimit: 12 })
  await sick(worker, 9, 10, { lastDay: null })
  expect(await triggers(hr)).toEqual([])
  await moveClock(portal.engine, 2)
  await portal.runSchedule('sickness.check-limits-daily')
  expect(await triggers(hr)).toMatchObject([{ days: 12 }])
})

test('without limits nobody is notified, and only human resources set them', async () => {
  const { hr, worker, sick, client } = await company({ sicknessScoreLimit: null, sicknessSpellLimit: null })
  for (const day of [70, 50, 30, 10]) await sick(worker, day, 5)
  expect(await triggers(hr)).toEqual([])
  const settings = `/api/employees/leave_settings/${client.id}`
  expect((await worker.api.put(settings, { sicknessSpellLimit: 1 })).status).toBe(403)
  expect((await hr.put(settings, { sicknessSpellLimit: 0 })).status).toBe(422)
})

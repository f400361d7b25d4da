import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'

test('a mass update sets one detail of many employees, reports refusals, and its undo restores the former values', async () => {
  const client = await portal.client({ packs: ['employees'] })
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const add = async (forename: string) => (await hr.post(EMPLOYEES, { forename, surname: 'Day' })).body['@id']
  const [boss, ann, bob] = [await add('Boss'), await add('Ann'), await add('Bob')]
  const managerOf = async (iri: string) => (await hr.get(iri)).body.manager
  const change = { action: 'manager', ids: [boss, ann, bob], input: { manager: boss } }
  expect((await worker.post(`${EMPLOYEES}/bulk`, change)).status).toBe(403)
  const { status, body } = await hr.post(`${EMPLOYEES}/bulk`, change)
  expect(status, JSON.stringify(body)).toBe(200)
  expect([await managerOf(ann), await managerOf(bob), await managerOf(boss)]).toEqual([boss, boss, null])
  expect(JSON.stringify(body.refused)).toContain('Employees can’t report to themselves')
  const [{ value, ids }] = body.former
  await hr.post(`${EMPLOYEES}/bulk`, { action: 'manager', ids, input: { manager: value } })
  expect([await managerOf(ann), await managerOf(bob)]).toEqual([null, null])
})

test('a mass update of a department changes only its members, and only readers of the department filter people by it', async () => {
  const client = await portal.client({ packs: ['employees'] })
  const hr = client.as(await client.user({ roles: ['ROLE_HR'] }))
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const department = (await hr.post('/api/employees/departments', { name: 'Yard' })).body
  const add = async (values: Record<string, unknown>) =>
    (await hr.post(EMPLOYEES, { forename: 'Ann', surname: 'Day', ...values })).body['@id']
  const [inside, outside] = [await add({ department: department['@id'] }), await add({ nation: 'scotland' })]
  const total = async (filter: string, who = hr) => (await who.get(`${EMPLOYEES}?${filter}`)).body['hydra:totalItems']
  const filter = `department=${department.id}`
  expect([await total(filter), await total('nation=scotland'), await total(filter, worker)]).toEqual([1, 1, 2])
  const change = { action: 'jobtitlename', all: true, input: { jobtitlename: 'Roofer' } }
  expect((await hr.post(`${EMPLOYEES}/bulk?${filter}`, { ...change, count: 2 })).status).toBe(409)
  expect((await hr.post(`${EMPLOYEES}/bulk?${filter}`, { ...change, count: 1 })).status).toBe(200)
  const titles = [inside, outside].map(async (iri) => (await hr.get(iri)).body.jobtitlename)
  expect(await Promise.all(titles)).toEqual(['Roofer', ''])
})

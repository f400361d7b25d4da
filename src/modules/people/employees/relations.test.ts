import { expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'
const RECORDS = '/api/employees/records'
const DEPARTMENTS = '/api/employees/departments'

const PACKS = ['employees', 'safety'] as const

/** A company with an administrator, a person of human resources, and functions that add employees. */
async function company() {
  const client = await portal.client({ packs: PACKS })
  const as = async (...roles: string[]) => {
    const user = await client.user({ roles })
    return { user, api: client.as(user) }
  }
  const admin = (await as('ROLE_CLIENT_ADMIN')).api
  const hr = (await as('ROLE_HR')).api
  const add = async (forename: string, values: Record<string, unknown> = {}): Promise<string> => {
    const { status, body, text } = await admin.post(EMPLOYEES, { forename, surname: 'Day', ...values })
    expect(status, text).toBe(201)
    return body['@id']
  }
  /** Adds an employee with an account, and returns both. */
  const join = async (forename: string, values: Record<string, unknown> = {}) => {
    const { user, api } = await as('ROLE_EMPLOYEE')
    return { user, api, iri: await add(forename, { user: user.iri, ...values }) }
  }
  return { client, as, admin, hr, add, join }
}

const names = async (api: TestApi, url: string): Promise<string[]> => {
  const { status, body, text } = await api.get(url)
  expect(status, text).toBe(200)
  return body['hydra:member'].map(({ forename }: { forename: string }) => forename)
}
const idOf = (iri: string) => Number(iri.split('/').at(-1))
const recordOf = (iri: string) => `${RECORDS}/${idOf(iri)}`

test('employees read their own record, managers everybody below them, heads their department, and human resources all', async () => {
  const c = await company()
  const director = await c.join('Director')
  const foreman = await c.join('Foreman', { manager: director.iri })
  const mason = await c.join('Mason', { manager: foreman.iri })
  const clerk = await c.join('Clerk')
  const head = await c.join('Head')
  const office = (await c.hr.post(DEPARTMENTS, { name: 'Office', head: head.iri })).body['@id']
  await c.hr.put(clerk.iri, { department: office })
  const { api: author } = await c.as('ROLE_SAFETY_AUTHOR')

  expect(await names(mason.api, RECORDS)).toEqual(['Mason'])
  expect(await names(foreman.api, RECORDS)).toEqual(['Foreman', 'Mason'])
  expect(await names(director.api, RECORDS)).toEqual(['Director', 'Foreman', 'Mason'])
  expect(await names(head.api, RECORDS)).toEqual(['Clerk', 'Head'])
  expect(await names(author, RECORDS)).toEqual([])
  expect((await names(c.hr, RECORDS)).length).toBe(5)
  expect((await names(c.admin, RECORDS)).length).toBe(5)
  expect((await foreman.api.get(recordOf(clerk.iri))).status).toBe(404)
  const jobs = async (api: TestApi) => (await api.get('/api/employees/jobs')).body['hydra:totalItems']
  expect([await jobs(mason.api), await jobs(foreman.api), await jobs(author)]).toEqual([1, 2, 0])

  // A retired manager has no reports, and the head of a retired department has no members.
  await c.hr.put(foreman.iri, { retired: true, successor: mason.iri })
  expect(await names(director.api, RECORDS)).toEqual(['Director', 'Foreman', 'Mason'])
  await c.hr.put(clerk.iri, { department: null })
  expect((await c.hr.put(office, { retired: true })).status).toBe(200)
  expect(await names(head.api, RECORDS)).toEqual(['Head'])
})

test('provider staff and other companies read no employee record', async () => {
  const [c, other] = [await company(), await company()]
  const iri = await c.add('Ann')
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  for (const api of [staff, other.admin, other.hr]) expect((await api.get(recordOf(iri))).status).toBe(404)
  expect((await other.hr.put(iri, { surname: 'Theirs' })).status).toBe(404)
})

test('bank details and National Insurance number are visible to their role and to the employee only, and their reading is logged', async () => {
  const c = await company()
  const { api: clerk } = await c.as('ROLE_HR', 'ROLE_HR_PRIVATE')
  const manager = await c.join('Manager')
  const ann = await c.join('Ann', { manager: manager.iri })
  const secret = {
    nationalInsuranceNumber: 'AB123456C',
    accountHolder: 'A Day',
    sortCode: '089999',
    accountNumber: '66374958',
  }
  const { status, text } = await clerk.put(ann.iri, {
    ...secret,
    nationalInsuranceNumber: 'ab 12 34 56 c',
    sortCode: '08-99-99',
  })
  expect(status, text).toBe(200)
  for (const api of [clerk, ann.api]) expect((await api.get(recordOf(ann.iri))).body).toMatchObject(secret)
  for (const api of [c.hr, c.admin, manager.api])
    for (const url of [recordOf(ann.iri), ann.iri])
      for (const name of Object.keys(secret)) expect((await api.get(url)).body, url).not.toHaveProperty(name)
  // Without the role, the values are ignored.
  await c.hr.put(ann.iri, { nationalInsuranceNumber: 'CE123456D' })
  expect((await clerk.get(recordOf(ann.iri))).body.nationalInsuranceNumber).toBe('AB123456C')
  expect((await clerk.get(RECORDS)).text).not.toContain('AB123456C')
  const reads = await c.admin.get('/api/portal/confidential_reads')
  expect(reads.text).toContain('EmployeeRecord')
})

test('wrong private details are refused beside their fields', async () => {
  const c = await company()
  const { api: clerk } = await c.as('ROLE_HR', 'ROLE_HR_PRIVATE')
  const iri = await c.add('Ann')
  for (const [wrong, path] of [
    [{ nationalInsuranceNumber: 'QQ123456C' }, 'nationalInsuranceNumber'],
    [{ accountHolder: 'A Day', sortCode: '12345', accountNumber: '12345678' }, 'sortCode'],
    [{ accountNumber: '12345678' }, 'accountHolder'],
    [{ emergencyContacts: [{ name: 'Bob', number: 'abc' }] }, 'emergencyContacts[0].number'],
  ] as const) {
    const { status, body } = await clerk.put(iri, wrong)
    expect([status, body.violations?.[0]?.propertyPath], JSON.stringify(wrong)).toEqual([422, path])
  }
  const contacts = [{ name: 'Bob Day', number: '07700 900123' }]
  for (const wrong of ['Bob', [[[1]]], [null], ['Bob'], [{ name: ['Bob'], number: '1' }], { 0: { name: 'Bob' } }])
    for (const method of ['put', 'patch'] as const) {
      const { status, body } = await c.hr[method](iri, { emergencyContacts: wrong })
      const refused = [422, 'emergencyContacts']
      expect([status, body.violations?.[0]?.propertyPath], JSON.stringify(wrong)).toEqual(refused)
    }
  expect((await c.hr.put(iri, { emergencyContacts: contacts })).status).toBe(200)
  expect((await c.hr.get(recordOf(iri))).body.emergencyContacts).toEqual(contacts)
})

test('a second employee with one name and birth date is added only if both are intended', async () => {
  const c = await company()
  const first = await c.add('Ann', { dob: '1990-05-06' })
  const again = { forename: 'ANN', surname: 'Day', dob: '1990-05-06' }
  const { status, body } = await c.hr.post(EMPLOYEES, again)
  expect([status, body.code, body.existing]).toEqual([409, 'already_there', first])
  expect((await c.hr.post(EMPLOYEES, { ...again, dob: '1990-05-07' })).status).toBe(201)
  await c.hr.put(first, { retired: true })
  const returning = await c.hr.post(EMPLOYEES, again)
  expect([returning.status, returning.body.detail]).toEqual([409, expect.stringContaining('has left')])
  const both = await c.hr.post(EMPLOYEES, { ...again, keepBoth: true })
  expect([both.status, both.body.keepBoth]).toEqual([201, undefined])
})

test('an employee can’t report to themselves, directly or through others', async () => {
  const c = await company()
  const [ann, bob, cy] = [await c.add('Ann'), await c.add('Bob'), await c.add('Cy')]
  expect((await c.hr.put(ann, { manager: ann })).status).toBe(422)
  expect((await c.hr.put(bob, { manager: ann })).status).toBe(200)
  expect((await c.hr.put(cy, { manager: bob })).status).toBe(200)
  const { status, body } = await c.hr.put(ann, { manager: cy })
  expect([status, body.detail]).toEqual([409, 'Please choose a manager who does not report to this employee.'])
})

test('two concurrent changes do not close a circle of three together', async () => {
  const c = await company()
  for (let round = 0; round < 5; round++) {
    const [ann, bob, cy] = [await c.add('Ann'), await c.add('Bob'), await c.add('Cy')]
    await c.hr.put(bob, { manager: ann })
    const saved = await Promise.all([c.hr.put(cy, { manager: bob }), c.admin.put(ann, { manager: cy })])
    expect(saved.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('the manager of an account is the account of the employee’s manager, and changes only there', async () => {
  const c = await company()
  const [boss, other, worker] = [await c.join('Boss'), await c.join('Other'), await c.join('Worker')]
  const manager = async () => (await c.admin.get(worker.user.iri)).body.manager
  await c.hr.put(worker.iri, { manager: boss.iri })
  expect(await manager()).toBe(boss.user.iri)
  expect((await c.admin.put(worker.user.iri, { manager: other.user.iri })).status).toBe(409)
  expect((await c.admin.put(worker.user.iri, { manager: boss.user.iri, telephone: '01632 960001' })).status).toBe(200)
  const clerk = await c.add('Clerk')
  await c.hr.put(worker.iri, { manager: clerk })
  expect(await manager()).toBeNull()
  const { user } = await c.as('ROLE_EMPLOYEE')
  await c.admin.put(clerk, { user: user.iri })
  expect(await manager()).toBe(user.iri)
})

test('an account stays with its employee through a change of name, leaving and return', async () => {
  const c = await company()
  const [ann, spare] = [await c.join('Ann'), await c.as('ROLE_EMPLOYEE')]
  const account = async () => (await c.admin.get(ann.iri)).body.user
  await c.hr.put(ann.iri, { forename: 'Anna' })
  await c.hr.put(ann.iri, { retired: true })
  expect((await ann.api.get(RECORDS)).status).toBe(401)
  await c.hr.put(ann.iri, { retired: false })
  expect(await account()).toBe(ann.user.iri)
  // Only an administrator lets the returned employee sign in again.
  expect((await c.admin.get(ann.user.iri)).body.isRetired).toBe(true)
  expect((await c.admin.put(ann.iri, { user: spare.user.iri })).status).toBe(409)
})

test('the link of an account is changed by another administrator, and passes to no account of the same one', async () => {
  const c = await company()
  const { user, iri } = await c.join('Ann', { accountHolder: 'A Day', sortCode: '200000', accountNumber: '55779911' })
  const spy = await c.as('ROLE_EMPLOYEE')
  const link = (api: TestApi, account: string | null, of = iri) => api.put(of, { user: account })
  const linked = async (of = iri) => (await c.admin.get(of)).body.user
  expect((await link(c.admin, spy.user.iri)).status).toBe(409)
  expect((await link(c.admin, null)).status).toBe(200)
  const { status, body } = await link(c.admin, spy.user.iri)
  expect([status, body.detail]).toEqual([409, expect.stringContaining('Another administrator')])
  expect((await link(c.admin, user.iri)).status).toBe(200)
  expect((await link(c.admin, null)).status).toBe(200)
  const second = (await c.as('ROLE_CLIENT_ADMIN')).api
  expect((await link(second, spy.user.iri)).status).toBe(200)
  // Only administrators change the link, but not the link of their own account.
  await link(c.hr, null)
  expect(await linked()).toBe(spy.user.iri)
  const boss = await c.as('ROLE_CLIENT_ADMIN')
  const own = await c.add('Boss', { user: boss.user.iri })
  expect((await link(boss.api, null, own)).status).toBe(403)
  expect(await linked(own)).toBe(boss.user.iri)
})

import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'
const LIST = `${EMPLOYEES}/list`
const DETAILED = `${EMPLOYEES}/safetyDetailed`
const NAMES = ['forename', 'surname', 'name', 'isSubby', 'retired']
const PRIVATE = ['address1', 'address2', 'city', 'county', 'postcode', 'telephone', 'mobile', 'dob', 'age', 'sex']

const ANN = {
  forename: 'Ann',
  surname: 'Carter',
  email: 'ann@crew.example',
  address1: '1 Mill Lane',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 1AA',
  telephone: '07700 900301',
  extCStartDate: '2020-03-02',
  payroll: 'P7',
  jobtitlename: 'Fitter',
  dob: '1990-05-06',
  sex: 2,
}

async function crew(): Promise<{ client: TestClient; admin: TestApi; author: TestApi; worker: TestApi }> {
  const client = await portal.client()
  const as = async (role: string) => client.as(await client.user({ roles: [role] }))
  return {
    client,
    admin: await as('ROLE_CLIENT_ADMIN'),
    author: await as('ROLE_SAFETY_AUTHOR'),
    worker: await as('ROLE_EMPLOYEE'),
  }
}

async function add(admin: TestApi, values: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await admin.post(EMPLOYEES, { forename: 'Bob', surname: 'Day', ...values })
  expect(status, text).toBe(201)
  return body['@id']
}

const members = async (api: TestApi, url: string) => {
  const { status, body, text } = await api.get(url)
  expect(status, text).toBe(200)
  return body['hydra:member'] as readonly Readonly<Record<string, unknown>>[]
}
const namesIn = async (api: TestApi, url: string) => (await members(api, url)).map(({ name }) => name)

/** Sets the portal's clock until the test ends. */
async function setTime(time: string): Promise<void> {
  onTestFinished(() => moveClock(portal.engine, 0))
  const ahead = Date.parse(time) - Date.now()
  await portal.db.tx('system', (tx) =>
    tx.rows('UPDATE clock SET ahead = make_interval(secs => $1::float8 / 1000)', [ahead]),
  )
  await portal.engine.clock.load()
}

const looks = (clientId: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ row_id: number; changes: Record<string, unknown> }>(
      "SELECT row_id, changes FROM audit WHERE client_id = $1 AND type = 'Employee' AND verb = 'look' AND row_id = 0 ORDER BY id",
      [clientId],
    ),
  )

test('safety authors list employees with the details for the accident book, and the access is logged', async () => {
  const { client, admin, author } = await crew()
  const iri = await add(admin, ANN)
  const { body } = await author.get(`${DETAILED}?retired=false&isSubby=false&order[forename]=ASC`)
  expect(body).toMatchObject({ '@id': DETAILED, '@type': 'hydra:Collection', 'hydra:totalItems': 1 })
  const [one] = body['hydra:member']
  expect(one).toMatchObject({ '@id': iri, '@type': 'Employee', name: 'Ann Carter', address2: '', ...ANN })
  expect(one.age).toBeGreaterThan(35)
  expect(one).not.toHaveProperty('user')
  expect(await looks(client.id)).toEqual([{ row_id: 0, changes: { fields: PRIVATE, ids: [one.id] } }])
  expect((await members(author, `${DETAILED}?forename=nobody`)).length).toBe(0)
  expect(await looks(client.id)).toHaveLength(1)
})

test('unknown details of an employee are empty, null or 0', async () => {
  const { admin, author } = await crew()
  await add(admin, {})
  expect((await members(author, DETAILED))[0]).toMatchObject({
    address1: '',
    county: '',
    payroll: '',
    jobtitlename: '',
    extCStartDate: null,
    dob: null,
    age: 0,
    sex: 0,
  })
})

test('workers list employees by name only', async () => {
  const { admin, author, worker } = await crew()
  const iri = await add(admin, ANN)
  const [listed] = await members(worker, LIST)
  const own = (record: object) => Object.keys(record).filter((key) => !key.startsWith('@') && key !== 'id')
  expect(own(listed ?? {}).toSorted()).toEqual(NAMES.toSorted())
  expect(own((await worker.get(iri)).body).toSorted()).toEqual(NAMES.toSorted())
  expect((await worker.get(DETAILED)).status).toBe(403)
  // Fields that a worker may not see can't be searched or sorted either.
  expect(await namesIn(worker, `${LIST}?email=nobody`)).toEqual(['Ann Carter'])
  // Other lists of employees omit private fields, also for authors.
  expect(own((await members(author, EMPLOYEES))[0] ?? {}).filter((key) => PRIVATE.includes(key))).toEqual([])
  expect((await author.get(iri)).body).toMatchObject({ dob: '1990-05-06', address1: '1 Mill Lane' })
})

test('searches of employees show those in service by forename, unless the query says otherwise', async () => {
  const { admin, author, worker } = await crew()
  for (const [forename, surname, more] of [
    ['Zoë', 'Abbott', {}],
    ['Ann', 'Young', { isSubby: true }],
    ['Ann', 'Carter', {}],
    ['Ian', 'Gone', { retired: true }],
  ] as const)
    await add(admin, { forename, surname, ...more })
  expect(await namesIn(worker, LIST)).toEqual(['Ann Carter', 'Ann Young', 'Zoë Abbott'])
  expect(await namesIn(author, DETAILED)).toEqual(['Ann Carter', 'Ann Young', 'Zoë Abbott'])
  expect(await namesIn(worker, `${LIST}?retired=true`)).toEqual(['Ian Gone'])
  expect(await namesIn(worker, `${LIST}?order[forename]=DESC&itemsPerPage=1`)).toEqual(['Zoë Abbott'])
  expect(await namesIn(worker, `${LIST}?surname=cart`)).toEqual(['Ann Carter'])
  expect(await namesIn(worker, `${LIST}?q=zoe`)).toEqual(['Zoë Abbott'])
  expect(await namesIn(worker, `${LIST}?page=2&itemsPerPage=2`)).toEqual(['Zoë Abbott'])
  expect(await namesIn(worker, '/api/employees/holiday_users')).toEqual(['Ann Carter', 'Zoë Abbott'])
})

test('only an administrator of the company creates, changes and retires employees', async () => {
  const { admin, author, worker } = await crew()
  const iri = await add(admin, ANN)
  for (const api of [author, worker]) {
    expect((await api.post(EMPLOYEES, { forename: 'Bob', surname: 'Day' })).status).toBe(403)
    expect((await api.put(iri, { surname: 'Day' })).status).toBe(403)
  }
  expect((await admin.put(iri, { surname: 'Young' })).body).toMatchObject({ name: 'Ann Young' })
  expect((await admin.put(iri, { retired: true })).status).toBe(200)
  expect(await namesIn(worker, LIST)).toEqual([])
  expect((await admin.delete(iri)).status).toBe(405)
})

test('another company, and provider staff, reach no employee', async () => {
  const [one, other] = [await crew(), await crew()]
  const iri = await add(one.admin, ANN)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  for (const api of [other.admin, other.author, other.worker, staff]) {
    expect((await api.get(iri)).status).toBe(404)
    expect(await namesIn(api, `${LIST}?q=ann`)).toEqual([])
  }
  expect(await namesIn(other.author, DETAILED)).toEqual([])
  expect((await other.admin.put(iri, { surname: 'Theirs' })).status).toBe(404)
  expect((await portal.anonymous.get(LIST)).status).toBe(401)
})

test('a company without health and safety has no employees', async () => {
  const client = await portal.client({ packs: [] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  for (const url of [LIST, DETAILED, EMPLOYEES]) expect((await admin.get(url)).status, url).toBe(403)
})

test('an account belongs to at most one employee of the same company', async () => {
  const [{ client, admin, author }, other] = [await crew(), await crew()]
  const account = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const iri = await add(admin, { user: account.iri })
  expect((await admin.get(iri)).body.user).toBe(account.iri)
  expect((await author.get(iri)).body).not.toHaveProperty('user')
  expect((await admin.post(EMPLOYEES, { forename: 'Cy', surname: 'Fox', user: account.iri })).status).toBe(422)
  expect((await other.admin.post(EMPLOYEES, { forename: 'Cy', surname: 'Fox', user: account.iri })).status).toBe(400)
})

test('a date of birth lies between 1900 and today, and a sex is 0, 1 or 2', async () => {
  const { admin } = await crew()
  const iri = await add(admin, {})
  for (const wrong of [{ dob: '1899-12-31' }, { dob: '2999-01-01' }, { sex: 3 }, { forename: ' ' }])
    expect((await admin.put(iri, wrong)).status, JSON.stringify(wrong)).toBe(422)
})

test('the audit trail shows that a date of birth changed, but not the date', async () => {
  const { client, admin } = await crew()
  await add(admin, ANN)
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ changes: string }>("SELECT changes::text FROM audit WHERE client_id = $1 AND type = 'Employee'", [
      client.id,
    ]),
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.some(({ changes }) => /1990-05-06|Mill Lane/.test(changes))).toBe(false)
})

test('an age changes at midnight in London, and for a birthday on 29 February on 1 March', async () => {
  const { admin, author } = await crew()
  await add(admin, { forename: 'July', dob: '2000-07-01' })
  await add(admin, { forename: 'Leap', dob: '2000-02-29' })
  const ages = async (time: string) => {
    await setTime(time)
    return (await members(author, DETAILED)).map(({ age }) => age)
  }
  expect(await ages('2027-06-30T22:59:00Z')).toEqual([26, 27])
  expect(await ages('2027-06-30T23:01:00Z')).toEqual([27, 27])
  expect(await ages('2029-02-28T23:59:00Z')).toEqual([28, 28])
  expect(await ages('2029-03-01T00:01:00Z')).toEqual([28, 29])
  expect(await ages('2028-02-28T23:59:00Z')).toEqual([27, 27])
  expect(await ages('2028-02-29T00:01:00Z')).toEqual([27, 28])
})

test('a search among 5,000 employees reads only those with the name', async () => {
  const { client, author } = await crew()
  const plan = await portal.db.tx('system', async (tx) => {
    await tx.rows(
      "INSERT INTO employee (client_id, forename, surname) SELECT $1, 'Person' || n, 'Surname' || n FROM generate_series(1, 5000) n",
      [client.id],
    )
    await tx.script('ANALYZE employee')
    return tx.rows<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM employee t WHERE t.client_id = ${client.id} AND NOT t.retired ORDER BY t.forename, t.surname, t.id LIMIT 30`,
    )
  })
  expect(JSON.stringify(plan)).toContain('employee_names')
  expect(await namesIn(author, `${DETAILED}?q=surname4711`)).toEqual(['Person4711 Surname4711'])
  expect((await author.get(LIST)).body['hydra:totalItems']).toBe(5000)
})

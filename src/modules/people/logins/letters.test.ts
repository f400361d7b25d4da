import { afterAll, expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { extractText } from '#test/pdf/words.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

afterAll(closeAllPools)
const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'
const RECORDS = '/api/employees/records'
const FIRST_SIGN_IN = '/api/employees/first_sign_in'
const PASSWORD = 'three brown walnuts'

async function company() {
  const client = await portal.client({ packs: ['employees'] })
  const as = async (...roles: string[]) => client.as(await client.user({ roles }))
  const [admin, hr] = [await as('ROLE_CLIENT_ADMIN'), await as('ROLE_HR')]
  const add = async (forename: string, values: Record<string, unknown> = {}): Promise<number> =>
    (await admin.post(EMPLOYEES, { forename, surname: 'Day', ...values })).body.id
  const enter = (username: string, code: string, api = portal.anonymous) =>
    api.post(FIRST_SIGN_IN, { client: client.id, username, code })
  return { client, as, admin, hr, add, enter }
}

const print = (api: TestApi, ...ids: number[]) =>
  api.post('/api/employees/login_letters', { employees: ids.map((id) => `${RECORDS}/${id}`) })

/** Prints letters, and returns their codes. */
async function codesOf(api: TestApi, ...ids: number[]): Promise<string[]> {
  const { status, raw, text } = await print(api, ...ids)
  expect(status, text).toBe(200)
  return (await extractText(raw as Buffer)).match(/[A-Z0-9]{4}-[A-Z0-9]{4}/g) ?? []
}
const choose = (token: string) => portal.anonymous.post(`/api/portal/password/reset/${token}`, { password: PASSWORD })

test('an employee without an e-mail address enters the code of a letter once, and signs in', async () => {
  const { client, hr, admin, add, enter } = await company()
  const [ann, bob] = [await add('Ann'), await add('Bob')]
  const codes = await codesOf(hr, ann, bob)
  expect(codes).toHaveLength(2)
  const [code = ''] = codes
  const stored = await portal.db.tx('system', (tx) =>
    tx.rows<{ row: string }>('SELECT l::text AS row FROM employee_login l WHERE client_id = $1', [client.id]),
  )
  expect(stored.map(({ row }) => row).join()).not.toContain(code.replace('-', ''))
  expect((await hr.get(`${RECORDS}/${ann}`)).body.login).toBe('letter')

  expect((await enter('bob.day', code)).status).toBe(422)
  expect((await enter('ann.day', code, admin)).status).toBe(409)
  const { body } = await enter('Ann.Day', ` ${code.toLowerCase().replace('-', ' ')} `)
  expect((await hr.get(`${RECORDS}/${ann}`)).body.login).toBe('opened')
  expect((await choose(body.token)).status).toBe(204)
  expect((await enter('ann.day', code)).status).toBe(422)
  const signIn = { username: 'ann.day', password: PASSWORD, client: client.id }
  expect((await portal.anonymous.post('/api/security/login', signIn)).status).toBe(200)
  expect((await hr.get(`${RECORDS}/${ann}`)).body.login).toBe('signedIn')
  // From the first sign-in on, only an administrator sets a new password.
  expect((await print(hr, ann)).status).toBe(409)
})

test('a code ends with a new letter, after seven days and when the employee leaves', async () => {
  const { hr, add, enter } = await company()
  const ann = await add('Ann')
  const [first = ''] = await codesOf(hr, ann)
  const [second = ''] = await codesOf(hr, ann)
  expect((await enter('ann.day', first)).status).toBe(422)
  const { token } = (await enter('ann.day', second)).body
  onTestFinished(() => moveClock(portal.engine, 0))
  await moveClock(portal.engine, 8)
  expect((await enter('ann.day', second)).status).toBe(422)
  await moveClock(portal.engine, 0)
  expect((await enter('ann.day', second)).status).toBe(200)
  await hr.put(`${EMPLOYEES}/${ann}`, { retired: true })
  expect((await enter('ann.day', second)).status).toBe(422)
  expect((await choose(token)).status).toBe(404)
  expect((await print(hr, ann)).status).toBe(409)
})

test('wrong codes are limited like wrong passwords', async () => {
  const { hr, add, enter } = await company()
  const [code = ''] = await codesOf(hr, await add('Ann'))
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await enter('ann.day', 'AAAA-AAAA')).status)
  expect(statuses).toEqual([422, 422, 422, 422, 429])
  expect((await enter('ann.day', code)).status).toBe(429)
})

test('a letter is for employees without an e-mail address and without other roles', async () => {
  const { client, as, hr, add, admin } = await company()
  const ann = await add('Ann', { email: 'ann@crew.example' })
  expect((await print(hr, ann)).body['hydra:description']).toMatch(/has an e-mail address/)
  const boss = await add('Boss', { user: (await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })).iri })
  expect((await print(hr, boss)).status).toBe(409)
  expect((await print(admin, boss)).status).toBe(409)
  expect((await print(hr)).status).toBe(422)
  expect((await print(await as('ROLE_EMPLOYEE'), ann)).status).toBe(403)
  const other = await company()
  expect((await print(other.hr, ann)).status).toBe(404)
})

import { afterAll, expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { startMailServer } from '#test/e2e/support/letters.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const post = await startMailServer()
afterAll(() => post.close())
const portal = await (await testPortal()).with({ SMTP_URL: post.address })
const EMPLOYEES = '/api/employees/employees'
const RECORDS = '/api/employees/records'
const LOGINS = '/api/employees/logins'
const PASSWORD = 'three brown walnuts'

async function company(settings: { lettersPerDay?: number } = {}) {
  const client = await portal.client({ packs: ['employees'] })
  const { lettersPerDay } = settings
  if (lettersPerDay !== undefined)
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE client SET letters_per_day = $2 WHERE id = $1', [client.id, lettersPerDay]),
    )
  const as = async (...roles: string[]) => client.as(await client.user({ roles }))
  const [admin, hr] = [await as('ROLE_CLIENT_ADMIN'), await as('ROLE_HR')]
  const at = (name: string) => `${name}@c${client.id}.example`
  const add = async (forename: string, values: Record<string, unknown> = {}): Promise<number> => {
    const email = at(forename.toLowerCase())
    const { status, body, text } = await admin.post(EMPLOYEES, { forename, surname: 'Day', email, ...values })
    expect(status, text).toBe(201)
    return body.id
  }
  return { client, as, admin, hr, add, at }
}

const send = (api: TestApi, id: number) => api.post(`${RECORDS}/${id}/send-login-details`, {})
const loginOf = async (api: TestApi, id: number) => (await api.get(`${LOGINS}?employee=${id}`)).body['hydra:member'][0]
const stateOf = async (api: TestApi, id: number) => (await api.get(`${RECORDS}/${id}`)).body.login

/** Sends the waiting e-mails. Returns the token in the latest one to an address; undefined if there is none. */
async function tokenFor(to: string): Promise<string> {
  await portal.drain()
  const text = post.letters.findLast((one) => one.to === to)?.text ?? ''
  return /first-sign-in\/([\w-]+)/.exec(text)?.[1] ?? ''
}
const open = (token: string, api = portal.anonymous) => api.get(`/api/employees/first_sign_in/${token}`)
const choose = (token: string, api = portal.anonymous, password = PASSWORD) =>
  api.post(`/api/portal/password/reset/${token}`, { password })

test('human resources send login details, and the record shows that they were sent, opened and used', async () => {
  const { client, hr, admin, add, at } = await company()
  const ann = await add('Ann')
  expect(await stateOf(hr, ann)).toBe('none')
  const sent = await send(hr, ann)
  expect(sent.status, sent.text).toBe(200)
  expect(await stateOf(hr, ann)).toBe('sending')
  expect((await admin.get(`${EMPLOYEES}/${ann}`)).body.user).toMatch(/users\/\d+$/)
  const login = await loginOf(hr, ann)
  expect(login).toMatchObject({ email: at('ann'), sentAt: null, openedAt: null, signedInAt: null })
  expect(login).not.toHaveProperty('linkHash')

  const token = await tokenFor(at('ann'))
  expect(await stateOf(hr, ann)).toBe('sent')
  expect((await open(token)).body).toMatchObject({ username: 'ann.day', name: 'Ann Day', client: client.id })
  expect(await stateOf(hr, ann)).toBe('opened')
  expect((await choose(token)).status).toBe(204)
  const signIn = { username: 'ann.day', password: PASSWORD, client: client.id }
  expect((await portal.anonymous.post('/api/security/login', signIn)).body.user.roles).toEqual(['ROLE_EMPLOYEE'])
  expect(await stateOf(hr, ann)).toBe('signedIn')
  expect((await loginOf(hr, ann)).signedInAt).toEqual(expect.any(String))
  expect((await open(token)).status).toBe(404)
  expect((await choose(token)).status).toBe(404)
})

test('login details sent again end the earlier link', async () => {
  const { hr, add, at } = await company()
  const ann = await add('Ann')
  await send(hr, ann)
  const first = await tokenFor(at('ann'))
  expect((await open(first)).status).toBe(200)
  await send(hr, ann)
  expect((await open(first)).status).toBe(404)
  const next = await tokenFor(at('ann'))
  expect((await open(next)).status).toBe(200)
  const { body } = await hr.get(`${LOGINS}?employee=${ann}`)
  expect(body['hydra:member'].map(({ state }: { state: string }) => state)).toEqual(['opened', 'ended'])
})

test('a link works for its owner only, and not after the employee has left', async () => {
  const { hr, admin, add, as, at } = await company()
  const [ann, bob] = [await add('Ann'), await add('Bob')]
  await send(hr, ann)
  await send(hr, bob)
  const [ofAnn, ofBob] = [await tokenFor(at('ann')), await tokenFor(at('bob'))]
  const other = await as('ROLE_EMPLOYEE')
  expect((await open(ofAnn, other)).status).toBe(409)
  expect((await choose(ofAnn, other)).status).toBe(409)
  expect((await loginOf(hr, ann)).openedAt).toBeNull()
  await hr.put(`${EMPLOYEES}/${bob}`, { retired: true })
  expect((await open(ofBob)).status).toBe(404)
  expect((await choose(ofBob)).status).toBe(404)
  expect((await send(hr, bob)).status).toBe(409)
  await hr.put(`${EMPLOYEES}/${bob}`, { retired: false })
  expect((await send(hr, bob)).body['hydra:description']).toMatch(/account of Bob Day is retired/)
  const gone = await add('Gone', { extCStartDate: '2020-01-06', leavingDate: '2020-02-07' })
  expect((await send(admin, gone)).status).toBe(409)
})

test('nobody but human resources and administrators sends login details, and never for bank details they may not see', async () => {
  const { client, hr, admin, as, add } = await company()
  const ann = await add('Ann')
  expect((await send(await as('ROLE_EMPLOYEE'), ann)).status).toBe(403)
  expect((await send(await as('ROLE_SAFETY_AUTHOR'), ann)).status).toBe(403)
  const privateHr = await as('ROLE_HR', 'ROLE_HR_PRIVATE')
  expect((await privateHr.put(`${EMPLOYEES}/${ann}`, { nationalInsuranceNumber: 'AB123456C' })).status).toBe(200)
  expect((await send(hr, ann)).status).toBe(403)
  expect((await send(privateHr, ann)).status).toBe(200)
  expect((await send(admin, ann)).status).toBe(200)
  const staff = portal.provider.as(
    await portal.provider.user({ roles: ['ROLE_STAFF'], username: `logins.${client.id}` }),
  )
  expect((await send(staff, ann)).status).toBe(403)
  const boss = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const to = new URLSearchParams({ username: boss.username, client: `${client.id}`, reason: 'Help' })
  const visit = portal.bearing((await staff.get(`/api/security/user/switch?${to}`)).body.token)
  const writing = portal.bearing((await visit.post('/api/security/user/write', { reason: 'Help' })).body.token)
  expect((await send(writing, ann)).status).toBe(403)
  const bulk = { action: 'sendLoginDetails', ids: [ann] }
  expect((await writing.post(`${RECORDS}/bulk`, bulk)).status).toBe(403)
})

test('an account with other roles gets its link at its own address, and an employee without one gets none', async () => {
  const { client, hr, admin, add, at } = await company()
  const boss = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: at('boss') })
  const ann = await add('Ann', { user: boss.iri })
  expect((await send(hr, ann)).status).toBe(200)
  expect((await loginOf(hr, ann)).email).toBe(at('boss'))
  expect((await send(hr, await add('Bob', { email: '' }))).status).toBe(409)
  // The address of an account is corrected until the first sign-in.
  const cat = await add('Cat', { email: at('cta') })
  await send(hr, cat)
  const wrong = await tokenFor(at('cta'))
  await admin.put(`${EMPLOYEES}/${cat}`, { email: at('cat') })
  await send(hr, cat)
  expect((await open(wrong)).status).toBe(404)
  expect((await open(await tokenFor(at('cat')))).status).toBe(200)
})

test('a bulk send states the daily limit, stops at it and continues on the next day', async () => {
  const { hr, add, at } = await company({ lettersPerDay: 1 })
  const ids = [await add('Ann'), await add('Bob'), await add('Dot', { email: '' })]
  const { body } = await hr.get('/api/employees/login_preview?retired=false')
  expect(body).toMatchObject({ today: 1, later: 1, perDay: 1, signedIn: 0, refusals: 0 })
  expect([body.employees, body.letters]).toEqual([ids.slice(0, 2), ids.slice(2)])
  const bulk = await hr.post(`${RECORDS}/bulk`, { action: 'sendLoginDetails', ids })
  expect(bulk.status, bulk.text).toBe(200)
  expect(bulk.body).toMatchObject({ done: ids.slice(0, 2), refused: [{ id: ids[2] }] })
  const waiting = async () => (await hr.get(`${RECORDS}?login=waiting`)).body['hydra:totalItems']
  expect(await waiting()).toBe(1)
  await portal.runSchedule('people.send-waiting-logins')
  expect(await waiting()).toBe(1)
  expect(await tokenFor(at('bob'))).toBe('')
  onTestFinished(() => moveClock(portal.engine, 0))
  await moveClock(portal.engine, 1)
  await portal.runSchedule('people.send-waiting-logins')
  expect(await waiting()).toBe(0)
  expect(await tokenFor(at('bob'))).not.toBe('')
})

test('two people with one name get different usernames', async () => {
  const { hr, admin, add } = await company()
  const names: string[] = []
  for (const values of [{}, { email: 'other@crew.example' }]) {
    const id = await add('Zoë', values)
    expect((await send(hr, id)).status).toBe(200)
    const { user } = (await admin.get(`${EMPLOYEES}/${id}`)).body
    names.push((await admin.get(user['@id'] ?? user)).body.username)
  }
  expect(names).toEqual(['zoe.day', 'zoe.day2'])
})

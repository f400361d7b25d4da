import { expect, test } from 'vitest'
import { renderQueuedEmails } from '#test/support/letters.ts'
import { type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const SET = 'kettle moss ladder'
const OWN = 'window carpet moon'
const LOGIN = '/api/security/login'
let n = 0

/** Creates an employee whose password an administrator has set. */
async function employeeWithSetPassword() {
  const client = await portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const person = await client.user({ username: `set.${++n}`, name: 'Pat Moss', email: `set${n}@x.example` })
  const set = await client.as(admin).put(`${person.iri}/password`, { password: SET })
  expect(set.status).toBe(204)
  return { client, admin, person }
}
const login = ({ username, clientId }: TestUser, password: string) =>
  portal.anonymous.post(LOGIN, { username, password, client: clientId })
const choose = (token: string, password: string) =>
  portal.anonymous.post(`/api/portal/password/reset/${token}`, { password })

test('a password set by another person opens no session: its owner can only choose another one', async () => {
  const { person } = await employeeWithSetPassword()
  const { status, body, headers } = await login(person, SET)
  expect([status, body.code, body.token, headers['set-cookie']]).toEqual([
    401,
    'password_change_required',
    undefined,
    undefined,
  ])
  const { token, expiresIn } = body.passwordLink
  expect([expiresIn, (await portal.anonymous.get(`/api/portal/password/reset/${token}`)).status]).toEqual([3600, 200])
  expect((await portal.bearing(token).post('/api/safety/signatures', {})).status).toBe(401)

  const same = await choose(token, SET)
  expect([same.status, same.body.violations[0].message]).toEqual([
    422,
    'Please choose a password that nobody else knows',
  ])
  expect((await choose(token, OWN)).status).toBe(204)
  expect([(await login(person, SET)).status, (await login(person, OWN)).status]).toEqual([401, 200])
  expect((await choose(token, SET)).status).toBe(404)
})

test('the owner is notified of the temporary password and of the new one, and the log records both', async () => {
  const { client, admin, person } = await employeeWithSetPassword()
  const { body } = await login(person, SET)
  await choose(body.passwordLink.token, OWN)
  const emails = await renderQueuedEmails(portal, client.id)
  expect(emails.map(({ to, subject }) => [to, subject])).toEqual([
    [`set${n}@x.example`, 'Your password was changed'],
    [`set${n}@x.example`, 'A password was chosen for your account'],
  ])
  await portal.engine.security.flush()
  const { body: log } = await client.as(admin).get('/api/portal/security_events?event=password')
  expect(log['hydra:member'].map((e: { username: string; detail: string }) => [e.username, e.detail])).toEqual(
    expect.arrayContaining([
      [person.username, 'chosen in place of one that another person had set'],
      [admin.username, `of ${person.username}`],
    ]),
  )
})

test('a password that is set again while its owner chooses one remains temporary, and the owner’s link becomes invalid', async () => {
  const { client, admin, person } = await employeeWithSetPassword()
  const { body } = await login(person, SET)
  await client.as(admin).put(`${person.iri}/password`, { password: 'harbour tin piano' })
  expect((await choose(body.passwordLink.token, OWN)).status).toBe(404)
  expect((await login(person, 'harbour tin piano')).body.code).toBe('password_change_required')
})

test('a password that users set for themselves opens a session', async () => {
  const client = await portal.client()
  const person = await client.user({ password: SET })
  await client.as(person).put(`${person.iri}/password`, { current: SET, password: OWN })
  expect((await login(person, OWN)).status).toBe(200)
})

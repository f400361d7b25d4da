import { describe, expect, test } from 'vitest'
import { createPasswordLink } from '#server/auth/credentials.ts'
import { issueSecondFactorTicket } from '#server/second-factor/tickets.ts'
import { totpCode } from '#test/support/authenticators.ts'
import { runBetweenTransactions } from '#test/support/between.ts'
import {
  LOGIN_URL,
  makeSecondFactorPortals,
  OWN_SECOND_FACTOR_URL,
  problemOf,
  SECOND_FACTOR_LOGIN_URL,
  SECOND_FACTOR_TEST_PASSWORD,
} from '#test/support/factors.ts'
import { processPasswordResetRequests, renderQueuedEmails } from '#test/support/letters.ts'
import type { TestApi, TestResponse, TestUser } from '#test/support/portal.ts'
import { runResetSecondFactorCommand as resetFactor } from '../second-factor/reset.server.ts'

const { anotherHalfMinute, base, login, person, portal, setUpApp, signedIn, tenMinutesLater, withApp } =
  await makeSecondFactorPortals()

const NEW = 'kettle moss ladder'
const CHECK = '/api/security/user_check'
const sql = <T>(text: string, values: readonly unknown[] = []) => base.db.tx('system', (tx) => tx.rows<T>(text, values))
const isIn = async (a: TestResponse) =>
  a.status === 200 && (await portal.bearing(a.body.token).get(CHECK)).status === 200
let n = 0

/** Creates and signs in an administrator of the user's client. */
async function adminOf({ clientId }: TestUser): Promise<TestApi> {
  const tenant = { ...portal.provider, id: clientId }
  const [row] = await sql<{ id: number }>(
    "INSERT INTO user_account (client_id, username, name, roles) VALUES ($1, $2, 'Ad', '{ROLE_CLIENT_ADMIN}') RETURNING id",
    [clientId, `admin.${++n}`],
  )
  return tenant.as({ id: row?.id ?? 0, clientId, username: '', password: undefined, iri: '' })
}
/**
 * Repeats a scenario once for each point between two transactions of the request, and interrupts the request at that
 * point. Returns the number of points.
 */
async function atEachStep(once: (after: number) => Promise<{ readonly reached: boolean }>): Promise<number> {
  let places = 0
  while ((await once(places + 1)).reached) places++
  return places
}

describe('a sign-in in progress', () => {
  test("a sign-in started with the old password doesn't open a session once a new password is set", async () => {
    const places = await atEachStep(async (after) => {
      const p = await person()
      const admin = await adminOf(p)
      const changed = () => admin.put(`${p.iri}/password`, { password: NEW })
      await changed().then(() => admin.put(`${p.iri}/password`, { password: SECOND_FACTOR_TEST_PASSWORD }))
      const { answer, reached } = await runBetweenTransactions(portal.db, after, changed, () => login(p))
      if (reached) expect([after, await isIn(answer)]).toEqual([after, false])
      return { reached }
    })
    expect(places).toBeGreaterThan(2)
  })

  test("a sign-in ticket doesn't open a session once a new password is set or the second factor is removed", async () => {
    for (const change of ['password', 'factor'] as const) {
      const places = await atEachStep(async (after) => {
        const { p, secret } = await withApp()
        const admin = await adminOf(p)
        const { ticket } = (await login(p)).body.secondFactor
        const changed = () =>
          change === 'password'
            ? admin.put(`${p.iri}/password`, { password: NEW })
            : resetFactor(portal.engine, ['--username', p.username, '--client', String(p.clientId)])
        const use = () => portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code: totpCode(secret) })
        const { answer, reached } = await runBetweenTransactions(portal.db, after, changed, use)
        if (reached) expect([change, after, await isIn(answer)]).toEqual([change, after, false])
        return { reached }
      })
      expect(places).toBeGreaterThan(2)
    }
  })

  test('if a second factor is set up during a sign-in, the new session has either passed the second factor or counts as unproven', async () => {
    const places = await atEachStep(async (after) => {
      const p = await person()
      const api = await signedIn(p)
      const { answer, reached } = await runBetweenTransactions(
        portal.db,
        after,
        async () => expect((await setUpApp(api)).status).toBe(200),
        () => login(p),
      )
      if (reached && answer.status === 200)
        expect(problemOf(await portal.bearing(answer.body.token).delete(`${OWN_SECOND_FACTOR_URL}/app`))).toEqual([
          403,
          'proof_required',
        ])
      return { reached }
    })
    expect(places).toBeGreaterThan(2)
  })

  test('a password change has no effect if its session ends in the meantime', async () => {
    const places = await atEachStep(async (after) => {
      const p = await person()
      const [thief, owner] = [await signedIn(p), await signedIn(p)]
      const own = () => owner.put(`${p.iri}/password`, { current: SECOND_FACTOR_TEST_PASSWORD, password: NEW })
      const { answer, reached } = await runBetweenTransactions(portal.db, after, own, () =>
        thief.put(`${p.iri}/password`, { current: SECOND_FACTOR_TEST_PASSWORD, password: 'window carpet moon' }),
      )
      const thiefs = { username: p.username, password: 'window carpet moon', client: p.clientId }
      const { status } = await portal.anonymous.post('/api/security/login', thiefs)
      if (reached) expect([answer.status, status].filter((s) => s < 300)).toEqual(answer.status < 300 ? [204, 200] : [])
      return { reached }
    })
    expect(places).toBeGreaterThan(1)
  })
})

describe("an account's password links", () => {
  const links = async ({ clientId }: TestUser) =>
    (await renderQueuedEmails(portal, clientId)).flatMap(
      ({ body }) => /forgotten-my-password\/([\w-]+)/.exec(body)?.[1] ?? [],
    )
  const forgot = async (p: TestUser) => {
    await portal.anonymous.post('/api/security/password/forgot', { username: p.username, client: p.clientId })
    await processPasswordResetRequests(portal)
  }
  const reset = async (token: string) =>
    (await portal.anonymous.post(`/api/portal/password/reset/${token}`, { password: 'window carpet moon' })).status
  const changes: Readonly<Record<string, (p: TestUser, admin: TestApi) => Promise<TestResponse>>> = {
    'an administrator sets a password': (p, admin) => admin.put(`${p.iri}/password`, { password: NEW }),
    'the owner sets a password': async (p) =>
      (await signedIn(p)).put(`${p.iri}/password`, { current: SECOND_FACTOR_TEST_PASSWORD, password: NEW }),
    'the e-mail address is another': (p, admin) => admin.patch(p.iri, { email: 'new@client.example' }),
    'the username is another': (p, admin) => admin.patch(p.iri, { username: `renamed.${++n}` }),
    'the person is retired and comes back': async (p, admin) => {
      await admin.patch(p.iri, { isRetired: true })
      return admin.patch(p.iri, { isRetired: false })
    },
  }

  test.each(Object.keys(changes))(
    'password links become invalid, and queued e-mails create no new ones, when %s',
    async (change) => {
      const p = await person({ email: 'old@client.example' })
      const admin = await adminOf(p)
      await forgot(p)
      expect((await admin.post(`${p.iri}/invite`)).status).toBe(204)
      const before = await links(p)
      expect(before).toHaveLength(2)
      await sql("DELETE FROM outbox WHERE client_id = $1 AND kind = 'mail'", [p.clientId])
      await forgot(p)
      expect((await changes[change]?.(p, admin))?.status).toBeLessThan(300)
      for (const token of before) expect(await reset(token)).toBe(404)
      expect(await links(p)).toEqual([])
      await forgot(p)
      expect(await links(p)).toHaveLength(change === 'the username is another' ? 0 : 1)
    },
  )
})

describe("a session's proof of identity", () => {
  test('a proof of identity by password becomes invalid once a second factor is set up', async () => {
    const p = await person()
    const [thief, owner] = [await signedIn(p), await signedIn(p)]
    const { secret } = await setUpApp(owner)
    for (const refused of [
      await thief.post(`${OWN_SECOND_FACTOR_URL}/recovery_codes`),
      await thief.delete(`${OWN_SECOND_FACTOR_URL}/app`),
    ])
      expect(problemOf(refused)).toEqual([403, 'proof_required'])
    expect((await owner.post(`${OWN_SECOND_FACTOR_URL}/recovery_codes`)).status).toBe(200)
    await anotherHalfMinute(p)
    const { body } = await thief.post('/api/security/proof', { code: totpCode(secret) })
    expect((await portal.bearing(body.token).delete(`${OWN_SECOND_FACTOR_URL}/app`)).status).toBe(204)
  })

  test('a proof of identity cached by another process is checked again', async () => {
    const p = await person()
    const elsewhere = await base.with({ PUBLIC_URL: 'https://portal.example' })
    const thief = elsewhere.bearing((await login(p)).body.token)
    expect((await thief.get(CHECK)).status).toBe(200)
    await setUpApp(await signedIn(p))
    for (const refused of [
      await thief.post(`${OWN_SECOND_FACTOR_URL}/recovery_codes`),
      await thief.delete(`${OWN_SECOND_FACTOR_URL}/app`),
    ])
      expect(problemOf(refused)).toEqual([403, 'proof_required'])
  })

  test('users with a second factor must prove their identity before changing their own password', async () => {
    const { p, api } = await withApp()
    await tenMinutesLater(p)
    const refused = await api.put(`${p.iri}/password`, { current: SECOND_FACTOR_TEST_PASSWORD, password: NEW })
    expect(problemOf(refused)).toEqual([403, 'proof_required'])
  })
})

test('retiring a client deletes its links, tickets, known browsers and impersonations, and restoring the client does not bring them back', async () => {
  const client = await base.client()
  const p = await client.user({
    roles: ['ROLE_CLIENT_ADMIN'],
    password: SECOND_FACTOR_TEST_PASSWORD,
    email: 'leaves@post.example',
  })
  const given = { username: p.username, password: SECOND_FACTOR_TEST_PASSWORD, client: client.id }
  await portal.anonymous.post(LOGIN_URL, given, { 'x-requested-with': 'portal' })
  const account = { clientId: client.id, userId: p.id }
  const visitor = await signedIn(await person({ clientId: 0, roles: ['ROLE_STAFF'] }))
  const to = `username=${p.username}&client=${client.id}&reason=Help`
  const visit = portal.bearing((await visitor.get(`/api/security/user/switch?${to}`)).body.token)
  const { link, ticket } = await base.db.tx('system', async (tx) => ({
    link: await createPasswordLink(tx, { ...account, epoch: 0 }, 'invite', 60),
    ticket: await issueSecondFactorTicket(tx, account, 'enrol'),
  }))
  const left = () =>
    sql(
      `SELECT (SELECT count(*)::int FROM known_device WHERE client_id = $1) AS browsers,
         (SELECT count(*)::int FROM visit WHERE client_id = $1 AND ended_at IS NULL) AS visits`,
      [client.id],
    )
  expect(await left()).toEqual([{ browsers: 1, visits: 1 }])
  const keeper = await signedIn(await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  for (const retired of [true, false]) {
    expect((await keeper.patch(client.iri, { retired })).status).toBe(200)
    expect((await portal.anonymous.get(`/api/portal/password/reset/${link}`)).status).toBe(404)
    expect((await portal.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket })).status).toBe(401)
    expect((await visit.get(CHECK)).status).toBe(401)
    expect(await left()).toEqual([{ browsers: 0, visits: 0 }])
  }
})

test('links that set a password contain letters and digits only, so that each can be copied in full', async () => {
  const client = await base.client()
  const p = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const links = await base.db.tx('system', async (tx) => {
    const made: unknown[] = []
    for (let n = 0; n < 20; n++)
      made.push(await createPasswordLink(tx, { clientId: client.id, userId: p.id, epoch: 0 }, 'reset', 60))
    return made
  })
  expect(links.filter((link) => !/^[A-Za-z0-9]{32}$/.test(String(link)))).toEqual([])
})

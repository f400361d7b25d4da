import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeSoftwarePasskey, totpCode } from '#test/support/authenticators.ts'
import {
  makeSecondFactorPortals,
  OWN_SECOND_FACTOR_URL,
  PORTAL_ORIGIN,
  problemOf,
  SECOND_FACTOR_LOGIN_URL,
  SECOND_FACTOR_TEST_PASSWORD,
} from '#test/support/factors.ts'
import type { TestApi } from '#test/support/portal.ts'

const { base, login, person, portal, setUpApp, signedIn, strict, tenMinutesLater, withApp } =
  await makeSecondFactorPortals()

describe('a compulsory second factor', () => {
  test('a compulsory second factor is set up at the first sign-in, which then returns a session and recovery codes', async () => {
    const p = await person({ clientId: 0 })
    const first = await login(p, strict)
    expect(problemOf(first)).toEqual([401, 'second_factor_setup_required'])
    const { ticket } = first.body.secondFactor
    const { enrolment, secret } = (await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket })).body
    expect(
      (await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app/confirm`, { ticket, enrolment, code: '000000' }))
        .status,
    ).toBe(422)
    const done = await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app/confirm`, {
      ticket,
      enrolment,
      code: totpCode(secret),
    })
    expect([done.status, done.body.recoveryCodes.length, done.body.user.id]).toEqual([200, 10, p.id])
    expect((await strict.bearing(done.body.token).get('/api/security/user_check')).status).toBe(200)
    expect((await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket })).status).toBe(401)
    expect(problemOf(await login(p, strict))).toEqual([401, 'second_factor_required'])
  })

  test('a compulsory second factor can be a passkey', async () => {
    const { ticket } = (await login(await person({ clientId: 0 }), strict)).body.secondFactor
    const { options } = (await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/passkeys/options`, { ticket })).body
    const passkey = makeSoftwarePasskey(PORTAL_ORIGIN).create(options)
    const { status, body } = await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/passkeys`, {
      ticket,
      name: '',
      passkey,
    })
    expect([status, body.recoveryCodes.length]).toEqual([200, 10])
  })

  test("another sign-in ticket can't add a second factor once the first ticket has set one up", async () => {
    const p = await person({ clientId: 0 })
    const [one, two] = [await login(p, strict), await login(p, strict)].map((a) => a.body.secondFactor.ticket)
    const begun = (await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket: two })).body
    const own = (await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket: one })).body
    const confirm = (ticket: string, { enrolment, secret }: typeof own) =>
      strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app/confirm`, { ticket, enrolment, code: totpCode(secret) })
    expect((await confirm(one, own)).status).toBe(200)
    expect((await confirm(two, begun)).status).toBe(401)
  })

  test("a user can't remove their last second factor if it is compulsory, and a setting decides whether it is compulsory for clients' users", async () => {
    const p = await person({ clientId: 0 })
    const { ticket } = (await login(p, strict)).body.secondFactor
    const { enrolment, secret } = (await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket })).body
    const { token } = (
      await strict.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app/confirm`, {
        ticket,
        enrolment,
        code: totpCode(secret),
      })
    ).body
    expect((await strict.bearing(token).get(OWN_SECOND_FACTOR_URL)).body.compulsory).toBe(true)
    expect((await strict.bearing(token).delete(`${OWN_SECOND_FACTOR_URL}/app`)).status).toBe(409)
    expect((await login(await person(), strict)).status).toBe(200)
    const everybody = await base.with({ SECOND_FACTOR: 'all' })
    expect(problemOf(await login(await person(), everybody))).toEqual([401, 'second_factor_setup_required'])
  })
})

describe('proof of identity', () => {
  test('recent proof of identity is required to impersonate a user or change users', async () => {
    const { p, api, secret } = await withApp({
      clientId: 0,
      roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'],
    })
    const colleague = await person({ clientId: 0, email: 'colleague@client.example' })
    const customer = await person()
    const guarded = (by: TestApi) =>
      [
        ['GET', `/api/security/user/switch?username=${customer.username}&client=${customer.clientId}&reason=Help`],
        ['POST', '/api/portal/users', { username: `made.${randomUUID()}`, name: 'Someone new' }],
        ['PUT', colleague.iri, { name: 'Another name' }],
        ['PUT', `${colleague.iri}/password`, { password: 'window carpet moon' }],
        ['POST', `${colleague.iri}/invite`, {}],
      ].map(
        ([method, url, body]) =>
          async () =>
            by.send(method as string, url as string, {
              headers: { 'content-type': 'application/json' },
              ...(body ? { body: body as Record<string, unknown> } : {}),
            }),
      )
    await tenMinutesLater(p)
    for (const call of guarded(api)) expect(problemOf(await call())).toEqual([403, 'proof_required'])
    expect((await api.get(colleague.iri)).status).toBe(200)

    expect(problemOf(await api.post('/api/security/proof', { code: '000000' }))).toEqual([422, 'code'])
    expect(problemOf(await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD }))).toEqual([
      422,
      'code',
    ])
    const proved = await api.post('/api/security/proof', { code: totpCode(secret) })
    expect([proved.status, proved.body.user.id]).toEqual([200, p.id])
    const again = portal.bearing(proved.body.token)
    for (const call of guarded(again).reverse()) expect((await call()).status).toBeLessThan(300)
  })

  test("users without a second factor who don't need one prove their identity by password, so a stolen token can't add a sign-in method", async () => {
    const p = await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const customer = await person()
    const api = await signedIn(p)
    await tenMinutesLater(p)
    const guarded = (by: TestApi) => [
      () => by.patch(p.iri, { email: 'thief@elsewhere.example' }),
      () => by.post('/api/portal/users', { username: `made.${randomUUID()}`, name: 'Someone new' }),
      () => by.patch(customer.iri, { roles: ['ROLE_CLIENT_ADMIN'] }),
      () => by.put(`${customer.iri}/password`, { password: 'window carpet moon' }),
      () => by.get(`/api/security/user/switch?username=${customer.username}&client=${customer.clientId}&reason=Help`),
    ]
    for (const call of guarded(api)) expect(problemOf(await call())).toEqual([403, 'proof_required'])
    const { body } = await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD })
    for (const call of guarded(portal.bearing(body.token))) expect((await call()).status).toBeLessThan(300)
  })

  test('recent proof of identity is required to change roles or retire clients, and only once per bulk action', async () => {
    const p = await person({
      clientId: 0,
      roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN', 'ROLE_ROLES_ADMIN', 'ROLE_CLIENTS_ADMIN'],
    })
    const customer = await person()
    const api = await signedIn(p)
    const [role] = (await api.get('/api/portal/roles?name=ROLE_RESELLER')).body['hydra:member']
    await tenMinutesLater(p)
    const client = `/api/portal/clients/${customer.clientId}`
    for (const refused of [
      await api.patch(role['@id'], { internal: false }),
      await api.patch(client, { retired: true }),
      await api.patch(client.replace('portal', 'crm'), { retired: true }),
      await api.post('/api/portal/users/bulk', { action: 'retire', ids: [customer.id] }),
      await api.post('/api/portal/clients/bulk', { action: 'retire', ids: [customer.clientId] }),
    ])
      expect(problemOf(refused)).toEqual([403, 'proof_required'])
    expect((await api.patch(client, { city: 'Bath' })).status).toBe(200)
  })

  test("recent proof of identity is required to start, resume or undo a batch job, because a running job can't ask for proof", async () => {
    const p = await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const client = await base.client()
    await base.db.tx('system', (tx) =>
      tx.rows(
        "INSERT INTO user_account (client_id, username, name) SELECT $1::int, 'many.' || $1::int || '.' || n, 'Many' FROM generate_series(1, 101) n",
        [client.id],
      ),
    )
    const api = await signedIn(p)
    const list = `/api/portal/users?client=${client.id}`
    const retire = (by: TestApi) =>
      by.post(list.replace('users', 'users/bulk'), { action: 'retire', all: true, count: 101 })
    const retired = async () => (await api.get(`${list}&isRetired=true&itemsPerPage=0`)).body['hydra:totalItems']
    await tenMinutesLater(p)
    expect(problemOf(await retire(api))).toEqual([403, 'proof_required'])
    const { token } = (await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD })).body
    const begun = (await retire(portal.bearing(token))).body['@id']
    await portal.drain()
    expect(await retired()).toBe(101)
    await tenMinutesLater(p)
    expect(problemOf(await portal.bearing(token).post(`${begun}/undo`, {}))).toEqual([403, 'proof_required'])
    await base.db.tx('system', (tx) => tx.rows("UPDATE run SET state = 'stopped' WHERE user_id = $1", [p.id]))
    expect(problemOf(await portal.bearing(token).post(`${begun}/resume`, {}))).toEqual([403, 'proof_required'])
    const again = portal.bearing(
      (await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD })).body.token,
    )
    expect((await again.post(`${begun}/undo`, {})).status).toBe(200)
    await portal.drain()
    expect(await retired()).toBe(0)
  })

  test('recent proof of identity is required before a bulk change, even if its first record needs no change', async () => {
    const p = await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const api = await signedIn(p)
    const [retiredAlready, other] = [await person(), await person()]
    expect((await api.patch(retiredAlready.iri, { isRetired: true })).status).toBe(200)
    await tenMinutesLater(p)
    const retire = (ids: number[]) => api.post('/api/portal/users/bulk', { action: 'retire', ids })
    expect(problemOf(await retire([retiredAlready.id]))).toEqual([403, 'proof_required'])
    expect(problemOf(await retire([retiredAlready.id, other.id]))).toEqual([403, 'proof_required'])
  })

  test("a user who needs a second factor but has not set one up can't prove their identity", async () => {
    const p = await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const { token } = await strict.sessions.open(
      { clientId: 0, userId: p.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    expect(
      problemOf(
        await strict.bearing(token).post('/api/portal/users', { username: `made.${randomUUID()}`, name: 'New' }),
      ),
    ).toEqual([403, 'second_factor_missing'])
  })

  test('a user without a second factor must prove their identity by password before setting one up', async () => {
    const p = await person()
    const api = await signedIn(p)
    await tenMinutesLater(p)
    for (const url of [
      `${OWN_SECOND_FACTOR_URL}/app`,
      `${OWN_SECOND_FACTOR_URL}/passkeys/options`,
      `${OWN_SECOND_FACTOR_URL}/recovery_codes`,
    ])
      expect(problemOf(await api.post(url))).toEqual([403, 'proof_required'])
    expect(problemOf(await api.post('/api/security/proof', { password: 'wrong' }))).toEqual([422, 'password'])
    const { body } = await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD })
    expect((await setUpApp(portal.bearing(body.token))).status).toBe(200)
  })

  test('an impersonator proves their identity with their own second factor, never with that of the impersonated user', async () => {
    const { p, api, secret } = await withApp({ clientId: 0, roles: ['ROLE_STAFF'] })
    const theirs = await withApp({ roles: ['ROLE_CLIENT_ADMIN'] })
    const to = `username=${theirs.p.username}&client=${theirs.p.clientId}&reason=Help`
    const { token } = (await api.get(`/api/security/user/switch?${to}`)).body
    const visitor = portal.bearing(token)
    expect(problemOf(await visitor.post('/api/security/proof', { code: totpCode(theirs.secret) }))).toEqual([
      422,
      'code',
    ])
    const { status, body } = await visitor.post('/api/security/proof', { code: totpCode(secret) })
    expect([status, body.user.id, body.user.original.id]).toEqual([200, theirs.p.id, p.id])
    const looking = await portal.bearing(body.token).put(theirs.p.iri, { telephone: '01632 960123' })
    expect(problemOf(looking)).toEqual([403, 'visit_read_only'])
  })

  test('wrong passwords in a proof of identity count as failed attempts', async () => {
    const p = await person()
    const api = await signedIn(p)
    const tries = []
    for (let i = 0; i < 9; i++) tries.push((await api.post('/api/security/proof', { password: 'wrong' })).status)
    expect(tries.at(-1)).toBe(429)
    expect((await api.post('/api/security/proof', { password: SECOND_FACTOR_TEST_PASSWORD })).status).toBe(429)
  })
})

describe('changing a user’s second factor', () => {
  test('a change to a second factor is recorded in the audit trail and e-mailed to the user', async () => {
    const { p, api } = await withApp({ email: 'person@client.example' })
    await api.post(`${OWN_SECOND_FACTOR_URL}/recovery_codes`)
    await api.delete(`${OWN_SECOND_FACTOR_URL}/app`)
    const trail = await base.db.tx('system', (tx) =>
      tx.rows<{ verb: string; username: string }>(
        "SELECT verb, username FROM audit WHERE client_id = $1 AND type = 'User' AND row_id = $2 ORDER BY id",
        [p.clientId, p.id],
      ),
    )
    expect(trail.map((t) => t.verb)).toEqual(['factor-app', 'factor-codes', 'factor-app-removed'])
    const letters = await base.db.tx('system', (tx) =>
      tx.rows<{ payload: { to: string; body: string } }>(
        "SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' ORDER BY id",
        [p.clientId],
      ),
    )
    expect(letters.map((l) => [l.payload.to, /^(.*), for the account/m.exec(l.payload.body)?.[1]])).toEqual([
      ['person@client.example', 'An authenticator app was set up'],
      ['person@client.example', 'New recovery codes were created'],
      ['person@client.example', 'The authenticator app was removed'],
    ])
  })

  test('setting up a second factor and entering a wrong code are recorded in the security log', async () => {
    const { p } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code: '000000' })
    await portal.engine.security.flush()
    const events = await base.db.tx('system', (tx) =>
      tx.rows<{ event: string; detail: string }>(
        "SELECT event, detail FROM security_event WHERE user_id = $1 AND event LIKE 'second-factor%' ORDER BY id",
        [p.id],
      ),
    )
    expect(events).toEqual([
      { event: 'second-factor', detail: 'An authenticator app was set up' },
      { event: 'second-factor-failed', detail: 'totp' },
    ])
  })

  test('removing a lost second factor at the command line signs the user out and is recorded', async () => {
    const { p, api } = await withApp()
    const { runResetSecondFactorCommand: run } = await import('./reset.server.ts')
    const said = await run(portal.engine, ['--username', p.username, '--client', String(p.clientId)])
    expect(said).toBe(
      `The second factor for ${p.username} of client ${p.clientId} has been removed, and the user is signed out everywhere.`,
    )
    expect((await api.get(OWN_SECOND_FACTOR_URL)).status).toBe(401)
    expect((await login(p)).status).toBe(200)
    const [last] = await base.db.tx('system', (tx) =>
      tx.rows('SELECT verb, username FROM audit WHERE client_id = $1 ORDER BY id DESC LIMIT 1', [p.clientId]),
    )
    expect(last).toEqual({ verb: 'factor-reset', username: 'system' })
    expect(await run(portal.engine, ['--username', p.username, '--client', String(p.clientId)])).toBe(
      `${p.username} of client ${p.clientId} has no second factor.`,
    )
    await expect(run(portal.engine, ['--username', 'nobody.here'])).rejects.toThrow(
      'Client 0 has no user "nobody.here".',
    )
    await expect(run(portal.engine, [])).rejects.toThrow('Usage: user reset-factor')
  })
})

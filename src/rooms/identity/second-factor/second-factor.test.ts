import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeOf, softPasskey } from '#test/support/authenticators.ts'
import { type Answer, type Api, type TestPortal, type TestUser, testPortal } from '#test/support/portal.ts'

const base = await testPortal()
const ORIGIN = 'https://portal.example'
const portal = await base.with({ PUBLIC_URL: ORIGIN })
const strict = await base.with({ PUBLIC_URL: ORIGIN, SECOND_FACTOR: 'provider' })
const LOGIN = '/api/security/login'
const STEP = `${LOGIN}/second_factor`
const MINE = '/api/security/second_factor'
const PASSWORD = 'harbour tin piano'
let n = 0

const person = async (about: { clientId?: 0; roles?: string[]; email?: string } = {}) => {
  const client = about.clientId === 0 ? base.provider : await base.client()
  return client.user({ username: `factor.${++n}`, password: PASSWORD, ...about })
}
const login = (p: TestUser, on: TestPortal = portal) =>
  on.anonymous.post(LOGIN, { username: p.username, password: PASSWORD, client: p.clientId })
const signedIn = async (p: TestUser, on: TestPortal = portal): Promise<Api> =>
  on.bearing((await login(p, on)).body.token)
/** Lets a code that was used be used again, so that a test need not wait for the next half minute. */
const anotherHalfMinute = (p: TestUser) =>
  base.db.tx('system', (tx) => tx.rows('UPDATE totp SET step = 0 WHERE user_id = $1', [p.id]))
/** Ten minutes since anybody proved who they are. */
const tenMinutesLater = async (p: TestUser) => {
  await base.db.tx('system', (tx) =>
    tx.rows(`UPDATE session SET proved_at = now() - interval '11 minutes' WHERE user_id = $1`, [p.id]),
  )
  for (const one of [portal, strict]) one.sessions.forget()
}

const setUpApp = async (api: Api) => {
  const begun = await api.post(`${MINE}/app`)
  const { status, body } = await api.post(`${MINE}/app/confirm`, {
    enrolment: begun.body.enrolment,
    code: codeOf(begun.body.secret),
  })
  return { status, secret: begun.body.secret as string, codes: body.recoveryCodes as string[] }
}
/** Somebody with an app, signed in by it. */
const withApp = async (about: Parameters<typeof person>[0] = {}) => {
  const p = await person(about)
  const api = await signedIn(p)
  const { secret, codes } = await setUpApp(api)
  await anotherHalfMinute(p)
  return { p, api, secret, codes }
}
const problemOf = ({ status, body }: Answer) => [status, body.violations?.[0]?.propertyPath ?? body.code]

describe('an authenticator app', () => {
  test('is set up by its first code, comes with recovery codes, and is asked for from then on', async () => {
    const { p, codes, secret } = await withApp()
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/)

    const first = await login(p)
    expect([first.status, first.body.code, first.body.token]).toEqual([401, 'second_factor_required', undefined])
    expect(first.headers['cache-control']).toBe('no-store')
    const { ticket, methods, expiresIn } = first.body.secondFactor
    expect([methods, expiresIn]).toEqual([['totp', 'recovery'], 300])

    const second = await portal.anonymous.post(STEP, { ticket, code: codeOf(secret) })
    expect([second.status, second.body.user.username]).toEqual([200, p.username])
    expect((await portal.bearing(second.body.token).get('/api/security/user_check')).body.id).toBe(p.id)
  })

  test('whoever has none signs in as before, with the answer as before', async () => {
    const { status, body } = await login(await person())
    expect([status, Object.keys(body).sort()]).toEqual([200, ['@id', 'expiresIn', 'token', 'tokenType', 'user']])
  })

  test('gives a code that works once', async () => {
    const { p, secret } = await withApp()
    const code = codeOf(secret)
    const again = async () => portal.anonymous.post(STEP, { ticket: (await login(p)).body.secondFactor.ticket, code })
    expect((await again()).status).toBe(200)
    const { status, body } = await again()
    expect([status, body.violations[0].message]).toEqual([
      422,
      'That code is wrong, or has been used. Please wait for the next one in your app.',
    ])
  })

  test('a code that two send at once lets one of them in', async () => {
    const { p, secret } = await withApp()
    const tickets = [await login(p), await login(p)].map((a) => a.body.secondFactor.ticket as string)
    const code = codeOf(secret)
    const answers = await Promise.all(tickets.map((ticket) => portal.anonymous.post(STEP, { ticket, code })))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
  })

  test('a wrong code, and one of long ago, are refused', async () => {
    const { p, secret } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    for (const code of ['', '12345', 'abcdef', codeOf(secret, -10), codeOf(secret, 10)])
      expect(problemOf(await portal.anonymous.post(STEP, { ticket, code }))).toEqual([422, 'code'])
    expect(
      (
        await portal.anonymous.post(STEP, {
          ticket,
          code: ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)} `,
        })
      ).status,
    ).toBe(200)
  })

  test('its codes can’t be guessed: after eight tries, nobody gets on', async () => {
    const { p, secret, codes } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    const wrong = Array.from({ length: 10 }, (_, i) => `${i}${i}${i}${i}${i}${i}`).filter((c) => c !== codeOf(secret))
    const tries = []
    for (const code of wrong.slice(0, 9)) tries.push((await portal.anonymous.post(STEP, { ticket, code })).status)
    expect(tries).toEqual([422, 422, 422, 422, 422, 422, 422, 422, 429])
    const fresh = (await login(p)).body.secondFactor.ticket as string
    expect((await portal.anonymous.post(STEP, { ticket: fresh, code: codeOf(secret) })).status).toBe(429)
    expect((await portal.anonymous.post(STEP, { ticket: fresh, recoveryCode: codes[0] ?? '' })).status).toBe(429)
  })

  test('is kept sealed: the database does not hold its secret', async () => {
    const { p, secret } = await withApp()
    const [row] = await base.db.tx('system', (tx) =>
      tx.rows<{ secret: string }>('SELECT secret FROM totp WHERE user_id = $1', [p.id]),
    )
    expect(row?.secret).toMatch(/^[\w-]{8}(\.[\w-]+){3}$/)
    expect(row?.secret).not.toContain(secret)
  })

  test('the secret for one person’s app is none for another’s', async () => {
    const [one, two] = [await signedIn(await person()), await signedIn(await person())]
    const { enrolment, secret } = (await one.post(`${MINE}/app`)).body
    expect((await two.post(`${MINE}/app/confirm`, { enrolment, code: codeOf(secret) })).status).toBe(409)
    expect((await one.post(`${MINE}/app/confirm`, { enrolment, code: '000000' })).status).toBe(422)
    expect((await one.post(`${MINE}/app/confirm`, { enrolment, code: codeOf(secret) })).status).toBe(200)
    expect((await one.post(`${MINE}/app/confirm`, { enrolment, code: codeOf(secret) })).status).toBe(409)
  })
})

describe('the ticket of a first step', () => {
  test('does nothing but the second step', async () => {
    const { p } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    const bearing = portal.bearing(ticket)
    for (const url of ['/api/security/user_check', MINE, '/api/portal/users'])
      expect((await bearing.get(url)).status).toBe(401)
    expect((await portal.anonymous.post(`${STEP}/app`, { ticket })).status).toBe(401)
    expect((await portal.anonymous.post(`${STEP}/passkeys/options`, { ticket })).status).toBe(401)
  })

  test('is over once it is used, too old, or the password is another one', async () => {
    const { p, secret } = await withApp()
    const [used, old, before] = [await login(p), await login(p), await login(p)].map((a) => a.body.secondFactor.ticket)
    expect((await portal.anonymous.post(STEP, { ticket: used, code: codeOf(secret) })).status).toBe(200)
    for (const ticket of [used, old, 'nonsense'])
      expect((await portal.anonymous.post(STEP, { ticket, code: codeOf(secret) })).status).toBe(401)
    const fresh = (await login(p)).body.secondFactor.ticket
    await base.db.tx('system', (tx) =>
      tx.rows(`UPDATE credential SET changed_at = now() + interval '1 second' WHERE user_id = $1`, [p.id]),
    )
    for (const ticket of [before, fresh])
      expect((await portal.anonymous.post(STEP, { ticket, code: codeOf(secret) })).status).toBe(401)
  })
})

describe('recovery codes', () => {
  test('let in once each, however they are typed', async () => {
    const { p, codes } = await withApp()
    const [code = ''] = codes
    const using = async (recoveryCode: string) =>
      (await portal.anonymous.post(STEP, { ticket: (await login(p)).body.secondFactor.ticket, recoveryCode })).status
    expect(await using(code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'))).toBe(200)
    expect(await using(code)).toBe(422)
    expect(await using('AAAAAA-AAAAAA-AAAAAA-AAAAAA')).toBe(422)
    expect((await (await signedInWith(p, codes[1] ?? '')).get(MINE)).body.recoveryCodes).toBe(8)
  })

  test('are replaced as a set', async () => {
    const { p, api, codes } = await withApp()
    const fresh = (await api.post(`${MINE}/recovery_codes`)).body.recoveryCodes as string[]
    const { ticket } = (await login(p)).body.secondFactor
    expect((await portal.anonymous.post(STEP, { ticket, recoveryCode: codes[0] ?? '' })).status).toBe(422)
    expect((await portal.anonymous.post(STEP, { ticket, recoveryCode: fresh[0] ?? '' })).status).toBe(200)
  })

  test('are none without a factor, and go with the last one', async () => {
    const api = await signedIn(await person())
    expect((await api.post(`${MINE}/recovery_codes`)).status).toBe(409)
    await setUpApp(api)
    expect((await api.delete(`${MINE}/app`)).status).toBe(204)
    expect((await api.get(MINE)).body).toMatchObject({ app: null, recoveryCodes: 0, methods: ['password'] })
  })

  const signedInWith = async (p: TestUser, recoveryCode: string) => {
    const { ticket } = (await login(p)).body.secondFactor
    return portal.bearing((await portal.anonymous.post(STEP, { ticket, recoveryCode })).body.token)
  }
})

describe('a passkey', () => {
  const withPasskey = async () => {
    const p = await person()
    const api = await signedIn(p)
    const key = softPasskey(ORIGIN)
    const { options } = (await api.post(`${MINE}/passkeys/options`)).body
    const added = await api.post(`${MINE}/passkeys`, { name: 'My phone', passkey: key.create(options) })
    expect([added.status, added.body.recoveryCodes.length]).toEqual([200, 10])
    return { p, api, key }
  }
  const asked = async (p: TestUser) => {
    const { ticket, methods } = (await login(p)).body.secondFactor
    const { options } = (await portal.anonymous.post(`${STEP}/passkey_options`, { ticket })).body
    return { ticket, methods, options }
  }

  test('signs in, and its challenge can be answered once', async () => {
    const { p, key } = await withPasskey()
    const { ticket, methods, options } = await asked(p)
    expect([methods, options.rpId, options.allowCredentials.length]).toEqual([
      ['passkey', 'recovery'],
      'portal.example',
      1,
    ])
    const passkey = key.get(options)
    expect((await portal.anonymous.post(STEP, { ticket, passkey })).status).toBe(200)
    const again = await asked(p)
    expect(problemOf(await portal.anonymous.post(STEP, { ticket: again.ticket, passkey }))).toEqual([422, 'passkey'])
  })

  test('of another origin, of another key, of no challenge of ours, or in no shape at all is refused', async () => {
    const { p, key } = await withPasskey()
    const one = await asked(p)
    const forged = key.get(one.options, 'https://portal.example.evil')
    expect(problemOf(await portal.anonymous.post(STEP, { ticket: one.ticket, passkey: forged }))).toEqual([
      422,
      'passkey',
    ])
    const two = await asked(p)
    const others = { ...softPasskey(ORIGIN).get(two.options), id: key.get(two.options).id }
    expect(problemOf(await portal.anonymous.post(STEP, { ticket: two.ticket, passkey: others }))).toEqual([
      422,
      'passkey',
    ])
    const own = key.get({ challenge: randomBytes(32).toString('base64url') })
    for (const passkey of [
      own,
      {},
      [],
      'x',
      7,
      { response: { clientDataJSON: 'e30' } },
      { response: { clientDataJSON: '%' } },
    ])
      expect(problemOf(await portal.anonymous.post(STEP, { ticket: two.ticket, passkey }))[0]).toBe(422)
  })

  test('is renamed and removed by its owner, and by nobody else', async () => {
    const { api } = await withPasskey()
    const other = await signedIn(await person())
    const [{ id }] = (await api.get(MINE)).body.passkeys
    expect((await other.put(`${MINE}/passkeys/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await other.delete(`${MINE}/passkeys/${id}`)).status).toBe(404)
    expect((await api.put(`${MINE}/passkeys/${id}`, { name: '' })).status).toBe(422)
    expect((await api.put(`${MINE}/passkeys/${id}`, { name: 'Work laptop' })).status).toBe(204)
    expect((await api.get(MINE)).body.passkeys).toMatchObject([{ id, name: 'Work laptop' }])
    expect((await api.delete(`${MINE}/passkeys/${id}`)).status).toBe(204)
    expect((await api.delete(`${MINE}/passkeys/${id}`)).status).toBe(404)
  })

  test('can’t be made where the portal has no name', async () => {
    const nameless = await base.with({ PUBLIC_URL: 'http://127.0.0.1:3000' })
    const api = await signedIn(await person(), nameless)
    expect((await api.get(MINE)).body.passkeysPossible).toBe(true)
    const { status, body } = await api.send('POST', `${MINE}/passkeys/options`, { headers: { host: '127.0.0.1:3000' } })
    expect([status, body['hydra:description']]).toEqual([
      409,
      'Passkeys need the portal’s own web address. Whoever runs the portal sets it with PUBLIC_URL.',
    ])
    expect((await api.send('POST', `${MINE}/passkeys/options`, { headers: { host: 'evil.example' } })).status).toBe(409)
  })
})

describe('where a second factor is compulsory', () => {
  test('it is set up at the first sign-in, which ends with a session and recovery codes', async () => {
    const p = await person({ clientId: 0 })
    const first = await login(p, strict)
    expect(problemOf(first)).toEqual([401, 'second_factor_setup_required'])
    const { ticket } = first.body.secondFactor
    const { enrolment, secret } = (await strict.anonymous.post(`${STEP}/app`, { ticket })).body
    expect((await strict.anonymous.post(`${STEP}/app/confirm`, { ticket, enrolment, code: '000000' })).status).toBe(422)
    const done = await strict.anonymous.post(`${STEP}/app/confirm`, { ticket, enrolment, code: codeOf(secret) })
    expect([done.status, done.body.recoveryCodes.length, done.body.user.id]).toEqual([200, 10, p.id])
    expect((await strict.bearing(done.body.token).get('/api/security/user_check')).status).toBe(200)
    expect((await strict.anonymous.post(`${STEP}/app`, { ticket })).status).toBe(401)
    expect(problemOf(await login(p, strict))).toEqual([401, 'second_factor_required'])
  })

  test('a passkey does as well', async () => {
    const { ticket } = (await login(await person({ clientId: 0 }), strict)).body.secondFactor
    const { options } = (await strict.anonymous.post(`${STEP}/passkeys/options`, { ticket })).body
    const passkey = softPasskey(ORIGIN).create(options)
    const { status, body } = await strict.anonymous.post(`${STEP}/passkeys`, { ticket, name: '', passkey })
    expect([status, body.recoveryCodes.length]).toEqual([200, 10])
  })

  test('a second ticket can’t add a factor behind the first', async () => {
    const p = await person({ clientId: 0 })
    const [one, two] = [await login(p, strict), await login(p, strict)].map((a) => a.body.secondFactor.ticket)
    const begun = (await strict.anonymous.post(`${STEP}/app`, { ticket: two })).body
    const own = (await strict.anonymous.post(`${STEP}/app`, { ticket: one })).body
    const confirm = (ticket: string, { enrolment, secret }: typeof own) =>
      strict.anonymous.post(`${STEP}/app/confirm`, { ticket, enrolment, code: codeOf(secret) })
    expect((await confirm(one, own)).status).toBe(200)
    expect((await confirm(two, begun)).status).toBe(401)
  })

  test('the last one can’t be removed, and people of clients need none', async () => {
    const p = await person({ clientId: 0 })
    const { ticket } = (await login(p, strict)).body.secondFactor
    const { enrolment, secret } = (await strict.anonymous.post(`${STEP}/app`, { ticket })).body
    const { token } = (await strict.anonymous.post(`${STEP}/app/confirm`, { ticket, enrolment, code: codeOf(secret) }))
      .body
    expect((await strict.bearing(token).get(MINE)).body.compulsory).toBe(true)
    expect((await strict.bearing(token).delete(`${MINE}/app`)).status).toBe(409)
    expect((await login(await person(), strict)).status).toBe(200)
    const everybody = await base.with({ SECOND_FACTOR: 'all' })
    expect(problemOf(await login(await person(), everybody))).toEqual([401, 'second_factor_setup_required'])
  })
})

describe('proving once more who one is', () => {
  test('is asked before working as somebody else, and before people are changed', async () => {
    const { p, api, secret } = await withApp({
      clientId: 0,
      roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'],
    })
    const colleague = await person({ clientId: 0, email: 'colleague@client.example' })
    const customer = await person()
    const guarded = (by: Api) =>
      [
        ['GET', `/api/security/user/switch?username=${customer.username}&client=${customer.clientId}&reason=Help`],
        ['POST', '/api/portal/users', { username: `made.${++n}`, name: 'Somebody new' }],
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
    expect(problemOf(await api.post('/api/security/proof', { password: PASSWORD }))).toEqual([422, 'code'])
    const proved = await api.post('/api/security/proof', { code: codeOf(secret) })
    expect([proved.status, proved.body.user.id]).toEqual([200, p.id])
    const again = portal.bearing(proved.body.token)
    for (const call of guarded(again).reverse()) expect((await call()).status).toBeLessThan(300)
  })

  test('is not asked of those who have no second factor and need none', async () => {
    const p = await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const api = await signedIn(p)
    await tenMinutesLater(p)
    expect((await api.post('/api/portal/users', { username: `made.${++n}`, name: 'Somebody new' })).status).toBe(201)
  })

  test('is refused to those who need a second factor and have none yet', async () => {
    const p = await person({ clientId: 0, roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] })
    const { token } = await strict.sessions.open(
      { clientId: 0, userId: p.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    expect(
      problemOf(await strict.bearing(token).post('/api/portal/users', { username: `made.${++n}`, name: 'New' })),
    ).toEqual([403, 'second_factor_missing'])
  })

  test('takes the password of whoever has nothing else, before they set something up', async () => {
    const p = await person()
    const api = await signedIn(p)
    await tenMinutesLater(p)
    for (const url of [`${MINE}/app`, `${MINE}/passkeys/options`, `${MINE}/recovery_codes`])
      expect(problemOf(await api.post(url))).toEqual([403, 'proof_required'])
    expect(problemOf(await api.post('/api/security/proof', { password: 'wrong' }))).toEqual([422, 'password'])
    const { body } = await api.post('/api/security/proof', { password: PASSWORD })
    expect((await setUpApp(portal.bearing(body.token))).status).toBe(200)
  })

  test('counts wrong passwords', async () => {
    const p = await person()
    const api = await signedIn(p)
    const tries = []
    for (let i = 0; i < 9; i++) tries.push((await api.post('/api/security/proof', { password: 'wrong' })).status)
    expect(tries.at(-1)).toBe(429)
    expect((await api.post('/api/security/proof', { password: PASSWORD })).status).toBe(429)
  })
})

describe('a change of somebody’s second factor', () => {
  test('is in the trail, and in a letter to them', async () => {
    const { p, api } = await withApp({ email: 'person@client.example' })
    await api.post(`${MINE}/recovery_codes`)
    await api.delete(`${MINE}/app`)
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
    expect(letters.map((l) => [l.payload.to, /^(.*), for the sign-in/m.exec(l.payload.body)?.[1]])).toEqual([
      ['person@client.example', 'An authenticator app was set up'],
      ['person@client.example', 'New recovery codes were made'],
      ['person@client.example', 'The authenticator app was removed'],
    ])
  })

  test('and a failed try stand in the security log', async () => {
    const { p } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    await portal.anonymous.post(STEP, { ticket, code: '000000' })
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

  test('is made at the command line for somebody who has lost theirs: they are signed out, and it is written down', async () => {
    const { p, api } = await withApp()
    const { run } = await import('./reset.server.ts')
    const said = await run(portal.engine, ['--username', p.username, '--client', String(p.clientId)])
    expect(said).toBe(
      `${p.username} of client ${p.clientId} has no second factor any more, and is signed out everywhere.`,
    )
    expect((await api.get(MINE)).status).toBe(401)
    expect((await login(p)).status).toBe(200)
    const [last] = await base.db.tx('system', (tx) =>
      tx.rows('SELECT verb, username FROM audit WHERE client_id = $1 ORDER BY id DESC LIMIT 1', [p.clientId]),
    )
    expect(last).toEqual({ verb: 'factor-reset', username: 'system' })
    expect(await run(portal.engine, ['--username', p.username, '--client', String(p.clientId)])).toBe(
      `${p.username} of client ${p.clientId} has no second factor.`,
    )
    await expect(run(portal.engine, ['--username', 'nobody.here'])).rejects.toThrow(
      'Client 0 has nobody called "nobody.here".',
    )
    await expect(run(portal.engine, [])).rejects.toThrow('Say: user reset-factor')
  })
})

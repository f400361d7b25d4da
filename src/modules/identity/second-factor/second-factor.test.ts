import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPasswordLink, revokeAccessAfterCredentialChange } from '#server/auth/credentials.ts'
import { makeSoftwarePasskey, totpCode } from '#test/support/authenticators.ts'
import {
  LOGIN_URL,
  makeSecondFactorPortals,
  OWN_SECOND_FACTOR_URL,
  PORTAL_ORIGIN,
  problemOf,
  SECOND_FACTOR_LOGIN_URL,
} from '#test/support/factors.ts'
import type { TestUser } from '#test/support/portal.ts'

const { base, login, person, portal, setUpApp, signedIn, withApp } = await makeSecondFactorPortals()

describe('an authenticator app', () => {
  test('setting up an authenticator app requires its first code and returns recovery codes, and later sign-ins require a code from the app', async () => {
    const { p, codes, secret } = await withApp()
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/)

    const first = await login(p)
    expect([first.status, first.body.code, first.body.token]).toEqual([401, 'second_factor_required', undefined])
    expect(first.headers['cache-control']).toBe('no-store')
    const { ticket, methods, expiresIn } = first.body.secondFactor
    expect([methods, expiresIn]).toEqual([['totp', 'recovery'], 300])

    const second = await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code: totpCode(secret) })
    expect([second.status, second.body.user.username]).toEqual([200, p.username])
    expect((await portal.bearing(second.body.token).get('/api/security/user_check')).body.id).toBe(p.id)
  })

  test('users without an authenticator app sign in with their password alone', async () => {
    const { status, body } = await login(await person())
    expect([status, Object.keys(body).sort()]).toEqual([200, ['@id', 'expiresIn', 'token', 'tokenType', 'user']])
  })

  test('an authenticator code works only once', async () => {
    const { p, secret } = await withApp()
    const code = totpCode(secret)
    const again = async () =>
      portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: (await login(p)).body.secondFactor.ticket, code })
    expect((await again()).status).toBe(200)
    const { status, body } = await again()
    expect([status, body.violations[0].message]).toEqual([
      422,
      'This code is wrong or has been used. Please wait for the next one in your app.',
    ])
  })

  test('only one of two concurrent sign-ins with the same authenticator code succeeds', async () => {
    const { p, secret } = await withApp()
    const tickets = [await login(p), await login(p)].map((a) => a.body.secondFactor.ticket as string)
    const code = totpCode(secret)
    const answers = await Promise.all(
      tickets.map((ticket) => portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code })),
    )
    expect(answers.filter((a) => a.status === 200)).toHaveLength(1)
  })

  test('a wrong or expired authenticator code is refused', async () => {
    const { p, secret } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    for (const code of ['', '12345', 'abcdef', totpCode(secret, -10), totpCode(secret, 10)])
      expect(problemOf(await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code }))).toEqual([422, 'code'])
    expect(
      (
        await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, {
          ticket,
          code: ` ${totpCode(secret).slice(0, 3)} ${totpCode(secret).slice(3)} `,
        })
      ).status,
    ).toBe(200)
  })

  test('after eight wrong authenticator codes from one IP address, further codes from it are not checked', async () => {
    const { p, secret, codes } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    const wrong = Array.from({ length: 10 }, (_, i) => `${i}${i}${i}${i}${i}${i}`).filter((c) => c !== totpCode(secret))
    const tries = []
    for (const code of wrong.slice(0, 9))
      tries.push((await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code })).status)
    expect(tries).toEqual([422, 422, 422, 422, 422, 422, 422, 422, 429])
    const fresh = (await login(p)).body.secondFactor.ticket as string
    expect(
      (await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: fresh, code: totpCode(secret) })).status,
    ).toBe(429)
    expect(
      (await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: fresh, recoveryCode: codes[0] ?? '' })).status,
    ).toBe(200)
  })

  test("an authenticator app's secret is encrypted in the database", async () => {
    const { p, secret } = await withApp()
    const [row] = await base.db.tx('system', (tx) =>
      tx.rows<{ secret: string }>('SELECT secret FROM totp WHERE user_id = $1', [p.id]),
    )
    expect(row?.secret).toMatch(/^[\w-]{8}(\.[\w-]+){3}$/)
    expect(row?.secret).not.toContain(secret)
  })

  test("one user's authenticator secret does not work for another user", async () => {
    const [one, two] = [await signedIn(await person()), await signedIn(await person())]
    const { enrolment, secret } = (await one.post(`${OWN_SECOND_FACTOR_URL}/app`)).body
    expect((await two.post(`${OWN_SECOND_FACTOR_URL}/app/confirm`, { enrolment, code: totpCode(secret) })).status).toBe(
      409,
    )
    expect((await one.post(`${OWN_SECOND_FACTOR_URL}/app/confirm`, { enrolment, code: '000000' })).status).toBe(422)
    expect((await one.post(`${OWN_SECOND_FACTOR_URL}/app/confirm`, { enrolment, code: totpCode(secret) })).status).toBe(
      200,
    )
    expect((await one.post(`${OWN_SECOND_FACTOR_URL}/app/confirm`, { enrolment, code: totpCode(secret) })).status).toBe(
      409,
    )
  })
})

describe('the ticket issued after the password step', () => {
  test('a ticket issued after the password step can be used only for the second step', async () => {
    const { p } = await withApp()
    const { ticket } = (await login(p)).body.secondFactor
    const bearing = portal.bearing(ticket)
    for (const url of ['/api/security/user_check', OWN_SECOND_FACTOR_URL, '/api/portal/users'])
      expect((await bearing.get(url)).status).toBe(401)
    expect((await portal.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/app`, { ticket })).status).toBe(401)
    expect((await portal.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/passkeys/options`, { ticket })).status).toBe(401)
  })

  test('a ticket issued after the password step expires after use, after a time limit or if the password changes', async () => {
    const { p, secret } = await withApp()
    const [used, old, before] = [await login(p), await login(p), await login(p)].map((a) => a.body.secondFactor.ticket)
    expect(
      (await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: used, code: totpCode(secret) })).status,
    ).toBe(200)
    for (const ticket of [used, old, 'nonsense'])
      expect((await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code: totpCode(secret) })).status).toBe(
        401,
      )
    const fresh = (await login(p)).body.secondFactor.ticket
    await base.db.tx('system', (tx) =>
      revokeAccessAfterCredentialChange(tx, { clientId: p.clientId, userId: p.id }, 'password'),
    )
    for (const ticket of [before, fresh])
      expect((await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, code: totpCode(secret) })).status).toBe(
        401,
      )
  })
})

test("setting a password by link doesn't bypass the second factor", async () => {
  const { p } = await withApp()
  const account = { clientId: p.clientId, userId: p.id }
  const token = await base.db.tx('system', (tx) => createPasswordLink(tx, { ...account, epoch: 0 }, 'reset', 60))
  const password = 'kettle moss ladder'
  expect((await portal.anonymous.post(`/api/portal/password/reset/${token}`, { password })).status).toBe(204)
  const given = { username: p.username, password, client: p.clientId }
  expect(problemOf(await portal.anonymous.post(LOGIN_URL, given))).toEqual([401, 'second_factor_required'])
})

describe('recovery codes', () => {
  test('each recovery code works once, in any notation', async () => {
    const { p, codes } = await withApp()
    const [code = ''] = codes
    const using = async (recoveryCode: string) =>
      (
        await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, {
          ticket: (await login(p)).body.secondFactor.ticket,
          recoveryCode,
        })
      ).status
    expect(await using(code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'))).toBe(200)
    expect(await using(code)).toBe(422)
    expect(await using('AAAAAA-AAAAAA-AAAAAA-AAAAAA')).toBe(422)
    expect((await (await signedInWith(p, codes[1] ?? '')).get(OWN_SECOND_FACTOR_URL)).body.recoveryCodes).toBe(8)
  })

  test('new recovery codes replace all earlier ones', async () => {
    const { p, api, codes } = await withApp()
    const fresh = (await api.post(`${OWN_SECOND_FACTOR_URL}/recovery_codes`)).body.recoveryCodes as string[]
    const { ticket } = (await login(p)).body.secondFactor
    expect(
      (await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, recoveryCode: codes[0] ?? '' })).status,
    ).toBe(422)
    expect(
      (await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, recoveryCode: fresh[0] ?? '' })).status,
    ).toBe(200)
  })

  test('recovery codes exist only while the account has a second factor', async () => {
    const api = await signedIn(await person())
    expect((await api.post(`${OWN_SECOND_FACTOR_URL}/recovery_codes`)).status).toBe(409)
    await setUpApp(api)
    expect((await api.delete(`${OWN_SECOND_FACTOR_URL}/app`)).status).toBe(204)
    expect((await api.get(OWN_SECOND_FACTOR_URL)).body).toMatchObject({
      app: null,
      recoveryCodes: 0,
      methods: ['password'],
    })
  })

  const signedInWith = async (p: TestUser, recoveryCode: string) => {
    const { ticket } = (await login(p)).body.secondFactor
    return portal.bearing((await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, recoveryCode })).body.token)
  }
})

describe('a passkey', () => {
  const withPasskey = async () => {
    const p = await person()
    const api = await signedIn(p)
    const key = makeSoftwarePasskey(PORTAL_ORIGIN)
    const { options } = (await api.post(`${OWN_SECOND_FACTOR_URL}/passkeys/options`)).body
    const added = await api.post(`${OWN_SECOND_FACTOR_URL}/passkeys`, {
      name: 'My phone',
      passkey: key.create(options),
    })
    expect([added.status, added.body.recoveryCodes.length]).toEqual([200, 10])
    return { p, api, key }
  }
  const asked = async (p: TestUser) => {
    const { ticket, methods } = (await login(p)).body.secondFactor
    const { options } = (await portal.anonymous.post(`${SECOND_FACTOR_LOGIN_URL}/passkey_options`, { ticket })).body
    return { ticket, methods, options }
  }

  test('a passkey signs its user in, and its challenge can be used only once', async () => {
    const { p, key } = await withPasskey()
    const { ticket, methods, options } = await asked(p)
    expect([methods, options.rpId, options.allowCredentials.length]).toEqual([
      ['passkey', 'recovery'],
      'portal.example',
      1,
    ])
    const passkey = key.get(options)
    expect((await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket, passkey })).status).toBe(200)
    const again = await asked(p)
    expect(problemOf(await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: again.ticket, passkey }))).toEqual([
      422,
      'passkey',
    ])
  })

  test('a passkey response with a wrong origin, key, challenge or format is refused', async () => {
    const { p, key } = await withPasskey()
    const one = await asked(p)
    const forged = key.get(one.options, 'https://portal.example.evil')
    expect(
      problemOf(await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: one.ticket, passkey: forged })),
    ).toEqual([422, 'passkey'])
    const two = await asked(p)
    const others = { ...makeSoftwarePasskey(PORTAL_ORIGIN).get(two.options), id: key.get(two.options).id }
    expect(
      problemOf(await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: two.ticket, passkey: others })),
    ).toEqual([422, 'passkey'])
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
      expect(problemOf(await portal.anonymous.post(SECOND_FACTOR_LOGIN_URL, { ticket: two.ticket, passkey }))[0]).toBe(
        422,
      )
  })

  test('a passkey can be renamed and removed only by its owner', async () => {
    const { api } = await withPasskey()
    const other = await signedIn(await person())
    const [{ id }] = (await api.get(OWN_SECOND_FACTOR_URL)).body.passkeys
    expect((await other.put(`${OWN_SECOND_FACTOR_URL}/passkeys/${id}`, { name: 'My views' })).status).toBe(404)
    expect((await other.delete(`${OWN_SECOND_FACTOR_URL}/passkeys/${id}`)).status).toBe(404)
    expect((await api.put(`${OWN_SECOND_FACTOR_URL}/passkeys/${id}`, { name: '' })).status).toBe(422)
    expect((await api.put(`${OWN_SECOND_FACTOR_URL}/passkeys/${id}`, { name: 'Work laptop' })).status).toBe(204)
    expect((await api.get(OWN_SECOND_FACTOR_URL)).body.passkeys).toMatchObject([{ id, name: 'Work laptop' }])
    expect((await api.delete(`${OWN_SECOND_FACTOR_URL}/passkeys/${id}`)).status).toBe(204)
    expect((await api.delete(`${OWN_SECOND_FACTOR_URL}/passkeys/${id}`)).status).toBe(404)
  })

  test("a passkey can't be created if the portal has no public URL", async () => {
    const nameless = await base.with({ PUBLIC_URL: 'http://127.0.0.1:3000' })
    const api = await signedIn(await person(), nameless)
    expect((await api.get(OWN_SECOND_FACTOR_URL)).body.passkeysPossible).toBe(true)
    const { status, body } = await api.send('POST', `${OWN_SECOND_FACTOR_URL}/passkeys/options`, {
      headers: { host: '127.0.0.1:3000' },
    })
    expect([status, body['hydra:description']]).toEqual([
      409,
      'Passkeys need the portal’s own web address. Ask your provider to set it with PUBLIC_URL.',
    ])
    expect(
      (await api.send('POST', `${OWN_SECOND_FACTOR_URL}/passkeys/options`, { headers: { host: 'evil.example' } }))
        .status,
    ).toBe(409)
  })
})

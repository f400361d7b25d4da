import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { processPasswordResetRequests, renderQueuedEmails } from '#test/support/letters.ts'
import { type TestResponse, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const PASSWORD = 'harbour tin piano'
const PAGE = { 'x-requested-with': 'portal' }
let n = 0
/** Returns an IP address that no other test in this file uses. */
const address = () => `10.7.${Math.floor(++n / 250)}.${n % 250}`
const person = async (about: { username?: string } = {}) => {
  const client = await portal.client()
  return client.user({ username: about.username ?? `limited.${++n}`, password: PASSWORD })
}

interface From {
  readonly from?: string
  readonly cookie?: string
  readonly username?: string
}
const signIn = async (p: TestUser, password: string, { from = address(), cookie, username }: From = {}) => {
  const a = await portal.app.inject({
    method: 'POST',
    url: '/api/security/login',
    payload: { username: username ?? p.username, password, client: p.clientId },
    remoteAddress: from,
    headers: cookie === undefined ? {} : { ...PAGE, cookie },
  })
  return { status: a.statusCode, body: a.json(), headers: a.headers as TestResponse['headers'] }
}
const wrong = async (p: TestUser, given: From = {}) => (await signIn(p, 'wrong tin piano', given)).status
const right = async (p: TestUser, given: From = {}) => (await signIn(p, PASSWORD, given)).status
/** Makes the counted attempts older. */
const pass = (seconds: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows(
      `UPDATE attempt SET since = since - make_interval(secs => $1), at = at - make_interval(secs => $1), former_at = former_at - make_interval(secs => $1)`,
      [seconds],
    ),
  )
/** Makes the next attempt too early, however slowly the test runs. */
const hurry = () => pass(-60)
/** Makes failed attempts, waiting as long as required between them. */
async function wrongTimes(times: number, p: TestUser, given: From) {
  for (let i = 0; i < times; i++) {
    expect(await wrong(p, given)).toBe(401)
    await pass(31)
  }
}
/** Inserts counted attempts directly into the database. */
const haveTried = (key: string, tries: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO attempt (key, tries, since, lasts, at) VALUES ($1, $2, now() - interval '5 minutes', interval '15 minutes', now() - interval '2 minutes')`,
      [key, tries],
    ),
  )
const deviceOf = async (p: TestUser) => {
  const { headers } = await signIn(p, PASSWORD, { cookie: 'none=1' })
  return /stanchion_device=[\w-]+/.exec(String(headers['set-cookie']))?.[0] as string
}

describe('wrong passwords on an account', () => {
  test('wrong passwords delay the next attempt, and eight of them block sign-in for a quarter of an hour', async () => {
    const [p, from] = [await person(), address()]
    for (let i = 0; i < 4; i++) expect(await wrong(p, { from })).toBe(401)
    await hurry()
    const early = await signIn(p, PASSWORD, { from })
    expect([early.status, early.body.detail]).toEqual([429, expect.stringMatching(/^Too many .* wait 6\d seconds/)])
    expect(early.headers['retry-after']).toMatch(/^6\d$/)
    await pass(62)
    await wrongTimes(4, p, { from })
    const late = await signIn(p, PASSWORD, { from })
    expect([late.status, Number(late.headers['retry-after']) > 600]).toEqual([429, true])
    await pass(900)
    expect(await right(p, { from })).toBe(200)
  })

  test('wrong passwords count against one account, not against an account with the same name in another client', async () => {
    const p = await person()
    const [namesake, from] = [await person({ username: p.username }), address()]
    for (let i = 0; i < 4; i++) {
      expect(await wrong(p, { from })).toBe(401)
      expect(await right(namesake, { from })).toBe(200)
    }
    await hurry()
    expect(await right(p, { from })).toBe(429)
  })

  test('wrong passwords count against the same account, however its username is typed', async () => {
    const [p, from] = [await person(), address()]
    for (const username of [p.username, p.username.toUpperCase(), ` ${p.username}`, p.username])
      expect(await wrong(p, { from, username })).toBe(401)
    await hurry()
    expect(await right(p, { from })).toBe(429)
  })

  test('wrong passwords are counted before they are checked, so concurrent attempts get no more tries than sequential ones', async () => {
    const [p, from] = [await person(), address()]
    const answers = await Promise.all(Array.from({ length: 12 }, () => wrong(p, { from })))
    expect(answers.filter((status) => status === 401).length).toBeLessThan(8)
  })

  test('nine concurrent sign-ins with the correct password all succeed', async () => {
    const [p, from] = [await person(), address()]
    const answers = await Promise.all(Array.from({ length: 9 }, () => right(p, { from })))
    expect(answers).toEqual(Array(9).fill(200))
  })

  test('a successful sign-in clears the count of wrong passwords from its IP address', async () => {
    const [p, from] = [await person(), address()]
    for (let i = 0; i < 3; i++) expect(await wrong(p, { from })).toBe(401)
    expect(await right(p, { from })).toBe(200)
    for (let i = 0; i < 4; i++) expect(await wrong(p, { from })).toBe(401)
  })

  test("setting a new password by link doesn't clear the count of wrong passwords", async () => {
    const client = await portal.client()
    const p = await client.user({ username: `linked.${++n}`, email: `linked${n}@x.example`, password: PASSWORD })
    const from = address()
    await haveTried(`sign-in:${p.clientId}.${p.id} from ${from}`, 8)
    await portal.anonymous.post('/api/security/password/forgot', { username: p.username })
    await processPasswordResetRequests(portal)
    const [letter] = await renderQueuedEmails(portal, client.id)
    const token = /forgotten-my-password\/([\w-]+)/.exec(letter?.body ?? '')?.[1]
    const set = await portal.anonymous.post(`/api/portal/password/reset/${token}`, { password: 'kettle moss ladder' })
    expect(set.status).toBe(204)
    expect((await signIn(p, 'kettle moss ladder', { from })).status).toBe(429)
  })

  test('wrong passwords from another IP address do not lock the user out', async () => {
    const [p, from] = [await person(), address()]
    await wrongTimes(8, p, { from })
    expect([await right(p, { from }), await right(p)]).toEqual([429, 200])
  })

  test('wrong passwords with another client number, existing or not, do not lock the user out', async () => {
    const [p, namesake] = [await person(), await portal.client()]
    for (const client of [namesake.id, 98_765_432]) {
      const from = address()
      for (let i = 0; i < 9; i++) {
        const payload = { username: p.username, password: 'wrong tin piano', client }
        const asked = { method: 'POST', url: '/api/security/login', payload, remoteAddress: from } as const
        expect([401, 429]).toContain((await portal.app.inject(asked)).statusCode)
        await pass(31)
      }
      expect([client, await right(p, { from }), await right(p)]).toEqual([client, 200, 200])
    }
  })

  test('wrong passwords from many IP addresses lock out unknown browsers but never a known one', async () => {
    const p = await person()
    const cookie = await deviceOf(p)
    await haveTried(`sign-in:${p.clientId}.${p.id}`, 100)
    expect(await right(p)).toBe(429)
    expect(await right(p, { cookie })).toBe(200)
  })

  test('wrong passwords in a known browser are counted separately', async () => {
    const [p, from] = [await person(), address()]
    const cookie = await deviceOf(p)
    for (let i = 0; i < 4; i++) expect(await wrong(p, { from, cookie })).toBe(401)
    await hurry()
    expect([await right(p, { from, cookie }), await right(p, { from })]).toEqual([429, 200])
  })
})

describe('wrong passwords from a network', () => {
  test('wrong passwords from one network are counted together for all accounts, except in known browsers', async () => {
    const [p, from] = [await person(), address()]
    const cookie = await deviceOf(p)
    await haveTried(`sign-in-from:${from}`, 150)
    expect([await right(p, { from }), await right(p)]).toEqual([429, 200])
    expect(await right(p, { from, cookie })).toBe(200)
  })

  test('wrong passwords from IPv6 addresses are grouped by the first half of the address', async () => {
    const [p, net] = [await person(), `2001:db8:${(++n).toString(16)}:7`]
    for (let i = 1; i <= 4; i++) expect(await wrong(p, { from: `${net}::${i}` })).toBe(401)
    await hurry()
    expect([
      await right(p, { from: `${net}::99` }),
      await right(p, { from: `2001:db8:${n.toString(16)}:8::1` }),
    ]).toEqual([429, 200])
  })

  test('wrong passwords from an office network do not block concurrent correct ones from the same network', async () => {
    const [one, other, from] = [await person(), await person(), address()]
    await haveTried(`sign-in-from:${from}`, 119)
    expect(await Promise.all([right(one, { from }), right(other, { from })])).toEqual([200, 200])
  })

  test('of 300 concurrent sign-ins from one network the 200 correct ones succeed, and known browsers do not wait for the 100 wrong ones', async () => {
    const [client, from] = [await portal.client(), address()]
    const known = await client.user({ username: `limited.${++n}`, password: PASSWORD })
    const cookie = await deviceOf(known)
    const people = await portal.db.tx('system', async (tx) => {
      const made = await tx.rows<{ username: string }>(
        `INSERT INTO user_account (client_id, username, name, email, roles)
         SELECT $1::int, 'crowd.' || $1::int || '.' || n, 'Crowd', '', '{}' FROM generate_series(1, 300) n RETURNING username`,
        [client.id],
      )
      await tx.rows(
        `INSERT INTO credential (client_id, user_id, hash)
         SELECT client_id, id, $2 FROM user_account WHERE client_id = $1 AND username LIKE 'crowd.%'`,
        // A cheap hash, because this test is about the limits and not about the time of each check.
        [client.id, await hash(PASSWORD, { memoryCost: 64, timeCost: 1 })],
      )
      return made
    })
    const finished: string[] = []
    const attempts = people.map(async ({ username }, i) => {
      const given = { from, username }
      const status = i % 3 ? await right(known, given) : await wrong(known, given)
      finished.push('unknown')
      return status
    })
    const fromKnown = Promise.all(
      Array.from({ length: 5 }, async () => {
        const status = await right(known, { from, cookie })
        finished.push('known')
        return status
      }),
    )
    expect(await fromKnown).toEqual(Array(5).fill(200))
    const statuses = await Promise.all(attempts)
    expect(statuses.filter((_, i) => i % 3)).toEqual(Array(200).fill(200))
    expect(statuses.filter((_, i) => !(i % 3))).toEqual(Array(100).fill(401))
    expect(finished.lastIndexOf('known')).toBeLessThan(150)
    const guesses = await Promise.all(people.slice(0, 60).map(({ username }) => wrong(known, { from, username })))
    expect(guesses.filter((status) => status === 401).length).toBeLessThanOrEqual(50)
  })

  test("a correct password removes only its own attempt from its network's count", async () => {
    const [p, from] = [await person(), address()]
    expect([await wrong(p, { from }), await right(p, { from })]).toEqual([401, 200])
    const [counted] = await portal.db.tx('system', (tx) =>
      tx.rows('SELECT tries FROM attempt WHERE key = $1', [`sign-in-from:${from}`]),
    )
    expect(counted).toEqual({ tries: 1 })
  })
})

test('attempts with an unknown username are counted like those with a known one', async () => {
  const nobody = { id: 0, clientId: 1, username: `nobody.${++n}`, password: undefined, iri: '' }
  const from = address()
  for (let i = 0; i < 4; i++) expect(await wrong(nobody, { from })).toBe(401)
  await hurry()
  expect(await wrong(nobody, { from, username: nobody.username.toUpperCase() })).toBe(429)
  // Users sometimes type their password into this field by mistake, so the typed text must not be stored.
  const kept = await portal.db.tx('system', (tx) => tx.rows('SELECT key FROM attempt'))
  expect(JSON.stringify(kept)).not.toContain(nobody.username)
})

describe('the current password', () => {
  test("the current password can't be guessed without limit in an unlocked browser", async () => {
    const client = await portal.client()
    const p = await client.user({ username: `open.${++n}`, password: PASSWORD })
    const set = (current: string) => client.as(p).put(`${p.iri}/password`, { current, password: 'kettle moss ladder' })
    for (let i = 0; i < 4; i++) expect((await set('wrong')).status).toBe(422)
    await hurry()
    expect((await set(PASSWORD)).status).toBe(429)
    await pass(91)
    expect((await set(PASSWORD)).status).toBe(204)
  })

  test("wrong current passwords are counted per session, so attempts in a stolen session never lock out the owner's session", async () => {
    const p = await person()
    const sessionOf = async () => portal.bearing((await signIn(p, PASSWORD)).body.token)
    const [own, borrowed] = [await sessionOf(), await sessionOf()]
    const proof = (password: string, by = borrowed) => by.post('/api/security/proof', { password })
    const change = (by: typeof own, current: string) =>
      by.put(`${p.iri}/password`, { current, password: 'kettle moss ladder' })
    for (let i = 0; i < 2; i++) {
      expect((await proof('wrong')).status).toBe(422)
      expect((await change(borrowed, 'wrong')).status).toBe(422)
    }
    await hurry()
    expect([(await proof(PASSWORD)).status, (await change(borrowed, PASSWORD)).status]).toEqual([429, 429])
    expect([(await proof(PASSWORD, own)).status, (await change(own, PASSWORD)).status]).toEqual([200, 204])
  })
})

test('a flood of sign-ins from many networks is refused in part, while sign-ins from known browsers succeed', async () => {
  const p = await person()
  const device = await deviceOf(p)
  const flood = Array.from({ length: 900 }, (_, n) =>
    signIn(p, 'wrong tin piano', { from: `10.9.${Math.floor(n / 250)}.${n % 250}`, username: `nobody.${n}` }),
  )
  const known = await right(p, { cookie: device })
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(known).toBe(200)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(200)
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(500)
})

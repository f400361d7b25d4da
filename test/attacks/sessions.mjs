// Attacks on sessions, proofs of identity and saved views.
import { attack, call, finish } from './portal.mjs'
import {
  account,
  addUser,
  admin,
  approver,
  as,
  BRICK,
  care,
  described,
  MERGE,
  manager,
  mark,
  members,
  need,
  nextUsername,
  office,
  pause,
  reseller,
  retireUsers,
  staff,
  stateOf,
  worker,
} from './shared/impersonation.mjs'

const base = process.argv[2] ?? 'http://127.0.0.1:3000'
const OWN_PASSWORD = 'Impersonation-demo-2027'

/** Sets a password for the user and replaces it, as its owner must, by the given one. */
async function setOwnPassword(user, password, setters) {
  const temporary = `Temporary-${nextUsername()}`
  let answer
  // Each setter may set few passwords in an hour.
  for (const setter of setters) {
    answer = await setter.put(`${user['@id']}/password`, { password: temporary })
    if (answer.status !== 429) break
  }
  need(answer, 204)
  const { body } = await call('POST', '/api/security/login', { body: { username: user.username, password: temporary } })
  need(await call('POST', `/api/portal/password/reset/${body.passwordLink.token}`, { body: { password } }), 204)
}

const employee = await addUser(['ROLE_EMPLOYEE', 'ROLE_RISK_CREATE_UNRESTRICTED'])
await setOwnPassword(employee, OWN_PASSWORD, [approver, admin])

async function logIn() {
  const body = { username: employee.username, password: OWN_PASSWORD }
  return as(need(await call('POST', '/api/security/login', { body })).token)
}

await attack('A stream of notifications sends nothing more after its session has ended', async () => {
  const session = await logIn()
  const headers = { authorization: `Bearer ${session.token}`, accept: 'text/event-stream' }
  const stop = new AbortController()
  const stream = await fetch(new URL('/api/portal/notices/summary', base), { headers, signal: stop.signal })
  let received = ''
  const reading = (async () => {
    for await (const part of stream.body) received += Buffer.from(part)
  })().catch(() => {})
  await pause(700)
  if (!received.includes('event: summary')) throw new Error(`no summary received: ${stream.status}`)
  received = ''
  need(await session.post('/api/security/logout', {}), 204)
  const action = { description: mark, managerName: 'Site manager', owner: employee.id, deadline: '2099-12-20' }
  need(await admin.post('/api/safety/corrective_actions', action), 201)
  await Promise.race([reading, pause(10_000)])
  stop.abort()
  if (received.includes('event: summary')) return received
  if (!received.includes('event: over')) return 'the stream has not ended 10 s after a change'
})

/** Sends a request with a browser's session cookie, and returns the response with the new cookie. */
async function browse(method, path, { cookie, token, body, marked = true } = {}) {
  const response = await fetch(new URL(path, base), {
    method,
    headers: {
      ...(marked && { 'x-requested-with': 'portal' }),
      ...(cookie && { cookie: `stanchion_session=${cookie}` }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  const set = response.headers.getSetCookie().find((line) => line.startsWith('stanchion_session='))
  return {
    status: response.status,
    text,
    body: text ? JSON.parse(text) : null,
    set,
    cookie: set?.match(/=([^;]*)/)[1] ?? cookie,
  }
}

await attack(
  'A renewed browser session remains a read-only impersonation, and returns to the real person when the impersonation ends',
  async () => {
    const signedIn = await browse('POST', '/api/security/login', {
      body: { username: 'staff', password: 'Portal-demo-2026' },
    })
    need(signedIn)
    if (!/HttpOnly/.test(signedIn.set) || !/SameSite=Strict/.test(signedIn.set)) return signedIn.set
    const { cookie } = signedIn
    for (const [path, marked] of [
      ['/api/security/renew', false],
      ['/api/security/user_check', true],
    ]) {
      const answer = await browse(path.endsWith('renew') ? 'POST' : 'GET', path, { cookie, marked })
      if (answer.status !== 401) return `${path} with the cookie alone: ${answer.status}`
    }
    const query = new URLSearchParams({ username: 'admin.brick', client: BRICK, reason: 'impersonation renewal' })
    need(await browse('GET', `/api/security/user/switch?${query}`, { cookie, token: signedIn.body.token }))
    const renewals = await Promise.all(
      Array.from({ length: 20 }, () => browse('POST', '/api/security/renew', { cookie })),
    )
    const good = renewals.filter(({ status }) => status === 200)
    if (!good.length) throw new Error('no renewal succeeded')
    for (const { body } of good)
      if (body.user.username !== 'admin.brick' || body.user.impersonation?.writes !== false)
        return JSON.stringify(body.user)
    const [first] = good
    need(await browse('GET', '/api/security/user/unswitch', { token: first.body.token }))
    for (const { body } of good)
      if ((await stateOf(as(body.token))) !== 401) return 'a renewed token outlives the impersonation'
    const back = await browse('POST', '/api/security/renew', { cookie: first.cookie })
    if (need(back).user.username !== 'staff') return `renewed as ${back.body.user.username}`
    need(await as(back.body.token).post('/api/security/logout', {}), 204)
    const after = await browse('POST', '/api/security/renew', { cookie: back.cookie })
    if (after.status !== 401) return `renewed after signing out: ${after.status}`
  },
)

await attack('A session can be listed and ended only by its own user', async () => {
  const session = await logIn()
  const [own] = members(await session.get('/api/security/sessions'))
  for (const who of [admin, care, manager, worker]) {
    if (members(await who.get('/api/security/sessions')).some(({ id }) => id === own.id))
      return 'another person lists it'
    const answer = await who.delete(`/api/security/sessions/${own.id}`)
    if (answer.status !== 404) return described(answer)
    const idle = await who.get(`/api/portal/user_tokens/${own.id}`)
    if (idle.status !== 404) return described(idle)
  }
  need(await session.delete(`/api/security/sessions/${own.id}`), 204)
  if ((await stateOf(session)) !== 401) return 'the session is still open'
})

await attack(
  'A private view can’t be read, changed or used as a default by others, and a shared one is read-only to them',
  async () => {
    const view = (sharing) => ({
      list: '/api/safety/documents',
      name: `${sharing} ${mark}`.slice(0, 60),
      sharing,
      query: 'state=current',
    })
    const own = need(await admin.post('/api/portal/saved_views', view('me')), 201)
    const shared = need(await worker.post('/api/portal/saved_views', view('everybody')), 201)
    try {
      for (const who of [approver, worker, care, staff, manager, reseller]) {
        for (const answer of [
          await who.get(own['@id']),
          await who.put(own['@id'], view('me')),
          await who.delete(own['@id']),
        ])
          if (![403, 404].includes(answer.status)) return described(answer)
        const standard = await who.post('/api/portal/list_settings', {
          list: '/api/safety/documents',
          view: own['@id'],
        })
        if (standard.status < 400) return `as a default: ${described(standard)}`
      }
      need(await approver.get(shared['@id']))
      for (const [who, status] of [
        [office, 403],
        [care, 404],
        [manager, 404],
      ]) {
        const answers = [await who.put(shared['@id'], view('everybody')), await who.delete(shared['@id'])]
        for (const answer of answers) if (answer.status !== status) return described(answer)
      }
      const taken = await approver.patch(shared['@id'], { owner: (await account(approver)).id }, MERGE)
      if (taken.status !== 403) return described(taken)
    } finally {
      await admin.delete(own['@id'])
      await worker.delete(shared['@id'])
    }
  },
)

await attack('Most of 30 simultaneous attempts to prove identity with a wrong password are not checked', async () => {
  const session = await logIn()
  need(await session.post('/api/security/proof', { password: OWN_PASSWORD }))
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => session.post('/api/security/proof', { password: `wrong ${at}` })),
  )
  const checked = answers.filter(({ status }) => status !== 429).length
  if (checked > 10) return `${checked} were checked`
})

await attack('A removed role, a new password and retirement take effect immediately on open sessions', async () => {
  const sessions = [await logIn(), await logIn()]
  const group = { name: mark }
  need(await sessions[0].post('/api/safety/hazard_groups', group), 201)
  need(await admin.patch(employee['@id'], { roles: ['ROLE_EMPLOYEE'] }, MERGE))
  const write = await sessions[0].post('/api/safety/hazard_groups', group)
  if (write.status !== 403) return described(write)
  await setOwnPassword(employee, `${OWN_PASSWORD}-2`, [approver, admin])
  for (const session of sessions) if ((await stateOf(session)) !== 401) return 'a session outlives the password'
  const changed = { username: employee.username, password: `${OWN_PASSWORD}-2` }
  const last = as(need(await call('POST', '/api/security/login', { body: changed })).token)
  need(await admin.patch(employee['@id'], { isRetired: true }, MERGE))
  if ((await stateOf(last)) !== 401) return 'a session outlives retirement'
})

await retireUsers()
finish()

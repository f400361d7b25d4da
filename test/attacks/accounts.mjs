// Attacks on usernames, passwords, roles and their waiting time.
import { attack, call, finish } from './portal.mjs'
import {
  account,
  addUser,
  admin,
  approver,
  as,
  BRICK,
  CARE,
  care,
  described,
  MERGE,
  manager,
  mark,
  members,
  need,
  pause,
  reseller,
  retireUsers,
  staff,
  worker,
} from './shared/impersonation.mjs'

const SET_PASSWORD = 'Impersonation-demo-2027'
const OWN_PASSWORD = 'Impersonation-demo-2028'

/** Sets a user’s password. Each setter may set few in an hour, so the next one takes over when the limit is reached. */
async function setPassword(user, password, setters) {
  let answer
  for (const setter of setters) {
    answer = await setter.put(`${user['@id']}/password`, { password })
    if (answer.status !== 429) break
  }
  need(answer, 204)
}

const logIn = ({ username }, password) => call('POST', '/api/security/login', { body: { username, password } })
const choose = (token, password) => call('POST', `/api/portal/password/reset/${token}`, { body: { password } })

const employee = await addUser(['ROLE_EMPLOYEE', 'ROLE_SIGN_ON_BEHALF'])

await attack(
  'A username is never given to a second user of a company, and a client can’t use one of the provider’s',
  async () => {
    const first = await addUser([], care)
    const second = await addUser([], care)
    const rename = (user, username) => care.patch(user['@id'], { username }, MERGE)
    const former = `${mark}.former`
    need(await rename(first, former))
    for (const username of [former, former.toUpperCase(), 'staff', 'Manager', 'alan.barker']) {
      const answer = await rename(second, username)
      if (answer.status !== 422) return `${username}: ${described(answer)}`
    }
    need(await rename(first, `${mark}.present`))
    const reused = await rename(second, former)
    if (reused.status !== 422) return `a former username: ${described(reused)}`
    need(await care.post('/api/portal/users/bulk', { action: 'retire', ids: [first.id, second.id] }))
  },
)

await attack('A request for a password link gets the same response for known and unknown users', async () => {
  const user = await addUser()
  const ask = (username) => call('POST', '/api/security/password/forgot', { body: { username } })
  const [known, unknown] = [await ask(user.username), await ask(`${mark}.nobody`)]
  if (known.status !== unknown.status || known.text !== unknown.text)
    return `${described(known)} / ${described(unknown)}`
})

await attack(
  'A role that controls money, access or confidential data waits until another administrator of the company confirms it',
  async () => {
    for (const role of ['ROLE_CLIENT_ADMIN', 'ROLE_INVOICING_FINANCE', 'ROLE_HR_PRIVATE']) {
      const user = await addUser([role])
      if (user.roles.length || user.waitingRoles[0] !== role) return `${role} is effective at once`
      const path = `${user['@id']}/confirm-waiting`
      const read = { roles: [role] }
      for (const [who, status] of [
        [admin, 403],
        [worker, 403],
        [care, 404],
        [reseller, 403],
      ]) {
        const answer = await who.post(path, read)
        if (answer.status !== status && answer.status !== 404) return described(answer)
      }
      const confirmed = need(await approver.post(path, read))
      if (!confirmed.roles.includes(role) || confirmed.waitingRoles.length) return JSON.stringify(confirmed)
      need(await admin.patch(user['@id'], { isRetired: true }, MERGE))
    }
  },
)

await attack(
  'A further role restarts the waiting time, and a confirmation of the earlier state is refused',
  async () => {
    const user = await addUser(['ROLE_INVOICING_FINANCE'])
    const seen = await approver.get(user['@id'])
    await pause(1500)
    const roles = ['ROLE_INVOICING_FINANCE', 'ROLE_CLIENT_ADMIN']
    const more = need(await admin.patch(user['@id'], { roles }, MERGE))
    if (!(more.waitingUntil > user.waitingUntil)) return `${more.waitingUntil} is not after ${user.waitingUntil}`
    const stale = { headers: { 'if-match': seen.headers.etag } }
    const path = `${user['@id']}/confirm-waiting`
    const answer = await approver.post(path, { roles }, stale)
    if (answer.status !== 412) return described(answer)
    const unread = await approver.post(path, { roles: user.waitingRoles })
    if (unread.status !== 409) return described(unread)
  },
)

await attack('Another administrator’s change does not turn a waiting request into their own', async () => {
  const user = await addUser(['ROLE_CLIENT_ADMIN'])
  const change = await approver.patch(user['@id'], { email: `${mark}.other@portal.example` }, MERGE)
  if (change.status !== 409) return described(change)
  need(await approver.patch(user['@id'], { telephone: '01632 960997' }, MERGE))
  const answer = await admin.post(`${user['@id']}/confirm-waiting`, { roles: ['ROLE_CLIENT_ADMIN'] })
  if (answer.status !== 403) return described(answer)
})

await attack('A retired administrator who is restored by one person waits like a new one', async () => {
  const user = await addUser(['ROLE_CLIENT_ADMIN'])
  need(await approver.post(`${user['@id']}/confirm-waiting`, { roles: ['ROLE_CLIENT_ADMIN'] }))
  need(await admin.patch(user['@id'], { isRetired: true }, MERGE))
  const restored = need(await admin.patch(user['@id'], { isRetired: false }, MERGE))
  if (restored.roles.includes('ROLE_CLIENT_ADMIN'))
    return `${user.username} is an administrator at once, waiting: ${restored.waitingUntil}`
})

await attack('Only one of 20 simultaneous confirmations and cancellations takes effect', async () => {
  const user = await addUser(['ROLE_CLIENT_ADMIN'])
  const [confirm, cancel] = ['confirm', 'cancel'].map((act) => `${user['@id']}/${act}-waiting`)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      at % 2 ? approver.post(confirm, { roles: ['ROLE_CLIENT_ADMIN'] }) : admin.post(cancel, {}),
    ),
  )
  const done = answers.filter(({ status }) => status === 200).length
  if (done !== 1) return `${done} took effect: ${answers.map(({ status }) => status).join(' ')}`
  need(await admin.patch(user['@id'], { isRetired: true }, MERGE))
})

await attack('Retiring a user cancels waiting roles, and restoring does not bring them back', async () => {
  const user = await addUser(['ROLE_CLIENT_ADMIN'])
  need(await admin.patch(user['@id'], { isRetired: true }, MERGE))
  const restored = need(await admin.patch(user['@id'], { isRetired: false }, MERGE))
  if (restored.roles.length || restored.waitingRoles.length) return JSON.stringify(restored)
})

await attack('The waiting fields of a user can’t be written', async () => {
  const user = await addUser(['ROLE_CLIENT_ADMIN'])
  const fields = { waitingUntil: '2020-01-01T00:00:00Z', waitingRoles: [], waitingBy: 'approver.brick' }
  const answer = await admin.patch(user['@id'], { ...fields, telephone: '01632 960998' }, MERGE)
  const after = need(await admin.get(user['@id']))
  if (answer.status < 400 && after.telephone !== '01632 960998') return 'the request did not reach the record'
  if (after.waitingUntil !== user.waitingUntil || after.waitingBy !== 'admin.brick' || after.roles.length)
    return JSON.stringify(after)
})

await attack('A list of roles without a waiting role cancels it', async () => {
  const user = await addUser(['ROLE_CLIENT_ADMIN'])
  const after = need(await admin.patch(user['@id'], { roles: [] }, MERGE))
  if (after.waitingRoles.length || after.waitingUntil) return `${after.waitingRoles.join(', ')} still waits`
})

await attack('A client’s administrator can’t assign a provider role or another company', async () => {
  const user = await addUser()
  for (const role of ['ROLE_STAFF', 'ROLE_RESELLER', 'ROLE_USER_ADMIN', 'ROLE_FINANCE', 'ROLE_NONE'])
    for (const answer of [
      await admin.patch(user['@id'], { roles: [role] }, MERGE),
      await manager.patch(user['@id'], { roles: [role] }, MERGE),
    ])
      if (answer.status !== 422) return `${role}: ${described(answer)}`
  for (const who of [admin, manager]) await who.patch(user['@id'], { client: `/api/portal/clients/${CARE}` }, MERGE)
  if (need(await admin.get(user['@id'])).client.id !== BRICK) return 'the user belongs to another company'
})

await attack('No change makes a provider role assignable to a client’s user', async () => {
  const [role] = members(await manager.get('/api/portal/roles?name=ROLE_STAFF'))
  for (const body of [{ internal: false }, { internal: false, label: role.label }]) {
    const answer = await manager.patch(role['@id'], body, MERGE)
    if (![409, 422].includes(answer.status)) return described(answer)
  }
})

await attack('Nobody sets the password of a user with a protected role, or of another company’s user', async () => {
  const powerful = await addUser(['ROLE_CLIENT_ADMIN'])
  need(await approver.post(`${powerful['@id']}/confirm-waiting`, { roles: ['ROLE_CLIENT_ADMIN'] }))
  const statuses = []
  for (const who of [admin, approver, manager]) {
    const answer = await who.put(`${powerful['@id']}/password`, { password: SET_PASSWORD })
    if (![409, 429].includes(answer.status)) return described(answer)
    statuses.push(answer.status)
  }
  if (!statuses.includes(409)) throw new Error('everybody has set too many passwords in the last hour')
  need(await admin.patch(powerful['@id'], { isRetired: true }, MERGE))
  for (const [who, status] of [
    [staff, 403],
    [manager, 409],
    [care, 404],
    [reseller, 404],
    [worker, 404],
  ]) {
    const answer = await who.put(`${employee['@id']}/password`, { password: SET_PASSWORD })
    if (![403, status].includes(answer.status)) return described(answer)
  }
  const own = await admin.put(`/api/portal/users/${(await account(admin)).id}/password`, { password: SET_PASSWORD })
  if (own.status !== 422) return described(own)
})

await attack('A password that another person has set opens no session and can’t be chosen again', async () => {
  await setPassword(employee, SET_PASSWORD, [approver, admin])
  const first = await logIn(employee, SET_PASSWORD)
  if (first.body.code !== 'password_change_required' || first.body.token) return described(first)
  const { token } = first.body.passwordLink
  const signed = await as(token).post('/api/safety/signatures', {})
  if (signed.status !== 401) return `with the token of the link: ${described(signed)}`
  const same = await choose(token, SET_PASSWORD)
  if (same.status !== 422) return `the same password: ${described(same)}`
  need(await choose(token, OWN_PASSWORD), 204)
  for (const [what, answer] of [
    ['the link works twice', await choose(token, SET_PASSWORD)],
    ['the temporary password works again', await logIn(employee, SET_PASSWORD)],
  ])
    if (answer.status < 400) return what
  need(await logIn(employee, OWN_PASSWORD))
})

await retireUsers()
finish()

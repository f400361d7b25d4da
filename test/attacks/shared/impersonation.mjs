// Parts of the attacks on impersonation, roles and sessions.
import { call, signIn } from '../portal.mjs'

export const MERGE = { headers: { 'content-type': 'application/merge-patch+json' } }
/** Text that marks the records of this run. */
export const mark = `impersonation.${Date.now().toString(36)}`

/** Returns functions that call the portal with a token. */
export function as(token) {
  const send = (method) => (path, body, options) => call(method, path, { token, body, ...options })
  return { token, get: send('GET'), post: send('POST'), put: send('PUT'), patch: send('PATCH'), delete: send('DELETE') }
}

export const members = (answer) => answer.body['hydra:member'] ?? []
export const described = (answer) => `${answer.status} ${answer.body?.code ?? ''} ${answer.text.slice(0, 160)}`
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

/** Throws unless the response has the status, so that an attack can’t pass because its preparation failed. */
export function need(answer, status = 200) {
  if (answer.status !== status) throw new Error(`preparation failed: ${described(answer)}`)
  return answer.body
}

export const account = async (session) => need(await session.get('/api/security/user_check'))
export const stateOf = async (session) => (await session.get('/api/security/user_check')).status

export const staff = await signIn('staff')
export const manager = await signIn('manager')
export const admin = await signIn('admin.brick')
export const approver = await signIn('approver.brick')
export const worker = await signIn('worker.brick')
export const office = await signIn('office.brick')
export const care = await signIn('admin.care')
export const reseller = await signIn('reseller.north')

export const [BRICK, CARE, PROVIDER] = await Promise.all(
  [admin, care, staff].map(async (who) => (await account(who)).client.id),
)

/** Starts an impersonation of the user in the session of `who`. */
export function switchTo(who, username, client, reason = 'impersonation test') {
  const query = new URLSearchParams({ username, client, reason })
  return who.get(`/api/security/user/switch?${query}`)
}

/** Impersonates the user read-only. By default, each impersonation ends the former one of the same session. */
export async function impersonate(username, client = BRICK, { reason, who = staff } = {}) {
  return as(need(await switchTo(who, username, client, reason)).token)
}

/** Impersonates the user with permission for changes. */
export async function impersonateWithChanges(username, client = BRICK, options = {}) {
  const session = await impersonate(username, client, options)
  return as(need(await session.post('/api/security/user/write', { reason: 'impersonation changes' })).token)
}

const claimed = new Set()
let serial = 0

export const nextUsername = () => `${mark}.${serial++}`

/**
 * Returns a user with the roles: one left by an earlier run if possible, because a company can add only a few users an
 * hour.
 */
export async function addUser(roles = ['ROLE_EMPLOYEE'], who = admin) {
  const isPowerful = roles.some((role) => /ADMIN|FINANCE|HR/.test(role))
  const name = isPowerful ? 'Impersonation administrator' : 'Impersonation employee'
  const users = members(await who.get('/api/portal/users?itemsPerPage=100&order[id]=desc'))
  const left = users.find((user) => user.name === name && user.isRetired && !claimed.has(user.id))
  const username = nextUsername()
  if (left) need(await who.patch(left['@id'], { roles: [] }, MERGE))
  const user = left
    ? need(await who.patch(left['@id'], { roles, isRetired: false }, MERGE))
    : need(await who.post('/api/portal/users', { username, name, email: `${username}@portal.example`, roles }), 201)
  if (who === admin) claimed.add(user.id)
  return user
}

/** Retires the users of this run, so that the next run uses them again. */
export const retireUsers = async () =>
  need(await admin.post('/api/portal/users/bulk', { action: 'retire', ids: [...claimed] }))

export const newAction = () => ({
  description: `${mark} action`,
  managerName: 'Site manager',
  deadline: '2099-12-20',
})

// A new company for each run, its users, and links read from the e-mails that the portal has sent.
import { readdirSync, readFileSync } from 'node:fs'
import { call, signIn } from '../portal.mjs'
import { anonymous, run, tokenOf } from './links.mjs'

const mailFolder = process.argv[3]
if (!mailFolder) throw new Error('This script needs the folder with the e-mails that the portal has sent.')
export const PASSWORD = 'Links-passphrase-2026'
const MAIL_WAIT_MS = 15_000

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
export const statuses = (answers) => answers.map(({ status }) => status).join(' ')
export const rowsOf = ({ body }) => body['hydra:member'] ?? body
/** Returns the day that is this many days from today, as YYYY-MM-DD. */
export const dayIn = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

export const addressOf = (name) => `links-${run}-${name}@example.org`

/** Reads the e-mails to an address, oldest first, each with its decoded text and the links in it. */
export function mailsTo(address) {
  return readdirSync(mailFolder)
    .filter((file) => file.includes(address))
    .sort()
    .map((file) => {
      const text = readFileSync(`${mailFolder}/${file}`, 'latin1')
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      return { text, links: text.match(/https?:\/\/[^\s<>"]+/g) ?? [] }
    })
}

/** Throws unless the response has the status, so that an attack can’t pass because its preparation failed. */
export function need(answer, status = 200) {
  if (answer.status !== status) throw new Error(`preparation failed: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer.body
}

/** Waits for the given e-mail with a link to an address, and returns the token of its last link. */
export async function mailedToken(address, number = 1) {
  for (let waited = 0; waited < MAIL_WAIT_MS; waited += 200) {
    const mail = mailsTo(address).filter(({ links }) => links.length)[number - 1]
    if (mail) return tokenOf(mail.links.at(-1))
    await sleep(200)
  }
  throw new Error(`No e-mail ${number} with a link to ${address} in ${mailFolder}`)
}

export const mergePatch = { headers: { 'content-type': 'application/merge-patch+json' } }

/** Signs the manager in with a confirmed identity. */
export async function signInManager() {
  const manager = await signIn('manager')
  const proveIdentity = () => manager.post('/api/security/proof', { password: 'Portal-demo-2026' })
  await proveIdentity()
  return { ...manager, proveIdentity }
}

/** Lets a second administrator confirm the roles that wait for one, if there are any. */
export async function confirmRoles(by, url) {
  const { waitingRoles, waitingEmail } = need(await by.get(url))
  if (!waitingRoles?.length) return
  await by.proveIdentity()
  need(await by.post(`${url}/confirm-waiting`, { roles: waitingRoles, email: waitingEmail ?? '' }))
}

/**
 * Signs in a user of a new company, who has chosen a password with the link in the invitation. The company's
 * administrator confirms their roles.
 */
export async function newUser(manager, company, key, name, roles) {
  const username = `links${run}${company.id}${key}`
  const email = `${username}@example.org`
  const values = { username, name, email, roles, client: company['@id'] }
  const user = need(await manager.post('/api/portal/users', values), 201)
  await manager.post(`/api/portal/users/${user.id}/invite`, {})
  await call('POST', `/api/portal/password/reset/${await mailedToken(email)}`, { body: { password: PASSWORD } })
  if (company.admin) await confirmRoles(company.admin, user['@id'])
  const session = await signIn(username, { password: PASSWORD, client: company.id })
  return {
    ...session,
    id: user.id,
    url: user['@id'],
    username,
    email,
    name,
    proveIdentity: () => session.post('/api/security/proof', { password: PASSWORD }),
  }
}

/** Creates a company whose limit of e-mails isn’t shared with other tests, and its administrator. */
export async function newCompany(manager, key = '') {
  const { body: company } = await manager.post('/api/portal/clients', {
    company: `Links ${key}${run} Ltd`,
    contactname: 'Lena Admin',
    contactemail: addressOf(`company${key}`),
    address1: '1 High Street',
    city: 'Leeds',
    postcode: 'LS1 1AA',
    lettersPerDay: 2000,
  })
  const admin = await newUser(manager, company, 'admin', 'Lena Admin', [
    'ROLE_CLIENT_ADMIN',
    'ROLE_RISK_CREATE_UNRESTRICTED',
  ])
  return { ...company, admin }
}

/** Lets the manager work as a user with changes allowed. Returns functions that send requests in this session. */
export async function workAs(username, client) {
  const { token } = await signIn('manager')
  const visitBegun = await call('GET', `/api/security/user/switch?username=${username}&client=${client}&reason=links`, {
    token,
  })
  const allowed = await call('POST', '/api/security/user/write', {
    token: visitBegun.body.token,
    body: { password: 'Portal-demo-2026', reason: 'links' },
  })
  const as = (method) => (path, body, options) => call(method, path, { token: allowed.body.token, body, ...options })
  return { get: as('GET'), post: as('POST'), patch: as('PATCH'), end: () => as('GET')('/api/security/user/unswitch') }
}

export const drawing = {
  width: 300,
  height: 120,
  strokes: [
    [
      [0.1, 0.1],
      [0.5, 0.6],
      [0.9, 0.2],
      [0.95, 0.8],
    ],
    [
      [0.2, 0.9],
      [0.7, 0.95],
    ],
  ],
}

/** Creates a record of a presented talk with the given attendees, and the link by which they sign, already opened. */
export async function newTalk(user, talk, names) {
  const { body } = await user.post('/api/safety/toolbox_talk_presenteds', {
    talk: talk['@id'],
    presenter: user.name,
    place: 'Links',
    date: dayIn(0),
    startTime: '07:30',
    finishTime: '07:40',
    attendees: names.map((name) => ({ name })),
  })
  const link = await user.post(`/api/safety/toolbox_talk_presenteds/${body.id}/link`, {})
  const at = `/api/safety/shared_talks/${tokenOf(link.body.link.address)}`
  await anonymous('POST', `${at}/opened`, {})
  const attendee = (name) => body.attendees.find((row) => row.name === name).id
  return { url: body['@id'], at, attendee }
}

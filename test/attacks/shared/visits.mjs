// A company whose users are impersonated by provider staff, and requests that only the users themselves may make.
import { call, signIn } from '../portal.mjs'
import { dayIn } from './company.mjs'
import { run } from './links.mjs'
import { as, described, E, idOf, midweek, need, newPeople, part } from './people.mjs'

export const S = '/api/safety'
export const LEAVE = `${E}/leave_requests`
export const { people, employee, yard, depot, pattern, kind, company } = await newPeople()
export const { admin, hr, hrp, boss, worker } = people
export const provider = await signIn('manager')
export const staff = as((await signIn('staff')).token)
export const read = async (address, who = admin) => need(await who.get(address))
export const inPerson = ({ status, body }) => status === 403 && body.code === 'in_person'

export async function impersonate(user, { changes = true, from = staff } = {}) {
  const query = new URLSearchParams({ username: user.username, client: company.id, reason: 'people test' })
  const reading = as(need(await from.get(`/api/security/user/switch?${query}`)).token)
  return changes ? as(need(await reading.post('/api/security/user/write', { reason: 'people test' })).token) : reading
}

/** Returns the names of the requests that were not refused as reserved for the user. */
export async function notRefused(requests) {
  const open = []
  for (const [name, send] of Object.entries(requests)) {
    const answer = await send()
    if (!inPerson(answer)) open.push(`${name}: ${described(answer)}`)
  }
  return open.join('; ')
}

let week = 60
export const freeDay = () => midweek(++week)
export const requested = async (who = worker, whose = 'worker') =>
  need(await who.post(LEAVE, { employee: employee[whose], kind: kind.jury, parts: [part(freeDay())] }), 201)['@id']

export async function upload(who, path, fields) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const text = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n%${Math.random()}\ntrailer<</Root 1 0 R>>\n%%EOF`
  form.append('file', new Blob([text], { type: 'application/pdf' }), 'file.pdf')
  return call('POST', path, { token: who.token, raw: form })
}

/** Creates a folder for human resources, and a file in it. */
export async function privateFile(fields = {}) {
  const folder = need(
    await admin.post(`${S}/document_folders`, { name: `Private ${run} ${Math.random()}`, audience: ['ROLE_HR'] }),
    201,
  )['@id']
  const file = need(await upload(admin, `${S}/uploads/${company.id}`, { label: 'Contract', folder, ...fields }), 201)[
    '@id'
  ]
  if ((await worker.get(file)).status !== 404) throw new Error('the employee reads the file already')
  need(await admin.get(file))
  return { folder, file }
}

export const newAction = async () =>
  need(
    await admin.post(`${S}/corrective_actions`, {
      description: `People ${run}`,
      owner: idOf(worker.url),
      deadline: dayIn(9),
    }),
    201,
  )

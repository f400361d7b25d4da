// A company with employees whose rights the attacks withdraw, and one absence shown in calendars.
import { signIn } from '../portal.mjs'
import {
  confirmRoles,
  dayIn,
  mergePatch,
  need,
  newCompany,
  newUser,
  PASSWORD,
  rowsOf,
  signInManager,
} from './company.mjs'
import { anonymous, run } from './links.mjs'

export const S = '/api/safety'
export const E = '/api/employees'
export const SECRET = 'Private words'

export const manager = await signInManager()
export const company = await newCompany(manager, 'v')
export const { admin } = company
need(await manager.post(`${E}/setup_ffe`, { client: company['@id'] }))
export const leave = rowsOf(await manager.get('/api/portal/pack_products')).find(({ code }) => code === 'holidays')[
  '@id'
]
need(await manager.post('/api/portal/app_statuses', { client: company['@id'], product: leave }), 201)
await admin.proveIdentity()
export const [employee, HR, READER] = ['ROLE_EMPLOYEE', 'ROLE_HR', 'ROLE_INCIDENT_READER']
export const PRIVATE_HR = [employee, HR, 'ROLE_HR_PRIVATE']
export const worker = await newUser(manager, company, 'worker', 'Will Worker', [employee])
export const colleague = await newUser(manager, company, 'other', 'Xena Worker', [employee])
export const officer = await newUser(manager, company, 'hr', 'Hugo Officer', PRIVATE_HR)
export const author = await newUser(manager, company, 'author', 'Aled Author', [employee, 'ROLE_SAFETY_AUTHOR'])
export const second = await newUser(manager, company, 'second', 'Bert Admin', ['ROLE_CLIENT_ADMIN', READER])

export const change = (path, fields, who = admin) => who.patch(path, fields, mergePatch)
export const again = (user) => signIn(user.username, { password: PASSWORD, client: company.id })
export const withKey = (key) => ({ headers: { 'idempotency-key': `links-${key}-${run}` } })
/** Gives a user other roles for a while, and signs the user in with them. */
export async function withRoles(user, roles, use) {
  const { roles: former } = need(await admin.get(user.url))
  need(await change(user.url, { roles }))
  try {
    return await use(await again(user))
  } finally {
    need(await change(user.url, { roles: former }))
    await confirmRoles(manager, user.url)
    Object.assign(user, await again(user))
  }
}

export const department = rowsOf(await admin.get(`${E}/departments`))[0]['@id']
export const newEmployee = async (forename, values = {}) =>
  need(
    await admin.post(`${E}/employees`, {
      forename,
      surname: `Links${run}`,
      extCStartDate: '2020-01-01',
      department,
      nation: 'england',
      ...values,
    }),
    201,
  )
export const ofWorker = await newEmployee('Will', { user: worker.url })
export const ofColleague = await newEmployee('Xena', { user: colleague.url })
await newEmployee('Bert', { user: second.url })
export const ofOfficer = await newEmployee('Hugo', { user: officer.url })
export const day = [{ from: '09:00', until: '17:00', breakMinutes: 60 }]
export const week = { name: 'Full time', days: [day, day, day, day, day, [], []] }
export const pattern = need(await officer.post(`${E}/work_patterns`, week), 201)['@id']
need(
  await officer.post(`${E}/employee_work_patterns`, { employee: ofColleague['@id'], pattern, from: '2026-01-01' }),
  201,
)
export const kind = rowsOf(await officer.get(`${E}/leave_kinds?itemsPerPage=50`)).find(({ code }) => code === 'annual')[
  '@id'
]
export const [firstDay, lastDay] = [dayIn(21), dayIn(27)]
export const absence = { employee: ofColleague['@id'], kind, parts: [{ firstDay, lastDay }], notes: SECRET }
export const request = need(await colleague.post(`${E}/leave_requests`, absence), 201)
await officer.post(`${request['@id']}/approve`, {})

export async function newFeed(user) {
  const { address } = need(await user.post(`${E}/leave_feed`, {}))
  const at = new URL(address).pathname
  return {
    at,
    read: (headers) => anonymous('GET', at, undefined, { headers: { accept: 'text/calendar', ...headers } }),
  }
}
export const shows = ({ status, text }) => status === 200 && text.includes('Xena')

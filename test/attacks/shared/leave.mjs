// Employees and their leave, which the attacks with dates and texts share.
import { call, signIn } from '../portal.mjs'

export const RUN = `files${Date.now().toString(36)}`
export const day = (offset) => new Date(Date.now() + offset * 86400e3).toISOString().slice(0, 10)

export const [manager, admin, worker, office, care, reseller] = await Promise.all(
  ['manager', 'admin.brick', 'worker.brick', 'office.brick', 'admin.care', 'reseller.north'].map((name) =>
    signIn(name),
  ),
)
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))
export const statuses = (answers) => answers.map(({ status }) => status).join(' ')
export const members = async (user, path) => (await user.get(path)).body['hydra:member']
export const merge = (user, path, values) =>
  call('PATCH', path, {
    token: user.token,
    raw: JSON.stringify(values),
    headers: { 'content-type': 'application/merge-patch+json' },
  })

/** Runs `work`, and returns its result with the longest time that a person at another company waits meanwhile. */
export async function watch(work) {
  let [done, longest] = [false, 0]
  const others = (async () => {
    while (!done) {
      const start = Date.now()
      await call('GET', '/api/portal/public', { token: care.token })
      longest = Math.max(longest, Date.now() - start)
      await sleep(20)
    }
  })()
  const answer = await work()
  done = true
  await others
  return { ...answer, longest }
}

export const client = (await worker.get('/api/security/user_check')).body.client.id
export const me = (await worker.get('/api/employees/leave_calendar')).body.lanes.find(({ isMe }) => isMe)
export const myUrl = `/api/employees/employees/${me.employee}`
export const myAccount = `/api/employees/leave_accounts/${me.employee}`
const kinds = await members(admin, '/api/employees/leave_kinds?itemsPerPage=100')
export const kindOf = (code) => kinds.find((kind) => kind.code === code)['@id']
export const created = []
export async function employee(forename, values = {}) {
  const { status, body } = await admin.post('/api/employees/employees', {
    forename,
    surname: RUN,
    extCStartDate: '2026-01-05',
    nation: 'england',
    department: `/api/employees/departments/${me.departmentId}`,
    ...values,
  })
  if (status !== 201) throw new Error(`no employee ${forename}: ${status} ${body.detail}`)
  created.push(body['@id'])
  return body['@id']
}
export const sick = (person, firstDay, lastDay) =>
  admin.post('/api/employees/sickness_absences', { employee: person, firstDay, lastDay })
export async function leave(person, firstDay, lastDay) {
  const values = { employee: person, kind: kindOf('paternity'), parts: [{ firstDay, lastDay }] }
  const request = await admin.post('/api/employees/leave_requests', values)
  if (request.body.state !== 'approved') await admin.post(`${request.body['@id']}/approve`, {})
  return request
}
export const feedOf = async (user) => new URL((await user.post('/api/employees/leave_feed', {})).body.address).pathname

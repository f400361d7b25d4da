// A new company with departments, employees, their managers and accounts, and the requests that most attacks on leave send.
import { call } from '../portal.mjs'
import { dayIn, mailedToken, newCompany, newUser, PASSWORD, rowsOf, signInManager, sleep } from './company.mjs'
import { run } from './links.mjs'

export const E = '/api/employees'
const MERGE = { headers: { 'content-type': 'application/merge-patch+json' } }

/** Functions that call the portal with a token. `patch` sends a merge patch. */
export function as(token) {
  const send = (method, extra) => (path, body, options) => call(method, path, { token, body, ...extra, ...options })
  return {
    token,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
    patch: send('PATCH', MERGE),
  }
}

export const described = (answer) => `${answer.status} ${answer.text.slice(0, 200)}`
/** Returns the Wednesday this many weeks ahead, because bank holidays seldom fall on a Wednesday. */
export const midweek = (weeks) => dayIn(weeks * 7 + 3 - (new Date().getUTCDay() || 7))

/** Returns the body. Throws if the status differs, because the attack would not reach its defence. */
export function need(answer, ...expected) {
  if (!(expected.length ? expected : [200, 201, 204]).includes(answer.status))
    throw new Error(`preparation failed: ${described(answer)}`)
  return answer.body
}

const PRIVATE = {
  nationalInsuranceNumber: 'AB123456C',
  accountHolder: 'W Worker',
  sortCode: '20-00-00',
  accountNumber: '55779911',
}
const CONTACT = {
  address1: '9 Hidden Lane',
  city: 'Leeds',
  postcode: 'LS1 4AP',
  mobile: '07700 900123',
  dob: '1980-02-29',
  sex: 1,
}

/** Creates the company. Boss manages Will and Mary in Yard, which Hilda heads; Olga is in Depot, which Alan approves. */
export async function newPeople() {
  const manager = await signInManager()
  const company = await newCompany(manager, 'people')
  need(await manager.post(`${E}/setup_ffe`, { client: company['@id'] }))
  const products = rowsOf(await manager.get('/api/portal/pack_products?itemsPerPage=50'))
  const product = products.find(({ code }) => code === 'holidays')['@id']
  need(await manager.post('/api/portal/app_statuses', { client: company['@id'], product, status: 1 }))
  const people = { admin: { ...company.admin, ...as(company.admin.token) } }
  const roles = { hr: ['ROLE_HR'], hrp: ['ROLE_HR', 'ROLE_HR_PRIVATE'], priv: ['ROLE_EMPLOYEE', 'ROLE_HR_PRIVATE'] }
  for (const key of ['hr', 'hrp', 'priv', 'boss', 'head', 'approver', 'worker', 'mate', 'other']) {
    const user = await newUser(manager, company, key, `${key} people`, roles[key] ?? ['ROLE_EMPLOYEE'])
    people[key] = { ...user, ...as(user.token) }
  }
  const { hrp, hr } = people
  const names = {
    boss: 'Bob Boss',
    head: 'Hilda Head',
    approver: 'Alan Approver',
    worker: 'Will Worker',
    mate: 'Mary Mate',
    other: 'Olga Other',
  }
  const employee = {}
  const make = async (key, values) => {
    const [forename, surname] = names[key].split(' ')
    const body = {
      forename,
      surname,
      extCStartDate: '2020-01-06',
      nation: 'england',
      ...CONTACT,
      ...PRIVATE,
      ...values,
    }
    employee[key] = need(await hrp.post(`${E}/employees`, body), 201)['@id']
    need(await people.admin.patch(employee[key], { user: people[key].url }))
  }
  await make('head', {})
  await make('approver', {})
  const yard = need(await hr.post(`${E}/departments`, { name: `Yard ${run}`, head: employee.head }), 201)['@id']
  const depot = need(await hr.post(`${E}/departments`, { name: `Depot ${run}`, approver: employee.approver }), 201)[
    '@id'
  ]
  await make('boss', { department: yard, manager: employee.head })
  await make('worker', { department: yard, manager: employee.boss })
  await make('mate', { department: yard, manager: employee.boss })
  await make('other', { department: depot })
  const shift = [{ from: '09:00', until: '17:00', breakMinutes: 0 }]
  const pattern = need(
    await hr.post(`${E}/work_patterns`, { name: `Week ${run}`, days: [shift, shift, shift, shift, shift, [], []] }),
    201,
  )['@id']
  for (const one of Object.values(employee)) {
    need(
      await hr.post(`${E}/employee_work_patterns`, {
        employee: one,
        pattern,
        from: '2020-01-06',
        cycleStart: '2020-01-06',
      }),
      201,
    )
  }
  const kinds = rowsOf(await hr.get(`${E}/leave_kinds?itemsPerPage=100`))
  const kind = Object.fromEntries(kinds.map((one) => [one.code, one['@id']]))
  return {
    manager,
    company,
    people,
    employee,
    yard,
    depot,
    pattern,
    kind,
    ...requestsOf(people, employee, kind, company),
  }
}

export const account = (employee) => employee.replace('/employees/employees/', '/employees/leave_accounts/')
export const record = (employee) => employee.replace('/employees/employees/', '/employees/records/')
export const part = (firstDay, lastDay = firstDay, more = {}) => ({ firstDay, lastDay, portion: 'day', ...more })

export const idOf = (address) => Number(address.split('/').pop())

/** The requests that most attacks send. */
function requestsOf(people, employee, kind, company) {
  const { admin, hr, hrp } = people
  let week = 8
  /** Returns a day that no other attack uses. */
  const freeDay = () => midweek(++week)
  const read = async (address, who = hrp) => need(await who.get(address))
  const request = (who, whose, day) =>
    who.post(`${E}/leave_requests`, { employee: employee[whose], kind: kind.jury, parts: [part(day)] })
  const requested = async (who, whose, day = freeDay()) => need(await request(who, whose, day), 201)['@id']
  const sick = (who, whose, day, more = {}) =>
    who.post(`${E}/sickness_absences`, { employee: employee[whose], firstDay: day, lastDay: day, ...more })
  const balance = async (whose) => (await read(`${account(employee[whose])}/balance`)).balance

  async function finished(address, who = hr) {
    for (let waited = 0; waited < 15_000; waited += 200) {
      const job = await read(address, who)
      if (['done', 'undone', 'failed', 'stopped'].includes(job.state)) return job
      await sleep(200)
    }
    throw new Error('the job has not finished')
  }

  async function massUpdate(values) {
    const { run: address } = need(await hr.post(`${E}/leave_mass_updates`, { reason: 'people test', ...values }), 202)
    await finished(address)
    return address
  }

  /** Another account, created by the administrator. */
  async function newAccount(key, roles = ['ROLE_EMPLOYEE']) {
    const username = `people${run}${key}`
    const email = `${username}@example.org`
    const user = need(await admin.post('/api/portal/users', { username, name: key, email, roles }), 201)
    need(await admin.post(`${user['@id']}/invite`, {}))
    need(await call('POST', `/api/portal/password/reset/${await mailedToken(email)}`, { body: { password: PASSWORD } }))
    const { token } = need(
      await call('POST', '/api/security/login', { body: { username, password: PASSWORD, client: company.id } }),
    )
    return { ...as(token), url: user['@id'] }
  }

  /** Gives human resources a record of their own, in a department of their own. */
  async function employHr(pattern) {
    const solo = need(await hr.post(`${E}/departments`, { name: `Solo ${run}` }), 201)['@id']
    const details = {
      forename: 'Hanna',
      surname: 'Resources',
      extCStartDate: '2020-01-06',
      department: solo,
      nation: 'england',
    }
    employee.hr = need(await hrp.post(`${E}/employees`, details), 201)['@id']
    need(await admin.patch(employee.hr, { user: hr.url }))
    const worked = { employee: employee.hr, pattern, from: '2020-01-06', cycleStart: '2020-01-06' }
    need(await hrp.post(`${E}/employee_work_patterns`, worked), 201)
    return solo
  }

  return { freeDay, read, request, requested, sick, balance, finished, massUpdate, newAccount, employHr }
}

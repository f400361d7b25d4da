// Attacks on leave, people and their private details while provider staff work as a user, and after a password was set.
import { attack, call, finish } from './portal.mjs'
import { dayIn, rowsOf, sleep, statuses } from './shared/company.mjs'
import { account, as, described, E, idOf, midweek, need, part, record } from './shared/people.mjs'
import {
  admin,
  boss,
  company,
  depot,
  employee,
  freeDay,
  hr,
  hrp,
  impersonate,
  kind,
  LEAVE,
  notRefused,
  pattern,
  provider,
  read,
  requested,
  staff,
  worker,
  yard,
} from './shared/visits.mjs'

const NEW_PASSWORD = 'Chosen-by-manager-2026'

await attack('Leave can’t be requested, decided, withdrawn or cancelled while impersonating anybody', async () => {
  for (const person of [worker, boss, hr, hrp, admin]) {
    const waiting = await requested()
    const approved = await requested()
    need(await boss.post(`${approved}/approve`, {}))
    const visitor = await impersonate(person)
    const open = await notRefused({
      request: () => visitor.post(LEAVE, { employee: employee.worker, kind: kind.jury, parts: [part(freeDay())] }),
      approve: () => visitor.post(`${waiting}/approve`, {}),
      decline: () => visitor.post(`${waiting}/decline`, { reason: 'No' }),
      withdraw: () => visitor.post(`${waiting}/withdraw`, {}),
      cancel: () => visitor.post(`${approved}/cancel`, { reason: 'No' }),
      sickness: () => visitor.post(`${E}/sickness_absences`, { employee: employee.worker, firstDay: dayIn(-2) }),
    })
    if (open) return `as ${person.name}: ${open}`
    if ((await read(waiting)).state !== 'requested' || (await read(approved)).state !== 'approved')
      return 'the state has changed'
    need(await worker.post(`${waiting}/withdraw`, {}))
  }
})

await attack(
  'People, departments, allowances and leave settings can’t be changed while impersonating human resources',
  async () => {
    const visitor = await impersonate(hrp)
    const settings = rowsOf(await hr.get(`${E}/leave_settings`))[0]['@id']
    const leave = account(employee.worker)
    const year = `${new Date().getUTCFullYear()}-01-01`
    return notRefused({
      'new employee': () => visitor.post(`${E}/employees`, { forename: 'No', surname: 'Body' }),
      'bank account': () => visitor.patch(employee.worker, { accountNumber: '55779911', sortCode: '20-00-00' }),
      manager: () => visitor.patch(employee.worker, { manager: employee.head }),
      'manager in bulk': () =>
        visitor.post(`${E}/employees/bulk`, {
          action: 'manager',
          ids: [idOf(employee.worker)],
          input: { manager: employee.head },
        }),
      account: () => visitor.patch(employee.worker, { user: null }),
      leaving: () =>
        visitor.post(`${employee.worker}/end-employment`, { leavingDate: dayIn(20), leavingReason: 'resigned' }),
      restore: () => visitor.post(`${employee.worker}/resume-employment`, {}),
      'job change': () =>
        visitor.post(`${E}/jobs`, { employee: employee.worker, from: dayIn(20), jobtitlename: 'Other' }),
      head: () => visitor.patch(yard, { head: employee.worker }),
      approver: () => visitor.patch(depot, { approver: employee.worker }),
      'least cover': () => visitor.patch(yard, { minimumCover: 0 }),
      settings: () => visitor.patch(settings, { cancellation: 'approver' }),
      closure: () => visitor.post(`${E}/leave_blackouts`, { firstDay: dayIn(300), lastDay: dayIn(301), reason: 'No' }),
      pattern: () =>
        visitor.post(`${E}/employee_work_patterns`, { employee: employee.worker, pattern, from: dayIn(30) }),
      hours: () =>
        visitor.post(`${E}/leave_pay_periods`, { employee: employee.worker, until: dayIn(-30), minutes: 60 }),
      adjustment: () => visitor.post(`${leave}/adjust`, { year, minutes: 60, reason: 'No' }),
      'carry-over': () =>
        visitor.post(`${leave}/carry-over`, {
          year,
          part: 'additional',
          minutes: 60,
          carryReason: 'agreed',
          reason: 'No',
        }),
      'pay in lieu': () =>
        visitor.post(`${leave}/pay-in-lieu`, { year, part: 'additional', minutes: 60, reason: 'No' }),
      'mass update': () => visitor.post(`${E}/leave_mass_updates`, { kind: 'allowance', year, days: 1, reason: 'No' }),
    })
  },
)

await attack('A calendar feed can’t be created, withdrawn or shown while impersonating its person', async () => {
  const { address } = need(await worker.post(`${E}/leave_feed`, {}))
  const visitor = await impersonate(worker)
  const shown = JSON.stringify(await read(`${E}/leave_feed`, visitor))
  const open = await notRefused({
    create: () => visitor.post(`${E}/leave_feed`, {}),
    withdraw: () => visitor.delete(`${E}/leave_feed`),
  })
  if (open || shown.includes('leave_feeds/')) return open || shown
  need(await call('GET', new URL(address).pathname))
})

await attack('An employee’s own private details are not shown while impersonating the employee', async () => {
  if (!(await read(record(employee.worker), worker)).accountNumber)
    throw new Error('the employee does not read them either')
  for (const changes of [false, true]) {
    const visitor = await impersonate(worker, { changes })
    const { text } = await visitor.get(record(employee.worker))
    if (/55779911|AB123456C|Hidden Lane|07700|1980-02-29/.test(text)) return text.slice(0, 300)
    if (/55779911|AB123456C|Hidden Lane/.test((await visitor.get(`${E}/records/export.csv`)).text))
      return 'in the export'
  }
})

await attack(
  'The log of private details and sickness reasons read while impersonating names the real reader, for exports too',
  async () => {
    const absence = need(
      await hrp.post(`${E}/sickness_absences`, {
        employee: employee.mate,
        firstDay: midweek(-3),
        lastDay: midweek(-3),
        reason: 'Private',
      }),
      201,
    )['@id']
    const visitor = await impersonate(hrp, { changes: false })
    for (const address of [record(employee.mate), employee.mate, absence]) {
      const { text } = await visitor.get(address)
      if (!/55779911|Private/.test(text)) throw new Error(`${address} shows nothing private`)
      const [log] = rowsOf(await admin.get('/api/portal/confidential_reads?order[id]=desc&itemsPerPage=1'))
      if (log?.username !== 'staff' || log.asUsername !== hrp.username || log.record !== address)
        return `${address}: ${JSON.stringify(log)}`
    }
  },
)

await attack('An export started while impersonating names the real person, who can’t fetch it afterwards', async () => {
  const visitor = await impersonate(hrp)
  const job = need(await visitor.post('/api/portal/exports', { from: `${E}/records`, format: 'csv' }), 202)
  for (let waited = 0; waited < 50 && !(await read(job['@id'], visitor)).file; waited++) await sleep(200)
  need(await visitor.get(`${job['@id']}/file`))
  if (job.author !== 'staff') return `the author is ${job.author}`
  need(await visitor.get('/api/security/user/unswitch'))
  const late = [
    await visitor.get(`${job['@id']}/file`),
    await staff.get(`${job['@id']}/file`),
    await admin.get(`${job['@id']}/file`),
  ]
  if (late.some(({ status }) => status === 200)) return statuses(late)
})

/**
 * Lets the provider’s manager set a user’s password and choose the new one with the link in the response. Returns
 * nothing if that is forbidden. The portal limits how many passwords one person sets per hour: then the attack has no
 * result.
 */
async function takeOver(user) {
  need(await provider.post('/api/security/proof', { password: 'Portal-demo-2026' }))
  const set = await provider.put(`${user.url}/password`, { password: 'Temporary-people-2026' })
  if (set.status === 409 || set.status === 403) return undefined
  need(set)
  const body = { username: user.username, client: company.id }
  const first = await call('POST', '/api/security/login', { body: { ...body, password: 'Temporary-people-2026' } })
  const link = first.body.passwordLink?.token
  if (!link) throw new Error(`no link to choose a password: ${described(first)}`)
  need(await call('POST', `/api/portal/password/reset/${link}`, { body: { password: NEW_PASSWORD } }))
  return as(need(await call('POST', '/api/security/login', { body: { ...body, password: NEW_PASSWORD } })).token)
}

// These two end the sessions of their users, so they come last.
await attack(
  'The provider’s manager, who has set an approver’s password, can’t decide on leave in the approver’s name',
  async () => {
    const waiting = await requested()
    const taken = await takeOver(boss)
    const answer = await taken?.post(`${waiting}/approve`, {})
    const { state, decidedBy } = await read(waiting)
    if (state !== 'requested') return `${answer.status}: ${state}, decided by ${decidedBy}`
  },
)

await attack(
  'The provider’s manager, who has set a password, does not read private details in the name of human resources',
  async () => {
    const taken = await takeOver(hrp)
    const { body } = (await taken?.get(record(employee.worker))) ?? {}
    const [log] = rowsOf(await admin.get('/api/portal/confidential_reads?order[id]=desc&itemsPerPage=1'))
    if (body?.accountNumber)
      return `account number ${body.accountNumber}, logged as ${log.username}, read by ${log.readBy}`
  },
)

finish()

// Attacks on private details of employees, their accounts, decisions of human resources about themselves, calendar
// feeds, and years and periods at the limits.
import { attack, call, finish } from './portal.mjs'
import { rowsOf, sleep, statuses } from './shared/company.mjs'
import { atOnce, run } from './shared/links.mjs'
import { account, described, E, midweek, need, newPeople, part, record } from './shared/people.mjs'

const LEAVE = `${E}/leave_requests`
const SICK = `${E}/sickness_absences`
const world = await newPeople()
const { people, employee, pattern, kind } = world
const { read, requested, sick, balance, newAccount, employHr } = world
const { admin, hr, hrp, boss, head, approver, worker, mate, other } = people
const ids = (answer) =>
  rowsOf(answer)
    .map(({ id }) => id)
    .join()
const names = (answer) =>
  rowsOf({ body: need(answer) })
    .map(({ name }) => name)
    .sort()
    .join()
const year = `${new Date().getUTCFullYear()}-01-01`
await employHr(pattern)

await attack('Human resources can’t change their own work pattern, start date, hours or sickness', async () => {
  const before = await balance('hr')
  const night = [{ from: '00:00', until: '23:00', breakMinutes: 0 }]
  const longer = need(await hr.post(`${E}/work_patterns`, { name: `Long ${run}`, days: Array(7).fill(night) }), 201)[
    '@id'
  ]
  const answers = {
    pattern: await hr.post(`${E}/employee_work_patterns`, {
      employee: employee.hr,
      pattern: longer,
      from: year,
      cycleStart: year,
    }),
    start: await hr.patch(employee.hr, { extCStartDate: '2000-01-03' }),
    hours: await hr.post(`${E}/leave_pay_periods`, { employee: employee.hr, until: midweek(-5), minutes: 20_000 }),
  }
  const absence = need(await sick(hrp, 'hr', midweek(-7)), 201)['@id']
  answers.sickness = await hr.patch(absence, { retired: true })
  const after = await balance('hr')
  const open = Object.entries(answers)
    .filter(([, { status }]) => status < 300)
    .map(([name]) => name)
  if (open.length) return `${open.join(', ')}: entitlement of ${before.entitlement} minutes, then ${after.entitlement}`
})

await attack(
  'The reason for an absence is in no response, filter, sort order or export without the role for private details',
  async () => {
    const one = need(
      await sick(hrp, 'mate', midweek(-10), { reason: 'Zebra reason', returnNotes: 'Zebra notes', protected: true }),
      201,
    )['@id']
    if ((await read(one)).reason !== 'Zebra reason') throw new Error('the reason is not stored')
    for (const who of [hr, admin, boss, head, mate]) {
      const all = ids(await who.get(`${SICK}?itemsPerPage=100`))
      for (const query of [
        '',
        '?reason=Zebra',
        '?protected=true',
        '?order[reason]=asc',
        '?q=Zebra',
        '?columns=reason,returnNotes',
        '?properties[]=reason',
      ]) {
        const rows = rowsOf({ body: need(await who.get(`${SICK}${query}${query ? '&' : '?'}itemsPerPage=100`)) })
        if (JSON.stringify(rows).includes('Zebra')) return `reason in ${query}`
        if (ids({ body: rows }) !== all) return `${query} filters or orders`
      }
      if (need(await who.get(`${SICK}/export.csv?columns=employee,reason,protected`)).includes('Zebra'))
        return 'reason in an export'
      if ((await who.get(one)).text.includes('Zebra')) return 'reason in the record'
    }
    need(await hr.patch(one, { reason: 'Overwritten' }))
    if ((await read(one)).reason !== 'Zebra reason') return 'overwritten by human resources without the role'
  },
)

await attack('A list of employees can’t be filtered, sorted or searched by private details', async () => {
  need(await hrp.patch(employee.other, { email: `zebra${run}@example.org`, payroll: `ZEBRA${run}` }))
  for (const who of [mate, boss, approver]) {
    const all = names(await who.get(`${E}/employees?itemsPerPage=100`))
    for (const filter of [
      'dob=1980-02-29',
      'payroll=NONE',
      'email=none@example.org',
      'exists[leavingDate]=true',
      'manager=/x',
      'sex=2',
      'nation=wales',
      'nationalInsuranceNumber=X',
    ]) {
      if (names(await who.get(`${E}/employees?itemsPerPage=100&${filter}`)) !== all) return `filter ${filter}`
    }
    for (const term of ['AB123456C', '55779911', 'Hidden', '07700', `zebra${run}`]) {
      if (names(await who.get(`${E}/employees?q=${term}`))) return `search for ${term}`
    }
    const own = names(await who.get(`${E}/records?itemsPerPage=100`))
    if (
      own !==
      { [mate.id]: 'Mary Mate', [boss.id]: 'Bob Boss,Mary Mate,Will Worker', [approver.id]: 'Alan Approver' }[who.id]
    )
      return `records: ${own}`
  }
  const accounts = ['user.email=', 'user.username=', 'user.roles=ROLE_', 'user.isRetired=false', 'exists[user]=true']
  for (const filter of accounts) {
    const found = names(await boss.get(`${E}/records?${filter.replace(/=$/, `=${worker.username}`)}`))
    if (found.includes('Will')) return `the account of a report, by ${filter}`
  }
})

await attack(
  'Human resources can’t change or approve their own leave by first removing the link to their account',
  async () => {
    const adjust = () => hr.post(`${account(employee.hr)}/adjust`, { year, minutes: 4800, reason: 'My own' })
    const waiting = await requested(hr, 'hr')
    if ((await adjust()).status !== 403 || (await hr.post(`${waiting}/approve`, {})).status !== 403)
      throw new Error('not refused while linked')
    const unlinked = await hr.patch(employee.hr, { user: null })
    const answers = [await adjust(), await hr.post(`${waiting}/approve`, {})]
    const { adjusted } = await balance('hr')
    const { state, decidedBy } = await read(waiting)
    if (unlinked.status < 300) need(await admin.patch(employee.hr, { user: hr.url }))
    if (answers.some(({ status }) => status < 300))
      return `unlink ${unlinked.status}, adjust and approve ${statuses(answers)}; adjusted by ${adjusted} minutes, leave ${state} by ${decidedBy}`
  },
)

await attack(
  'Human resources without the role for private details can’t write a bank account or National Insurance number',
  async () => {
    await hr.patch(employee.mate, {
      accountNumber: '12345678',
      nationalInsuranceNumber: 'AB999999C',
      accountHolder: 'HR',
    })
    const { accountNumber, nationalInsuranceNumber, accountHolder } = await read(record(employee.mate))
    if (accountNumber !== '55779911' || nationalInsuranceNumber !== 'AB123456C' || accountHolder === 'HR')
      return 'written'
  },
)

await attack(
  'An administrator can’t link a record to their own account, or an account to a second record',
  async () => {
    for (const answer of [
      await admin.patch(employee.worker, { user: admin.url }),
      await admin.patch(employee.worker, { user: { '@id': admin.url } }),
      await admin.post(`${E}/employees`, { forename: 'Own', surname: run, user: admin.url }),
      await admin.patch(employee.worker, { user: mate.url }),
      await admin.post(`${E}/employees`, { forename: 'Second', surname: run, user: worker.url }),
    ]) {
      if (answer.status < 400) return described(answer)
    }
    const { url } = await newAccount('twice')
    const answers = await atOnce(20, (index) =>
      admin.post(`${E}/employees`, { forename: `Race ${index}`, surname: run, user: url }),
    )
    const linked = answers.filter(({ status }) => status === 201).length
    if (linked !== 1) return `${linked} records have the same account`
  },
)

await attack(
  'An administrator can’t read private details through a new account by first removing the former link',
  async () => {
    const spy = await newAccount('spy')
    if ((await admin.patch(employee.mate, { user: spy.url })).status !== 409)
      throw new Error('the direct link is not refused')
    const answers = [
      await admin.patch(employee.mate, { user: null }),
      await admin.patch(employee.mate, { user: spy.url }),
    ]
    const { body } = await spy.get(record(employee.mate))
    need(await admin.patch(employee.mate, { user: null }))
    need(await admin.patch(employee.mate, { user: mate.url }))
    if (body.accountNumber || body.nationalInsuranceNumber)
      return `unlink and link ${statuses(answers)}: account number ${body.accountNumber}, ${body.nationalInsuranceNumber}`
  },
)

await attack(
  'An administrator can’t give themselves the role for private details without a second administrator',
  async () => {
    const { roles } = await read(admin.url, admin)
    const finance = need(await admin.patch(admin.url, { roles: [...roles, 'ROLE_INVOICING_FINANCE'] }))
    if (!finance.waitingRoles.length) throw new Error('the role for money does not wait either')
    const changed = need(await admin.patch(admin.url, { roles: [...roles, 'ROLE_HR_PRIVATE'] }))
    const { accountNumber } = await read(record(employee.worker), admin)
    need(await admin.patch(admin.url, { roles }))
    if (changed.roles.includes('ROLE_HR_PRIVATE')) return `effective at once, and reads account number ${accountNumber}`
  },
)

await attack(
  'A feed ends when it gets a new address or is withdrawn, or when the account link or the employment ends',
  async () => {
    const create = async () => new URL(need(await other.post(`${E}/leave_feed`, {})).address).pathname
    const status = async (path) => (await call('GET', path)).status
    const first = await create()
    if ((await status(first)) !== 200) throw new Error('the feed is not readable')
    const second = await create()
    if ((await status(first)) === 200) return 'the former address stays open'
    if ((await status(`${second.slice(0, -1)}${second.endsWith('A') ? 'B' : 'A'}`)) === 200)
      return 'another secret is accepted'
    if (JSON.stringify(await read(`${E}/leave_feed`, other)).includes(second.split('-').pop()))
      return 'the secret is shown again'
    need(await admin.patch(employee.other, { user: null }))
    const unlinked = await call('GET', second)
    need(await admin.patch(employee.other, { user: other.url }))
    if (unlinked.text.includes('Olga') || unlinked.text.includes('Absent')) return 'events after the link is removed'
    const third = await create()
    need(await hr.post(`${employee.other}/end-employment`, { leavingDate: midweek(-1), leavingReason: 'resigned' }))
    const left = [await status(third), (await other.get('/api/security/user_check')).status]
    need(await hr.post(`${employee.other}/resume-employment`, {}))
    const back = [await status(third), (await other.get('/api/security/user_check')).status]
    need(await admin.patch(other.url, { isRetired: false }))
    if (left.includes(200)) return `open after the last day: ${left.join(', ')}`
    if (back.includes(200)) return `open again without an administrator: ${back.join(', ')}`
    if ((await other.get('/api/security/user_check')).status === 200)
      return 'a session from before the leaving is open again'
    if ((await status(third)) === 200) return 'the feed’s former address is open again after the account is restored'
  },
)

await attack('A request or preview for 100 years of leave is refused, and doesn’t make other people wait', async () => {
  const values = { employee: account(employee.worker), kind: kind.annual, parts: [part(midweek(60), '2127-01-01')] }
  let waiting = true
  let longest = 0
  const others = (async () => {
    while (waiting) {
      const start = Date.now()
      await call('GET', `${E}/leave_feeds/none`)
      longest = Math.max(longest, Date.now() - start)
      await sleep(20)
    }
  })()
  const answer = await worker.post(`${LEAVE}/preview`, values)
  waiting = false
  await others
  if (answer.status < 400) return `${answer.status}, and another request waited ${longest} ms`
})

await attack('Years and dates at the limits are refused without a server error', async () => {
  const found = []
  const must = async (name, send) => {
    const { status } = await send
    if (status >= 500) found.push(`${name}: ${status}`)
  }
  await must('balance of 9999', worker.get(`${account(employee.worker)}/balance?year=9999-01-01`))
  await must('balance of year 1', worker.get(`${account(employee.worker)}/balance?year=0001-01-01`))
  await must('record of 9999', worker.get(`${account(employee.worker)}/record.csv?year=9999-01-01`))
  await must('report of 9999', hr.get(`${E}/leave_report?year=9999-01-01`))
  await must(
    'request for 1900',
    worker.post(LEAVE, { employee: employee.worker, kind: kind.jury, parts: [part('1900-01-01')] }),
  )
  await must(
    'request for 9999',
    worker.post(LEAVE, { employee: employee.worker, kind: kind.jury, parts: [part('9999-12-30', '9999-12-31')] }),
  )
  await must(
    'request for five years',
    worker.post(LEAVE, { employee: employee.worker, kind: kind.jury, parts: [part(midweek(200), midweek(460))] }),
  )
  await must('sickness in 1900', sick(worker, 'worker', '1900-01-01'))
  await must(
    'pattern from 1900',
    hr.post(`${E}/employee_work_patterns`, {
      employee: employee.head,
      pattern,
      from: '1900-01-01',
      cycleStart: '1900-01-01',
    }),
  )
  return found.join('; ')
})

finish()

// Attacks with dates and texts: leave reports, calendar feeds and exports of employees, and long periods.
import { attack, call, finish } from './portal.mjs'
import {
  admin,
  care,
  client,
  created,
  day,
  employee,
  feedOf,
  kindOf,
  leave,
  manager,
  me,
  members,
  merge,
  myAccount,
  myUrl,
  office,
  RUN,
  reseller,
  sick,
  sleep,
  statuses,
  times,
  watch,
  worker,
} from './shared/leave.mjs'

await attack('a request for 60 years of leave doesn’t make other people wait', async () => {
  const person = await employee('Long')
  const request = {
    employee: person,
    kind: kindOf('dependants'),
    parts: [{ firstDay: '2027-06-01', lastDay: '2087-06-01' }],
  }
  const { status, longest } = await watch(() => admin.post('/api/employees/leave_requests', request))
  if (status >= 500 || longest > 700)
    return `${status}; people of other companies wait ${longest} ms (9,000 years: minutes)`
})

await attack('an employee’s preview of 80 years of leave doesn’t make other people wait', async () => {
  const preview = (lastDay) => {
    const parts = [{ firstDay: '2027-06-01', lastDay }]
    return worker.post('/api/employees/leave_requests/preview', {
      employee: myAccount,
      kind: kindOf('dependants'),
      parts,
    })
  }
  const oneDay = await preview('2027-06-01')
  if (oneDay.status !== 200) return `not checked, one day: ${oneDay.status}`
  const { status, longest } = await watch(() => preview('2107-06-01'))
  if (status >= 500 || longest > 700) return `${status}; people of other companies wait ${longest} ms`
})

await attack('the preview of a 20-year shutdown doesn’t make other people wait', async () => {
  const values = { kind: 'shutdown', reason: RUN, firstDay: '2027-12-01', lastDay: '2047-12-01' }
  const { status, longest } = await watch(() => admin.post('/api/employees/leave_mass_updates/preview', values))
  if (status >= 500 || longest > 700) return `${status}; people of other companies wait ${longest} ms`
})

await attack('a leave request with 3,000 parts is refused immediately', async () => {
  const parts = times(3000, () => ({ firstDay: '2027-02-01', lastDay: '2027-02-01' }))
  const { status, longest } = await watch(() =>
    worker.post('/api/employees/leave_requests', { employee: myUrl, kind: kindOf('dependants'), parts }),
  )
  if (![413, 422].includes(status) || longest > 700) return `${status}; others wait ${longest} ms`
})

await attack('leave reports, records and calendars for the years 1 and 9999 cause no 5xx error', async () => {
  const wrong = []
  for (const year of ['0001-01-01', '9999-12-31', '10000-01-01', '-0001-01-01', '2026-02-30']) {
    const paths = [
      'leave_report',
      'leave_report/export.csv',
      `leave_accounts/${me.employee}/record.csv`,
      `leave_accounts/${me.employee}/balance`,
    ]
    for (const path of [...paths.map((name) => `${name}?year=${year}`), `leave_calendar?from=${year}&until=${year}`]) {
      const { status } = await admin.get(`/api/employees/${path}`)
      if (status >= 500) wrong.push(`${path}: ${status}`)
    }
  }
  if (wrong.length) return `${wrong.length} addresses, such as ${wrong[0]}`
})

await attack('an absence in 1901 is stored or refused without a 5xx error', async () => {
  const { status } = await sick(await employee('Old', { extCStartDate: '1900-01-01' }), '1901-01-01', '1901-01-02')
  if (status >= 500) return `${status}`
})

const [ill, away] = [await employee('Ill'), await employee('Away')]
await sick(ill, day(-4), day(-3))
await leave(away, day(-4), day(-3))

await attack('a colleague’s calendar and feed don’t distinguish sickness from leave', async () => {
  const numbers = [ill, away].map((path) => Number(path.split('/').pop()))
  const { absences } = (await worker.get(`/api/employees/leave_calendar?from=${day(-30)}&until=${day(30)}`)).body
  const rows = numbers.map((number) => absences.find((absence) => absence.employee === number))
  if (rows.some((row) => !row)) return 'not checked: the absences are not in the calendar'
  const shown = rows.map((row) => JSON.stringify({ ...row, employee: 0 }))
  if (shown[0] !== shown[1]) return `calendar: ${shown.join(' and ')}`
  const events = (await call('GET', await feedOf(worker))).text.split('BEGIN:VEVENT')
  const ids = ['Ill', 'Away'].map(
    (name) => events.find((event) => event.includes(`${name} ${RUN}`))?.match(/UID:(\S+)/)[1],
  )
  if (ids.some((id) => !id)) return 'not checked: the absences are not in the feed'
  const shapes = ids.map((id, index) =>
    id.replace(`-${numbers[index]}-`, '-N-').replace(/-\d+@/, '@').replace(/-\d+@/, '-R@'),
  )
  if (shapes[0] !== shapes[1])
    return `both are “busy”, but the UID of the sick colleague is ${ids[0]}, of the other ${ids[1]}`
})

await attack('names in a calendar feed can’t add lines or events, and long lines are folded', async () => {
  const people = ['A;B,C\\nBEGIN:VEVENT', 'Ann\r\nEND:VEVENT\r\nBEGIN:VEVENT', 'x\u2028\u0085y', '😀'.repeat(45)]
  for (const name of people) await leave(await employee(name), day(10), day(11))
  const { text, headers } = await call('GET', await feedOf(worker))
  if (!headers['content-type'].startsWith('text/calendar')) return headers['content-type']
  if (text.split('\r\n').some((line) => Buffer.byteLength(line) > 75)) return 'a line of more than 75 bytes'
  if (/[^\r]\n|[\u0085\u2028]/.test(text) || /(?![\t\r\n])\p{Cc}/u.test(text))
    return 'a line break or control character inside a line'
  const unfolded = text.replace(/\r\n[ \t]/g, '')
  const summaries = unfolded.split('\r\n').filter((line) => line.startsWith('SUMMARY:') && line.includes(RUN))
  if (summaries.length < 6) return `not checked: ${summaries.length} of 6 events`
  const count = (mark) => unfolded.split('\r\n').filter((line) => line === mark).length
  if (count('BEGIN:VEVENT') !== unfolded.split('SUMMARY:').length - 1) return 'a name adds an event'
  if (!unfolded.includes('A\\;B\\,C\\\\nBEGIN:VEVENT')) return 'a name is not escaped'
})

await attack('a calendar feed ends when it is withdrawn or replaced, and only its exact URL works', async () => {
  const [first, second] = [await feedOf(worker), await feedOf(worker)]
  if ((await call('GET', second)).status !== 200) return 'not checked: the feed doesn’t work'
  if ((await call('GET', first)).status === 200) return 'the former address still works'
  const variants = [
    `${second}x`,
    second.slice(0, -1),
    second.toLowerCase(),
    second.replace(/\/\d+-/, '/2-'),
    `${second}%00`,
    `${second}/`,
  ]
  for (const path of variants) if ((await call('GET', path)).status === 200) return path
  if (JSON.stringify((await worker.get('/api/employees/leave_feed')).body).includes(second.split('/').pop()))
    return 'the address is shown again'
  if (!/no-store/.test((await call('GET', second)).headers['cache-control'])) return 'the feed may be cached'
  await worker.delete('/api/employees/leave_feed')
  const after = await Promise.all(times(5, () => call('GET', second)))
  if (after.some(({ status }) => status === 200)) return statuses(after)
})

await attack('an impersonator can neither create nor withdraw a person’s calendar feed', async () => {
  const feed = await feedOf(worker)
  const visit = await manager.get(`/api/security/user/switch?username=worker.brick&client=${client}&reason=${RUN}`)
  if (visit.status !== 200) return `not checked: ${visit.status}`
  let { token } = visit.body
  const allowed = await call('POST', '/api/security/user/write', {
    token,
    body: { reason: RUN, password: 'Portal-demo-2026' },
  })
  if (allowed.status === 200) ({ token } = allowed.body)
  const answers = [
    await call('POST', '/api/employees/leave_feed', { token, body: {} }),
    await call('DELETE', '/api/employees/leave_feed', { token }),
  ]
  await call('GET', '/api/security/user/unswitch', { token })
  if (answers.some(({ status }) => status !== 403)) return statuses(answers)
  if ((await call('GET', feed)).status !== 200) return 'the feed is withdrawn'
})

await attack('leave reports, records and exports contain formulas in names and texts as text', async () => {
  const person = await employee('=HYPERLINK("http://x.example","x")', { manager: myUrl, jobtitlename: '@SUM(1)' })
  const account = person.replace('employees/employees', 'employees/leave_accounts')
  await admin.post(`${account}/adjust`, { year: '2026-01-01', minutes: 1, reason: '=1+1' })
  const paths = [
    'leave_report/export.csv',
    'records/export.csv',
    'employees/export.csv',
    'leave_accounts/export.csv',
    'leave_entries/export.csv',
  ]
  for (const path of [...paths.map((name) => `/api/employees/${name}`), `${account}/record.csv`]) {
    const { status, text, headers } = await admin.get(path)
    if (status !== 200 || !text.includes('HYPERLINK')) return `not checked, ${path}: ${status}`
    if (/(^|[,;\t])"?[=@\t]|(^|,)"?[+-][^\d"]/m.test(text)) return `a formula in ${path}`
    if (/["\\/\r\n]/.test(headers['content-disposition'].split('filename="')[1]?.slice(0, -1) ?? ''))
      return headers['content-disposition']
  }
})

await attack('employees can read only their own leave in reports and exports', async () => {
  const lists = [
    'leave_accounts',
    'leave_entries',
    'leave_request_parts',
    'sickness_absences',
    'records',
    'employee_work_patterns',
  ]
  for (const name of ['leave_report', ...lists]) {
    const path = `/api/employees/${name}/export.csv`
    for (const user of [worker, office]) {
      const { status, text } = await user.get(path)
      if (status !== 200) return `${path}: ${status}`
      if (text.includes(`Ill ${RUN}`) || text.includes(`Away ${RUN}`)) return `a colleague’s row in ${path}`
    }
    if (![403, 404].includes((await reseller.get(path)).status)) return `a reseller reads ${path}`
  }
  const record = ill.replace('employees/employees', 'employees/leave_accounts')
  for (const user of [worker, office, care]) {
    const answers = [await user.get(`${record}/record.csv`), await user.get(`${record}/balance`)]
    if (answers.some(({ status }) => ![403, 404].includes(status))) return `record: ${statuses(answers)}`
  }
})

await attack('a background export contains only the rows and columns that its author may read', async () => {
  const run = async (from) => {
    const job = await worker.post('/api/portal/exports', { from, format: 'csv' })
    if (job.status !== 202) return job
    for (let attempt = 0; attempt < 50; attempt++) {
      const file = await worker.get(`${job.body['@id']}/file`)
      if (file.status === 200) return { ...file, url: `${job.body['@id']}/file` }
      await sleep(200)
    }
    throw new Error('the export doesn’t end')
  }
  const columns = 'columns=dob,nationalInsuranceNumber,accountNumber,reason'
  for (const path of [`records?${columns}`, `employees?order[dob]=asc&${columns}`, `sickness_absences?${columns}`]) {
    const file = await run(`/api/employees/${path}`)
    if (file.status !== 200) return `${path}: ${file.status}`
    if (/birth|insurance|account number|sort code/i.test(file.text.split('\r\n')[0])) return file.text.split('\r\n')[0]
    if (!path.startsWith('employees') && file.text.includes(`Ill,`)) return `a colleague in ${path}`
    if ((await office.get(file.url)).status !== 404) return 'a colleague downloads the file'
  }
  for (const path of ['leave_report', 'leave_calendar', 'leave_feed', `employees/${me.employee}`]) {
    const { status } = await run(`/api/employees/${path}`)
    if (![400, 403, 404, 422].includes(status)) return `${path}: ${status}`
  }
})

await attack('sorting and filtering employees by private details gives colleagues no information', async () => {
  const ids = async (query) => (await members(office, `/api/employees/employees?${query}`)).map(({ id }) => id).join()
  const plain = await ids('')
  for (const field of [
    'dob',
    'nationalInsuranceNumber',
    'accountNumber',
    'leavingDate',
    'extCStartDate',
    'sex',
    'postcode',
  ]) {
    if ((await ids(`order[${field}]=asc`)) !== (await ids(`order[${field}]=desc`))) return `sorted by ${field}`
    for (const query of [`${field}=1`, `exists[${field}]=true`, `${field}[after]=2000-01-01`])
      if ((await ids(query)) !== plain && (await office.get(`/api/employees/employees?${query}`)).status === 200)
        return query
  }
})

await attack('work patterns, adjustments and contacts of the wrong form or size are refused', async () => {
  const pattern = (days) => admin.post('/api/employees/work_patterns', { name: RUN, days })
  const shift = { from: '09:00', until: '17:00', breakMinutes: 600 }
  for (const days of [
    null,
    'x',
    {},
    [],
    [[null]],
    [[[[]]]],
    [[shift]],
    [[{ from: '99:99', until: 'x' }]],
    times(2000, () => []),
  ]) {
    const { status } = await pattern(days)
    if (![400, 413, 422].includes(status)) return `days ${JSON.stringify(days).slice(0, 50)}: ${status}`
  }
  const account = away.replace('employees/employees', 'employees/leave_accounts')
  for (const minutes of [2147483648, -9e15, 0.5, '1', null]) {
    const { status } = await admin.post(`${account}/adjust`, { year: '2026-01-01', minutes, reason: RUN })
    if (![400, 422].includes(status)) return `${minutes} minutes: ${status}`
  }
  for (const contacts of [
    'x',
    { a: 1 },
    [{ name: 'x' }],
    times(500, () => ({ name: 'x', number: '1' })),
    [{ name: 'x'.repeat(1e5), number: '1' }],
  ]) {
    const { status } = await merge(admin, away, { emergencyContacts: contacts })
    if (![400, 413, 422].includes(status)) return `contacts ${JSON.stringify(contacts).slice(0, 50)}: ${status}`
  }
})

await attack('an invalid contact is refused, instead of being silently left out', async () => {
  const { status, body } = await merge(admin, away, { emergencyContacts: [[[1]]] })
  if (status === 200) return `200, stored: ${JSON.stringify(body.emergencyContacts)}`
})

await Promise.all(created.map((path) => merge(admin, path, { retired: true })))
finish()

// Attacks on calendar feeds, repeated requests and exported files after a right has been withdrawn.
import { attack, finish } from './portal.mjs'
import { dayIn, need, newUser, rowsOf, sleep, statuses, workAs } from './shared/company.mjs'
import { atOnce, run } from './shared/links.mjs'
import {
  again,
  change,
  company,
  E,
  employee,
  firstDay,
  HR,
  lastDay,
  leave,
  manager,
  newEmployee,
  newFeed,
  ofColleague,
  officer,
  ofWorker,
  S,
  SECRET,
  second,
  shows,
  withKey,
  withRoles,
  worker,
} from './shared/rights.mjs'

await attack('a calendar feed ends when its person may no longer read the calendar', async () => {
  const feed = await newFeed(worker)
  const before = await feed.read()
  if (!shows(before) || before.text.includes(SECRET) || before.text.includes('Annual')) return `before: ${before.text}`
  return withRoles(worker, [], async (user) => {
    const answers = [
      await user.get(`${E}/leave_calendar?from=${firstDay}&until=${lastDay}`),
      await user.delete(`${E}/leave_feed`),
    ]
    const after = await feed.read()
    if (statuses(answers) !== '403 403') return `without roles: ${statuses(answers)}`
    if (shows(after))
      return `without any role, calendar and withdrawal of the feed ${statuses(answers)}; the feed still answers 200 with ${after.text.match(/SUMMARY.*/)[0].trim()}`
  })
})

await attack(
  'a calendar feed ends when it is withdrawn or replaced, its person is retired or the product lapses',
  async () => {
    const person = await newUser(manager, company, 'feed', 'Fay Feed', [employee])
    await newEmployee('Fay', { user: person.url })
    const first = await newFeed(person)
    const { headers } = await first.read()
    const feed = await newFeed(person)
    const former = await first.read({ 'if-none-match': headers.etag ?? '*' })
    const visitor = await workAs(person.username, company.id)
    const visited = [await visitor.post(`${E}/leave_feed`, {}), await visitor.get(`${E}/leave_feed`)]
    await visitor.end()
    if (!shows(await feed.read()) || former.status !== 410) return `the former feed after a new one: ${former.status}`
    if (visited[0].status !== 403 || visited[1].body.address) return `visit: ${statuses(visited)}`
    const [status] = rowsOf(await manager.get(`/api/portal/app_statuses?client=${company.id}&itemsPerPage=50`)).filter(
      ({ product }) => product['@id'] === leave,
    )
    await change(status['@id'], { hasLapsed: true }, manager)
    const lapsed = await feed.read()
    await change(status['@id'], { hasLapsed: false }, manager)
    await change(person.url, { isRetired: true })
    const retired = await feed.read()
    if (lapsed.status !== 410 || retired.status !== 410) return `lapsed ${lapsed.status}, retired ${retired.status}`
    const withdrawn = await newFeed(worker)
    await worker.delete(`${E}/leave_feed`)
    if ((await withdrawn.read()).status !== 410) return 'a withdrawn feed still answers'
  },
)

await attack('a name can’t add a line to a calendar feed', async () => {
  const feed = await newFeed(worker)
  await change(ofColleague['@id'], { surname: 'X\r\nATTENDEE:mailto:a@b.example\r\nX;,\\n' })
  const { text } = await feed.read()
  await change(ofColleague['@id'], { surname: `Links${run}` })
  if (!text.includes('Xena') || /^ATTENDEE/m.test(text) || /[^\\][;,]\\?,?:? busy/.test(text)) return text
})

const incident = (values = {}) => ({
  description: `Links ${run}`,
  datetime: `${dayIn(-1)}T10:00:00Z`,
  addressLine1: '1 Site Road',
  city: 'Leeds',
  county: 'West Yorkshire',
  noPostcode: true,
  nation: 'greatBritain',
  internalLocation: 'Yard',
  reportedBy: 'D',
  answers: { workRelated: 'yes' },
  state: 'reported',
  ...values,
  personnel: [{ recordType: 'IP', name: 'Ivor Injured', statement: SECRET, harm: 'injured' }],
})
const newIncident = async () => need(await worker.post(`${S}/incident_reports`, incident()), 201)

await attack('a repeated request returns no health details once the right to read them is withdrawn', async () => {
  const reader = await again(second)
  const one = await newIncident()
  const send = (user) => user.post(`${one['@id']}/investigate`, {}, withKey('investigate'))
  if (!need(await send(reader)).personnel[0].statement) return 'the reader gets no details'
  return withRoles(second, ['ROLE_CLIENT_ADMIN'], async (user) => {
    const read = await user.get(one['@id'])
    const repeated = await send(user)
    if (read.text.includes(SECRET)) return `reading the incident: ${read.status}`
    if (repeated.text.includes(SECRET))
      return `a new session without the role reads the statement in the repeated request: ${repeated.status}`
  })
})

await attack('each response to a repeated request that contains health details is logged', async () => {
  const reader = await again(second)
  const one = await newIncident()
  const log = async () =>
    rowsOf(await reader.get('/api/portal/confidential_reads?itemsPerPage=100&order[id]=desc')).filter(
      ({ record, username }) => record === one['@id'] && username === second.username,
    ).length
  const send = () => reader.post(`${one['@id']}/investigate`, {}, withKey('log'))
  need(await send())
  const before = await sleep(300).then(log)
  const repeated = await atOnce(5, send)
  const after = await sleep(300).then(log)
  if (!before) return 'the first request is not logged'
  if (repeated.every(({ text }) => text.includes(SECRET)) && after === before)
    return `5 answers with the statement, 0 entries in the log`
})

await attack('a repeated request returns no National Insurance number once that right is withdrawn', async () => {
  const person = await newEmployee('Nina')
  need(await change(person['@id'], { nationalInsuranceNumber: 'AB123456C' }, await again(officer)))
  const send = (user) =>
    user.post(`${person['@id']}/end-employment`, { leavingDate: dayIn(20), leavingReason: 'resigned' }, withKey('end'))
  if (need(await send(await again(officer))).nationalInsuranceNumber !== 'AB123456C')
    return 'the officer gets no number'
  return withRoles(officer, [employee, HR], async (user) => {
    const read = await user.get(person['@id'])
    const repeated = await send(user)
    if (read.text.includes('AB123456C')) return `reading the employee: ${read.status}`
    if (repeated.text.includes('AB123456C'))
      return `without ROLE_HR_PRIVATE, the repeated request returns the number: ${repeated.status}`
  })
})

await attack('an exported file can’t be downloaded once the right to its rows or fields is withdrawn', async () => {
  const exported = async (user, from, address = '/api/portal/exports') => {
    const job = need(await user.post(address, { from, format: 'csv', reason: 'Links' }), 202)
    for (let n = 0; n < 40 && (await user.get(job['@id'])).body.state !== 'done'; n++) await sleep(250)
    return `${job['@id']}/file`
  }
  need(await change(ofWorker['@id'], { payroll: `PAY${run}` }))
  const details = await exported(await again(second), '', `${S}/incident_reports/full-export`)
  const people = await exported(await again(officer), `${E}/employees`)
  if (!need(await officer.get(people)).includes(`PAY${run}`)) return 'the officer’s file has no payroll numbers'
  if ((await second.get(details)).status !== 200) return 'the reader can’t download the details'
  const full = await withRoles(second, ['ROLE_CLIENT_ADMIN'], (user) => user.get(details))
  const list = await withRoles(officer, [employee], async (user) => [
    await user.get(people),
    await user.get(`${E}/employees`),
  ])
  if (full.status !== 403) return `health details: ${full.status}`
  if (list[0].text.includes(`PAY${run}`) && !list[1].text.includes(`PAY${run}`))
    return `without ROLE_HR, the list has no payroll numbers, but the file exported before is answered with them (${list[0].status})`
})

finish()

// Attacks on leave and sickness by people who may not read or change a row: colleagues, managers, approvers and heads;
// mass updates and their undo.
import { attack, call, finish } from './portal.mjs'
import { rowsOf, statuses } from './shared/company.mjs'
import { atOnce } from './shared/links.mjs'
import { account, described, E, idOf, midweek, need, newPeople, part, record } from './shared/people.mjs'

const LEAVE = `${E}/leave_requests`
const MASS = `${E}/leave_mass_updates`
const world = await newPeople()
const { people, employee, yard, depot, pattern, kind } = world
const { freeDay, read, request, requested, sick, balance, finished, massUpdate, employHr } = world
const { admin, hr, hrp, priv, boss, head, approver, worker, mate, other } = people
const year = `${new Date().getUTCFullYear()}-01-01`
const solo = await employHr(pattern)

await attack('Recording sickness reveals to nobody on which days an employee they can’t read was ill', async () => {
  const [ill, well] = [midweek(-3), midweek(-4)]
  need(await sick(hrp, 'worker', ill), 201)
  const found = []
  for (const [name, who] of Object.entries({ other, mate, priv, approver })) {
    const [first, second] = [await sick(who, 'worker', ill), await sick(who, 'worker', well)]
    if (first.status !== second.status)
      found.push(`${name}: ${first.status} on a day of sickness, ${second.status} on another`)
  }
  return found.join('; ')
})

await attack(
  'Requesting leave reveals to nobody when an employee they can’t read is on leave, works or has leave left',
  async () => {
    const [taken, free] = [freeDay(), freeDay()]
    await requested(worker, 'worker', taken)
    const later = (days) => new Date(Date.parse(free) + days * 86_400_000).toISOString().slice(0, 10)
    const ask = (dates) => other.post(LEAVE, { employee: employee.worker, kind: kind.annual, parts: [dates] })
    const answers = {
      'on leave': await ask(part(taken)),
      'at work': await ask(part(free)),
      'day off': await ask(part(later(3))),
      'more than is left': await ask(part(free, later(60))),
    }
    if (answers['at work'].status < 400) throw new Error('a request for somebody else is stored')
    const told = Object.entries(answers).filter(([, { status }]) => status !== answers['at work'].status)
    return told.map(([name, { status, body }]) => `${name}: ${status} ${body.detail}`).join('; ')
  },
)

await attack('A colleague’s calendar feed does not distinguish sickness from leave', async () => {
  const [ill, away] = [midweek(-2), freeDay()]
  need(await sick(hrp, 'boss', ill), 201)
  need(await head.post(`${await requested(boss, 'boss', away)}/approve`, {}))
  const { address } = need(await mate.post(`${E}/leave_feed`, {}))
  const feed = need(await call('GET', new URL(address).pathname))
  const events = feed.split('BEGIN:VEVENT').slice(1)
  const uid = (day) =>
    events
      .find((event) => event.includes('Bob Boss') && event.includes(`DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`))
      ?.match(/UID:(.*)@/)?.[1]
  const [first, second] = [uid(ill), uid(away)]
  if (!first || !second) throw new Error('the absences are not in the feed')
  const shape = (text) => text.replace(/\d+/g, '0')
  if (shape(first) !== shape(second)) return `sickness has the UID ${first}, leave ${second}`
})

await attack('The calendar shows a colleague no kinds of leave, waiting requests or other departments', async () => {
  const day = freeDay()
  const waiting = await requested(worker, 'worker', day)
  const seen = async (who) => read(`${E}/leave_calendar?from=${day}&until=${day}`, who)
  if (!(await seen(boss)).absences.length) throw new Error('the manager does not see the request')
  const { absences, lanes } = await seen(mate)
  if (absences.length) return `a request that waits: ${JSON.stringify(absences)}`
  if (lanes.some(({ name }) => name === 'Olga Other')) return 'an employee of another department'
  need(await boss.post(`${waiting}/approve`, {}))
  const [absence] = (await seen(mate)).absences
  if (absence?.state !== 'busy') throw new Error('the colleague does not see the absence')
  if (absence.kind || absence.request) return `the kind or request: ${JSON.stringify(absence)}`
  const elsewhere = await read(`${E}/leave_calendar?from=${day}&until=${day}&department=${idOf(yard)}`, other)
  if (elsewhere.lanes.length || elsewhere.absences.length) return 'the calendar of another department'
})

await attack(
  'An employee or manager can’t record a certificate received, a fit note seen or a return-to-work talk',
  async () => {
    const seen = {
      selfCertifiedOn: midweek(-1),
      fitNoteUntil: midweek(2),
      fitNoteSeenOn: midweek(-1),
      returnedOn: midweek(-1),
    }
    const found = []
    for (const [name, who, whose, day] of [
      ['employee', worker, 'worker', midweek(-8)],
      ['manager', boss, 'mate', midweek(-8)],
    ]) {
      const answer = await sick(who, whose, day, seen)
      if (answer.status !== 201) {
        need(await sick(who, whose, day), 201)
        continue
      }
      const stored = await read(answer.body['@id'])
      const written = Object.keys(seen).filter((field) => stored[field])
      if (written.length)
        found.push(`${name}: ${written.join(', ')} of ${stored.employee.name}, author ${stored.author}`)
    }
    return found.join('; ')
  },
)

await attack('A stored absence or request can’t be changed by its employee, manager, head or approver', async () => {
  const one = need(await sick(hrp, 'other', midweek(-9), { reason: 'Private reason' }), 201)['@id']
  const waiting = await requested(other, 'other')
  for (const who of [other, approver, boss, head, priv]) {
    for (const answer of [
      await who.patch(one, { lastDay: midweek(-7) }),
      await who.put(one, { employee: employee.other, firstDay: midweek(-9), retired: true }),
      await who.patch(waiting, { state: 'approved' }),
      await who.put(waiting, { state: 'approved' }),
      await who.delete(waiting),
    ]) {
      if (answer.status < 400) return described(answer)
    }
  }
  const { lastDay, retired } = await read(one)
  if (lastDay !== midweek(-9) || retired || (await read(waiting)).state !== 'requested') return 'changed'
  need(await hrp.patch(one, { lastDay: midweek(-9) }))
})

await attack('Balance, entries, record and report of leave show nobody else’s employees', async () => {
  const own = account(employee.worker)
  need(await boss.get(`${own}/balance`))
  for (const who of [mate, other, approver, priv]) {
    for (const address of [`${own}/balance`, `${own}/record.csv`, own, record(employee.worker)]) {
      const answer = await who.get(address)
      if (answer.status !== 404) return described(answer)
    }
    for (const list of [
      'leave_entries',
      'leave_requests',
      'leave_request_parts',
      'sickness_absences',
      'employee_work_patterns',
      'jobs',
    ]) {
      const rows = rowsOf({ body: need(await who.get(`${E}/${list}?employee=${employee.worker}`)) })
      if (rows.length) return `${list} shows ${rows.length} rows`
      if (/Will Worker/.test((await who.get(`${E}/${list}/export.csv`)).text)) return `export of ${list}`
    }
    if (/Will Worker/.test((await who.get(`${E}/leave_report/export.csv`)).text)) return 'the report'
    const preview = { employee: own, kind: kind.jury, parts: [part(freeDay())] }
    if ((await who.post(`${LEAVE}/preview`, preview)).status < 400) return 'the preview'
  }
})

await attack(
  'Leave can be decided only by the employee’s manager, head or approver, and never by the employee or sender',
  async () => {
    const cases = [
      ['worker', worker, [worker, mate, other, approver, priv], boss],
      ['worker', boss, [boss, worker], head],
      ['boss', boss, [boss, worker, approver], head],
      ['head', head, [head, boss, approver], hr],
      ['other', other, [boss, head, other, mate], approver],
      ['approver', approver, [approver, head], hr],
      ['hr', hr, [hr, boss, approver], hrp],
    ]
    for (const [whose, sender, refused, allowed] of cases) {
      const waiting = await requested(sender, whose)
      for (const who of refused) {
        const answers = [
          await who.post(`${waiting}/approve`, {}),
          await who.post(`${waiting}/decline`, { reason: 'No' }),
        ]
        if (answers.some(({ status }) => status < 400)) return `leave of ${whose}: ${statuses(answers)}`
      }
      const { state, decidedBy } = await read(waiting)
      if (state !== 'requested' || decidedBy) return `leave of ${whose} is ${state}`
      need(await allowed.post(`${waiting}/approve`, {}))
    }
  },
)

await attack('Leave can’t be withdrawn or cancelled by a colleague, another manager or an approver', async () => {
  const waiting = await requested(worker, 'worker')
  const approved = await requested(worker, 'worker')
  need(await boss.post(`${approved}/approve`, {}))
  for (const who of [mate, other, approver, priv]) {
    const answers = [await who.post(`${waiting}/withdraw`, {}), await who.post(`${approved}/cancel`, { reason: 'No' })]
    if (answers.some(({ status }) => status < 400)) return statuses(answers)
  }
  if ((await boss.post(`${waiting}/withdraw`, {})).status < 400) return 'a manager withdraws in the employee’s name'
  need(await worker.post(`${waiting}/withdraw`, {}))
  need(await worker.post(`${approved}/cancel`, { reason: 'Changed plans' }))
})

await attack(
  'Only one of 20 requests for the same day and one of 20 simultaneous decisions is stored, and the balance agrees',
  async () => {
    const day = freeDay()
    const before = (await balance('other')).left
    const sent = await atOnce(20, () => request(other, 'other', day))
    const [one, ...more] = sent.filter(({ status }) => status === 201)
    if (!one || more.length) return `requests: ${statuses(sent)}`
    const waiting = one.body['@id']
    const decide = [
      ['approve', approver],
      ['decline', approver],
      ['withdraw', other],
      ['approve', hr],
    ]
    const answers = await atOnce(20, (index) =>
      decide[index % 4][1].post(`${waiting}/${decide[index % 4][0]}`, { reason: 'No' }),
    )
    const passed = answers.filter(({ status }) => status < 300).length
    if (passed !== 1) return `${passed} decisions`
    const { state, parts } = await read(waiting)
    if (parts[0].live !== (state === 'approved')) return `${state}, live ${parts[0].live}`
    if ((await balance('other')).left !== before) return 'the balance differs'
  },
)

await attack('A mass update can’t change its author’s allowance or decide on their leave', async () => {
  const before = await balance('hr')
  const day = freeDay()
  const allowance = await massUpdate({ kind: 'allowance', year, days: 2, department: solo })
  await massUpdate({ kind: 'shutdown', firstDay: day, lastDay: day, department: solo })
  if ((await balance('hr')).adjusted !== before.adjusted) return 'the allowance has changed'
  if ((await finished(allowance)).refused !== 1) throw new Error('the author is not in the department')
  const approved = rowsOf(await hr.get(`${LEAVE}?employee=${employee.hr}&firstDay=${day}&state=approved`)).filter(
    ({ firstDay }) => firstDay === day,
  )
  if (approved.length) return `leave approved by ${approved[0].decidedBy}`
})

await attack('A mass update can’t be started, read, stopped or undone without the right to it', async () => {
  const update = { kind: 'allowance', year, days: 1, department: depot, reason: 'people test' }
  for (const who of [worker, boss, head, approver, priv]) {
    for (const path of [MASS, `${MASS}/preview`]) if ((await who.post(path, update)).status !== 403) return 'started'
  }
  const address = await massUpdate(update)
  for (const who of [worker, boss, head, approver, priv, other]) {
    const answers = [
      await who.get(address),
      ...(await Promise.all(['undo', 'stop', 'resume'].map((name) => who.post(`${address}/${name}`, {})))),
    ]
    if (answers.some(({ status }) => status !== 404)) return statuses(answers)
  }
  const left = (await balance('other')).left
  const undone = await atOnce(20, () => hr.post(`${address}/undo`, {}))
  if (undone.filter(({ status }) => status === 200).length !== 1) return `undone: ${statuses(undone)}`
  await finished(address)
  if ((await balance('other')).left !== left - 480) return 'the allowance was not taken back once'
})

await attack('Undoing a closure does not return leave that the employee has already cancelled', async () => {
  const [day, before] = [midweek(3), await balance('other')]
  const address = await massUpdate({ kind: 'shutdown', firstDay: day, lastDay: day, department: depot })
  const [booked] = rowsOf(await other.get(`${LEAVE}?order[id]=desc&itemsPerPage=1`))
  if (booked.state !== 'approved') throw new Error('the closure is not booked')
  const taken = await atOnce(10, (index) =>
    index % 2 ? other.post(`${booked['@id']}/cancel`, { reason: 'No' }) : hr.post(`${address}/undo`, {}),
  )
  await finished(address)
  if (taken.some(({ status }) => status >= 500)) return statuses(taken)
  const after = await balance('other')
  if (after.left !== before.left || after.booked !== before.booked) return `left ${before.left}, then ${after.left}`
})

await attack('No employee, manager or head can change people, departments, patterns or settings', async () => {
  const id = idOf(employee.worker)
  for (const who of [worker, boss, head, approver, priv]) {
    for (const [method, address, body] of [
      ['patch', employee.worker, { manager: employee.other }],
      ['post', `${E}/employees`, { forename: 'No', surname: 'Body' }],
      ['post', `${E}/employees/bulk`, { action: 'manager', ids: [id], input: { manager: employee.head } }],
      ['post', `${employee.worker}/end-employment`, { leavingDate: midweek(-1), leavingReason: 'resigned' }],
      ['patch', yard, { approver: employee.worker }],
      ['post', `${E}/jobs`, { employee: employee.worker, from: midweek(1), manager: employee.head }],
      ['post', `${E}/leave_pay_periods`, { employee: employee.worker, until: midweek(-1), minutes: 9000 }],
      ['post', `${E}/employee_work_patterns`, { employee: employee.worker, pattern, from: midweek(1) }],
      ['post', `${account(employee.worker)}/adjust`, { year, minutes: 60, reason: 'More' }],
    ]) {
      const answer = await who[method](address, body)
      if (![403, 404].includes(answer.status)) return `${address}: ${described(answer)}`
    }
  }
})

await attack(
  'A manager loses the rights to an employee, and the feed its events, as soon as the employee moves',
  async () => {
    const waiting = await requested(mate, 'mate')
    need(await boss.get(record(employee.mate)))
    need(await hr.patch(employee.mate, { manager: null, department: depot }))
    const answers = [
      await boss.get(record(employee.mate)),
      await boss.post(`${waiting}/approve`, {}),
      await head.post(`${waiting}/approve`, {}),
    ]
    need(await hr.patch(employee.mate, { manager: employee.boss, department: yard }))
    if (answers.some(({ status }) => status !== 404)) return statuses(answers)
    need(await boss.post(`${waiting}/approve`, {}))
  },
)

await attack(
  'A manager can’t decide on leave that they sent for an employee, even after their username has changed',
  async () => {
    const waiting = await requested(boss, 'worker')
    if ((await boss.post(`${waiting}/approve`, {})).status !== 403) throw new Error('not refused before')
    need(await admin.patch(boss.url, { username: `${boss.username}.new` }))
    const answer = await boss.post(`${waiting}/approve`, {})
    need(await admin.patch(boss.url, { username: boss.username }))
    if (answer.status < 300)
      return `${answer.status}: requested by ${answer.body.author}, decided by ${answer.body.decidedBy}`
  },
)

finish()

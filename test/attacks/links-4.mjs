// Attacks on links by which witnesses give statements, and on what an incident states about people after a statement was
// received or the incident was reported to HSE.
import { attack, finish, signIn } from './portal.mjs'
import {
  addressOf,
  dayIn,
  mailedToken,
  mailsTo,
  mergePatch,
  need,
  rowsOf,
  statuses,
  workAs,
} from './shared/company.mjs'
import { anonymous, atOnce, run, tokenOf } from './shared/links.mjs'
import {
  accidentRecord,
  admin,
  change,
  company,
  eventsOf,
  incident,
  injured,
  manager,
  newReceived,
  newStatement,
  REPORTS,
  REQUESTS,
  reader,
  report,
  S,
  WORDS,
  worker,
} from './shared/statements.mjs'

await attack('a statement received by link can’t be attributed to another person by changing the name', async () => {
  const statement = await newReceived()
  const { status } = await statement.change({ name: 'Zed Other' })
  const row = await statement.row()
  const traces = (await eventsOf(statement.one)) + (await reader.get(statement.url)).text
  if (row.name === 'Wanda Witness' || traces.includes('Wanda')) return
  const record = await accidentRecord(statement.url, reader)
  return `${status}: “${row.name}” gave “${row.statement}” on ${row.statementReceivedAt}; Wanda Witness is named nowhere${record.includes('Zed Other') ? ', also not in the accident record' : ''}`
})

await attack('a link sent to one witness can’t be used to give a statement in another person’s name', async () => {
  const statement = await newStatement()
  if ((await statement.page()).incident?.day !== dayIn(-1)) return 'the link does not work'
  const renamed = await statement.change({ name: 'Bob Marsh' })
  const given = await statement.give()
  const row = await statement.row()
  if (given.status === 200 && row.name === 'Bob Marsh')
    return `renamed (${renamed.status}), then the link sent to “Dear Wanda Witness” stored a statement of ${row.name} (200)`
})

await attack('a statement received by link can’t be removed from an incident without a trace', async () => {
  for (const [way, remove] of Object.entries({
    'retired: true': (one) => one.change({ retired: true }),
    'a list without the row': (one) => change(one.url, { personnel: [] }),
    'a new kind of person, then retired': async (one) => {
      await one.change({ recordType: 'IP', harm: 'none' })
      return one.change({ retired: true })
    },
  })) {
    const statement = await newReceived()
    const edited = await statement.change({ statement: 'I saw nothing.' })
    if (edited.status !== 422) return `editing the words: ${edited.status}`
    if (!(await accidentRecord(statement.url, reader)).includes(WORDS)) return 'not in the accident record'
    const { status } = await remove(statement)
    const traces = (await eventsOf(statement.one)) + (await reader.get(statement.url)).text
    if (!/Wanda|ladder/.test(traces + (await accidentRecord(statement.url, reader))))
      return `${way} (${status}): neither the incident, its history nor its accident record contains it`
  }
})

await attack('an addition to a received statement can’t be erased or replaced without a trace', async () => {
  const statement = await newReceived()
  need(await statement.change({ statementAddition: 'Wanda stood 20 m away.' }))
  const { status } = await statement.change({ statementAddition: 'Wanda stood next to it.' })
  const traces = JSON.stringify(await statement.row()) + (await eventsOf(statement.one))
  if (!traces.includes('20 m')) return `${status}: the former addition is in neither the incident nor its history`
})

await attack('the reporter of an incident can’t read a statement that a witness gives later by link', async () => {
  const statement = await newReceived({ who: worker })
  const [seen, row] = [(await worker.get(statement.url)).text, (await worker.get(statement.person)).text]
  if (!seen.includes('Wanda')) return 'the person does not read the incident at all'
  const record = await accidentRecord(statement.url, worker)
  const found = Object.entries({ incident: seen, row, 'accident record': record }).filter(([, text]) =>
    text.includes(WORDS),
  )
  if (found.length) return `without the right to read health details, in: ${found.map(([where]) => where).join(', ')}`
})

await attack('the reporter of an incident can’t read details that a reader enters later', async () => {
  const one = await report({ personnel: [{ recordType: 'IP', name: 'Ivor Injured', harm: 'injured' }] }, worker)
  const values = injured({ statement: 'Later statement', description: 'Later description' })
  need(await change(one['@id'], { personnel: [{ '@id': one.personnel[0]['@id'], ...values }] }))
  const [row] = need(await worker.get(one['@id'])).personnel
  const [own] = need(await reader.get(one['@id'])).personnel
  if (!own.bodyPart || !own.specified) return 'the reader does not read the details'
  const later = [
    'specified',
    'answers',
    'injurySustained',
    'bodyPart',
    'severity',
    'injuryEffect',
    'description',
    'statement',
  ]
  const details = [...later, 'dateOfBirth', 'telephone', 'payroll', 'address1'].filter((name) => own[name])
  const seen = details.filter((name) => JSON.stringify(row[name]) === JSON.stringify(own[name]))
  if (seen.length) return `an employee without the right to read health details reads ${seen.join(', ')}`
})

await attack('a statement can’t be requested from a witness at the requester’s own address', async () => {
  const one = await report()
  const { status } = await reader.post(REQUESTS, { person: one.personnel[0]['@id'], email: reader.email })
  if (status !== 201) return
  const given = await anonymous('POST', `${S}/linked_statements/${await mailedToken(reader.email, 2)}/statement`, {
    statement: 'Nothing was wrong.',
  })
  const row = (await reader.get(one.personnel[0]['@id'])).body
  if (row.statementReceivedAt)
    return `the link went to ${reader.email} (201); the reader stored “${row.statement}” as ${row.name}’s statement by link (${given.status})`
})

await attack(
  'an administrator without access to health details can’t see a witness’s address in the list of e-mails',
  async () => {
    const statement = await newStatement()
    const refused = await admin.get(REQUESTS)
    if (refused.status !== 403) return `the requests are answered: ${refused.status}`
    const messages = rowsOf(await admin.get('/api/email/messages?itemsPerPage=100&order[id]=desc'))
    const shown = messages.find(({ about }) => about === statement.request)
    if (shown?.recipient === statement.email)
      return `“${shown.subject}” to ${shown.recipient} about ${shown.about}, which is refused with 403`
  },
)

await attack('only one of 20 different statements sent simultaneously by one link is stored', async () => {
  const statement = await newStatement()
  const answers = await atOnce(20, (n) => statement.give(`Statement ${n}`))
  const stored = answers.findIndex(({ status }) => status === 200)
  const row = await statement.row()
  const received = (await eventsOf(statement.one)).match(/received by link/g) ?? []
  if (answers.filter(({ status }) => status === 200).length !== 1 || received.length !== 1) return statuses(answers)
  if (row.statement !== `Statement ${stored}`)
    return `“Statement ${stored}” was confirmed, “${row.statement}” is stored`
  const repeated = await statement.give(row.statement)
  if (repeated.status !== 200 || (await statement.give('Another')).status !== 410) return `repeated: ${repeated.status}`
})

await attack(
  'a link accepts no statement once it is withdrawn, or once the witness is removed or becomes an injured person',
  async () => {
    const ends = {
      removed: (one) => one.change({ retired: true }),
      injured: (one) => one.change({ recordType: 'IP', harm: 'injured' }),
      deleted: (one) => change(one.url, { retired: true, retireReason: 'Reported twice' }),
      withdrawn: (one) => reader.post(`${one.request}/withdraw`, {}),
      replaced: async (one) => {
        const answer = await reader.post(REQUESTS, { person: one.person, email: addressOf(`again-${one.one.id}`) })
        return answer.status === 201 ? { status: 200 } : answer
      },
    }
    for (const [key, end] of Object.entries(ends)) {
      const [before, racing] = [await newStatement(), await newStatement()]
      if ((await end(before)).status !== 200) return `${key}: can’t be prepared`
      const page = await before.page()
      const late = await before.give()
      if (late.status !== 410 || page.incident || (await before.row()).statement) return `${key}: ${late.status}`
      const [given, ended] = await Promise.all([racing.give(), end(racing)])
      const { statement } = await racing.row()
      if ((given.status === 200) !== (statement === WORDS))
        return `${key} at once: ${given.status}, ${ended.status}, “${statement}”`
    }
  },
)

await attack('a reader can’t enter a statement for a witness who was asked by link', async () => {
  const statement = await newStatement()
  const typed = await statement.change({ statement: 'I saw nothing.' })
  if (typed.status !== 422 || (await statement.row()).statement) return `while the link works: ${typed.status}`
  need(await statement.give())
  const replaced = [await statement.change({ statement: 'I saw nothing.' }), await statement.change({ statement: '' })]
  const again = await reader.post(REQUESTS, { person: statement.person, email: addressOf('again') })
  if (statuses(replaced) !== '422 422' || again.status !== 409)
    return `${statuses(replaced)}, asked again ${again.status}`
  if ((await statement.row()).statement !== WORDS) return (await statement.row()).statement
})

await attack('a request whose statement has been received can’t be recorded as withdrawn', async () => {
  const statement = await newReceived()
  const { status } = await reader.post(`${statement.request}/withdraw`, {})
  const { state, receivedAt } = (await reader.get(statement.request)).body
  const { sentence } = await statement.page()
  if (status === 200) return `200: received at ${receivedAt}, status “${state}”; the witness now reads “${sentence}”`
})

await attack('a statement without visible words, of the wrong type or with 2 MB is refused', async () => {
  const statement = await newStatement()
  const wrong = ['', '  ', '\u200b\u2060', null, { a: 1 }, ['x'], 'x'.repeat(2_000_000)]
  for (const value of wrong) {
    const { status } = await statement.give(value)
    if (status < 400 || status >= 500) return `${JSON.stringify(value).slice(0, 30)}: ${status}`
  }
  if ((await statement.row()).statement || (await statement.state()) !== 'open') return 'something is stored'
  need(await statement.give())
})

await attack('no statement prevents its incident’s accident record from being printed', async () => {
  const statement = await newStatement()
  const { status } = await statement.give(`a${'\n'.repeat(199_000)}b`)
  const { status: printed, body } = await reader.get(`${statement.url}/accident-record.pdf`)
  if (printed !== 200)
    return `a statement of 199,000 line breaks is stored (${status}) and can’t be changed; then ${printed}: ${body.detail}`
})

await attack(
  'a statement can be requested only from a witness of a reported, open incident at one’s own company',
  async () => {
    const other = await signIn('admin.brick')
    const foreign = need(await other.post(REPORTS, incident()), 201)
    const draft = await report({ state: 'draft' })
    const hurt = await report({ personnel: [injured()] })
    const typed = await report({ personnel: [{ recordType: 'WT', name: 'Wanda Witness', statement: 'I saw it.' }] })
    const cases = { foreign: [foreign, 400], draft: [draft, 409], injured: [hurt, 422], typed: [typed, 409] }
    const refused = await Promise.all(
      Object.values(cases).map(([one]) =>
        reader.post(REQUESTS, { person: one.personnel[0]['@id'], email: addressOf('no') }),
      ),
    )
    await change(foreign['@id'], { retired: true, retireReason: 'Links test' }, other)
    if (
      statuses(refused) !==
      Object.values(cases)
        .map(([, status]) => status)
        .join(' ')
    )
      return statuses(refused)
    const own = await report()
    for (const user of [worker, admin, manager, other]) {
      const { status } = await user.post(REQUESTS, { person: own.personnel[0]['@id'], email: addressOf('no') })
      if (![400, 403].includes(status)) return `by ${user.username ?? 'another company'}: ${status}`
    }
  },
)

await attack('after 10 simultaneous requests to one witness, only one link works', async () => {
  const one = await report()
  const answers = await atOnce(10, (n) =>
    reader.post(REQUESTS, { person: one.personnel[0]['@id'], email: addressOf(`many-${n}`) }),
  )
  if (statuses(answers) !== Array(10).fill(201).join(' ')) return statuses(answers)
  await mailedToken(addressOf('many-9'))
  const links = answers.flatMap((_, n) => mailsTo(addressOf(`many-${n}`)).map((mail) => tokenOf(mail.links.at(-1))))
  const pages = await Promise.all(links.map((token) => anonymous('GET', `${S}/linked_statements/${token}`)))
  const open = pages.filter(({ body }) => body.incident).length
  const states = rowsOf(await reader.get(`${REQUESTS}?report=${one.id}`)).filter(({ state }) => state === 'open')
  if (open !== 1 || states.length !== 1) return `${open} links work, ${states.length} requests are open`
})

await attack('an impersonator can’t request, give, rename or withdraw a statement', async () => {
  const statement = await newStatement()
  const fresh = await report()
  const session = await workAs(reader.username, company.id)
  const answers = [
    await session.post(REQUESTS, { person: fresh.personnel[0]['@id'], email: addressOf('visitor') }),
    await session.post(`${statement.request}/withdraw`, {}),
    await session.patch(statement.url, { personnel: [{ '@id': statement.person, name: 'Zed' }] }, mergePatch),
    await session.post(`${statement.at}/opened`, {}),
    await session.post(`${statement.at}/statement`, { statement: 'By the visitor' }),
  ]
  const read = await session.get(statement.url)
  await session.end()
  if (read.status !== 200) return `the visit does not work: ${read.status}`
  if (answers.some(({ status }) => status !== 403)) return statuses(answers)
})

await attack('a witness’s link does not work while the incident is closed', async () => {
  const personnel = [injured(), { recordType: 'WT', name: 'Wanda Witness' }]
  const closed = await newStatement({ values: { personnel } })
  const { fingerprint: expected } = need(await reader.get(`${closed.url}/screening`))
  const decision = { decision: 'not reportable', reason: 'Not caused by the work', expected }
  need(await reader.post(`${closed.url}/decide-riddor`, decision))
  need(await reader.post(`${closed.url}/close`, { notes: '' }))
  const asking = await reader.post(REQUESTS, { person: closed.person, email: addressOf('closed') })
  const page = await closed.page()
  const late = await closed.give()
  const renamed = await closed.change({ name: 'Zed Other' })
  if (late.status !== 410 || page.incident || asking.status !== 409 || renamed.status !== 409)
    return `closed: ${late.status}, asked again ${asking.status}, renamed ${renamed.status}`
})

await attack('after the report to HSE, the injured person can’t be replaced without a trace', async () => {
  const one = await report({ personnel: [injured()] })
  const { fingerprint: expected } = need(await reader.get(`${one['@id']}/screening`))
  need(await reader.post(`${one['@id']}/decide-riddor`, { decision: 'reportable', expected }))
  need(await reader.post(`${one['@id']}/record-hse-report`, { reference: `HSE-${run}`, sentOn: dayIn(0) }))
  const row = { '@id': one.personnel[0]['@id'], name: 'Peter Other', dateOfBirth: '1991-01-01', payroll: 'X2' }
  const { status } = await change(one['@id'], { personnel: [row] })
  const after = (await reader.get(one['@id'])).body
  const answers = await Promise.all(
    [one['@id'], `${S}/incident_events?report=${one.id}`, `${S}/riddor_decisions?report=${one.id}`].map((path) =>
      reader.get(path),
    ),
  )
  if (answers.some(({ text }) => text.includes('Ivor Injured'))) return
  if (after.hseReference)
    return `${status}: decision “${after.riddorDecision}” and reference ${after.hseReference} of ${after.hseSentOn} now stand for ${after.personnel[0].name}, born ${after.personnel[0].dateOfBirth}; Ivor Injured is named nowhere`
})

await attack(
  'people who may not read health details get neither witness statements nor the requests for them',
  async () => {
    const statement = await newReceived()
    const [staff, reseller] = [await signIn('staff'), await signIn('reseller.north')]
    const paths = [statement.url, statement.person, statement.request, REQUESTS, `${statement.url}/accident-record.pdf`]
    if (!(await reader.get(statement.person)).text.includes(WORDS)) return 'the reader does not read the statement'
    for (const path of [...paths, `${S}/incident_personnels/export.csv?report=${statement.one.id}`]) {
      const answers = await Promise.all([admin, worker, manager, staff, reseller].map((user) => user.get(path)))
      if (answers.some(({ text }) => text.includes(WORDS))) return `${path}: ${statuses(answers)}`
    }
  },
)

await attack(
  'an incident doesn’t name a linked risk assessment to a person who can’t read the assessment',
  async () => {
    const draft = need(await admin.post(`${S}/risk_assessments`, { description: `Hidden ${run}` }), 201)
    const one = await report({}, worker)
    need(await change(one['@id'], { riskLinks: [{ riskAssessment: draft['@id'] }] }))
    const refused = [await worker.get(draft['@id']), await worker.get(`${S}/incident_risk_links?report=${one.id}`)]
    const [link] = need(await worker.get(one['@id'])).riskLinks
    if (refused.some(({ status }) => status < 400)) return `directly: ${statuses(refused)}`
    if (link?.description)
      return `the assessment (404) is named in the incident: ${link.riskAssessmentDocumentNumber} “${link.description}”`
  },
)

await attack('a witness’s link does not work while the company is retired', async () => {
  const statement = await newStatement()
  const before = await anonymous('GET', statement.at)
  need(await manager.patch(company['@id'], { retired: true }, mergePatch))
  const during = [
    await anonymous('GET', statement.at),
    await statement.give(),
    await anonymous('POST', `${statement.at}/opened`, {}),
  ]
  need(await manager.patch(company['@id'], { retired: false }, mergePatch))
  if (before.status !== 200 || statuses(during) !== '404 404 404') return `${before.status}, ${statuses(during)}`
})

finish()

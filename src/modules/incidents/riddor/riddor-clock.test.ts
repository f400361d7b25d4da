import { expect, onTestFinished, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers, NOT_EXEMPT } from '#test/support/riddor.ts'

const portal = await testPortal()
const { day, decide, injured, mailOf, post, report, screeningOf, world } = makeRiddorHelpers(portal)

test('the schedule starts the clock on the eighth day of an absence, and reopens a decision even if the incident is closed', async () => {
  const { client, api } = await world()
  onTestFinished(() => moveClock(portal.engine, 0))
  const answers = { ...NOT_EXEMPT, enclosedSpace: 'no', overSevenDays: 'no' }
  const absent = injured({ absences: [{ from: day(0) }], answers })
  const address = { addressLine1: '1 Quay', city: 'Leeds', county: 'West Yorkshire', postcode: 'LS1 4AP' }
  const { '@id': at } = await post(api, report(0, [absent], address))
  expect((await decide(api, at, 'not reportable', { reason: 'A short absence' })).status).toBe(200)
  expect((await api.post(`${at}/close`, {})).body.state).toBe('closed')
  const accident = day(0)
  const after = async (days: number) => {
    await moveClock(portal.engine, days)
    await portal.runSchedule('incident.absences')
    return (await api.get(at)).body
  }
  expect(await after(7)).toMatchObject({ state: 'closed', riddorDecision: 'not reportable', reportBy: null })
  const plus = (days: number) => Temporal.PlainDate.from(accident).add({ days }).toString()
  expect(await after(8)).toMatchObject({
    state: 'riddor',
    riddorDecision: null,
    riddorOutcome: 'reportable',
    clockStartedOn: plus(8),
    reportBy: plus(15),
    closedAt: null,
  })
  const { decisions, absences } = await screeningOf(api, at)
  expect(decisions).toMatchObject([{ decision: 'not reportable', reason: 'A short absence' }])
  expect(absences).toMatchObject([{ days: 8, overSevenOn: plus(8), isOngoing: true }])
  const history = (await api.get(`/api/safety/incident_events?report=${at.split('/').at(-1)}`)).body['hydra:member']
  expect(history.at(-1)).toMatchObject({ event: 'RIDDOR decision reopened', notes: '' })
  expect((await mailOf(client)).length).toBe(1)
  await portal.runSchedule('incident.absences')
  expect((await mailOf(client)).length).toBe(1)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('the schedule screens an absence until 90 days after its end, and not afterwards', async () => {
  const { client, api } = await world()
  onTestFinished(() => moveClock(portal.engine, 0))
  const absent = injured({ absences: [{ from: day(-3), until: day(-1) }] })
  const { id, riddorOutcome } = await post(api, report(5, [absent]))
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE incident_report SET riddor_outcome = 'otherLaw' WHERE client_id = $1", [client.id]),
  )
  const outcomeAfter = async (days: number) => {
    await moveClock(portal.engine, days)
    await portal.runSchedule('incident.absences')
    const [row] = await portal.db.tx('system', (tx) =>
      tx.rows<{ outcome: string }>(
        'SELECT riddor_outcome AS outcome FROM incident_report WHERE client_id = $1 AND id = $2',
        [client.id, id],
      ),
    )
    return row?.outcome
  }
  expect(await outcomeAfter(90)).toBe('otherLaw')
  expect(await outcomeAfter(89)).toBe(riddorOutcome)
})

test('decision-makers are reminded at once, at half time, 2 days before, on the day, and weekly until HSE’s reference is entered', async () => {
  const { client, api } = await world()
  onTestFinished(() => moveClock(portal.engine, 0))
  const { '@id': at, number } = await post(api, report(0, [injured({ specified: ['a'] })]))
  const remindedBy = async (days: number) => {
    await moveClock(portal.engine, days)
    await portal.runSchedule('incident.riddor')
    await portal.runSchedule('incident.riddor')
    return (await mailOf(client)).length
  }
  const counts = [(await mailOf(client)).length]
  for (const days of [1, 4, 5, 8, 10, 16, 17, 24]) counts.push(await remindedBy(days))
  expect(counts).toEqual([1, 1, 1, 2, 3, 4, 4, 5, 6])
  const mails = await mailOf(client)
  expect(mails[0]?.subject).toContain(`${number}: report under RIDDOR by`)
  expect(mails.at(-1)?.subject).toContain('Late')
  expect(mails.some(({ subject, body }) => /Ann Carter|bone|finger/i.test(subject + body))).toBe(false)
  const notice = async () =>
    (await api.get('/api/portal/notices/inbox')).body['hydra:member'].find(
      ({ kind }: { kind: string }) => kind === 'incident.riddor',
    )
  expect(await notice()).toMatchObject({ ended: false, words: expect.stringContaining(`RIDDOR: ${number}, report by`) })
  await decide(api, at, 'reportable')
  const today = londonDate(portal.engine.clock.now()).toString()
  await api.post(`${at}/record-hse-report`, { reference: 'F1', sentOn: today })
  expect(await remindedBy(31)).toBe(6)
  expect(await notice()).toMatchObject({ ended: true })
})

test('the copy sheet has the fields of form F2508 in their order, as JSON and as a PDF, and each read is logged', async () => {
  const { client, api, approver } = await world()
  const { '@id': at } = await post(api, report(1, [injured({ specified: ['a'] })]))
  const { sections } = (await api.get(`${at}/riddor-sheet`)).body
  expect(sections.map(({ title }: { title: string }) => title)).toEqual([
    'About you and your organisation',
    'Where the incident happened',
    'When the incident happened',
    'Injured person',
    'Injury',
    'Kind of accident',
    'Dangerous occurrence',
    'Description of what happened',
  ])
  expect(sections[3].fields).toContainEqual({ label: 'Full name', value: 'Ann Carter' })
  expect(sections[6].fields).toEqual([{ label: 'Dangerous occurrence', value: '' }])
  const reads = async () =>
    (
      await portal.db.tx('system', (tx) =>
        tx.rows("SELECT 1 FROM audit WHERE client_id = $1 AND verb = 'look' AND type = 'IncidentReport'", [client.id]),
      )
    ).length
  const before = await reads()
  const pdf = await api.get(`${at}/riddor-sheet.pdf`)
  expect([pdf.status, pdf.headers['content-type'], pdf.text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  expect(await reads()).toBe(before + 1)
  expect((await approver.get(`${at}/riddor-sheet.pdf`)).status).toBe(403)
})

test("records are stored for three years, and a child's records until the child is 21", async () => {
  const { api } = await world()
  const adult = await post(api, report(1, [injured()]))
  const years = (of: string, n: number) => Temporal.PlainDate.from(of).add({ years: n }).toString()
  expect((await screeningOf(api, adult['@id'])).retention.keepUntil).toBe(years(day(0), 3))
  const born = years(day(0), -3)
  const child = await post(api, report(1, [{ recordType: 'IP', name: 'Tom', harm: 'injured', dateOfBirth: born }]))
  expect((await screeningOf(api, child['@id'])).retention).toMatchObject({
    keepUntil: years(born, 21),
    reference: 'Limitation Act 1980 ss 11, 28',
  })
})

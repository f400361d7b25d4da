import { expect, onTestFinished, test } from 'vitest'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { moveClock } from '#server/engine/clock.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { LOOKUP, makeRiddorHelpers } from '#test/support/riddor.ts'
import {
  ANALYSIS_URL,
  type AnalysisFigure,
  BY_INJURY_URL,
  type IncidentAnalysis,
  type IncidentRows,
  listUrlOfRows,
  queryOfRows,
} from './analysis.ts'

const portal = await testPortal()
const { world, injured, report, post, decide, day } = makeRiddorHelpers(portal)
const WORKFORCE = '/api/safety/incident_workforce_months'

const analyse = async (api: TestApi, query = ''): Promise<IncidentAnalysis> => {
  const { status, body } = await api.get(`${ANALYSIS_URL}${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body as unknown as IncidentAnalysis
}

const listed = (api: TestApi, rows: IncidentRows) =>
  api.get(`${listUrlOfRows(rows)}?${new URLSearchParams({ ...queryOfRows(rows), itemsPerPage: '1' })}`)

/** Returns every figure in an analysis that opens a list. */
const figuresOf = ({ incidents, nearMisses, accidents, groups, health, rates }: IncidentAnalysis): AnalysisFigure[] => [
  incidents,
  nearMisses,
  accidents,
  ...Object.values(groups).flat(),
  ...health.bodyParts,
  ...(health.daysLost ? [health.daysLost.incidents] : []),
  ...(rates?.rates ?? []),
]

/** Expects each figure to be the total of the list that it opens. */
async function expectRowsToAgree(api: TestApi, analysis: IncidentAnalysis) {
  for (const { count, rows } of figuresOf(analysis)) {
    if (!rows) continue
    const { status, body } = await listed(api, rows)
    expect([status, body['hydra:totalItems'], JSON.stringify(rows)]).toEqual([200, count, JSON.stringify(rows)])
  }
}

const bodyPart = (id: number) => ({ bodyPart: `${LOOKUP}_bodyparts/${id}` })
const counts = (groups: readonly { readonly label: string; readonly count: number }[]) =>
  Object.fromEntries(groups.filter(({ count }) => count).map(({ label, count }) => [label, count]))

test('each figure in the analysis is the total of the list that it opens', async () => {
  const { api, client } = await world()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const site = (await admin.post('/api/safety/incident_sites', { name: 'Mill Lane' })).body
  const department = (await admin.post('/api/safety/incident_departments', { name: 'Roofing' })).body
  const two = [
    injured({ ...bodyPart(10), absences: [{ from: day(-19), until: day(-15) }] }),
    injured({ name: 'Bo Dean', mainFactor: `${LOOKUP}_mainfactors/2`, ...bodyPart(13) }),
  ]
  const first = await post(api, report(20, two, { site: site['@id'], incidentType: `${LOOKUP}_categories/9` }))
  expect((await decide(api, first['@id'], 'not reportable', { reason: 'Under eight days' })).status).toBe(200)
  await post(api, report(40, [injured(bodyPart(13))], { department: department['@id'] }))
  await post(api, report(3, [], { nearMiss: true, site: site['@id'] }))
  await post(api, report(2, [{ recordType: 'WT', name: 'Wes Tern' }], { nearMiss: true }))
  const deleted = await post(api, report(1, [injured()]))
  expect((await api.put(deleted['@id'], { retired: true, retireReason: 'Entered twice' })).status).toBe(200)
  await api.post('/api/safety/incident_reports', { state: 'draft', description: 'Not finished' })

  const all = await analyse(api)
  expect([all.incidents.count, all.nearMisses.count, all.accidents.count, all.nearMissRatio]).toEqual([4, 2, 2, 1])
  expect(counts(all.groups.kind)).toEqual({ Injury: 1, 'Not stated': 3 })
  expect(counts(all.groups.cause)).toEqual({
    'Slip, stumble or trip on the same level': 2,
    'Fall to a lower level': 1,
    'Not stated': 2,
  })
  expect(counts(all.groups.site)).toEqual({ 'Mill Lane': 2, 'Not stated': 2 })
  expect(counts(all.groups.department)).toEqual({ Roofing: 1, 'Not stated': 3 })
  expect(all.groups.month.reduce((n, { count }) => n + count, 0)).toBe(4)
  expect(counts(all.health.bodyParts)).toEqual({ 'Several torso locations': 1, Hand: 2 })
  expect(all.health.daysLost).toMatchObject({ days: 5, incidents: { count: 1 } })
  await expectRowsToAgree(api, all)

  const atSite = await analyse(api, `?site=${site.id}`)
  expect([atSite.incidents.count, atSite.rates]).toEqual([2, null])
  await expectRowsToAgree(api, atSite)
  await expectRowsToAgree(api, await analyse(api, `?department=${department.id}`))
})

test('months in the analysis begin at midnight in London', async () => {
  const { api } = await world()
  const year = londonDate(portal.engine.clock.now()).year - 1
  const at = (time: string) => post(api, report(0, [], { datetime: new Date(time).toISOString() }))
  await at(`${year}-03-31T22:59:59Z`)
  await at(`${year}-03-31T23:00:00Z`)
  await at(`${year}-12-31T23:59:59Z`)
  const { groups, incidents } = await analyse(api, `?months=${year}-04..${year}-12`)
  expect(incidents.count).toBe(2)
  expect(counts(groups.month)).toEqual({ [`April ${year}`]: 1, [`December ${year}`]: 1 })
  expect((await analyse(api, `?months=${year}-03..${year}-03`)).incidents.count).toBe(1)
  for (const wrong of ['2026-13..2026-14', '2026-02..2026-01', '2026', '1990-01..2026-01'])
    expect((await api.get(`${ANALYSIS_URL}?months=${wrong}`)).status, wrong).toBe(400)
})

test('incidents of another client are neither counted nor listed', async () => {
  const [ours, theirs] = [await world(), await world()]
  const site = (await theirs.api.post('/api/safety/incident_sites', { name: 'Theirs' })).body
  await post(theirs.api, report(5, [injured(bodyPart(13))], { site: site['@id'] }))
  await theirs.api.post(WORKFORCE, { month: day(-60), hours: 100, headcount: 5 })
  const analysis = await analyse(ours.api)
  expect([analysis.incidents.count, analysis.health.bodyParts, analysis.groups.site]).toEqual([0, [], []])
  expect(analysis.rates?.missingHours).toHaveLength(11)
  expect((await analyse(ours.api, `?site=${site.id}`)).incidents.count).toBe(0)
  expect((await ours.api.get(`${BY_INJURY_URL}?bodyPart=13`)).body['hydra:totalItems']).toBe(0)
  expect((await ours.api.get(WORKFORCE)).body['hydra:totalItems']).toBe(0)
})

test("an employee can't open the analysis, and only readers of health details can open them, which is logged", async () => {
  const { api, approver, reader, worker } = await world()
  const made = await post(api, report(5, [injured(bodyPart(13))]))
  expect((await worker.get(ANALYSIS_URL)).status).toBe(403)
  expect((await approver.get(`${BY_INJURY_URL}?bodyPart=13`)).status).toBe(403)
  expect((await approver.get(`${BY_INJURY_URL}?lostTime=true`)).status).toBe(403)
  expect((await reader.get(BY_INJURY_URL)).status).toBe(400)
  // Neither the ordinary list nor its counts depend on health details.
  for (const filter of ['bodyPart=1', 'personnel.bodyPart=1', 'lostTime=true'])
    expect((await approver.get(`/api/safety/incident_reports?${filter}`)).body['hydra:totalItems'], filter).toBe(1)
  const found = (await reader.get(`${BY_INJURY_URL}?bodyPart=13`)).body
  expect(found['hydra:member'][0]).toMatchObject({ number: made.number })
  expect(JSON.stringify(found)).not.toContain('Ann Carter')
  const reads = (await approver.get(`/api/portal/confidential_reads?record=${made['@id']}`)).body['hydra:member']
  expect(reads[0]).toMatchObject({ fields: ['personnel.bodyPart'], data: ['Part of the body'] })
})

test('without the right to health details, a user sees only groups of at least three people in complete years', async () => {
  const { api, approver } = await world()
  const year = londonDate(portal.engine.clock.now()).year - 1
  const on = (month: number, people: object[]) =>
    post(
      api,
      report(0, people, {
        datetime: Temporal.PlainDateTime.from({ year, month, day: 4, hour: 12 })
          .toZonedDateTime(LONDON_TIME_ZONE)
          .toInstant()
          .toString(),
      }),
    )
  const person = (name: string, part: number, more: object = {}) => injured({ name, ...bodyPart(part), ...more })
  const absent = { absences: [{ from: `${year}-02-05`, until: `${year}-02-06` }] }
  await on(2, [person('A', 13, absent), person('B', 13, absent), person('C', 13)])
  await on(3, [person('D', 18), person('E', 18), person('F', 18), person('G', 18)])
  await on(4, [person('H', 2)])
  await on(5, [person('H', 2)])

  const seen = (await analyse(approver)).health
  expect(seen).toMatchObject({
    smallGroupsWithheld: true,
    months: { from: `${year}-01`, to: `${year}-12` },
    daysLost: null,
  })
  // The eye of H alone would be the total minus the others, so the smaller group is withheld as well.
  expect([counts(seen.bodyParts), seen.otherParts]).toEqual([{ Foot: 1 }, 3])
  expect(
    figuresOf(await analyse(approver)).flatMap(({ rows }) => (rows?.bodyPart || rows?.lostTime ? [rows] : [])),
  ).toEqual([])
  // A shorter period or a filter changes nothing that could be subtracted.
  const month = (await analyse(approver, `?months=${year}-04..${year + 1}-01`)).health
  expect(month).toEqual(seen)
  expect((await analyse(approver, '?site=1')).health).toEqual(seen)

  await on(6, [person('I', 13, { absences: [{ from: `${year}-06-05`, until: `${year}-06-05` }] })])
  expect((await analyse(approver)).health.daysLost).toMatchObject({ days: 5 })
  const full = (await analyse(api, `?months=${year}-01..${year}-12`)).health
  expect([full.smallGroupsWithheld, counts(full.bodyParts)]).toEqual([false, { Hand: 2, Foot: 1, Eye: 2 }])
  const csv = (await approver.get(`${ANALYSIS_URL}/export.csv`)).text
  expect(csv).toContain('"Part of the body","Hand"')
  expect(csv).not.toContain('"Part of the body","Eye"')
})

test('days lost are counted once, including rest days, without the day of the accident and up to today', async () => {
  const { api } = await world()
  await post(
    api,
    report(10, [
      injured({
        absences: [{ from: day(-10), until: day(-8) }, { from: day(-9), until: day(-7) }, { from: day(-1) }],
      }),
    ]),
  )
  await post(api, report(0, [injured({ absences: [{ from: day(0) }] })]))
  await post(api, report(4, [injured({ absences: [] })]))
  const { health } = await analyse(api)
  expect(health.daysLost).toMatchObject({ days: 5, incidents: { count: 1 } })
  await expectRowsToAgree(api, await analyse(api))
})

test('a rate needs hours and employees for every complete month, and is never estimated', async () => {
  const { api, approver, reader } = await world()
  const today = londonDate(portal.engine.clock.now())
  const months = Array.from({ length: 2 }, (_, n) => today.with({ day: 1 }).subtract({ months: 2 - n }))
  const [first, second] = months.map((month) => month.toString().slice(0, 7))
  const query = `?months=${first}..${today.toString().slice(0, 7)}`
  const inMonth = (month: Temporal.PlainDate) =>
    month.add({ days: 3 }).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString()
  for (const month of months) await post(api, report(0, [injured()], { datetime: inMonth(month) }))
  await post(api, report(0, [], { datetime: inMonth(months[0] as Temporal.PlainDate) }))
  await post(api, report(0, [injured()]))

  const before = (await analyse(approver, query)).rates
  expect(before).toMatchObject({ hours: null, headcount: null, missingHours: [first, second] })
  expect(before?.rates[0]).toMatchObject({ count: 2, perEmployees: null, perHours: null })
  const saved = await approver.post(WORKFORCE, { month: `${first}-17`, hours: 20_000, headcount: 100 })
  expect([saved.status, saved.body.month]).toEqual([201, `${first}-01`])
  expect((await approver.post(WORKFORCE, { month: `${first}-02`, hours: 1 })).status).toBe(422)
  expect((await approver.post(WORKFORCE, { month: `${second}-01`, hours: 20_000 })).status).toBe(201)
  const half = (await analyse(approver, query)).rates
  expect(half).toMatchObject({ hours: 40_000, headcount: null, missingHours: [], missingHeadcount: [second] })
  expect(half?.rates[0]).toMatchObject({ count: 2, perEmployees: null, perHours: 50 })
  const [row] = (await approver.get(`${WORKFORCE}?month[after]=${second}-01`)).body['hydra:member']
  expect((await reader.put(row['@id'], { headcount: 1 })).status).toBe(403)
  expect((await approver.put(row['@id'], { headcount: 300 })).status).toBe(200)
  const whole = await analyse(approver, query)
  expect(whole.rates).toMatchObject({ headcount: 200, months: { from: first, to: second } })
  expect(whole.rates?.rates.map(({ count, perEmployees, perHours }) => [count, perEmployees, perHours])).toEqual([
    [2, 1000, 50],
    [0, 0, 0],
  ])
  await expectRowsToAgree(api, whole)

  expect((await approver.put(row['@id'], { headcount: 0 })).status).toBe(200)
  expect((await approver.put(row['@id'], { hours: null })).status).toBe(200)
  expect((await analyse(approver, query)).rates).toMatchObject({ hours: null, headcount: 50, missingHours: [second] })
  const future = today.add({ months: 1 }).toString()
  expect((await approver.post(WORKFORCE, { month: future, hours: 5 })).status).toBe(422)
  const current = (await analyse(approver, `?months=${today.toString().slice(0, 7)}..${today.toString().slice(0, 7)}`))
    .rates
  expect(current).toMatchObject({ months: null, hours: null, headcount: null, rates: [] })
})

test('the CSV contains every figure with its formula, and no spreadsheet formulas', async () => {
  const { api } = await world()
  const site = (await api.post('/api/safety/incident_sites', { name: '=1+1 Yard' })).body
  await post(api, report(5, [injured(bodyPart(13))], { site: site['@id'] }))
  const { status, text } = await api.get(`${ANALYSIS_URL}/export.csv`)
  expect(status).toBe(200)
  expect(text).toContain('"Figure","Group","Period","Value","Formula"')
  expect(text).toContain(`"Site","'=1+1 Yard"`)
  expect(text).toMatch(/"Part of the body","Hand","[^"]+",1,"Incidents in which/)
  expect(text).toMatch(/"Near misses for each accident","All","[^"]+",0,/)
  expect(text).toMatch(/"Rate per 1,000,000 hours","Incidents with an injured party","[^"]+","Not available",/)
})

test('the current month follows the portal’s clock', async () => {
  const { api } = await world()
  await post(api, report(1, []))
  expect((await analyse(api)).incidents.count).toBe(1)
  onTestFinished(() => moveClock(portal.engine, 0))
  await moveClock(portal.engine, 800)
  expect((await analyse(api)).incidents.count).toBe(0)
})

import { expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers, REPORTS } from '#test/support/riddor.ts'

const portal = await testPortal()
const { day, injured, post, report, world } = makeRiddorHelpers(portal)
const EXPORT = `${REPORTS}/full-export`
const reason = 'Request of the insurer'

interface Read {
  readonly record: string
  readonly name: string
  readonly fields: readonly string[]
  readonly reason: string | null
}
const readsOf = async (admin: TestApi): Promise<readonly Read[]> =>
  (await admin.get('/api/portal/confidential_reads?recordType=IncidentReport&itemsPerPage=100')).body['hydra:member']

/** Starts an export and returns its finished job. */
async function run(api: TestApi, query = '') {
  const started = await api.post(`${EXPORT}${query}`, { reason })
  expect([started.status, started.body.detail]).toEqual([202, undefined])
  await portal.drain()
  return (await api.get(started.body['@id'])).body
}

async function csv(api: TestApi, query = '') {
  const job = await run(api, query)
  expect([job.state, job.error]).toEqual(['done', null])
  const file = await api.get(job.file['@id'])
  expect(file.status).toBe(200)
  return file.text.slice(1).split('\r\n').slice(0, -1)
}

test('an export has one row for each person with all health details, and logs one confidential read for each incident', async () => {
  const { api, approver } = await world()
  const hurt = injured({ specified: ['b'], absences: [{ from: day(-1) }], statement: 'My hand "hurts"' })
  const witness = { recordType: 'WT', name: 'Wes Lowe', statement: '=HYPERLINK("http://evil.example")' }
  const first = await post(api, report(2, [hurt, witness]))
  const nearMiss = await post(api, report(1, [], { nearMiss: true, description: 'A brick fell' }))
  const before = (await readsOf(approver)).length
  const [heading, ...rows] = await csv(api, '?order[datetime]=asc')
  expect(heading).toContain('Person: name')
  expect(heading).toContain('Person: date of birth')
  expect(rows).toHaveLength(3)
  const [injuredRow, witnessRow, emptyRow] = rows
  for (const words of [first.number, 'Ann Carter', '28/02/1990', 'Cut finger', '"My hand ""hurts"""', '(b) Amputation'])
    expect(injuredRow).toContain(words)
  expect(injuredRow).toContain('no end entered')
  expect(witnessRow).toContain(`"'=HYPERLINK(`)
  expect(emptyRow).toMatch(new RegExp(`^${nearMiss.number},Reported,No,.*A brick fell,`))
  const reads = (await readsOf(approver)).slice(0, -before)
  expect(reads).toMatchObject([{ record: first['@id'], name: 'Dee Cider', reason: `Export: ${reason}` }])
  expect(reads[0]?.fields).toEqual(
    expect.arrayContaining(['personnel.name', 'personnel.statement', 'personnel.absences', 'personnel.specified']),
  )
  expect(reads[0]?.fields).not.toContain('personnel.address2')
})

test("an export applies the list's filters, and never contains another client's incidents", async () => {
  const { api } = await world()
  const { api: other } = await world()
  const kept = await post(api, report(1, [injured()]))
  await post(api, report(1, [], { nearMiss: true }))
  const retired = await post(api, report(1, []))
  await api.put(retired['@id'], { retired: true, retireReason: 'Entered twice' })
  await post(other, report(1, [injured({ name: 'Olga Other' })]))
  const rows = (await csv(api, '?nearMiss=false&retired=false')).slice(1)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain(kept.number)
  expect(rows.join()).not.toContain('Olga')
})

test('only readers of health details can export them, with a reason and not while impersonating', async () => {
  const { client, api, approver, worker, decider } = await world()
  for (const one of [approver, worker]) expect((await one.post(EXPORT, { reason })).status).toBe(403)
  expect((await portal.anonymous.post(EXPORT, { reason })).status).toBe(401)
  for (const none of ['', '  ']) expect((await api.post(EXPORT, { reason: none })).status).toBe(422)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const query = new URLSearchParams({ username: decider.username, client: `${client.id}`, reason: 'They asked' })
  const visit = portal.bearing((await staff.get(`/api/security/user/switch?${query}`)).body.token)
  const refused = await visit.post(EXPORT, { reason })
  expect([refused.status, refused.body.code]).toEqual([403, 'visit_read_only'])
  // A file made by the user can’t be downloaded while impersonating them.
  const { file } = await run(api)
  expect((await visit.get(file['@id'])).status).toBe(403)
  expect((await api.get(file['@id'])).status).toBe(200)
})

test('a user who starts an export and then loses the role gets neither the running export nor a finished file', async () => {
  const { client, approver } = await world()
  const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] })
  const api = client.as(user)
  await post(api, report(1, [injured()]))
  const { file } = await run(api)
  const waiting = (await api.post(EXPORT, { reason })).body
  expect((await approver.put(user.iri, { roles: ['ROLE_CLIENT_ADMIN'] })).status).toBe(200)
  const before = (await readsOf(approver)).length
  await portal.drain()
  const later = client.as(user)
  expect((await later.get(waiting['@id'])).body).toMatchObject({ state: 'failed', file: null })
  expect((await readsOf(approver)).length).toBe(before)
  expect((await later.get(file['@id'])).status).toBe(403)
})

test('an export of 1,200 incidents is complete and logs each incident with an injured party once', async () => {
  const { client, api, approver } = await world()
  await portal.db.tx('system', async (tx) => {
    await tx.rows(
      `WITH made AS (
         INSERT INTO incident_report (client_id, number, description, happened_at, state, internal_location)
         SELECT $1, 'INC-2020-' || lpad(n::text, 4, '0'), 'Tripped', '2020-01-01T09:00:00Z'::timestamptz + n * interval '1 hour', 'reported', 'Yard'
         FROM generate_series(1, 1200) n RETURNING id, number)
       INSERT INTO incident_person (client_id, report_id, record_type, name)
       SELECT $1, id, 'IP', 'Person ' || number FROM made WHERE right(number, 1) <> '0'`,
      [client.id],
    )
  })
  const rows = (await csv(api)).slice(1)
  expect(rows).toHaveLength(1200)
  expect(new Set(rows.map((row) => row.slice(0, 13))).size).toBe(1200)
  expect(rows.filter((row) => row.includes('Person INC-2020-0011'))).toHaveLength(1)
  const { body } = await approver.get('/api/portal/confidential_reads?recordType=IncidentReport')
  expect(body['hydra:totalItems']).toBe(1080)
})

test('an export contains every confidential field of an incident and its people', async () => {
  const { INCIDENT_COLUMNS, buildPersonColumns } = await import('./columns.server.ts')
  const { incidentFacts } = await import('../incident-facts.ts')
  const { incidentPerson } = await import('../people/incident-person.ts')
  const names = new Set([...INCIDENT_COLUMNS, ...buildPersonColumns(new Map())].map(({ name }) => name))
  const confidential = [incidentFacts, incidentPerson].flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, field]) => ('confidential' in field && field.confidential ? [name] : [])),
  )
  expect(confidential.filter((name) => !names.has(name))).toEqual([])
})

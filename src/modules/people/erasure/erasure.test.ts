import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

test('an identity is erased after its retention, evidence remains under a number, and nothing brings it back', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { client, admin, hr, person } = await createLeaveCompany(portal)
  const ann = await person({
    forename: 'Ann',
    surname: 'Quillfeather',
    email: 'ann@quill.example',
    dob: '1980-02-29',
    postcode: 'LS1 1AA',
    emergencyContacts: [{ name: 'Bob Quillfeather', number: '07700900123' }],
  })
  await portal.drain()
  const today = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
  expect((await hr.get(`${ann.iri}/retained-data`)).body.refusal).toContain('only after the last day')
  await hr.post(`${ann.iri}/end-employment`, { leavingDate: today.toString(), leavingReason: 'resigned' })

  await portal.db.tx('system', (tx) =>
    tx.rows(
      `WITH r AS (INSERT INTO incident_report (client_id, number, state, happened_at, description) VALUES ($1, 'X-1', 'reported', portal_now(), 'Fall') RETURNING id)
       INSERT INTO incident_person (client_id, report_id, employee_id, name) SELECT $1, id, $2, 'Ann Quillfeather' FROM r`,
      [client.id, ann.id],
    ),
  )
  const actions = `INSERT INTO corrective_action (client_id, number, description, manager_name, employee_id, state)
    VALUES ($1, 'CA-1', 'Mend', 'Ann Quillfeather', $2, 'open'), ($1, 'CA-2', 'Mend', 'Ann Quillfeather', $2, 'rectified')`
  await portal.db.tx('system', (tx) => tx.rows(actions, [client.id, ann.id]))
  const report = (await hr.get(`${ann.iri}/retained-data`)).body
  const rules = report.retained.map((one: { data: string; reference: string }) => [one.data, one.reference])
  expect(rules).toContainEqual(['Leave', 'Working Time Regulations 1998 reg 16B'])
  expect(rules).toContainEqual(['Accident book entries', expect.stringContaining('SI 1979/628')])
  const early = await hr.post(`${ann.iri}/erase`, { confirmed: true })
  const until = today.add({ years: 6 }).toString().split('-').reverse().join('/')
  expect(early.status).toBe(409)
  expect(early.body['hydra:description']).toMatch(new RegExp(`until ${until}.*\\((Limitation Act|Working Time)`))

  await moveClock(portal.engine, 6 * 366)
  expect((await ann.api.post(`${ann.iri}/erase`, { confirmed: true })).status).toBe(401)
  expect((await hr.post(`${ann.iri}/erase`, {})).status).toBe(422)
  const done = await hr.post(`${ann.iri}/erase`, { confirmed: true })
  expect(done.status, done.text).toBe(200)
  const record = (await hr.get(ann.iri)).body
  expect(record).toMatchObject({
    name: `Former employee ${ann.id}`,
    email: '',
    dob: null,
    postcode: '',
    leavingReason: null,
  })
  expect((await admin.get(ann.account.iri)).body.name).toBe(`Former employee ${ann.id}`)
  expect((await hr.get(`${LEAVE.entries}?employee=${ann.id}`)).body['hydra:totalItems']).toBeGreaterThan(0)

  const named = await portal.db.tx('system', (tx) =>
    tx.rows('SELECT manager_name AS name FROM corrective_action WHERE client_id = $1 ORDER BY number', [client.id]),
  )
  expect(named).toEqual([{ name: `Former employee ${ann.id}` }, { name: 'Ann Quillfeather' }])
  expect((await hr.post(`${ann.iri}/erase`, { confirmed: true })).status).toBe(409)
  expect((await hr.post(`${ann.iri}/resume-employment`, {})).status).toBe(409)
  expect((await hr.patch(ann.iri, { email: 'ann@quill.example' })).status).toBe(409)
  const audits = await portal.db.tx('system', (tx) =>
    tx.rows<{ changes: object }>(
      "SELECT changes FROM audit WHERE client_id = $1 AND type = 'Employee' AND row_id = $2 AND verb = 'erase'",
      [client.id, ann.id],
    ),
  )
  expect(audits).toHaveLength(1)
  expect(JSON.stringify(audits)).not.toContain('Quillfeather')
})

test('the report counts the names in documents, and erasing replaces those in drafts and open talks', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { client, admin, hr, person } = await createLeaveCompany(portal)
  const ann = await person({ forename: 'Ann', surname: 'Quillfeather' })
  const other = await person({ forename: 'Bea', surname: 'Reed' })
  const organisation = [ann, other].map(({ id }) => ({
    function: 'Fire',
    person: '',
    employee: id,
    responsibilities: 'X',
  }))
  const policy = async () =>
    (
      await admin.post('/api/safety/policies', {
        title: 'Policy',
        intent: '<p>We commit.</p>',
        signatory: 'Ada',
        organisation,
        arrangements: [{ title: 'Fire', text: '<p>Out.</p>' }],
      })
    ).body
  const [sealed, draft] = [await policy(), await policy()]
  const done = await admin.put(sealed['@id'], { complete: true })
  expect(done.status, done.text).toBe(200)
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `WITH p AS (INSERT INTO talk_presented (client_id, talk_id, title, presenter, date, presenter_employee_id) VALUES ($1, $3, 'Ladders', 'Ann Quillfeather', '2026-01-01', $2) RETURNING id)
       INSERT INTO talk_attendee (client_id, presented_id, name, employee_id) SELECT $1, id, 'Ann Quillfeather', $2 FROM p`,
      [client.id, ann.id, draft.id],
    ),
  )
  const today = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
  await hr.post(`${ann.iri}/end-employment`, { leavingDate: today.toString(), leavingReason: 'resigned' })
  const report = (await hr.get(`${ann.iri}/retained-data`)).body
  expect(report.retained).toContainEqual(expect.objectContaining({ data: 'Documents and completed forms', count: 1 }))
  expect(report.replaced).toEqual([
    { data: 'Drafts of documents', count: 1 },
    { data: 'Open records of talks', count: 1 },
    { data: 'People listed for open talks', count: 1 },
  ])

  await moveClock(portal.engine, 6 * 366)
  const erased = await hr.post(`${ann.iri}/erase`, { confirmed: true })
  expect(erased.status, erased.text).toBe(200)
  const peopleIn = async (one: { '@id': string }) =>
    (await admin.get(one['@id'])).body.organisation.map(({ person }: { person: string }) => person)
  expect(await peopleIn(draft)).toEqual([`Former employee ${ann.id}`, 'Bea Reed'])
  expect(await peopleIn(sealed)).toEqual(['Ann Quillfeather', 'Bea Reed'])
  const names = await portal.db.tx('system', (tx) =>
    tx.rows(
      'SELECT p.presenter, a.name FROM talk_presented p JOIN talk_attendee a ON a.client_id = p.client_id AND a.presented_id = p.id WHERE p.client_id = $1',
      [client.id],
    ),
  )
  expect(names).toEqual([{ presenter: `Former employee ${ann.id}`, name: `Former employee ${ann.id}` }])
})

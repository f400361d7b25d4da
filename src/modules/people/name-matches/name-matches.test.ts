import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers } from '#test/support/riddor.ts'

const EMPLOYEES = '/api/employees/employees'
const MATCHES = '/api/employees/name_matches'
const ACTIONS = '/api/safety/corrective_actions'
const portal = await testPortal()
const { post: postReport } = makeRiddorHelpers(portal)

interface Match {
  readonly '@id': string
  readonly name: string
  readonly source: string
  readonly state: string
  readonly candidates: number
  readonly employee: { readonly name: string } | null
}

const naming = (responsible: string, name?: string) => makeHazards(name).map((line) => ({ ...line, responsible }))

/** A company with human resources, three employees, two of them with the same name, and a reader of health details. */
async function company() {
  const w = await makeAssessments(portal, { packs: ['safety', 'employees'] })
  const hr = w.client.as(await w.client.user({ roles: ['ROLE_HR'] }))
  const admin = w.client.as(await w.client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] }))
  const hire = async (forename: string, surname: string, more: object = {}) =>
    (await w.author.post(EMPLOYEES, { forename, surname, ...more })).body as { '@id': string; id: number }
  const ann = await hire('Ann', 'Carter')
  await hire('Bob', 'Day')
  await hire('Bob', 'Day')
  const search = async () => {
    const { status } = await hr.post(`${MATCHES}/find`, {})
    await portal.drain()
    return status
  }
  const list = async (query = '', by = hr) => (await by.get(`${MATCHES}?${query}`)).body['hydra:member'] as Match[]
  return { ...w, hr, admin, hire, ann, search, list }
}

const shown = (matches: readonly Match[]) => matches.map((m) => [m.name, m.source, m.state, m.employee?.name ?? null])

test('a search proposes the one employee with a typed name, and lists a shared name as ambiguous', async () => {
  const { author, draft, search, list, inForce, client } = await company()
  await draft({ controls: [...naming('ann carter'), ...naming('Bob Day', 'Noise'), ...naming('Site manager', 'Dust')] })
  await inForce(await draft({ controls: naming('Ann Carter') }))
  await author.post(ACTIONS, { description: 'Mend the step', managerName: 'Carter, Ann' })
  expect(await search()).toBe(202)
  expect(shown(await list())).toEqual([
    ['Bob Day', 'assessment', 'ambiguous', null],
    ['Carter, Ann', 'action', 'proposed', 'Ann Carter'],
    ['ann carter', 'assessment', 'proposed', 'Ann Carter'],
  ])
  // Another search finds the same.
  await search()
  expect(await list()).toHaveLength(3)
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  expect([(await worker.get(MATCHES)).status, (await worker.post(`${MATCHES}/find`, {})).status]).toEqual([403, 403])
  const other = await company()
  expect(await other.list()).toEqual([])
})

test('confirming links every line with the name and leaves the text as typed, and undo restores', async () => {
  const { author, hr, draft, search, list, ann } = await company()
  const made = await draft({ controls: naming('ann carter') })
  await search()
  const [match] = await list()
  const lines = async () =>
    (await author.get(made['@id'])).body.controls.map((l: { responsibility: number; responsible: string }) => [
      l.responsibility,
      l.responsible,
    ])
  expect((await hr.post(`${match?.['@id']}/confirm`, {})).body).toMatchObject({ state: 'confirmed' })
  expect(await lines()).toEqual([
    [ann.id, 'ann carter'],
    [ann.id, 'ann carter'],
  ])
  expect((await hr.post(`${match?.['@id']}/confirm`, {})).status).toBe(409)
  expect((await hr.post(`${match?.['@id']}/reconsider`, {})).body).toMatchObject({ state: 'proposed', decidedBy: null })
  expect(await lines()).toEqual([
    [0, 'ann carter'],
    [0, 'ann carter'],
  ])
})

test('confirming an action links the employee without changing its owner, name or e-mail address', async () => {
  const { author, client, hr, hire, search, list } = await company()
  const { body } = await author.post(ACTIONS, { description: 'Mend', managerName: 'cat eves', email: 'c@x.example' })
  // An action that is entered later can't be sent to a person named like this account.
  const account = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Cat Eves' })
  const cat = await hire('Cat', 'Eves', { user: account.iri })
  await search()
  const [match] = await list('source=action')
  expect((await hr.post(`${match?.['@id']}/confirm`, {})).status).toBe(200)
  const values = { employee: cat.id, owner: null, managerName: 'cat eves', email: 'c@x.example' }
  expect((await author.get(body['@id'])).body).toMatchObject(values)
  await hr.post(`${match?.['@id']}/reconsider`, {})
  expect((await author.get(body['@id'])).body).toMatchObject({ ...values, employee: null })
})

test('an approved assessment, a closed action and an employee who has left are not linked', async () => {
  const { author, hr, draft, inForce, search, list, ann } = await company()
  const made = await draft({ controls: naming('Ann Carter') })
  const { body: action } = await author.post(ACTIONS, { description: 'Mend the step', managerName: 'Ann Carter' })
  await search()
  const matches = await list()
  expect(matches).toHaveLength(2)
  await author.put(ann['@id'], { retired: true })
  const confirm = async () =>
    Promise.all(matches.map(async (one) => (await hr.post(`${one['@id']}/confirm`, {})).status))
  expect(await confirm()).toEqual([409, 409])
  await author.put(ann['@id'], { retired: false })
  const sealed = await inForce(made)
  await author.post(`${action['@id']}/dismiss`, { reason: 'Not needed' })
  expect(await confirm()).toEqual([409, 409])
  expect((await author.get(sealed['@id'])).body.controls[0].responsibility).toBe(0)
  await search()
  expect(await list()).toEqual([])
})

test('a rejected name is not proposed again at the same place', async () => {
  const { hr, draft, search, list } = await company()
  await draft({ controls: naming('Ann Carter') })
  await search()
  const [match] = await list()
  await hr.post(`${match?.['@id']}/reject`, {})
  await search()
  expect(shown(await list())).toEqual([['Ann Carter', 'assessment', 'rejected', 'Ann Carter']])
})

test('several matches are confirmed at once, and refused ones delay no others', async () => {
  const { author, hr, draft, search, list } = await company()
  const [first, second] = [
    await draft({ controls: naming('Ann Carter') }),
    await draft({ controls: naming('Ann Carter') }),
  ]
  await search()
  const ids = (await list()).map((one) => Number(one['@id'].split('/').at(-1)))
  await author.post(`${second['@id']}/complete`)
  const { status, body } = await hr.post(`${MATCHES}/bulk`, { action: 'confirm', ids })
  expect([status, body.done.length, body.refused.length]).toEqual([200, 1, 1])
  expect((await author.get(first['@id'])).body.controls[0].responsibility).toBeGreaterThan(0)
})

test('an injured party is matched only for readers of health details, and their incident stays verifiable', async () => {
  const { client, admin, hr, search, list, ann } = await company()
  const made = await postReport(admin, {
    state: 'reported',
    description: 'Slipped on a wet floor beside the mixer',
    datetime: portal.engine.clock.now().subtract({ hours: 2 }).toString(),
    internalLocation: 'Bay 3',
    personnel: [{ recordType: 'IP', name: 'Ann Carter' }],
  })
  await search()
  expect(await list()).toEqual([])
  const [match] = await list('', admin)
  expect(shown(match ? [match] : [])).toEqual([['Ann Carter', 'incident', 'proposed', 'Ann Carter']])
  expect((await hr.post(`${match?.['@id']}/confirm`, {})).status).toBe(404)
  expect((await admin.post(`${match?.['@id']}/confirm`, {})).status).toBe(200)
  const person = async () => (await admin.get(made['@id'])).body.personnel[0]
  expect(await person()).toMatchObject({ name: 'Ann Carter', employee: ann['@id'] })
  await admin.post(`${match?.['@id']}/reconsider`, {})
  expect(await person()).toMatchObject({ name: 'Ann Carter', employee: null })
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('an attendee who has not signed is linked, and one who has signed stays as they are', async () => {
  const { author, hr, search, list, ann } = await company()
  const { body: talk } = await author.post('/api/safety/toolbox_talks', {
    title: 'Ladders',
    points: [{ text: 'Feet' }],
  })
  await author.put(talk['@id'], { complete: true, approved: true })
  const date = portal.engine.clock.now().toString().slice(0, 10)
  const { body: record, status } = await author.post('/api/safety/toolbox_talk_presenteds', {
    talk: talk['@id'],
    presenter: 'Ada Admin',
    date,
    attendees: [{ name: 'Ann Carter' }],
  })
  expect(status).toBe(201)
  await search()
  const [match] = await list('source=attendee')
  const attendee = async () => (await author.get(record['@id'])).body.attendees[0]
  expect((await hr.post(`${match?.['@id']}/confirm`, {})).status).toBe(200)
  expect((await attendee()).employee).toBe(ann.id)
  await hr.post(`${match?.['@id']}/reconsider`, {})
  expect((await attendee()).employee).toBe(null)
  const { '@id': row } = await attendee()
  await author.post(`${record['@id']}/sign`, { attendee: row, method: 'typed', visitor: true })
  expect((await hr.post(`${match?.['@id']}/confirm`, {})).status).toBe(409)
})

test('names in a draft’s form are linked wherever they stand, and undo restores exactly these', async () => {
  const { author, hr, search, list, ann } = await company()
  const { body: method } = await author.post('/api/safety/method_statements', {
    description: 'Roof',
    supervisor: 'ann carter',
    firstAider: 'ann carter',
    firstAiderEmployee: ann.id,
  })
  const holder = (person: string) => ({ function: 'First Aider', person, responsibilities: 'First aid box' })
  const { body: policy } = await author.post('/api/safety/policies', {
    title: 'Policy',
    organisation: [holder('Site manager'), holder('Ann Carter')],
  })
  await search()
  const matches = await list('source=document')
  expect(shown(matches)).toEqual([
    ['Ann Carter', 'document', 'proposed', 'Ann Carter'],
    ['ann carter', 'document', 'proposed', 'Ann Carter'],
  ])
  const stored = async () => {
    const { supervisor, supervisorEmployee, firstAiderEmployee } = (await author.get(method['@id'])).body
    const { organisation } = (await author.get(policy['@id'])).body
    return [
      supervisor,
      supervisorEmployee,
      firstAiderEmployee,
      organisation.map((r: { employee: number }) => r.employee),
    ]
  }
  for (const { '@id': iri } of matches) expect((await hr.post(`${iri}/confirm`, {})).status).toBe(200)
  expect(await stored()).toEqual(['ann carter', ann.id, ann.id, [undefined, ann.id]])
  for (const { '@id': iri } of matches) expect((await hr.post(`${iri}/reconsider`, {})).status).toBe(200)
  expect(await stored()).toEqual(['ann carter', null, ann.id, [undefined, null]])
  await author.put(policy['@id'], { organisation: [holder('Nobody')] })
  expect((await hr.post(`${matches[0]?.['@id']}/confirm`, {})).status).toBe(409)
})

test('names in the steps and emergency contacts of draft documents are proposed and linked', async () => {
  const { author, hr, search, list, ann } = await company()
  const { body: method } = await author.post('/api/safety/method_statements', {
    description: 'Roof',
    sequence: [
      { title: 'Fence', responsible: 'Ann Carter' },
      { title: 'Lift', responsible: 'All' },
    ],
  })
  const contact = { name: 'Ann Carter', number: '01234 567890' }
  const { body: coshh } = await author.post('/api/safety/coshh_assessments', {
    name: 'Paint',
    emergencyContact: [contact],
  })
  await search()
  for (const match of await list('state=proposed'))
    expect((await hr.post(`${match['@id']}/confirm`, {})).status).toBe(200)
  expect((await author.get(method['@id'])).body.sequence).toMatchObject([
    { responsible: 'Ann Carter', responsibleEmployee: ann.id },
    { responsible: 'All' },
  ])
  expect((await author.get(coshh['@id'])).body.emergencyContact).toMatchObject([{ ...contact, nameEmployee: ann.id }])
})

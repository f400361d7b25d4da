import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const EMPLOYEES = '/api/employees/employees'
const METHODS = '/api/safety/method_statements'
const POLICIES = '/api/safety/policies'

const hire = async (by: TestApi, surname: string): Promise<{ '@id': string; id: number }> =>
  (await by.post(EMPLOYEES, { forename: 'Ann', surname })).body

const functions = (person: string, employee: number) => [
  { function: 'First Aider', person, employee, responsibilities: 'First aid box' },
]

test('a method statement names its supervisor and first aider as employees, until other names are entered', async () => {
  const { author } = await makeAssessments(portal)
  const [ann, bea] = [await hire(author, 'Carter'), await hire(author, 'Dale')]
  const { body: made } = await author.post(METHODS, {
    description: 'Roof',
    supervisorEmployee: ann.id,
    firstAider: 'B. Dale',
    firstAiderEmployee: bea.id,
  })
  const named = ({ supervisor, supervisorEmployee, firstAider, firstAiderEmployee }: Record<string, unknown>) => [
    [supervisorEmployee, supervisor],
    [firstAiderEmployee, firstAider],
  ]
  expect(named(made)).toEqual([
    [ann.id, 'Ann Carter'],
    [bea.id, 'B. Dale'],
  ])
  await author.put(ann['@id'], { surname: 'Baker' })
  const { body: changed } = await author.put(made['@id'], { firstAider: 'Contractor' })
  expect(named(changed)).toEqual([
    [ann.id, 'Ann Carter'],
    [null, 'Contractor'],
  ])
  await author.put(ann['@id'], { retired: true })
  const { '@id': _, ...model } = (await author.get(`${made['@id']}/copy`)).body
  expect(named((await author.post(METHODS, model)).body)[0]).toEqual([ann.id, 'Ann Carter'])
})

test('a policy names holders of functions and its signatory as employees, also in the next revision', async () => {
  const { author, inForce } = await makeAssessments(portal)
  const ann = await hire(author, 'Carter')
  const { body: made, text } = await author.post(POLICIES, {
    title: 'Safety policy',
    intent: '<p>We commit.</p>',
    signatory: 'Ann Carter',
    signatoryEmployee: ann.id,
    organisation: functions('', ann.id),
    arrangements: [{ title: 'Fire', text: '<p>Out.</p>' }],
  })
  expect([made.organisation?.[0]?.person, text]).toEqual(['Ann Carter', expect.anything()])
  const current = await inForce(made)
  await author.put(ann['@id'], { retired: true })
  const { body: next } = await author.post(`${current['@id']}/revise`, {})
  expect([next.signatoryEmployee, next.organisation[0]]).toMatchObject([
    ann.id,
    { person: 'Ann Carter', employee: ann.id },
  ])
  const { body: handed } = await author.put(next['@id'], { organisation: functions('Site manager', ann.id) })
  expect(handed.organisation[0]).toMatchObject({ person: 'Site manager', employee: 0 })
  const other = await portal.client()
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const { body: model } = await staff.get(`${current['@id']}/${other.id}/copyTo`)
  expect([model.signatoryEmployee, model.organisation[0]]).toMatchObject([null, { person: 'Ann Carter', employee: 0 }])
})

test('no document stores an employee of another company, or one who has left', async () => {
  const { author } = await makeAssessments(portal)
  const other = await makeAssessments(portal)
  const stranger = await hire(other.author, 'Stranger')
  const leaver = await hire(author, 'Leaver')
  await author.put(leaver['@id'], { retired: true })
  const { body: method } = await author.post(METHODS, { description: 'Roof' })
  const { body: policy } = await author.post(POLICIES, { title: 'Policy' })
  for (const { id } of [stranger, leaver])
    for (const refused of [
      await author.post(METHODS, { description: 'Roof', supervisorEmployee: id }),
      await author.put(method['@id'], { firstAiderEmployee: id }),
      await author.patch(method['@id'], { supervisorEmployee: id }),
      await author.post(POLICIES, { title: 'Policy', signatoryEmployee: id }),
      await author.put(policy['@id'], { organisation: functions('X', id) }),
      await author.patch(policy['@id'], { organisation: functions('X', id) }),
    ])
      expect([refused.status, refused.body.violations?.[0].propertyPath]).toEqual([
        422,
        expect.stringMatching(/mployee$/),
      ])
})

test('a method statement names employees in its steps, people, permits and emergency contacts', async () => {
  const { author } = await makeAssessments(portal)
  const [ann, bea] = [await hire(author, 'Carter'), await hire(author, 'Dale')]
  const { body: made, text } = await author.post(METHODS, {
    description: 'Roof',
    sequence: [
      { title: 'Fence', responsible: '', responsibleEmployee: ann.id },
      { title: 'Lift', responsible: 'All' },
    ],
    people: [{ name: 'B. Dale', nameEmployee: bea.id, role: 'Roofer' }],
    permits: [{ name: 'Hot work', issuer: '', issuerEmployee: ann.id }],
    emergencyContact: [{ name: '', number: '01234 567890', nameEmployee: bea.id }],
  })
  expect([made.sequence, made.people, made.permits, made.emergencyContact], text).toMatchObject([
    [{ responsible: 'Ann Carter', responsibleEmployee: ann.id }, { responsible: 'All' }],
    [{ name: 'B. Dale', nameEmployee: bea.id }],
    [{ issuer: 'Ann Carter', issuerEmployee: ann.id }],
    [{ name: 'Ann Dale', number: '01234 567890', nameEmployee: bea.id }],
  ])
  expect(made.sequence[1]).not.toHaveProperty('responsibleEmployee')
  const { body: changed } = await author.put(made['@id'], {
    emergencyContact: [{ name: 'Gate', number: '01234 567890', nameEmployee: bea.id }],
  })
  expect(changed.emergencyContact).toMatchObject([{ name: 'Gate', nameEmployee: 0 }])
  const stranger = await hire((await makeAssessments(portal)).author, 'Stranger')
  for (const refused of [
    { people: [{ name: 'X', nameEmployee: stranger.id }] },
    { emergencyContact: [{ name: 'X', number: '1', nameEmployee: stranger.id }] },
    { sequence: [{ title: 'Fence', responsibleEmployee: 'Ann' }] },
  ]) {
    const { status, body } = await author.patch(made['@id'], refused)
    expect([status, body.violations?.[0].propertyPath]).toEqual([422, expect.stringMatching(/\[0\]\.\w+Employee$/)])
  }
})

test('a method statement started from an assessment may name people who have left since', async () => {
  const { author } = await makeAssessments(portal)
  const ann = await hire(author, 'Carter')
  const contact = { name: '', number: '01234 567890', nameEmployee: ann.id }
  const assessment = await author.post('/api/safety/risk_assessments', {
    description: 'Roof',
    firstAiderEmployee: ann.id,
    emergencyContact: [contact],
  })
  expect(assessment.status, assessment.text).toBe(201)
  await author.put(ann['@id'], { retired: true })
  const { body: model } = await author.get(`${METHODS}/model?riskAssessment=${assessment.body.id}`)
  const { '@id': _, ...values } = model
  const { status, body, text } = await author.post(METHODS, values)
  expect(status, text).toBe(201)
  expect([body.firstAiderEmployee, body.emergencyContact[0]]).toMatchObject([
    ann.id,
    { name: 'Ann Carter', nameEmployee: ann.id },
  ])
  const refused = await author.post(METHODS, { description: 'Wall', emergencyContact: [contact] })
  expect(refused.status).toBe(422)
})

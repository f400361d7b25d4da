import { expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const FORMS = '/api/safety/custom_forms'
const SCHEDULES = '/api/safety/form_schedules'
const ANSWERS = '/api/safety/custom_form_answers'
const CHECK = {
  steps: [
    { name: 's', title: 'S', groups: [{ fields: [{ name: 'ok', kind: 'text', label: 'OK?', required: true }] }] },
  ],
}
const day = (days: number) => londonDate(portal.engine.clock.now()).add({ days }).toString()

async function company() {
  const client = await portal.client()
  const author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const who = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Callum Fraser' })
  return { client, author, who, worker: client.as(who) }
}

async function published(author: TestApi, more: object = {}) {
  const made = await author.post(FORMS, { title: 'Ladder check', schema: CHECK, ...more })
  expect(made.status).toBe(201)
  const { status, body } = await author.post(`${made.body['@id']}/publish`, {})
  expect(status).toBe(200)
  return body as { '@id': string; id: number; current: string }
}

const fillIn = async (as: TestApi, form: { '@id': string; current: string }) => {
  const { status, body } = await as.post(ANSWERS, {
    form: form['@id'],
    version: form.current,
    answers: { ok: 'Yes' },
  })
  expect(status).toBe(201)
  await portal.drain()
  return body as { '@id': string; author: string }
}

test('a form scheduled weekly is due on its start date, and again a week later once the assignee has completed it', async () => {
  const { author, who, worker } = await company()
  const form = await published(author)
  const made = await author.post(SCHEDULES, { form: form['@id'], user: who.id, every: 'week', startsOn: day(0) })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ title: 'Ladder check', person: 'Callum Fraser', dueOn: day(0), answer: null })
  // The assignee is notified immediately, because the form is due today.
  await portal.drain()
  const told = async () =>
    (await worker.get('/api/portal/notices/inbox?unread=true')).body['hydra:member'] as {
      words: string
      ended: boolean
    }[]
  expect((await told()).map(({ words }) => words)).toEqual([expect.stringContaining('Complete “Ladder check”')])
  expect((await worker.get('/api/portal/notices/inbox')).body['hydra:member'][0].path).toBe(
    `/safety/custom-form/fill/${form.id}`,
  )
  // The due date doesn't change if someone else completes the form.
  await fillIn(author, form)
  expect((await worker.get(made.body['@id'])).body.dueOn).toBe(day(0))
  const answer = await fillIn(worker, form)
  const after = (await worker.get(made.body['@id'])).body
  expect(after).toMatchObject({ dueOn: day(7), answer: { '@id': answer['@id'] } })
  expect((await told()).filter(({ ended }) => !ended)).toEqual([])
  // If the form is completed again before it is due, the due date stays the same.
  await fillIn(worker, form)
  expect((await worker.get(made.body['@id'])).body.dueOn).toBe(day(7))
})

test('if a form is scheduled for two places, each completion advances the schedule that has been due the longest', async () => {
  const { author, who, worker } = await company()
  const form = await published(author)
  const make = async (place: string) =>
    (await author.post(SCHEDULES, { form: form['@id'], user: who.id, every: 'day', startsOn: day(0), place })).body[
      '@id'
    ]
  const [yard, roof] = [await make('Yard'), await make('Roof')]
  expect(
    (await author.post(SCHEDULES, { form: form['@id'], user: who.id, startsOn: day(0), place: ' yard' })).status,
  ).toBe(409)
  const due = async () => [(await worker.get(yard)).body.dueOn, (await worker.get(roof)).body.dueOn]
  await fillIn(worker, form)
  expect(await due()).toEqual([day(1), day(0)])
  await fillIn(worker, form)
  expect(await due()).toEqual([day(1), day(1)])
})

test('if identical schedules are created at the same time, one is saved and the others are refused as conflicts', async () => {
  const { author, who } = await company()
  const form = await published(author)
  const plan = () => author.post(SCHEDULES, { form: form['@id'], user: who.id, every: 'day', startsOn: day(0) })
  const answers = await Promise.all([plan(), plan(), plan(), plan()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
})

test('each invalid value of a form schedule is reported with its field', async () => {
  const { client, author, who, worker } = await company()
  const form = await published(author, { audience: ['ROLE_CLIENT_ADMIN'] })
  const open = await published(author, { title: 'For all' })
  const draft = (await author.post(FORMS, { title: 'Not set', schema: CHECK })).body
  const gone = await client.user({ roles: ['ROLE_EMPLOYEE'] })
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await admin.put(gone.iri, { isRetired: true })).status).toBe(200)
  const stranger = await (await portal.client()).user({ roles: ['ROLE_EMPLOYEE'] })
  const wrong = async (values: object) => {
    const { status, body } = await author.post(SCHEDULES, {
      form: open['@id'],
      user: who.id,
      startsOn: day(0),
      ...values,
    })
    expect(status).toBe(422)
    return body.violations.map((v: { propertyPath: string }) => v.propertyPath)
  }
  expect(await wrong({ form: form['@id'] })).toEqual(['user'])
  expect(await wrong({ form: draft['@id'] })).toEqual(['form'])
  expect(await wrong({ user: gone.id })).toEqual(['user'])
  expect(await wrong({ user: stranger.id })).toEqual(['user'])
  expect(await wrong({ startsOn: day(-1) })).toEqual(['startsOn'])
  expect(await wrong({ startsOn: day(900) })).toEqual(['startsOn'])
  expect(await wrong({ every: 'hour' })).toEqual(['every'])
  expect((await worker.post(SCHEDULES, { form: open['@id'], user: who.id, startsOn: day(0) })).status).toBe(403)
})

test('the server calculates the due date of a form schedule and ignores a due date in the request', async () => {
  const { author, who, worker } = await company()
  const form = await published(author)
  const made = await author.post(SCHEDULES, { form: form['@id'], user: who.id, startsOn: day(3), dueOn: day(40) })
  expect(made.body.dueOn).toBe(day(3))
  const put = async (values: Readonly<Record<string, unknown>>) =>
    (await author.put(made.body['@id'], values)).body.dueOn
  expect(await put({ dueOn: day(40) })).toBe(day(3))
  expect(await put({ startsOn: day(5), every: 'month' })).toBe(day(5))
  expect((await worker.put(made.body['@id'], { retired: true })).status).toBe(403)
  expect((await author.put(made.body['@id'], { retired: true })).status).toBe(200)
  // People who can no longer read the form can't read its schedule.
  expect((await author.put(form['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })).status).toBe(200)
  expect((await worker.get(made.body['@id'])).status).toBe(404)
})

test('restoring a form schedule validates the changes made while it was retired', async () => {
  const { author, client, who } = await company()
  const form = await published(author)
  const draft = (await author.post(FORMS, { title: 'Not published', schema: CHECK })).body
  const managers = await published(author, { audience: ['ROLE_SAFETY_ADMIN'] })
  const left = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Lee Left' })
  const made = await author.post(SCHEDULES, { form: form['@id'], user: who.id, every: 'week', startsOn: day(0) })
  for (const [change, at] of [
    [{ form: form['@id'], user: left.id }, 'user'],
    [{ form: managers['@id'], user: who.id }, 'user'],
    [{ form: draft['@id'] }, 'form'],
  ] as const) {
    expect((await author.patch(made.body['@id'], { retired: true, ...change })).status).toBe(200)
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE user_account SET is_retired = true WHERE client_id = $1 AND id = $2', [client.id, left.id]),
    )
    for (const verb of ['patch', 'put'] as const) {
      const back = await author[verb](made.body['@id'], { retired: false })
      expect([back.status, back.body.violations?.[0]?.propertyPath]).toEqual([422, at])
    }
  }
  await author.patch(made.body['@id'], { form: form['@id'] })
  expect((await author.patch(made.body['@id'], { retired: false })).status).toBe(200)
})

test('scheduling an employee also stores their account, and scheduling an account also stores its employee', async () => {
  const { client, author, who } = await company()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const hire = async (forename: string, more: object = {}): Promise<number> =>
    (await admin.post('/api/employees/employees', { forename, surname: 'Fraser', ...more })).body.id
  const [callum, dev] = [await hire('Callum', { user: who.iri }), await hire('Dev')]
  const form = await published(author)
  const due = { form: form['@id'], every: 'week', startsOn: day(0) }
  const assigned = { employee: callum, user: who.id, person: 'Callum Fraser' }
  const { '@id': iri, ...made } = (await author.post(SCHEDULES, { ...due, employee: callum })).body
  expect(made).toMatchObject(assigned)
  const other = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Olu Ade' })
  expect((await author.put(iri, { user: other.id })).body).toMatchObject({ employee: null, person: 'Olu Ade' })
  expect((await author.put(iri, { user: who.id })).body).toMatchObject(assigned)
  const stranger = await portal.client()
  const boss = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const theirs = (await boss.post('/api/employees/employees', { forename: 'Eve', surname: 'Other' })).body.id
  for (const refused of [
    await author.post(SCHEDULES, { ...due, place: 'Yard', employee: callum, user: other.id }),
    ...(await Promise.all(
      [dev, theirs].flatMap((employee) => [
        author.post(SCHEDULES, { ...due, place: 'Yard', employee }),
        author.put(iri, { employee }),
        author.patch(iri, { employee }),
      ]),
    )),
  ])
    expect([refused.status, refused.body.violations?.[0].propertyPath]).toEqual([422, 'employee'])
})

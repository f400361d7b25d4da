import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { moveClock } from '#server/engine/clock.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { grantPacks, type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'
import { correctiveAction } from './corrective-action.ts'

const portal = await testPortal()
const ACTIONS = correctiveAction.url
const EVENTS = '/api/safety/corrective_action_events'
const day = (days: number) => londonDate(portal.engine.clock.now()).add({ days }).toString()

async function company() {
  const client = await portal.client()
  const people = {
    admin: await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ann Bell' }),
    author: await client.user({ roles: ['ROLE_SAFETY_AUTHOR'], name: 'Sam Slate' }),
    worker: await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Callum Fraser', email: 'callum@fraser.example' }),
    other: await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Olu Ade' }),
  }
  const as = {
    admin: client.as(people.admin),
    author: client.as(people.author),
    worker: client.as(people.worker),
    other: client.as(people.other),
  }
  const raise = async (more: object = {}) => {
    const made = await as.author.post(ACTIONS, {
      description: 'Fit a guard to the bench saw',
      owner: people.worker.id,
      deadline: day(10),
      ...more,
    })
    expect([made.status, made.text]).toEqual([201, expect.anything()])
    return made.body as { '@id': string; id: number; number: string }
  }
  return { client, people, as, raise }
}

const reads = async (as: TestApi, url: string) => (await as.get(url)).body['hydra:member'] as Record<string, unknown>[]
const violations = ({ status, body }: TestResponse) => [
  status,
  (body.violations ?? []).map((v: { propertyPath: string }) => v.propertyPath),
]
const inbox = async (as: TestApi) => {
  await portal.drain()
  const all = (await as.get('/api/portal/notices/inbox')).body['hydra:member'] as Record<string, unknown>[]
  return all.map(({ words, unread, ended, path }) => ({ words, unread, ended, path }))
}
const mailTo = async (clientId: number) => {
  await portal.drain()
  return portal.db.tx('system', (tx) =>
    tx.rows<{ recipient: string; subject: string; body: string }>(
      'SELECT recipient, subject, body FROM message WHERE client_id = $1 ORDER BY id',
      [clientId],
    ),
  )
}

/** Reads an action and verifies it as read. */
const verify = async (by: TestApi, at: string, more: object = {}) =>
  by.post(`${at}/verify`, { version: (await by.get(at)).body.version, ...more })

describe('a corrective action', () => {
  test('a numbered corrective action is completed by its owner with a note and then verified by another person', async () => {
    const { as, raise } = await company()
    const { '@id': at, number } = await raise({ state: 'verified', number: 'CA-9999', source: '/api/crm/contacts/1' })
    expect(number).toBe('CA-0001')
    expect((await as.author.get(at)).body).toMatchObject({
      state: 'open',
      open: true,
      managerName: 'Callum Fraser',
      email: 'callum@fraser.example',
      source: '',
    })
    expect((await as.worker.post(`${at}/start`)).body.state).toBe('started')
    expect((await as.worker.post(`${at}/wait`, { reason: 'Guard on order' })).body.state).toBe('waiting')
    expect(violations(await as.worker.post(`${at}/complete`, { proof: ' ' }))).toEqual([422, ['proof']])
    const done = await as.worker.post(`${at}/complete`, { proof: 'Guard fitted and tested' })
    expect(done.body).toMatchObject({ state: 'rectified', open: false, proof: 'Guard fitted and tested' })
    expect((await as.worker.post(`${at}/complete`, { proof: 'Again' })).status).toBe(409)
    expect((await verify(as.worker, at)).status).toBe(403)
    expect((await verify(as.admin, at)).body).toMatchObject({ state: 'verified' })
    const history = await reads(as.worker, `${EVENTS}?action=${at}`)
    expect(history.map(({ event, notes }) => [event, notes])).toEqual([
      ['Raised', 'Callum Fraser'],
      ['Started', ''],
      ['Awaiting parts or contractor', 'Guard on order'],
      ['Rectified', 'Guard fitted and tested'],
      ['Verified', ''],
    ])
  })

  test("reopening a corrective action requires a reason and restores its owner's task", async () => {
    const { as, raise } = await company()
    const { '@id': at } = await raise()
    await as.worker.post(`${at}/complete`, { proof: 'Done' })
    expect((await inbox(as.worker)).map(({ ended }) => ended)).toEqual([true])
    expect(violations(await as.author.post(`${at}/reopen`))).toEqual([422, ['reason']])
    expect((await as.worker.post(`${at}/reopen`, { reason: 'No' })).status).toBe(403)
    const { body } = await as.author.post(`${at}/reopen`, { reason: 'The guard is loose' })
    expect(body).toMatchObject({ state: 'open', proof: '', completedBy: null, completedAt: null })
    expect((await inbox(as.worker)).map(({ ended }) => ended)).toEqual([false])
    expect((await as.author.post(`${at}/dismiss`, { reason: 'Saw sold' })).body.state).toBe('not needed')
  })

  test("a corrective action can't be verified by the person who completed it, unless nobody else can", async () => {
    const { client, as, people, raise } = await company()
    const { '@id': at } = await raise({ owner: people.author.id })
    await as.author.post(`${at}/complete`, { proof: 'Done' })
    expect((await verify(as.author, at, { reason: 'I am sure' })).status).toBe(403)
    expect((await verify(as.admin, at)).status).toBe(200)

    const sole = await portal.client()
    const only = await sole.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const alone = sole.as(only)
    const own = (await alone.post(ACTIONS, { description: 'Mend the step', owner: only.id })).body['@id']
    await alone.post(`${own}/complete`, { proof: 'Mended' })
    expect(violations(await verify(alone, own))).toEqual([422, ['reason']])
    expect((await verify(alone, own, { reason: 'One-person company' })).body.state).toBe('verified')
    expect((await reads(alone, `${EVENTS}?action=${own}`)).at(-1)?.notes).toBe('One-person company')
    expect(client.id).not.toBe(sole.id)
  })

  test('provider staff can start but neither complete nor verify a corrective action while impersonating a user', async () => {
    const { as, people, raise } = await company()
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
    const impersonate = async ({ username, clientId }: { username: string; clientId: number }) => {
      const query = new URLSearchParams({ username, client: `${clientId}`, reason: 'Help with the register' })
      const switched = await staff.get(`/api/security/user/switch?${query}`)
      expect([switched.status, switched.text]).toEqual([200, expect.anything()])
      const as = portal.bearing(switched.body.token) as TestApi
      await as.post('/api/security/user/write', { reason: 'Help with the register' })
      return as
    }
    const { '@id': at } = await raise()
    const asAdmin = await impersonate(people.admin)
    expect((await asAdmin.post(`${at}/start`)).status).toBe(200)
    expect((await asAdmin.post(`${at}/complete`, { proof: 'Fitted' })).body.code).toBe('in_person')
    expect((await as.worker.post(`${at}/complete`, { proof: 'Fitted' })).status).toBe(200)
    expect((await verify(asAdmin, at, { reason: 'I am sure' })).body.code).toBe('in_person')
    await asAdmin.get('/api/security/user/unswitch')
    expect((await verify(await impersonate(people.author), at, { reason: 'I am sure' })).status).toBe(403)
  })

  test("a corrective action can't be retired or restored while impersonating, either individually or in bulk", async () => {
    const { as, people, raise } = await company()
    const [open, retired] = [await raise(), await raise()]
    expect((await as.admin.patch(retired['@id'], { retired: true })).status).toBe(200)
    const api = await impersonate(portal, people.admin)
    expect((await api.patch(open['@id'], { retired: true })).body.code).toBe('in_person')
    expect((await api.put(retired['@id'], { retired: false })).body.code).toBe('in_person')
    await api.post(`${ACTIONS}/bulk`, { action: 'retire', ids: [open.id] })
    await api.post(`${ACTIONS}/bulk`, { action: 'restore', ids: [retired.id] })
    const found = [await as.admin.get(open['@id']), await as.admin.get(retired['@id'])]
    expect(found.map(({ body }) => body.retired)).toEqual([false, true])
    expect((await api.patch(open['@id'], { notes: 'Ladder needed' })).status).toBe(200)
  })

  test('a corrective action requires a description and an owner who has access to it', async () => {
    const { client, as, people } = await company()
    const wrong = async (body: object) => violations(await as.author.post(ACTIONS, { description: 'X', ...body }))
    const stranger = await (await portal.client()).user({ roles: ['ROLE_EMPLOYEE'] })
    const left = await client.user({ roles: ['ROLE_EMPLOYEE'] })
    await as.admin.put(left.iri, { isRetired: true })
    const clerk = await client.user({ roles: ['ROLE_INVOICING'] })
    expect(await wrong({})).toEqual([422, ['managerName']])
    expect(await wrong({ description: ' ', owner: people.worker.id })).toEqual([422, ['description']])
    for (const owner of [stranger.id, left.id, clerk.id]) expect(await wrong({ owner })).toEqual([422, ['owner']])
    expect(await wrong({ managerName: 'Dan', email: 'nobody' })).toEqual([422, ['email']])
  })

  test('an owner without an account receives the corrective action by e-mail', async () => {
    const { client, as } = await company()
    const made = await as.author.post(ACTIONS, {
      description: 'Replace the ladder',
      managerName: 'Dan Ridgeway',
      email: 'dan@ridgeway.example',
      deadline: day(3),
    })
    expect(made.status).toBe(201)
    const [sent, ...more] = await mailTo(client.id)
    expect(more).toEqual([])
    expect(sent?.recipient).toBe('dan@ridgeway.example')
    expect(sent?.subject).toMatch(/^Corrective action CA-\d{4} for /)
    // Changing only the deadline doesn't assign the action again.
    await as.author.put(made.body['@id'], { deadline: day(4) })
    expect(await mailTo(client.id)).toHaveLength(1)
    await as.author.put(made.body['@id'], { email: 'office@ridgeway.example' })
    expect((await mailTo(client.id)).map(({ recipient }) => recipient)).toEqual([
      'dan@ridgeway.example',
      'office@ridgeway.example',
    ])
  })

  test("reassigning a corrective action notifies the new owner and removes the previous owner's task", async () => {
    const { as, people, raise } = await company()
    const { '@id': at, id, number } = await raise()
    const [notice] = await inbox(as.worker)
    expect(notice).toMatchObject({ ended: false, path: `/safety/actions?open=${id}` })
    expect(notice?.words).toContain(number)
    expect((await as.author.put(at, { owner: people.other.id })).body.managerName).toBe('Olu Ade')
    expect(await inbox(as.worker)).toEqual([])
    expect((await inbox(as.other)).map(({ ended }) => ended)).toEqual([false])
  })

  test("a leaver's open actions wait for another owner, and the leaver receives no more reminders", async () => {
    const { as, people, raise } = await company()
    const { '@id': at, number } = await raise()
    const done = await raise()
    expect((await as.worker.post(`${done['@id']}/complete`, { proof: 'Fitted' })).status).toBe(200)
    expect((await as.admin.put(people.worker.iri, { isRetired: true })).status).toBe(200)
    const left = async () => (await inbox(as.admin)).filter(({ words }) => String(words).includes('can no longer'))
    expect(await left()).toMatchObject([{ ended: false, words: expect.stringContaining(number) }])
    expect(await reads(as.admin, `${ACTIONS}?ownerLeft=true&open=true`)).toMatchObject([{ number }])
    onTestFinished(() => moveClock(portal.engine, 0))
    await moveClock(portal.engine, 10)
    await portal.runSchedule('action.due')
    expect(await left()).toHaveLength(1)
    expect((await as.author.put(at, { owner: people.other.id })).status).toBe(200)
    expect(await left()).toEqual([])
    expect(await reads(as.admin, `${ACTIONS}?ownerLeft=true&open=true`)).toEqual([])
  })

  test('anyone with access to a corrective action can upload proof until it is verified', async () => {
    const { as, raise } = await company()
    const { '@id': at } = await raise()
    const photo = await makePicture(9, 9).png().toBuffer()
    const send = (by: TestApi, bytes = photo, name = 'guard.png') =>
      by.send('POST', `${at}/files`, makeUploadForm(bytes, name))
    expect((await send(as.other)).status).toBe(404)
    const { status, body } = await send(as.worker)
    expect(status).toBe(201)
    expect((await as.author.get(body.url)).status).toBe(200)
    expect((await as.other.get(body.url)).status).toBe(404)
    await as.worker.post(`${at}/complete`, { proof: 'See the photo' })
    expect((await send(as.author, MINIMAL_PDF, 'invoice.pdf')).status).toBe(201)
    await verify(as.admin, at)
    expect((await send(as.worker)).status).toBe(409)
    expect(await reads(as.worker, `/api/safety/corrective_action_files?action=${at}`)).toHaveLength(2)
  })

  test("proof can't be added to a corrective action that was verified or retired during the upload", async () => {
    const { as, raise } = await company()
    const completeAndVerify = async (at: string) => {
      await as.worker.post(`${at}/complete`, { proof: 'Done' })
      return verify(as.admin, at)
    }
    const retire = (at: string) => as.admin.patch(at, { retired: true })
    const store = await fileStoreFor(portal.engine.config)
    for (const end of [completeAndVerify, retire]) {
      const { '@id': at } = await raise()
      const put = vi.spyOn(store, 'put').mockImplementationOnce(async (...file) => {
        put.mockRestore()
        expect((await end(at)).status).toBe(200)
        return store.put(...file)
      })
      const form = makeUploadForm(MINIMAL_PDF, 'invoice.pdf')
      expect((await as.worker.send('POST', `${at}/files`, form)).status).toBe(409)
      expect(await reads(as.admin, `/api/safety/corrective_action_files?action=${at}`)).toEqual([])
    }
  })
})

describe('access to corrective actions', () => {
  test("employees can access only their own corrective actions, authors all of their company's, and other companies none", async () => {
    const { as, raise } = await company()
    const { '@id': at } = await raise()
    const seen = async (by: TestApi) => (await reads(by, ACTIONS)).length
    expect([await seen(as.author), await seen(as.worker), await seen(as.other)]).toEqual([1, 1, 0])
    expect((await as.other.get(at)).status).toBe(404)
    expect((await as.other.post(`${at}/complete`, { proof: 'Not mine' })).status).toBe(404)
    expect(await reads(as.other, `${EVENTS}?action=${at}`)).toEqual([])
    expect((await as.worker.put(at, { deadline: day(90) })).status).toBe(403)
    expect((await as.worker.post(ACTIONS, { description: 'X', managerName: 'Y' })).status).toBe(403)
    expect((await as.worker.post(`${at}/dismiss`, { reason: 'No' })).status).toBe(403)

    const foreign = await company()
    expect(await seen(foreign.as.admin)).toBe(0)
    for (const answer of [
      await foreign.as.admin.get(at),
      await foreign.as.admin.put(at, { notes: 'X' }),
      await foreign.as.admin.post(`${at}/complete`, { proof: 'X' }),
    ])
      expect(answer.status).toBe(404)
  })

  test('a company without the safety entitlement has no corrective actions, and a company whose entitlement has lapsed can only read its own', async () => {
    const { client, as, raise } = await company()
    const { '@id': at } = await raise()
    await portal.db.tx('system', (tx) => grantPacks(tx, client.id, [], ['safety']))
    expect((await as.worker.get(at)).status).toBe(200)
    expect((await as.worker.post(`${at}/start`)).status).toBe(403)
    const none = await portal.client({ packs: [] })
    const admin = none.as(await none.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(ACTIONS)).status).toBe(403)
  })
})

describe('corrective action endpoints', () => {
  test('a closed corrective action can be retired, but no endpoint can change it until it is reopened', async () => {
    const { as, raise } = await company()
    const { '@id': at, id } = await raise()
    await as.worker.post(`${at}/complete`, { proof: 'Done' })
    for (const verb of ['put', 'patch'] as const)
      expect((await as.author[verb](at, { deadline: day(40) })).status).toBe(409)
    const bulk = await as.author.post(`${ACTIONS}/bulk`, {
      action: 'deadline',
      ids: [id],
      input: { deadline: day(40) },
    })
    expect([bulk.status, bulk.body.done, bulk.body.refused]).toEqual([200, [], [expect.anything()]])
    const whole = (await as.author.get(at)).body
    expect((await as.author.put(at, whole)).status).toBe(200)
    const retire = await as.author.post(`${ACTIONS}/bulk`, { action: 'retire', ids: [id] })
    expect([retire.status, retire.body.done]).toEqual([200, [id]])
    expect((await as.author.get(at)).body).toMatchObject({ retired: true, deadline: day(10), state: 'rectified' })
    expect((await as.author.post(`${at}/reopen`, { reason: 'Again' })).status).toBe(409)
    expect((await as.author.put(at, { retired: false })).body.retired).toBe(false)
    expect((await as.author.delete(at)).status).toBe(405)
  })

  test('two requests with the same idempotency key create one corrective action', async () => {
    const { as } = await company()
    const once = () =>
      as.author.post(ACTIONS, { description: 'X', managerName: 'Dan' }, { 'idempotency-key': 'corrective-action-1' })
    const [first, second] = [await once(), await once()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body['@id']).toBe(first.body['@id'])
    expect(await reads(as.author, ACTIONS)).toHaveLength(1)
  })

  test('if two people complete a corrective action concurrently, one succeeds and the other gets a conflict', async () => {
    const { as, raise } = await company()
    const { '@id': at } = await raise()
    const answers = await Promise.all([as.worker, as.author].map((by) => by.post(`${at}/complete`, { proof: 'Done' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })

  test('corrective actions can be filtered by status, deadline and owner, searched and exported', async () => {
    const { as, people, raise } = await company()
    await raise({ description: 'Late', deadline: day(-1) })
    await raise({ description: 'Undated', deadline: null, owner: people.author.id })
    const { '@id': done } = await raise({ description: 'Finished', deadline: day(-2) })
    await as.worker.post(`${done}/complete`, { proof: 'Done' })
    const found = async (query: string) => (await reads(as.author, `${ACTIONS}?${query}`)).map((a) => a.description)
    expect(await found('open=true')).toEqual(['Late', 'Undated'])
    expect(await found(`open=true&deadline[strictly_before]=${day(0)}`)).toEqual(['Late'])
    expect(await found(`open=true&owner=${people.author.id}`)).toEqual(['Undated'])
    expect(await found('open=false')).toEqual(['Finished'])
    expect(await found('q=finish')).toEqual(['Finished'])
    expect((await as.author.get(`${ACTIONS}/export.csv?open=false`)).text).toContain('Finished')
  })
})

test('owners of corrective actions are reminded 7 days and 1 day before the deadline, on the day itself, and then weekly until completion', async () => {
  const { client, as } = await company()
  const made = await as.author.post(ACTIONS, {
    description: 'Replace the ladder',
    managerName: 'Dan Ridgeway',
    email: 'dan@ridgeway.example',
    deadline: day(20),
  })
  const remindedBy = async (days: number) => {
    await moveClock(portal.engine, days)
    await portal.runSchedule('action.due')
    // Running the schedule twice on one day sends no second e-mail.
    await portal.runSchedule('action.due')
    return (await mailTo(client.id)).length
  }
  try {
    const counts: number[] = []
    for (const days of [5, 13, 16, 19, 20, 24, 27, 34]) counts.push(await remindedBy(days))
    // The first e-mail was sent when the action was assigned.
    expect(counts).toEqual([1, 2, 2, 3, 4, 4, 5, 6])
    await as.author.post(`${made.body['@id']}/complete`, { proof: 'Replaced' })
    expect(await remindedBy(60)).toBe(6)
  } finally {
    await moveClock(portal.engine, 0)
  }
})

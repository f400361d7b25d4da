import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { CONTRACTS, createContractCompany } from '#test/support/contracts.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { grantPacks, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
type Row = Record<string, unknown>

test('an unknown merge field is refused when a template is saved, by a sentence that names it', async () => {
  const { hr, standard, worker } = await createContractCompany(portal)
  const values = { name: 'Contract', body: '<p>{{salary}}</p>' }
  for (const answer of [
    await hr.post(CONTRACTS.templates, values),
    await hr.put(standard['@id'], values),
    await hr.patch(standard['@id'], { body: values.body }),
  ])
    expect([answer.status, answer.body.violations]).toEqual([
      422,
      [expect.objectContaining({ propertyPath: 'body', message: 'There is no field “salary” for contracts' })],
    ])
  expect((await worker.api.post(CONTRACTS.templates, { name: 'x', body: '<p>x</p>' })).status).toBe(403)
  expect((await worker.api.get(CONTRACTS.templates)).status).toBe(403)
})

test('each change of a text is a version, and a contract stays as it was sent when its template changes', async () => {
  const { hr, standard, worker, person, mailing, send, sign } = await createContractCompany(portal)
  const sent = await send(worker)
  expect((await hr.patch(standard['@id'], { body: '<p>New text for {{forename}}</p>' })).body.version).toBe(2)
  await hr.patch(standard['@id'], { retired: false })
  const versions = (await hr.get(`${CONTRACTS.versions}?template=${standard['@id']}`)).body['hydra:member'] as Row[]
  expect(versions.map(({ version }) => version)).toEqual([2, 1])
  expect((await hr.get(sent['@id'])).body).toMatchObject({ body: sent.body, templateVersion: 1 })
  expect((await sign(worker.api, sent)).body).toMatchObject({ state: 'signed', body: sent.body })

  const next = await person({ forename: 'Bob' })
  const stale = await hr.post(CONTRACTS.mailings, mailing({ employee: next.iri }))
  expect([stale.status, stale.body.detail]).toEqual([
    409,
    expect.stringContaining('has been changed since you read it'),
  ])
  expect(await send(next, { templateVersion: 2 })).toMatchObject({
    body: '<p>New text for Bob</p>',
    templateVersion: 2,
  })
})

test('an employee without a value, an address or further reach is named before anything is sent', async () => {
  const { hr, admin, addEmployee, boss, worker, mailing, contractOf, person, send } =
    await createContractCompany(portal)
  await hr.patch(boss.iri, { email: 'Grace@firm.example' })
  const retired = await addEmployee({ email: 'gone@firm.example' })
  await admin.post(`${retired['@id']}/end-employment`, { leavingDate: '2026-01-05', leavingReason: 'resigned' })
  const cases = [
    [
      await person({ forename: 'Una', extCStartDate: null }),
      'Una Test has no employment start date, which the contract needs',
    ],
    [await addEmployee({ forename: 'Noa' }), 'Noa Test has neither an account nor an e-mail address'],
    [await addEmployee({ forename: 'Eve', email: 'grace@firm.example' }), 'is that of the sender or the countersigner'],
    [retired, 'has left'],
  ] as const
  for (const [of, message] of cases) {
    const iri = 'iri' in of ? of.iri : of['@id']
    const { status, body } = await hr.post(CONTRACTS.mailings, mailing({ employee: iri }))
    expect([status, body.violations?.[0]]).toMatchObject([
      422,
      { propertyPath: 'employee', message: expect.stringContaining(message) },
    ])
    expect(await contractOf({ iri })).toBeUndefined()
  }
  await send(worker)
  const again = await hr.post(CONTRACTS.mailings, mailing({ employee: worker.iri }))
  expect(again.body.violations[0].message).toBe('Ann Carter already has this version as contract EC-0001')
  const { body } = await hr.post(CONTRACTS.preview, mailing())
  const reasons = Object.fromEntries((body.rows as Row[]).map(({ name, problem }) => [name, problem]))
  expect(reasons).toMatchObject({
    'Una Test': 'Una Test has no employment start date, which the contract needs',
    'Noa Test': 'Noa Test has neither an account nor an e-mail address',
    'Grace Test': 'Grace Test can’t countersign their own contract',
    'Ann Carter': 'Ann Carter already has this version as contract EC-0001',
  })
})

test('a group gets contracts by a batch job, the others are refused with a reason, and joiners follow with the version of the day', async () => {
  const { client, hr, hrUser, saved, boss, person, mailing, standard, contractOf } = await createContractCompany(portal)
  const department = (await saved(hr, '/api/employees/departments', { name: 'Yard' }))['@id']
  const first = await person({ forename: 'Una', department })
  const lacking = await person({ forename: 'Noa', department, jobtitlename: '' })
  const outside = await person({ forename: 'Zed' })
  const sent = await saved(hr, CONTRACTS.mailings, mailing({ department, joiners: true }))
  await portal.drain()
  const progress = async () => {
    const { contracts, signed, run } = (await hr.get(sent['@id'])).body
    return { contracts, signed, run }
  }
  const { run } = await progress()
  expect(await progress()).toEqual({ contracts: 1, signed: 0, run: expect.any(Number) })
  const job = (await hr.get(`/api/portal/runs/${run}`)).body
  expect([job.done, job.refused]).toEqual([1, 1])
  expect(await contractOf(first)).toMatchObject({ state: 'sent', templateVersion: 1, author: hrUser.username })

  await hr.patch(standard['@id'], { body: '<p>Newer for {{forename}}, {{job title}}</p>' })
  await hr.patch(lacking.iri, { jobtitlename: 'Joiner' })
  const joiner = await person({ forename: 'Ida', department })
  await hr.patch(outside.iri, { department })
  for (const _ of [1, 2]) await portal.runSchedule('contract.send-to-joiners')
  expect(await progress()).toMatchObject({ contracts: 4 })
  for (const one of [lacking, joiner, outside]) expect(await contractOf(one)).toMatchObject({ templateVersion: 2 })
  expect((await contractOf(first)).templateVersion).toBe(1)

  expect((await hr.patch(standard['@id'], { retired: true })).status).toBe(409)
  expect((await hr.post(`${sent['@id']}/stop`)).body.retired).toBe(true)
  expect((await hr.post(`${sent['@id']}/stop`)).status).toBe(409)
  const late = await person({ department })
  await portal.runSchedule('contract.send-to-joiners')
  expect(await contractOf(late)).toBeUndefined()
  expect((await hr.get(`${CONTRACTS.contracts}?countersigner=${boss.iri}`)).body['hydra:totalItems']).toBe(4)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('employees read their own contracts, countersigners theirs, human resources all, and managers and other clients none', async () => {
  const { worker, boss, hr, admin, person, send } = await createContractCompany(portal)
  const manager = await person()
  await hr.patch(worker.iri, { manager: manager.iri })
  const sent = await send(worker)
  for (const api of [hr, admin, worker.api, boss.api]) expect((await api.get(sent['@id'])).status).toBe(200)
  for (const api of [manager.api, (await createContractCompany(portal)).hr]) {
    expect((await api.get(sent['@id'])).status).toBe(404)
    expect((await api.get(`${sent['@id']}/contract.pdf`)).status).toBe(404)
    expect((await api.get(`${sent['@id']}/party`)).status).toBe(404)
    expect((await api.get(`${CONTRACTS.contracts}?employee=${worker.id}`)).body['hydra:totalItems']).toBe(0)
  }
  const own = (await worker.api.get(sent['@id'])).body
  expect([own.email, own.template, own.mailing]).toEqual([undefined, null, undefined])
  expect((await portal.anonymous.get(sent['@id'])).status).toBe(401)
})

test('staff who impersonate read contracts, and sign, decline, countersign, send, cancel and resend none', async () => {
  const { worker, boss, hrUser, hr, person, mailing, send, sign } = await createContractCompany(portal)
  const [sent, other] = [await send(worker), await send(await person())]
  const as = { worker: await impersonate(portal, worker.account), hr: await impersonate(portal, hrUser) }
  expect((await as.worker.get(sent['@id'])).body.body).toBe(sent.body)
  expect((await as.worker.post(`${sent['@id']}/opened`, {})).status).toBe(403)
  expect((await sign(as.worker, sent)).status).toBe(403)
  expect((await as.worker.post(`${sent['@id']}/decline`, { reason: 'x' })).status).toBe(403)
  expect((await as.hr.post(CONTRACTS.mailings, mailing({ employee: worker.iri }))).status).toBe(403)
  expect((await as.hr.post(CONTRACTS.preview, mailing({ employee: worker.iri }))).status).toBe(200)
  for (const [action, input] of [
    ['cancel', { reason: 'x' }],
    ['resend', {}],
    ['change-countersigner', { countersigner: boss.iri }],
  ] as const)
    expect((await as.hr.post(`${other['@id']}/${action}`, input)).status).toBe(403)
  expect((await as.hr.post(CONTRACTS.templates, { name: 'x', body: '<p>x</p>' })).status).toBe(403)
  expect((await sign(worker.api, sent)).status).toBe(200)
  expect((await sign(await impersonate(portal, boss.account), sent, 'countersign')).status).toBe(403)
  expect((await hr.get(sent['@id'])).body.state).toBe('signed')
})

test('a company whose product has lapsed reads its contracts, and sends and signs none', async () => {
  const { client, worker, person, mailing, send, sign } = await createContractCompany(portal)
  const sent = await send(worker)
  const next = await person()
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, [], ['employees']))
  expect((await worker.api.get(sent['@id'])).status).toBe(200)
  expect((await sign(worker.api, sent)).status).toBe(403)
  const another = async () => client.as(await client.user({ roles: ['ROLE_HR'] }))
  expect((await (await another()).post(CONTRACTS.mailings, mailing({ employee: next.iri }))).status).toBe(403)
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety']))
  expect((await (await another()).get(sent['@id'])).status).toBe(403)
})

test('the employee is reminded before the last day, and both sides see what waits for them', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { worker, boss, hr, send, sign } = await createContractCompany(portal)
  const sent = await send(worker, { days: 5 })
  const noticesOf = async (api: typeof hr) =>
    ((await api.get('/api/portal/notices/inbox')).body['hydra:member'] as Row[]).map(({ words }) => words)
  expect(await noticesOf(worker.api)).toEqual([expect.stringContaining('Please sign “Contract of employment” by')])
  await moveClock(portal.engine, 3)
  for (const _ of [1, 2]) await portal.runSchedule('contract.remind')
  expect(await noticesOf(worker.api)).toHaveLength(1)
  expect((await sign(worker.api, sent)).status).toBe(200)
  expect(await noticesOf(boss.api)).toEqual(['Ann Carter has signed contract EC-0001: please countersign it'])
  await sign(boss.api, sent, 'countersign')
  expect(await noticesOf(hr)).toEqual(['Contract EC-0001 of Ann Carter is signed by both sides'])
})

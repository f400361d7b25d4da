import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { grantPacks, testPortal } from '#test/support/portal.ts'
import { RIGHT_TO_WORK as AT, createCheckingCompany } from '#test/support/right-to-work.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const w = await createCheckingCompany(portal)
const { client, admin, hr, officer, officerAccount, day, person, checker, document, check, limited, statusOf } = w
const pathsOf = (body: { violations?: { propertyPath: string }[] }) => body.violations?.map((one) => one.propertyPath)
const upload = (who: typeof officer, iri: string) =>
  who.send('POST', `${iri}/files`, makeUploadForm(MINIMAL_PDF, 'Ann Day passport.pdf'))

test('a check before the first day is valid, and details are shown to the role for private details only', async () => {
  const worker = await person()
  expect((await statusOf(hr, worker)).state).toBe('notChecked')
  const made = await officer.post(AT.checks, limited(worker, 400, { notes: 'Seen in the office' }))
  expect([made.status, made.body.nextCheckBy, made.body.noDefenceBefore, made.body.notes]).toEqual([
    201,
    day(400),
    null,
    'Seen in the office',
  ])
  expect(await statusOf(hr, worker)).toMatchObject({
    state: 'valid',
    nextCheckBy: day(400),
    late: false,
    checkedOn: day(-1),
  })
  for (const api of [hr, admin]) {
    const one = expectSuccess(await api.get(made.body['@id']))
    expect(one.checkedOn).toBe(day(-1))
    for (const name of ['method', 'document', 'expiresOn', 'noticeOn', 'shareCode', 'notes', 'correction'])
      expect(one).not.toHaveProperty(name)
  }
  const [listed] = expectSuccess(await officer.get(`${AT.checks}?employee=${worker.id}`))['hydra:member']
  expect(listed).not.toHaveProperty('document')
  const reads = expectSuccess(await admin.get(`/api/portal/confidential_reads?record=${AT.status}/${worker.id}`))
  expect(reads['hydra:member'][0]).toMatchObject({ recordType: 'RightToWorkCheck', name: 'Olga Officer' })
})

test('employees see their own status, and managers and colleagues see none of others', async () => {
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  const { '@id': iri } = expectSuccess(await officer.post(AT.checks, check(worker)))
  expect(await statusOf(worker.api, worker)).toMatchObject({ state: 'valid' })
  expect((await worker.api.get(AT.status)).body['hydra:totalItems']).toBe(1)
  expect((await manager.api.get(`${AT.status}/${worker.id}`)).status).toBe(404)
  for (const api of [worker.api, manager.api]) {
    expect((await api.get(iri)).status).toBe(403)
    expect((await api.get(AT.checks)).status).toBe(403)
    expect((await api.get(AT.certificates)).status).toBe(403)
  }
  const stranger = await createCheckingCompany(portal)
  expect((await stranger.officer.get(iri)).status).toBe(404)
  expect((await stranger.officer.get(`${AT.status}/${worker.id}`)).status).toBe(404)
  expect((await stranger.officer.post(AT.checks, check(worker))).status).toBe(404)
})

test('only people with the role for private details record checks, and never their own or those done by the employee', async () => {
  const worker = await person()
  for (const api of [hr, admin, worker.api]) expect((await api.post(AT.checks, check(worker))).status).toBe(403)
  const own = expectSuccess(
    await admin.post(AT.employees, { forename: 'Olga', surname: 'Officer', user: officerAccount.iri }),
  )
  expect((await officer.post(AT.checks, check({ iri: own['@id'] }))).status).toBe(403)
  expect(pathsOf((await officer.post(AT.checks, check(worker, { checkedBy: worker.iri }))).body)).toEqual(['checkedBy'])
})

test('methods, documents and dates are checked against the reference list', async () => {
  const worker = await person()
  const refused = async (more: Record<string, unknown>) =>
    pathsOf((await officer.post(AT.checks, check(worker, more))).body)
  expect(await refused({ document: document(19) })).toEqual(['document'])
  expect(await refused({ document: document(9), expiresOn: day(-2) })).toEqual(['expiresOn'])
  expect(await refused({ method: 'identityService', expiresOn: day(-2) })).toEqual(['expiresOn'])
  expect(await refused({ method: 'identityService', document: document(6) })).toEqual(['document'])
  expect(await refused({ method: 'shareCode', document: document(17) })).toEqual(['shareCode'])
  expect(await refused({ checkedOn: day(1) })).toEqual(['checkedOn'])
  expect(await refused({ method: 'employerCheckingService', document: document(16) })).toEqual(['noticeOn'])
  const notice = { method: 'employerCheckingService', document: document(16), noticeOn: day(-3) }
  const months = Temporal.PlainDate.from(day(-3)).add({ months: 6 }).toString()
  expect(expectSuccess(await officer.post(AT.checks, check(worker, notice))).nextCheckBy).toBe(months)
  expect((await statusOf(hr, worker)).state).toBe('valid')
})

test('a check on or after the first day is stored, and is no defence for the time before', async () => {
  const worker = await person({ extCStartDate: day(-1) })
  const late = expectSuccess(await officer.post(AT.checks, check(worker)))
  expect(late.noDefenceBefore).toBe(day(-1))
  expect(await statusOf(hr, worker)).toMatchObject({ state: 'valid', late: true, noDefenceBefore: day(-1) })
  // Computed from the dates, not typed: it follows the first day.
  expectSuccess(await hr.put(worker.iri, { extCStartDate: day(0) }))
  expect(await statusOf(hr, worker)).toMatchObject({ late: false, noDefenceBefore: null })
  const typed = await officer.post(AT.checks, check(worker, { noDefenceBefore: day(-9), nextCheckBy: day(-9) }))
  expect([typed.body.noDefenceBefore, typed.body.nextCheckBy]).toEqual([null, null])
})

test('a recheck in time continues the defence, and one after the expiry leaves a gap', async () => {
  const inTime = await person({ extCStartDate: day(-100) })
  const tooLate = await person({ extCStartDate: day(-100) })
  for (const [who, again] of [
    [inTime, -20],
    [tooLate, -19],
  ] as const) {
    expectSuccess(await officer.post(AT.checks, limited(who, -20, { checkedOn: day(-101) })))
    expect((await statusOf(hr, who)).state).toBe('overdue')
    expectSuccess(await officer.post(AT.checks, limited(who, 10, { checkedOn: day(again) })))
  }
  expect(await statusOf(hr, inTime)).toMatchObject({ state: 'due', nextCheckBy: day(10), noDefenceBefore: null })
  expect(await statusOf(hr, tooLate)).toMatchObject({ state: 'due', noDefenceBefore: day(-19) })
})

test('a check never changes, and a correction supersedes it with a reason', async () => {
  const worker = await person()
  const wrong = expectSuccess(await officer.post(AT.checks, limited(worker, 10)))
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await officer.send(method, wrong['@id'], { body: { expiresOn: day(300) } })).status).toBe(405)
  const corrects = { corrects: wrong['@id'], correction: 'Date misread' }
  expect(pathsOf((await officer.post(AT.checks, limited(worker, 300, { corrects: wrong['@id'] }))).body)).toEqual([
    'correction',
  ])
  expect(pathsOf((await officer.post(AT.checks, limited(worker, 300, { correction: 'Date misread' }))).body)).toEqual([
    'corrects',
  ])
  expect(pathsOf((await officer.post(AT.checks, limited(await person(), 300, corrects))).body)).toEqual(['corrects'])
  const both = await Promise.all([300, 301].map((days) => officer.post(AT.checks, limited(worker, days, corrects))))
  const statuses = both.map(({ status }) => status).toSorted()
  expect(statuses[0]).toBe(201)
  expect([409, 422]).toContain(statuses[1])
  expect(expectSuccess(await officer.get(wrong['@id']))).toMatchObject({ corrected: true, expiresOn: day(10) })
  expect((await statusOf(hr, worker)).state).toBe('valid')
  await expect(
    portal.db.tx('system', (tx) =>
      tx.rows('UPDATE right_to_work_check SET expires_on = $2 WHERE id = $1', [wrong.id, day(900)]),
    ),
  ).rejects.toThrow('never changes')
  await expect(
    portal.db.tx('system', (tx) => tx.rows('DELETE FROM right_to_work_check WHERE id = $1', [wrong.id])),
  ).rejects.toThrow('certificate')
})

test('a copy is opened by people with the role only, and each opening is logged for the administrators', async () => {
  const worker = await person()
  const { '@id': iri, id } = expectSuccess(await officer.post(AT.checks, check(worker)))
  for (const api of [hr, admin, worker.api]) expect((await upload(api, iri)).status).toBe(403)
  const copy = await upload(officer, iri)
  expect([copy.status, copy.body.name]).toEqual([201, 'Copy of the document'])
  expect((await officer.get(iri)).body.copies).toBe(1)
  for (const api of [hr, admin, worker.api]) {
    expect((await api.get(copy.body.url)).status).toBe(403)
    expect((await api.get(`${AT.copies}?check=${id}`)).status).toBe(403)
  }
  const stranger = await createCheckingCompany(portal)
  expect((await stranger.officer.get(copy.body.url)).status).toBe(404)
  expect((await upload(stranger.officer, iri)).status).toBe(404)
  expect((await officer.get(copy.body.url)).status).toBe(200)
  const reads = expectSuccess(await admin.get(`/api/portal/confidential_reads?record=${iri}`))['hydra:member']
  expect(reads[0]).toMatchObject({ name: 'Olga Officer', data: ['Copy of a document'], record: iri })
  expect((await officer.send('DELETE', copy.body['@id'], {})).status).toBe(405)
})

test('a share code is deleted after 90 days, and nothing else of the check', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const worker = await person({ extCStartDate: day(200) })
  const online = { method: 'shareCode', document: document(17), shareCode: 'w12 ab3 4cd', checkedOn: day(0) }
  const { '@id': iri } = expectSuccess(await officer.post(AT.checks, check(worker, online)))
  await moveClock(portal.engine, 90)
  await portal.runSchedule('people.delete-share-codes')
  expect(expectSuccess(await officer.get(iri)).shareCode).toBe('W12AB34CD')
  await moveClock(portal.engine, 91)
  await portal.runSchedule('people.delete-share-codes')
  const after = expectSuccess(await officer.get(iri))
  expect([after.shareCode, after.shareCodeDeletedOn, after.method]).toEqual(['', day(0), 'shareCode'])
  const audit = await portal.db.tx('system', (tx) =>
    tx.rows<{ changes: unknown }>("SELECT changes FROM audit WHERE client_id = $1 AND type = 'RightToWorkCheck'", [
      client.id,
    ]),
  )
  expect(JSON.stringify(audit)).not.toContain('W12AB34CD')
})

test('people with the role are reminded once 60, 30, 7 and 0 days before, until the check is repeated', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const other = await createCheckingCompany(portal)
  const worker = await other.person()
  const leaver = await other.person({ extCStartDate: other.day(-50) })
  expectSuccess(await other.officer.post(AT.checks, other.limited(worker, 100)))
  expectSuccess(await other.officer.post(AT.checks, other.limited(leaver, 100, { checkedOn: other.day(-60) })))
  expectSuccess(
    await other.hr.post(`${leaver.iri}/end-employment`, { leavingDate: other.day(0), leavingReason: 'resigned' }),
  )
  const sinceOf = async () => {
    for (const _ of [1, 2]) await portal.runSchedule('right-to-work.due')
    return portal.db.tx('system', (tx) =>
      tx.rows<{ user: number; about: number; since: string; ended: boolean }>(
        `SELECT user_id::int AS "user", about::int, since::text, ended_at IS NOT NULL AS ended FROM notice
         WHERE client_id = $1 AND kind = 'right-to-work.due'`,
        [other.client.id],
      ),
    )
  }
  await moveClock(portal.engine, 39)
  expect(await sinceOf()).toEqual([])
  const seen = new Set<string>()
  for (const days of [40, 41, 70, 93, 100, 101]) {
    await moveClock(portal.engine, days)
    const notices = await sinceOf()
    expect(notices).toMatchObject([{ user: other.officerAccount.id, about: worker.id, ended: false }])
    seen.add(notices[0]?.since ?? '')
  }
  expect(seen.size).toBe(4)
  expect((await other.statusOf(other.hr, worker)).state).toBe('overdue')
  expectSuccess(await other.officer.post(AT.checks, other.limited(worker, 70)))
  expect(await sinceOf()).toMatchObject([{ ended: true }])
  await moveClock(portal.engine, 165)
  expect(await sinceOf()).toMatchObject([{ ended: false }])
  const end = { leavingDate: other.day(0), leavingReason: 'resigned' }
  expectSuccess(await other.hr.post(`${worker.iri}/end-employment`, end))
  expect(await sinceOf()).toMatchObject([{ ended: true }])
})

test('nobody records a check, uploads a copy or confirms a destruction while impersonating, and a lapsed product is read only', async () => {
  const other = await createCheckingCompany(portal)
  const worker = await other.person()
  const { '@id': iri } = expectSuccess(await other.officer.post(AT.checks, other.check(worker)))
  const api = await impersonate(portal, other.officerAccount)
  expect((await api.post(AT.checks, other.check(worker))).status).toBe(403)
  expect((await upload(api, iri)).status).toBe(403)
  expect((await api.post(`${AT.status}/${worker.id}/destroy`, { confirmed: true })).status).toBe(403)
  expect((await api.get(`${AT.status}/${worker.id}`)).status).toBe(200)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  expect((await staff.get(`${AT.status}/${worker.id}`)).status).toBeGreaterThanOrEqual(403)
  await portal.db.tx('owner', (tx) => grantPacks(tx, other.client.id, [], ['employees']))
  portal.sessions.forget()
  expect((await other.officer.get(iri)).status).toBe(200)
  expect((await other.officer.get(`${AT.status}/export.csv`)).status).toBe(200)
  expect((await other.officer.post(AT.checks, other.check(worker))).status).toBeGreaterThanOrEqual(402)
  expect((await upload(other.officer, iri)).status).toBeGreaterThanOrEqual(402)
})

test('checks of the checker and employees without an employment start date make no claim', async () => {
  const worker = await person({ extCStartDate: null })
  expect(expectSuccess(await officer.post(AT.checks, check(worker))).noDefenceBefore).toBeNull()
  expect((await statusOf(hr, checker)).state).toBe('notChecked')
})

import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { grantPacks, testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { TRAINING as AT, createTrainingCompany } from '#test/support/training.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const w = await createTrainingCompany(portal)
const { client, admin, trainer, trainerAccount, day, person, course, passed, record, cellOf } = w
const pathsOf = (body: { violations?: { propertyPath: string }[] }) => body.violations?.map((one) => one.propertyPath)
const upload = (who: typeof trainer) =>
  who.send('POST', `${AT.proofs}/files`, makeUploadForm(MINIMAL_PDF, 'certificate.pdf'))
const monthsAfter = (from: string, months: number) =>
  Temporal.PlainDate.from(from).add({ months }).subtract({ days: 1 }).toString()

test('the last day is calculated from the course, and another one needs a reason', async () => {
  const [worker, of] = [await person(), await course({ validityMonths: 36 })]
  const refused = async (more: Record<string, unknown>) =>
    pathsOf((await trainer.post(AT.records, passed(worker, of, -10, more))).body)
  expect((await record(worker, of, -10)).validUntil).toBe(monthsAfter(day(-10), 36))
  expect(await refused({ validUntil: day(100) })).toEqual(['validityReason'])
  expect(await refused({ validUntil: day(-11), validityReason: 'Printed' })).toEqual(['validUntil'])
  expect(await refused({ validityReason: 'Printed' })).toEqual(['validityReason'])
  expect(await refused({ completedOn: day(1) })).toEqual(['completedOn'])
  expect(await refused({ result: 'void' })).toEqual(['result'])
  expect(await refused({ result: 'failed', validUntil: day(5) })).toEqual(['validUntil'])
  const printed = { validUntil: day(100), validityReason: 'Printed on the certificate' }
  expect((await record(worker, of, -9, printed)).validUntil).toBe(day(100))
  const forever = await course({ validityMonths: null })
  expect((await record(worker, forever, -9)).validUntil).toBeNull()
  expect((await record(worker, of, -8, { result: 'failed' })).validUntil).toBeNull()
})

test('a pass in the grace period of a yearly course counts for the coming year, and the earlier pass remains', async () => {
  const due = Temporal.PlainDate.from(day(20))
  const [retakeMonth, retakeDay] = [day(20).slice(5, 7), due.day]
  const of = await course({ validityMonths: null, retakeMonth, retakeDay, retakeGraceDays: 30 })
  const worker = await person()
  const early = await record(worker, of, -11)
  expect(early.validUntil).toBe(due.toString())
  const counted = await record(worker, of, -10)
  expect(counted.validUntil).toBe(due.add({ years: 1 }).toString())
  expectSuccess(await trainer.patch(of.iri, { retakeGraceDays: 0 }))
  expect(expectSuccess(await trainer.get(counted['@id'])).validUntil).toBe(counted.validUntil)
  expect(expectSuccess(await trainer.get(early['@id'])).replaced).toBe(false)
})

test('a record never changes, and a correction with a reason replaces it once', async () => {
  const [worker, of] = [await person(), await course()]
  const wrong = await record(worker, of, -400)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await trainer.send(method, wrong['@id'], { body: { completedOn: day(-1) } })).status).toBe(405)
  for (const sql of [
    'UPDATE training_record SET result = $2 WHERE id = $1',
    'DELETE FROM training_record WHERE id = $1 AND $2 <> $2',
  ])
    await expect(portal.db.tx('system', (tx) => tx.rows(sql, [wrong.id, 'failed']))).rejects.toThrow(
      'permission denied',
    )
  const corrects = { replaces: wrong['@id'], reason: 'Date misread' }
  const refused = async (more: Record<string, unknown>) =>
    pathsOf((await trainer.post(AT.records, passed(worker, of, -10, { ...corrects, ...more }))).body)
  expect(await refused({ reason: '' })).toEqual(['reason'])
  expect(await refused({ replaces: null })).toEqual(['replaces'])
  expect(await refused({ employee: (await person()).iri })).toEqual(['replaces'])
  expect(await refused({ course: (await course()).iri })).toEqual(['replaces'])
  expect((await cellOf(worker, of))?.competent).toBe(false)
  const both = await Promise.all([-10, -11].map((days) => trainer.post(AT.records, passed(worker, of, days, corrects))))
  expect(both.map(({ status }) => status).toSorted()[0]).toBe(201)
  expect(both.filter(({ status }) => status === 201)).toHaveLength(1)
  expect((await cellOf(worker, of))?.competent).toBe(true)
  expect(expectSuccess(await trainer.get(wrong['@id']))).toMatchObject({ replaced: true, completedOn: day(-400) })
  const right = both.find(({ status }) => status === 201)?.body
  const error = { result: 'void', replaces: right['@id'], reason: 'Another person' }
  expectSuccess(await trainer.post(AT.records, passed(worker, of, -10, { ...error, completedOn: right.completedOn })))
  expect(await cellOf(worker, of)).toBeUndefined()
})

test('employees read their own records, managers those of their people, and nobody else', async () => {
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  const other = await person()
  const { iri } = await course()
  const proof = expectSuccess(await upload(trainer))
  const { '@id': at } = await record(worker, { iri }, -5, { proof: proof['@id'] })
  for (const api of [worker.api, manager.api, trainer, admin]) {
    expect((await api.get(at)).body).toMatchObject({ '@id': at, proof: { name: 'certificate.pdf' } })
    expect((await api.get(proof.url)).status).toBe(200)
  }
  expect((await other.api.get(at)).status).toBe(404)
  expect((await other.api.get(proof.url)).status).toBe(404)
  const stranger = await createTrainingCompany(portal)
  for (const url of [at, proof['@id'], proof.url]) expect((await stranger.trainer.get(url)).status).toBe(404)
  for (const api of [worker.api, manager.api]) {
    expect((await api.post(AT.records, passed(worker, { iri }, -1))).status).toBe(403)
    expect((await upload(api)).status).toBe(403)
  }
})

test('nobody records their own pass without a proof', async () => {
  const of = await course()
  const sent = { forename: 'Terry', surname: 'Trainer', extCStartDate: day(-900), user: trainerAccount.iri }
  const own = expectSuccess(await admin.post(AT.employees, sent))
  const without = await trainer.post(AT.records, passed({ iri: own['@id'] }, of, -3))
  expect([without.status, pathsOf(without.body)]).toEqual([422, ['proof']])
  const group = { course: of.iri, completedOn: day(-3), result: 'attended', employees: [own['@id']] }
  expect(pathsOf((await trainer.post(`${AT.records}/group`, group)).body)).toEqual(['proof'])
  const proof = expectSuccess(await upload(trainer))
  expectSuccess(await trainer.post(AT.records, passed({ iri: own['@id'] }, of, -3, { proof: proof['@id'] })))
  expectSuccess(await admin.post(AT.records, passed({ iri: own['@id'] }, of, -2)))
})

test('a course is recorded for many people at once, or for none of them', async () => {
  const of = await course()
  const people = [await person(), await person(), await person()]
  const left = await person()
  expectSuccess(await admin.post(`${left.iri}/end-employment`, { leavingDate: day(-30), leavingReason: 'resigned' }))
  const group = { course: of.iri, completedOn: day(-3), result: 'attended', provider: 'Site manager' }
  const send = (more: Record<string, unknown>) => trainer.post(`${AT.records}/group`, { ...group, ...more })
  expect((await send({ employees: [...people, left].map(({ iri }) => iri) })).status).toBe(409)
  expect((await send({ employees: [] })).status).toBe(422)
  expect((await send({ employees: ['/api/employees/employees/999999999'] })).status).toBe(400)
  expect((await trainer.get(`${AT.records}?course=${of.id}`)).body['hydra:totalItems']).toBe(0)
  const twice = [...people, ...people].map(({ iri }) => iri)
  expect(expectSuccess(await send({ employees: twice })).records).toBe(3)
  expect((await cellOf(people[0]!, of))?.state).toBe('inDate')
})

test('a former employee keeps training up to the last day, and gets none after it', async () => {
  const [worker, of] = [await person(), await course()]
  expectSuccess(await admin.post(`${worker.iri}/end-employment`, { leavingDate: day(-30), leavingReason: 'resigned' }))
  expect((await trainer.post(AT.records, passed(worker, of, -29))).status).toBe(409)
  await record(worker, of, -30)
  expect((await cellOf(worker, of, day(-30)))?.competent).toBe(true)
  expect(await cellOf(worker, of)).toBeUndefined()
})

test('nobody records training while impersonating, and a lapsed product is read only', async () => {
  const other = await createTrainingCompany(portal)
  const [worker, of] = [await other.person(), await other.course()]
  const { '@id': at } = await other.record(worker, of, -3)
  const api = await impersonate(portal, other.trainerAccount)
  expect((await api.post(AT.records, other.passed(worker, of, -2))).status).toBe(403)
  expect((await api.post(`${AT.records}/group`, {})).status).toBe(403)
  expect((await upload(api)).status).toBe(403)
  expect((await api.get(AT.matrix)).body.people).toHaveLength(1)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  expect((await staff.get(at)).status).toBe(404)
  expect((await staff.get(AT.matrix)).body.people).toEqual([])
  await portal.db.tx('owner', (tx) => grantPacks(tx, other.client.id, [], ['safety']))
  portal.sessions.forget()
  expect((await other.trainer.get(at)).status).toBe(200)
  for (const file of ['export.csv', 'export.xlsx'])
    expect((await other.trainer.get(`${AT.matrix}/${file}`)).status).toBe(200)
  expect((await other.trainer.get(`${AT.records}/export.csv`)).status).toBe(200)
  expect((await other.trainer.post(AT.records, other.passed(worker, of, -2))).status).toBe(403)
  expect((await other.trainer.post(`${AT.records}/group`, {})).status).toBe(403)
  expect((await upload(other.trainer)).status).toBe(403)
})

test('each record and each proof is sealed in the evidence chain of the company', async () => {
  const [worker, of] = [await person(), await course()]
  const proof = expectSuccess(await upload(trainer))
  const { id } = await record(worker, of, -3, { proof: proof['@id'] })
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  await portal.db.tx('owner', async (tx) => {
    await tx.rows('ALTER TABLE training_record DISABLE TRIGGER append_only')
    await tx.rows('UPDATE training_record SET completed_on = completed_on - 1 WHERE id = $1', [id])
    await tx.rows('ALTER TABLE training_record ENABLE TRIGGER append_only')
  })
  const { broken } = await verifyEvidence(portal.engine, client.id)
  expect(JSON.stringify(broken)).toContain(`training record ${id}`)
})

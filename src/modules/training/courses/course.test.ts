import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { TRAINING as AT, createTrainingCompany } from '#test/support/training.ts'

const portal = await testPortal()
const w = await createTrainingCompany(portal)
const { trainer, admin, day, person, course, need } = w
const pathsOf = (body: { violations?: { propertyPath: string }[] }) => body.violations?.map((one) => one.propertyPath)
const listOf = async (url: string) => expectSuccess(await trainer.get(`${url}?pagination=false`))['hydra:member']

test('the reference data has 58 course templates and 24 duties', async () => {
  expect(await listOf(AT.templates)).toHaveLength(58)
  const duties = await listOf(AT.duties)
  expect(duties).toHaveLength(24)
  expect(duties[0]).toMatchObject({ confidence: 'high', reference: expect.stringContaining('reg 13') })
})

test('a course copies its template, and values that are sent take precedence', async () => {
  const [template] = (await listOf(AT.templates)).filter((one: { code: string }) => one.code === 'PASMA')
  const copied = expectSuccess(await trainer.post(AT.courses, { template: template['@id'] }))
  expect(copied).toMatchObject({ name: 'PASMA towers for users', validityMonths: 60, category: 'Height' })
  const own = { template: template['@id'], name: 'Towers', validityMonths: 36 }
  const changed = expectSuccess(await trainer.post(AT.courses, own))
  expect(changed).toMatchObject({ name: 'Towers', validityMonths: 36, code: 'PASMA' })
  const twice = await trainer.post(AT.courses, { template: template['@id'] })
  expect([twice.status, pathsOf(twice.body)]).toEqual([422, ['name']])
  expect((await trainer.patch(copied['@id'], { template: null })).status).toBe(409)
})

test('a course is valid by months or retaken by a fixed day, and a wrong day is refused on creation and change', async () => {
  const refused = async (values: Record<string, unknown>) =>
    pathsOf((await trainer.post(AT.courses, { name: 'Yearly', ...values })).body)
  expect(await refused({ retakeMonth: '03', validityMonths: 12 })).toEqual(['retakeMonth'])
  expect(await refused({ retakeMonth: '04', retakeDay: 31 })).toEqual(['retakeDay'])
  expect(await refused({ retakeDay: 31 })).toEqual(['retakeMonth'])
  expect(await refused({ retakeGraceDays: 30 })).toEqual(['retakeGraceDays'])
  expect(await refused({ retakeMonth: '02', retakeDay: 29, retakeGraceDays: 181 })).toEqual(['retakeGraceDays'])
  const { '@id': iri } = expectSuccess(
    await trainer.post(AT.courses, { name: 'Yearly', retakeMonth: '02', retakeDay: 29 }),
  )
  expect(pathsOf((await trainer.patch(iri, { validityMonths: 12 })).body)).toEqual(['retakeMonth'])
  expect(pathsOf((await trainer.patch(iri, { retakeMonth: null })).body)).toEqual(['retakeMonth'])
  expectSuccess(await trainer.patch(iri, { retakeMonth: null, retakeDay: null, validityMonths: 12 }))
  const [template] = (await listOf(AT.templates)).filter((one: { code: string }) => one.code === 'SSSTS')
  const copied = await trainer.post(AT.courses, { template: template['@id'], retakeMonth: '03' })
  expect(expectSuccess(copied)).toMatchObject({ validityMonths: null, retakeMonth: '03', retakeDay: null })
})

test('only the training role and administrators write courses and requirements', async () => {
  const worker = await person()
  const { iri } = await course()
  expectSuccess(await admin.post(AT.courses, { name: 'By an administrator' }))
  expect((await worker.api.post(AT.courses, { name: 'Mine' })).status).toBe(403)
  expect((await worker.api.patch(iri, { name: 'Mine' })).status).toBe(403)
  expect((await worker.api.get(AT.requirements)).status).toBe(403)
  const stranger = await createTrainingCompany(portal)
  expect((await stranger.trainer.get(iri)).status).toBe(404)
  const body = { course: iri, scope: 'everybody', startsOn: day(0), reason: 'contract' }
  expect((await stranger.trainer.post(AT.requirements, body)).status).toBe(400)
})

test('a requirement names exactly who needs the course, and the duty of a legal reason', async () => {
  const { iri } = await course()
  const refused = async (more: Record<string, unknown>) => {
    const body = { course: iri, scope: 'everybody', startsOn: day(0), reason: 'contract', ...more }
    return pathsOf((await trainer.post(AT.requirements, body)).body)
  }
  const worker = await person()
  expect(await refused({ scope: 'jobTitle' })).toEqual(['jobtitlename'])
  expect(await refused({ scope: 'person' })).toEqual(['employee'])
  expect(await refused({ employee: worker.iri })).toEqual(['employee'])
  expect(await refused({ reason: 'duty' })).toEqual(['duty'])
  expect(await refused({ endsOn: day(-1) })).toEqual(['endsOn'])
  const [duty] = await listOf(AT.duties)
  expect(await refused({ duty: duty['@id'] })).toEqual(['duty'])
  expect(await refused({ reason: 'duty', duty: duty['@id'] })).toBeUndefined()
})

test('a requirement changes only by its end, so that past days stay as they were', async () => {
  const of = await course()
  const { '@id': iri } = await need(of)
  expect((await trainer.patch(iri, { startsOn: day(-10) })).status).toBe(409)
  expect((await trainer.patch(iri, { graceDays: 10 })).status).toBe(409)
  expect((await trainer.patch(iri, { endsOn: day(-1) })).status).toBe(422)
  expect((await trainer.patch(of.iri, { retired: true })).status).toBe(409)
  expect(expectSuccess(await trainer.patch(iri, { endsOn: day(0) })).ended).toBe(false)
  expect(expectSuccess(await trainer.patch(of.iri, { retired: true })).retired).toBe(true)
  const body = { course: of.iri, scope: 'everybody', startsOn: day(0), reason: 'contract' }
  expect(pathsOf((await trainer.post(AT.requirements, body)).body)).toEqual(['course'])
})

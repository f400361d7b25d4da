import { expect, test } from 'vitest'
import { inDays } from '#test/support/days.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { testPortal } from '#test/support/portal.ts'
import { coshhAssessment } from './coshh-assessment.ts'

const portal = await testPortal()
const LIST = '/api/safety/coshh_assessments'
const whole = makeCompleteDocumentBody(coshhAssessment)

async function writer() {
  const client = await portal.client()
  return client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
}

const wrongIn = (answer: { body: { violations?: { propertyPath: string }[] } }) =>
  answer.body.violations?.map((v) => v.propertyPath)

test('a template lists protective equipment for its substances, and leaves questions about the place of work unanswered', async () => {
  const author = await writer()
  const templates = (await author.get(`${LIST}/templates?itemsPerPage=100`)).body['hydra:member']
  const of = async (name: string) =>
    (await author.get(templates.find((t: { name: string }) => t.name === name)['@id'])).body
  const mortar = await of('Mixing and laying mortar')
  expect(mortar.worn).toMatchObject([
    { standard: 'EN ISO 374-1', detail: expect.stringMatching(/^Alkali-resistant nitrile/) },
    { label: 'Safety goggles', standard: expect.stringMatching(/^EN 166/) },
    { standard: 'EN 343' },
  ])
  const booth = await of('Spraying two-pack paint in the booth')
  expect(booth).toMatchObject({ expectant: null, young: null, lev: 'yes', levExamined: null })
  expect(booth.worn).toMatchObject([{ standard: 'EN 14594' }, { standard: 'EN ISO 374-1' }, {}])
  const { '@id': _, ...model } = (await author.get(`${LIST}/${booth.id}/copy`)).body
  const { body: copy } = await author.post(LIST, model)
  expect(wrongIn(await author.post(`${copy['@id']}/complete`))).toEqual(
    expect.arrayContaining(['expectant', 'young', 'levExamined']),
  )
})

test("a COSHH assessment can't be completed without a conclusion, its reasons, exposure monitoring and complete actions", async () => {
  const admin = await writer()
  const unsaid = { adequate: null, adequateReason: '', monitoring: null, monitoringReason: '' }
  const { body: made } = await admin.post(LIST, { ...whole, ...unsaid })
  const complete = () => admin.post(`${made['@id']}/complete`)
  expect(new Set(wrongIn(await complete()))).toEqual(new Set(Object.keys(unsaid)))
  const { adequateReason, monitoring, monitoringReason } = whole
  await admin.put(made['@id'], { adequate: 'actions', adequateReason, monitoring, monitoringReason, actions: [] })
  expect(wrongIn(await complete())).toEqual(['actions'])
  await admin.put(made['@id'], { actions: [{ text: 'Repair the fan', owner: '', due: null }] })
  expect(wrongIn(await complete())).toEqual(['actions[0].owner', 'actions[0].due'])
  await admin.put(made['@id'], { actions: [{ text: 'Repair the fan', owner: 'Rhys Ellis', due: inDays(7) }] })
  expect((await complete()).status).toBe(200)
  expect((await admin.put(made['@id'], { adequate: 'perhaps' })).status).not.toBe(200)
  // In a copy, the conclusion must be confirmed again.
  const { '@id': _, ...model } = (await admin.get(`${LIST}/${made.id}/copy`)).body
  const { body: copy } = await admin.post(LIST, model)
  expect(copy).toMatchObject({ adequate: 'actions', actions: [{ owner: 'Rhys Ellis' }] })
  expect(wrongIn(await admin.post(`${copy['@id']}/complete`))).toEqual(
    expect.arrayContaining(['adequate', 'adequateReason', 'actions']),
  )
})

test('a template can be completed without a conclusion, but can’t become an assessment in force', async () => {
  const admin = await writer()
  const open = { expectant: null, young: null, adequate: null, adequateReason: '' }
  const { body: made } = await admin.post(LIST, { ...whole, ...open, isTemplate: true })
  const done = await admin.put(made['@id'], { complete: true, approved: true })
  expect([done.status, done.body.isTemplate, done.body.complete]).toEqual([200, true, true])
  for (const send of [
    () => admin.put(made['@id'], { isTemplate: false }),
    () => admin.patch(made['@id'], { isTemplate: false }),
  ]) {
    await send()
    expect((await admin.get(made['@id'])).body.isTemplate).toBe(true)
  }
  const { body: draft } = await admin.post(LIST, { ...whole, ...open, isTemplate: true })
  const both = await admin.put(draft['@id'], { isTemplate: false, complete: true, approved: true })
  expect([both.status, new Set(wrongIn(both))]).toEqual([422, new Set(Object.keys(open))])
})

test('exposure limits that are not a list of objects are refused', async () => {
  const author = await writer()
  const made = (await author.post(LIST, whole)).body
  const [used] = whole.substances as Record<string, unknown>[]
  for (const limits of [[[[1]]], [null], ['x'], { a: 1 }, 'x', 1]) {
    const put = await author.put(made['@id'], { substances: [{ ...used, limits }] })
    expect([put.status, wrongIn(put)], JSON.stringify(limits)).toEqual([422, ['substances[0].limits']])
  }
})

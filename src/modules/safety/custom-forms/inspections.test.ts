import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const FORMS = '/api/safety/custom_forms'
const ANSWERS = '/api/safety/custom_form_answers'

async function company() {
  const client = await portal.client()
  const person = async (role: string) => client.as(await client.user({ roles: [role] }))
  return { client, author: await person('ROLE_SAFETY_AUTHOR'), worker: await person('ROLE_EMPLOYEE') }
}
const withFields = (...fields: object[]) => ({ steps: [{ name: 's', title: 'S', groups: [{ fields }] }] })
const text = (name: string, more: object = {}) => ({ name, kind: 'text', label: name.toUpperCase(), ...more })

async function published(author: TestApi, schema: object) {
  const made = await author.post(FORMS, { title: 'Van check', schema })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return (await author.post(`${made.body['@id']}/publish`, {})).body
}
const fill = (api: TestApi, form: { '@id': string; current: string }, answers: object, more: object = {}) =>
  api.post(ANSWERS, { form: form['@id'], version: form.current, answers, ...more })
const wrongIn = (answer: { body: { violations?: { propertyPath: string; message: string }[] } }) =>
  answer.body.violations?.map((v) => [v.propertyPath, v.message])

const option = (value: string, means?: 'fine' | 'defect') => ({ value, label: value.toUpperCase(), means })
const point = (name: string, ...more: object[]) => ({
  name,
  kind: 'select',
  label: name.toUpperCase(),
  required: true,
  options: [option('ok', 'fine'), option('defect', 'defect'), option('na'), ...more],
})
/** Time before any form in these tests was published. */
const AT = '2026-01-05T08:30:00Z'

test('a completed form records and seals which answers were entered together, and when', async () => {
  const { client, author, worker } = await company()
  const form = await published(author, withFields(point('tyres'), point('lamps'), point('horn'), text('note')))
  const answers = { tyres: 'ok', lamps: 'defect', horn: 'ok' }
  const together = [{ at: Temporal.Now.instant().toString(), questions: ['tyres', 'horn'] }]
  const made = await fill(worker, form, answers, { together: together })
  expect([made.status, made.body.together]).toEqual([201, together])
  expect((await author.get(made.body['@id'])).body.together).toEqual(together)
  const single = await fill(worker, form, answers)
  expect([single.status, single.body.together]).toEqual([201, []])
  expect(single.body.digest).not.toBe(made.body.digest)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  const change = { together: [], answers: { tyres: 'perhaps' } }
  expect((await author.put(made.body['@id'], change)).status).toBe(405)
  expect((await author.patch(made.body['@id'], change)).status).toBe(405)
  const late = await fill(worker, form, answers, { together: [{ at: '2999-01-01T00:00:00Z', questions: ['tyres'] }] })
  expect(late.body.together[0].at < '2999').toBe(true)
})

test('answers entered together have no time if the device’s clock shows a time before the form was published', async () => {
  const { client, author, worker } = await company()
  const form = await published(author, withFields(point('tyres')))
  const made = await fill(worker, form, { tyres: 'ok' }, { together: [{ at: AT, questions: ['tyres'] }] })
  expect([made.status, made.body.together]).toEqual([201, [{ at: null, questions: ['tyres'] }]])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  const pdf = await worker.get(`${made.body['@id']}/pdf`)
  expect(pdf.status).toBe(200)
})

test.each<[string, unknown, string]>([
  ['a question answered with another option', [{ at: AT, questions: ['lamps'] }], 'together[0].questions'],
  ['a question that is not in the form', [{ at: AT, questions: ['moon'] }], 'together[0].questions'],
  ['a question without a fine option', [{ at: AT, questions: ['note'] }], 'together[0].questions'],
  ['a hidden question', [{ at: AT, questions: ['spare'] }], 'together[0].questions'],
  ['a question named twice', [{ at: AT, questions: ['tyres', 'tyres'] }], 'together[0].questions'],
  ['no question', [{ at: AT, questions: [] }], 'together[0].questions'],
  ['no time', [{ questions: ['tyres'] }], 'together[0].at'],
  ['no list', { at: AT, questions: ['tyres'] }, 'together'],
])('answers entered together are refused for %s', async (_, together, place) => {
  const { author, worker } = await company()
  const hidden = { ...point('spare'), when: [{ watch: 'lamps', equals: 'ok' }] }
  const form = await published(author, withFields(point('tyres'), point('lamps'), hidden, text('note')))
  const answers = { tyres: 'ok', lamps: 'defect', note: 'ok' }
  const refused = await fill(worker, form, answers, { together: together })
  expect([refused.status, wrongIn(refused)?.[0]?.[0]]).toEqual([422, place])
  const unfinished = await fill(worker, form, { tyres: 'ok' }, { together: [{ at: AT, questions: ['tyres'] }] })
  expect(wrongIn(unfinished)).toEqual([['answers.lamps', 'Field required, select an option']])
})

test.each<[string, object[], RegExp]>([
  ['two fine options in one question', [point('a', option('yes', 'fine'))], /Only one option of a question/],
  [
    'an option with an unknown meaning',
    [{ ...point('a'), options: [{ value: 'a', means: 'good' }] }],
    /“fine” or “defect”/,
  ],
  [
    'a fine option in a question with several choices',
    [{ name: 'a', kind: 'combobox', label: 'A', options: [option('ok', 'fine')] }],
    /Only options of “One choice from a list”/,
  ],
  ['two questions for the subject', [text('a', { subject: true }), text('b', { subject: true })], /one question/],
  ['a number as the subject', [{ name: 'a', kind: 'number', label: 'A', subject: true }], /short text/],
])('a form with %s is refused', async (_, fields, message) => {
  const { author } = await company()
  const made = await author.post(FORMS, { title: 'T', schema: withFields(...fields) })
  expect([made.status, wrongIn(made)?.[0]?.[1]]).toEqual([422, expect.stringMatching(message)])
})

test('completed forms can be searched by subject and by answer, and show their number of defects', async () => {
  const { client, author, worker } = await company()
  const fields = [text('van', { subject: true, required: true }), point('tyres'), point('lamps'), text('note')]
  const form = await published(author, withFields(...fields))
  const made = await fill(worker, form, { van: ' YN23 KHW ', tyres: 'defect', lamps: 'ok', note: 'Worn to 1 mm' })
  expect(made.body).toMatchObject({ subject: 'YN23 KHW', defects: 1 })
  await fill(author, form, { van: 'LM70 AAA', tyres: 'ok', lamps: 'ok', note: 'https://example.org' })
  const found = async (api: TestApi, words: string) =>
    (await api.get(`${ANSWERS}?form=${form.id}&q=${encodeURIComponent(words)}`)).body['hydra:member'].map(
      (m: { number: string; defects: number }) => [m.number, m.defects],
    )
  expect(await found(author, 'yn23')).toEqual([['FA-0001', 1]])
  expect(await found(author, 'worn to')).toEqual([['FA-0001', 1]])
  expect(await found(author, 'van check')).toHaveLength(2)
  expect(await found(worker, 'LM70')).toEqual([])
  expect(await found((await company()).author, 'worn')).toEqual([])
  expect(
    (await fill(worker, form, { van: 'A', tyres: 'ok', lamps: 'ok' }, { subject: 'Z', defects: 9 })).body,
  ).toMatchObject({ subject: 'A', defects: 0 })
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('former answers are listed newest first, only to people who may read them, and never to another company', async () => {
  const { author, worker } = await company()
  const form = await published(author, withFields(text('van', { subject: true }), point('tyres')))
  await fill(worker, form, { van: 'A', tyres: 'defect' })
  await fill(author, form, { van: 'A', tyres: 'ok' })
  const former = async (api: TestApi) =>
    (await api.get(`${ANSWERS}?form=${form.id}&itemsPerPage=100`)).body['hydra:member'].map(
      (m: { number: string }) => m.number,
    )
  expect(await former(author)).toEqual(['FA-0002', 'FA-0001'])
  expect(await former(worker)).toEqual(['FA-0001'])
  const stranger = await company()
  const same = await published(stranger.author, withFields(text('van', { subject: true }), point('tyres')))
  expect(same.id).not.toBe(form.id)
  for (const id of [form.id, same.id])
    expect((await stranger.worker.get(`${ANSWERS}?form=${id}`)).body['hydra:member'] ?? []).toEqual([])
  await author.put(form['@id'], { retired: true })
  expect((await fill(worker, form, { van: 'A', tyres: 'ok' })).status).toBe(409)
})

test('answers entered together are checked against the version of the form that was opened', async () => {
  const { author, worker } = await company()
  const first = await published(author, withFields(point('tyres')))
  const swapped = { ...point('tyres'), options: [option('ok', 'defect'), option('na', 'fine')] }
  await author.put(first['@id'], { schema: withFields(swapped) })
  const second = (await author.post(`${first['@id']}/publish`, {})).body
  const together = [{ at: Temporal.Now.instant().toString(), questions: ['tyres'] }]
  const begun = await fill(worker, first, { tyres: 'ok' }, { together })
  expect([begun.status, begun.body.together, begun.body.defects]).toEqual([201, together, 0])
  expect(wrongIn(await fill(worker, second, { tyres: 'ok' }, { together }))?.[0]?.[0]).toBe('together[0].questions')
  expect((await fill(worker, second, { tyres: 'ok' })).body.defects).toBe(1)
})

test('the results count the answers to choice questions by option, month and site, and a worker’s results count only that worker’s answers', async () => {
  const { client, author, worker } = await company()
  const other = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const form = await published(author, withFields(text('site', { subject: true }), point('boards')))
  for (const [api, answers] of [
    [worker, { site: 'Yard', boards: 'ok' }],
    [worker, { site: 'Dock 4', boards: 'defect' }],
    [other, { site: 'Yard', boards: 'defect' }],
  ] as const)
    expect((await fill(api, form, answers)).status).toBe(201)

  const results = `${form['@id']}/results`
  const of = async (api: TestApi, query = '') => {
    const { status, body } = await api.get(`${results}${query}`)
    expect([status, body.months.length, body.questions.length]).toEqual([200, 12, 1])
    expect(body.questions[0]).toMatchObject({ name: 'boards', label: 'BOARDS' })
    return body.questions[0].options.map((o: { label: string; counts: number[] }) => `${o.label} ${o.counts.at(-1)}`)
  }
  expect(await of(author)).toEqual(['OK 1', 'DEFECT 2', 'NA 0'])
  expect(await of(author, '?subject=Yard')).toEqual(['OK 1', 'DEFECT 1', 'NA 0'])
  expect(await of(other)).toEqual(['OK 0', 'DEFECT 1', 'NA 0'])
  const [dock, yard] = [
    { name: 'Dock 4', forms: 1 },
    { name: 'Yard', forms: 2 },
  ]
  expect((await author.get(results)).body.subjects).toEqual([dock, yard])
  expect((await author.get(`${ANSWERS}?form=${form.id}&subject=Yard`)).body['hydra:totalItems']).toBe(2)
  expect((await (await company()).author.get(results)).status).toBe(404)
})

import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const FORMS = '/api/safety/custom_forms'
const ANSWERS = '/api/safety/custom_form_answers'
const VERSIONS = '/api/safety/custom_form_versions'

async function company() {
  const client = await portal.client()
  const person = async (...roles: string[]) => client.as(await client.user({ roles }))
  return {
    client,
    author: await person('ROLE_SAFETY_AUTHOR'),
    worker: await person('ROLE_EMPLOYEE'),
    other: await person('ROLE_EMPLOYEE'),
  }
}

const CHECK = {
  pass: 80,
  steps: [
    {
      name: 'check',
      title: 'Check',
      groups: [
        {
          fields: [
            {
              name: 'boards',
              kind: 'select',
              label: 'Boards',
              required: true,
              options: [
                { value: 'ok', label: 'OK', points: 1, means: 'fine' },
                { value: 'defect', label: 'Defect', points: 0, means: 'defect' },
                { value: 'na', label: 'Not applicable' },
              ],
            },
            {
              name: 'what',
              kind: 'text',
              label: 'What is wrong?',
              required: true,
              when: [{ watch: 'boards', equals: 'defect' }],
            },
            { name: 'tags', kind: 'rows', label: 'Tags', fields: [{ name: 'no', kind: 'text', label: 'No.' }] },
            { name: 'hand', kind: 'signature', label: 'Signature' },
            { name: 'photos', kind: 'uploads', label: 'Photos' },
          ],
        },
      ],
    },
  ],
}
const withFields = (...fields: object[]) => ({
  steps: [{ name: 's', title: 'S', groups: [{ fields }] }],
})
const text = (name: string, more: object = {}) => ({ name, kind: 'text', label: name.toUpperCase(), ...more })

async function published(author: TestApi, schema: object = CHECK, more: object = {}) {
  const made = await author.post(FORMS, { title: 'Scaffold check', schema, ...more })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  const done = await author.post(`${made.body['@id']}/publish`, {})
  expect([done.status, done.text]).toEqual([200, expect.anything()])
  return done.body
}
const fill = (api: TestApi, form: { '@id': string; current: string }, answers: unknown) =>
  api.post(ANSWERS, { form: form['@id'], version: form.current, answers: answers as object })
const wrongIn = (answer: { body: { violations?: { propertyPath: string; message: string }[] } }) =>
  answer.body.violations?.map((v) => [v.propertyPath, v.message])

test('a worker can complete a published form, and the answers are scored, sealed and visible to the worker and form authors', async () => {
  const { client, author, worker, other } = await company()
  const form = await published(author)
  expect(form).toMatchObject({ version: 1, live: true, unpublished: false })
  const hand = { name: 'Vic Stone', method: 'typed', strokes: [], width: 0, height: 0 }
  const made = await fill(worker, form, { boards: 'ok', tags: [{ no: '7' }], hand, what: 'hidden' })
  expect([made.status, made.body]).toMatchObject([
    201,
    {
      number: 'FA-0001',
      title: 'Scaffold check',
      points: 1,
      outOf: 1,
      percent: 100,
      result: 'passed',
      answers: { boards: 'ok', tags: [{ no: '7' }], hand },
    },
  ])
  expect(made.body.answers).not.toHaveProperty('what')
  const failed = await fill(author, form, { boards: 'defect', what: 'Loose' })
  expect(failed.body).toMatchObject({ number: 'FA-0002', percent: 0, result: 'failed' })
  const skipped = await fill(author, form, { boards: 'na' })
  expect(skipped.body).toMatchObject({ number: 'FA-0003', percent: null, result: null })

  const seen = async (api: TestApi) =>
    (await api.get(ANSWERS)).body['hydra:member'].map((m: { number: string }) => m.number)
  expect(await seen(worker)).toEqual(['FA-0001'])
  expect(await seen(other)).toEqual([])
  expect(await seen(author)).toEqual(['FA-0003', 'FA-0002', 'FA-0001'])
  expect((await other.get(made.body['@id'])).status).toBe(404)
  expect((await worker.get(`${made.body['@id']}/form`)).body).toMatchObject({ number: 1, schema: { pass: 80 } })
  expect((await other.get(`${made.body['@id']}/form`)).status).toBe(404)
  const stranger = await company()
  expect((await stranger.author.get(form['@id'])).status).toBe(404)
  expect((await stranger.author.get(form.current)).status).toBe(404)
  expect((await stranger.author.get(made.body['@id'])).status).toBe(404)
  expect((await fill(stranger.author, form, { boards: 'ok' })).status).toBe(400)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('missing, unknown, unreadable and hidden answers to a form are refused', async () => {
  const { author, worker } = await company()
  const form = await published(author)
  expect(wrongIn(await fill(worker, form, {}))).toEqual([['answers.boards', 'Field required, select an option']])
  expect(wrongIn(await fill(worker, form, { boards: 'defect' }))).toEqual([
    ['answers.what', 'Field required, please enter text'],
  ])
  expect(wrongIn(await fill(worker, form, { boards: 'ok', moon: 1 }))).toEqual([
    ['answers.moon', 'The form has no field “moon”'],
  ])
  expect(wrongIn(await fill(worker, form, { boards: 'perhaps' }))).toEqual([
    ['answers.boards', 'Please select one of the options'],
  ])
  expect(wrongIn(await fill(worker, form, { boards: 'ok', hand: { name: 'x' } }))).toEqual([
    ['answers.hand', 'Signature is not valid'],
  ])
  expect((await fill(worker, form, ['x'])).status).toBe(422)
  expect((await fill(worker, form, { boards: 'ok', photos: ['/api/safety/uploaded_documents/999999'] })).status).toBe(
    400,
  )
  expect(wrongIn(await worker.post(ANSWERS, {}))?.map(([at]) => at)).toEqual(
    expect.arrayContaining(['form', 'version', 'answers']),
  )
})

test('a form can be signed only by the person who completes it or by a person without an account', async () => {
  const { client, author } = await company()
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Worker' }))
  await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Priya Shah' })
  const form = await published(author)
  const sign = (name: string, more: object = {}) =>
    fill(worker, form, { boards: 'ok', hand: { name, method: 'typed', ...more } })
  const line = [
    [
      [0.1, 0.1],
      [0.9, 0.8],
    ],
  ]
  for (const more of [{}, { method: 'finger', strokes: line, width: 300, height: 100 }])
    for (const name of ['Priya Shah', ' priya  SHAH ', 'Pri\u200bya Shah'])
      expect(wrongIn(await sign(name, more))).toMatchObject([
        ['answers.hand.name', expect.stringMatching(/has an account here and must sign under it/)],
      ])
  expect((await sign('will worker')).body.answers.hand.name).toBe('Will Worker')
  expect((await sign('Vic of Acme')).body.answers.hand.name).toBe('Vic of Acme')
  expect(wrongIn(await sign('Vic', { method: 'finger', strokes: line, width: 0, height: 100 }))).toMatchObject([
    ['answers.hand.strokes', 'The drawn signature is not valid. Please sign again'],
  ])
  for (const blank of ['', '   ', '\u200b']) expect((await sign(blank)).body.answers).toEqual({ boards: 'ok' })
  const { steps } = CHECK
  const required = JSON.parse(
    JSON.stringify({ steps }).replace('"kind":"signature"', '"kind":"signature","required":true'),
  )
  const must = await published(author, required)
  expect(wrongIn(await fill(worker, must, { boards: 'ok', hand: { name: '\u200b', method: 'typed' } }))).toEqual([
    ['answers.hand', 'Field required, please sign'],
  ])
})

test('answers with impossible dates are refused, but sealed answers that already contain them can be exported', async () => {
  const { client, author, worker } = await company()
  const form = await published(
    author,
    withFields(
      { name: 'on', kind: 'date', label: '=On' },
      { name: 'at', kind: 'dateTime', label: 'At' },
      { name: 'all', kind: 'rows', label: 'All', fields: [{ name: 'day', kind: 'date', label: 'Day' }] },
    ),
  )
  const given = { on: '2026-02-31', at: '2026-02-31T10:00', all: [{ day: '2026-01-01garbage' }] }
  expect(wrongIn(await fill(worker, form, given))).toEqual([
    ['answers.on', '=On must be a date such as 2026-02-28'],
    ['answers.at', 'At must be a date and time such as 2026-02-28T10:20'],
    ['answers.all[0].day', 'Day must be a date such as 2026-02-28'],
  ])
  const made = await fill(worker, form, { on: '2026-02-28', at: '2026-02-28T10:00', all: [{ day: '2026-02-28' }] })
  expect(made.status).toBe(201)
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO custom_form_answer (client_id, number, form_id, version_id, title, answers, digest, author, created_at)
       SELECT client_id, 'FA-9999', form_id, version_id, title, $2, digest, author, created_at FROM custom_form_answer WHERE client_id = $1`,
      [client.id, JSON.stringify(given)],
    ),
  )
  const csv = await author.get(`${form['@id']}/answers.csv`)
  expect([csv.text.includes('28/02/2026'), csv.text.includes('31/02/2026')]).toEqual([true, true])
  expect((await author.get(`${form['@id']}/answers.xlsx`)).raw?.subarray(0, 2).toString()).toBe('PK')
  // In a spreadsheet, neither questions nor answers must run as formulas.
  expect(csv.text).toContain(",'=On,")
})

test('no route can change a published form version, and answers started on an older version are accepted', async () => {
  const { client, author, worker } = await company()
  const form = await published(author)
  const made = await fill(worker, form, { boards: 'ok' })
  const changed = await author.put(form['@id'], { schema: withFields(text('place', { required: true })) })
  expect(changed.body).toMatchObject({ unpublished: true, version: 1, current: form.current })
  expect((await author.get(form.current)).body.schema.steps[0].name).toBe('check')
  const second = (await author.post(`${form['@id']}/publish`, {})).body
  expect(second).toMatchObject({ version: 2, unpublished: false })
  expect((await author.post(`${form['@id']}/publish`, {})).status).toBe(409)
  expect((await fill(worker, form, { boards: 'ok' })).status).toBe(201)
  expect(wrongIn(await fill(worker, second, { boards: 'ok' }))).toEqual([
    ['answers.boards', 'The form has no field “boards”'],
  ])
  for (const iri of [form.current, made.body['@id']]) {
    expect((await author.put(iri, { title: 'x' })).status).toBe(405)
    expect((await author.patch(iri, { title: 'x' })).status).toBe(405)
    expect((await author.delete(iri)).status).toBe(405)
  }
  expect((await author.post(VERSIONS, { form: form['@id'], schema: CHECK })).status).toBe(405)
  // Clients can't write the fields that publishing sets.
  const forged = await author.put(form['@id'], { version: 9, live: false, current: null, unpublished: false })
  expect([forged.status === 200 ? forged.body.version : 2, (await author.get(form['@id'])).body]).toMatchObject([
    2,
    { version: 2, live: true, current: second.current },
  ])
  for (const table of ['custom_form_version', 'custom_form_answer'])
    await expect(
      portal.db.tx('owner', (tx) => tx.script(`UPDATE ${table} SET title = 'x' WHERE client_id = ${client.id}`)),
    ).rejects.toThrow(table)
})

test.each([
  ['300 fields, the maximum', withFields(...Array.from({ length: 300 }, (_, i) => text(`f${i}`))), undefined],
  ['301', withFields(...Array.from({ length: 301 }, (_, i) => text(`f${i}`))), /at most 300/],
  [
    'conditions that form a cycle',
    withFields(
      text('a', { when: [{ watch: 'b', equals: 'x' }] }),
      text('b', { when: [{ watch: 'c', equals: 'x' }] }),
      text('c', { when: [{ watch: 'a', equals: 'x' }] }),
    ),
    /cycle: “A” → “B” → “C” → “A”/,
  ],
  ['a field that depends on itself', withFields(text('a', { when: [{ watch: 'a', equals: 1 }] })), /“A” → “A”/],
  [
    'a condition on a missing field',
    withFields(text('a', { when: [{ watch: 'b', equals: 1 }] })),
    /depends on “b”, which is not in the form/,
  ],
  ['two fields with the same key', withFields(text('a'), text('a')), /twice/],
  ['a field of an unknown type', withFields({ name: 'a', kind: 'moon', label: 'A' }), /can’t be added/],
  ['a field whose key is a reserved JavaScript name', withFields(text('constructor')), /“constructor” is already used/],
  ['a field without a label', withFields({ name: 'a', kind: 'text' }), /Field required/],
  [
    'a row field without columns',
    withFields({ name: 'a', kind: 'rows', label: 'A' }),
    /at least one field to the rows/,
  ],
  [
    'a row field inside a row field',
    withFields({ name: 'a', kind: 'rows', label: 'A', fields: [{ name: 'b', kind: 'rows', label: 'B' }] }),
    /can’t be added/,
  ],
  ['a pass mark above 100%', { ...withFields(text('a')), pass: 120 }, /pass mark/],
  [
    'a choice with negative points',
    withFields({ name: 'a', kind: 'select', label: 'A', options: [{ value: 'x', label: 'X', points: -1 }] }),
    /Points must be a whole number/,
  ],
  ['text instead of a schema', 'all', /must be a list/],
])('a custom form is validated each time it is saved: %s', async (_, schema, refused) => {
  const { author } = await company()
  const made = await author.post(FORMS, { title: 'T', schema: schema as object })
  if (!refused) expect([made.status, made.text]).toEqual([201, expect.anything()])
  else {
    expect(made.status).toBe(422)
    expect(made.body.violations.map((v: { message: string }) => v.message).join('; ')).toMatch(refused)
    const good = (await author.post(FORMS, { title: 'T', schema: withFields(text('a')) })).body
    expect((await author.put(good['@id'], { schema: schema as object })).status).toBe(422)
    expect((await author.patch(good['@id'], { schema: schema as object })).status).toBe(422)
  }
})

test("a form can't be published without questions or created without a title", async () => {
  const { author } = await company()
  const empty = (await author.post(FORMS, { title: 'Empty' })).body
  expect(wrongIn(await author.post(`${empty['@id']}/publish`, {}))?.[0]?.[1]).toBe('Please add at least one question')
  expect((await author.post(FORMS, { schema: CHECK })).status).toBe(422)
})

test('only the audience of a published form can complete it, and only form authors can edit it', async () => {
  const { author, worker } = await company()
  const managers = await published(author, CHECK, { audience: ['ROLE_SAFETY_ADMIN'] })
  expect((await worker.get(managers['@id'])).status).toBe(404)
  expect((await worker.get(managers.current)).status).toBe(404)
  expect((await fill(worker, managers, { boards: 'ok' })).status).toBe(400)
  expect((await author.put(managers['@id'], { audience: ['everybody!'] })).status).toBe(422)
  const draft = (await author.post(FORMS, { title: 'Draft', schema: CHECK })).body
  expect((await worker.get(draft['@id'])).status).toBe(404)
  const form = await published(author)
  expect((await worker.put(form['@id'], { title: 'x' })).status).toBe(403)
  expect((await worker.post(FORMS, { title: 'x' })).status).toBe(403)
  expect((await worker.post(`${form['@id']}/publish`, {})).status).toBe(403)
  await author.put(form['@id'], { retired: true })
  expect((await fill(worker, form, { boards: 'ok' })).status).toBe(409)
  expect((await author.post(`${form['@id']}/publish`, {})).status).toBe(409)
})

test("form authors of any client can copy the provider's forms, and only template managers can edit them", async () => {
  const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] }))
  const clerk = portal.provider.as(await portal.provider.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const form = await published(keeper)
  expect((await clerk.post(FORMS, { title: 'x' })).status).toBe(403)
  expect((await keeper.put(form['@id'], { schema: withFields(text('later')) })).status).toBe(200)
  expect((await clerk.post(`${form['@id']}/publish`, {})).status).toBe(403)
  const hidden = (await keeper.post(FORMS, { title: 'Unpublished', schema: CHECK })).body
  const { author, worker } = await company()
  expect((await author.get(form['@id'])).status).toBe(200)
  expect((await author.get(hidden['@id'])).status).toBe(404)
  expect((await worker.get(form['@id'])).status).toBe(404)
  expect((await author.put(form['@id'], { title: 'x' })).status).not.toBe(200)
  expect(wrongIn(await fill(author, form, { boards: 'ok' }))).toEqual([
    ['form', 'This form is ready-made: please copy it to your company first'],
  ])
  const copy = await author.post(`${form['@id']}/copy`, {})
  expect([copy.status, copy.body]).toMatchObject([
    200,
    { title: 'Scaffold check', version: 0, copiedFrom: 'Scaffold check' },
  ])
  expect((await worker.post(`${form['@id']}/copy`, {})).status).toBe(403)
  // Other companies can't see the provider's unpublished changes.
  expect(copy.body.schema.steps[0].name).toBe('check')
  const own = (await author.post(`${copy.body['@id']}/publish`, {})).body
  expect((await fill(worker, own, { boards: 'ok' })).status).toBe(201)
})

test('people who can read completed forms can export the forms as rows, and each form as a PDF', async () => {
  const { author, worker } = await company()
  const form = await published(author)
  const hand = {
    name: 'Vic Stone',
    method: 'finger',
    strokes: [
      [
        [0.1, 0.1],
        [0.9, 0.8],
      ],
    ],
    width: 300,
    height: 100,
  }
  const made = await fill(worker, form, { boards: 'ok', tags: [{ no: '=1+1' }, { no: '8' }], hand })
  await fill(author, form, { boards: 'defect', what: '=cmd()' })
  const csv = await author.get(`${form['@id']}/answers.csv`)
  expect([csv.status, csv.headers['content-disposition']]).toEqual([200, expect.stringContaining('Scaffold check')])
  expect(csv.text).toContain('Boards,What is wrong?,Tags,Signature,Photos')
  expect(csv.text).toContain('FA-0001')
  expect(csv.text).toContain('Vic Stone')
  expect(csv.text).toContain("'=cmd()")
  const own = await worker.get(`${form['@id']}/answers.csv`)
  expect(own.text).not.toContain('FA-0002')
  expect((await author.get(`${form['@id']}/answers.xlsx`)).raw?.subarray(0, 2).toString()).toBe('PK')
  const stranger = await company()
  expect((await stranger.author.get(`${form['@id']}/answers.csv`)).status).toBe(404)
  const pdf = await worker.get(`${made.body['@id']}/pdf`)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect((await stranger.author.get(`${made.body['@id']}/pdf`)).status).toBe(404)
})

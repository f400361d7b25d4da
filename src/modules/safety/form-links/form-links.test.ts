import decodeQR from 'qr/decode.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { renderPages } from '#test/pdf/pages.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { expectOk, attendanceProblem as problemOf } from '#test/support/attendances.ts'
import { type TestApi, type TestClient, type TestPortal, testPortal } from '#test/support/portal.ts'

const FORMS = '/api/safety/custom_forms'
const ANSWERS = '/api/safety/custom_form_answers'

let portal: TestPortal
let client: TestClient
let author: TestApi
let worker: TestApi

beforeAll(async () => {
  portal = await testPortal()
  client = await portal.client()
  author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'], name: 'Anna Author' }))
  worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Worker' }))
})

const field = (name: string, kind: string, more: object = {}) => ({ name, kind, label: name.toUpperCase(), ...more })
const PLACE = field('place', 'text', { required: true })
const HAND = field('hand', 'signature')
const PHOTOS = field('photos', 'uploads')
const schemaOf = (...fields: object[]) => ({ steps: [{ name: 's', title: 'Questions', groups: [{ fields }] }] })

interface TestForm {
  '@id': string
  id: number
  current: string
}

const publish = async (form: { '@id': string }, as = author): Promise<TestForm> =>
  expectOk(await as.post(`${form['@id']}/publish`, {}))

async function published(fields: object[] = [PLACE, HAND, PHOTOS], as = author): Promise<TestForm> {
  const made = await as.post(FORMS, { title: 'Near miss', notes: 'Tell us about it', schema: schemaOf(...fields) })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return publish(made.body, as)
}

const linkOf = (form: { '@id': string }) => `${form['@id']}/link`
const urlOf = (address: string) => `/api/safety/shared_forms/${address.split('/form/')[1]}`
const makeLink = async (form: { '@id': string }, as = author) =>
  urlOf(expectOk(await as.post(linkOf(form), {})).link.address)
const versionOf = (form: TestForm) => Number(form.current.split('/').at(-1))
const drawn = (name: string, end = 0.9) => ({
  name,
  method: 'finger',
  width: 300,
  height: 100,
  strokes: [
    [
      [0.1, 0.1],
      [0.9, end],
    ],
  ],
})

let keys = 0
const answerOf = (form: TestForm, more: object = {}) => ({
  name: 'Lena Link',
  company: 'Ladders Ltd',
  version: versionOf(form),
  answers: { place: 'Yard' },
  key: `key ${keys++}`,
  ...more,
})
const send = (at: string, form: TestForm, more: object = {}, as: TestApi = portal.anonymous) =>
  as.post(`${at}/answers`, answerOf(form, more))
const listed = async (form: TestForm, as = author) =>
  (await as.get(`${ANSWERS}?form=${form.id}`)).body['hydra:member'] as { '@id': string; number: string }[]
const wrongIn = (answer: { status: number; body: { violations?: { propertyPath: string; message: string }[] } }) => [
  answer.status,
  answer.body.violations?.map((v) => [v.propertyPath, v.message]),
]

describe('the holder of a form’s link', () => {
  test('the holder of a form’s link sees the form without its photo questions, and nothing else', async () => {
    const form = await published()
    const at = await makeLink(form)
    const { body, text } = await portal.anonymous.get(at)
    expect(body).toMatchObject({
      sentence: '',
      form: { title: 'Near miss', notes: 'Tell us about it', version: versionOf(form), omitted: ['PHOTOS'] },
    })
    const names = body.form.schema.steps[0].groups[0].fields.map((f: { name: string }) => f.name)
    expect(names).toEqual(['place', 'hand'])
    expect(text).not.toMatch(/hash|sealed|author|Anna/)
    expectOk(await portal.anonymous.post(`${at}/opened`, {}))
    expect((await portal.anonymous.get(form['@id'])).status).toBe(401)
  })

  test('the holder of a form’s link answers under the name they give, and the answer is sealed and listed as by link', async () => {
    const form = await published()
    const at = await makeLink(form)
    const hand = drawn('Lena Link')
    const receipt = expectOk(await send(at, form, { answers: { place: 'Yard', hand } }))
    expect(receipt).toMatchObject({ '@type': 'LinkAnswer', name: 'Lena Link', number: expect.stringMatching(/^FA-/) })
    const [row] = await listed(form)
    expect(row).toMatchObject({ byLink: true, name: 'Lena Link', company: 'Ladders Ltd', author: 'by link' })
    const one = expectOk(await author.get(row?.['@id'] ?? ''))
    expect(one).toMatchObject({ answers: { place: 'Yard', hand }, number: receipt.number })
    expect(one).not.toHaveProperty('sentKey')
    expect(await listed(form, worker)).toEqual([])
    expect((await worker.get(row?.['@id'] ?? '')).status).toBe(404)
    expect(expectOk(await author.get(linkOf(form))).link).toMatchObject({ signed: 1, maxSignatures: null })
    expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
    const printed = await extractResponseText(await author.get(`${row?.['@id']}/pdf`))
    expect(printed).toContain('Lena Link, Ladders Ltd (by link)')
    expect((await author.get(`${form['@id']}/answers.csv`)).text).toContain('Lena Link, Ladders Ltd (by link)')
  })

  test('an answer by link is sealed with the name, the company and the fact that it came by link', async () => {
    const own = await portal.client()
    const as = own.as(await own.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    const form = await published([PLACE], as)
    const at = await makeLink(form, as)
    expectOk(await send(at, form))
    expect((await verifyEvidence(portal.engine, own.id)).broken).toEqual([])
    for (const [change, back] of [
      ["company = 'Other Ltd'", "company = 'Ladders Ltd'"],
      ["name = 'Somebody else'", "name = 'Lena Link'"],
    ]) {
      const set = (sql = '') =>
        portal.db.tx('owner', (tx) =>
          tx.script(
            `ALTER TABLE custom_form_answer DISABLE TRIGGER USER; UPDATE custom_form_answer SET ${sql} WHERE client_id = ${own.id}; ALTER TABLE custom_form_answer ENABLE TRIGGER USER`,
          ),
        )
      await set(change)
      expect([change, (await verifyEvidence(portal.engine, own.id)).broken.length]).toEqual([change, 1])
      await set(back)
    }
    expect((await verifyEvidence(portal.engine, own.id)).broken).toEqual([])
  })

  test('the form’s author is notified of an answer by link', async () => {
    const form = await published([PLACE])
    const { number } = expectOk(await send(await makeLink(form), form, { company: '' }))
    const notices = expectOk(await author.get('/api/portal/notices/inbox'))['hydra:member']
    expect(notices.map((one: { words: string }) => one.words)).toContain(
      `Lena Link answered “Near miss” by link: ${number}`,
    )
  })

  test('an answer sent twice by link with the same key is stored once, and different answers with that key are refused', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    const first = expectOk(await send(at, form, { key: 'same' }))
    expect(expectOk(await send(at, form, { key: 'same' }))).toEqual(first)
    for (const other of [{ answers: { place: 'Roof' } }, { answers: {} }, { name: 'Nora New' }, { company: '' }])
      expect([other, problemOf(await send(at, form, { key: 'same', ...other }))]).toEqual([
        other,
        [409, expect.stringContaining(`already been received as ${first.number}`)],
      ])
    expectOk(await author.delete(linkOf(form)))
    expect(expectOk(await send(at, form, { key: 'same' }))).toEqual(first)
    expect(await listed(form)).toHaveLength(1)
  })

  test('an answer by link is refused without a name, with missing or unknown answers, with photos or with a typed signature', async () => {
    const form = await published()
    const at = await makeLink(form)
    const place = 'Yard'
    for (const [given, wrong] of [
      [{ name: '  ' }, ['name', 'Please enter your full name']],
      [{ name: '123' }, ['name', 'Please enter your full name']],
      [{ name: 'N'.repeat(91) }, ['name', expect.stringContaining('at most 90 characters')]],
      [{ company: 'C'.repeat(101) }, ['company', expect.stringContaining('at most 100 characters')]],
      [{ answers: {} }, ['answers.place', 'Field required, please enter text']],
      [{ answers: { place, moon: 1 } }, ['answers.moon', 'The form has no field “moon”']],
      [
        { answers: { place, photos: ['/api/safety/uploaded_documents/1'] } },
        ['answers.photos', 'The form has no field “photos”'],
      ],
      [{ answers: { place, hand: { ...drawn('Lena Link'), strokes: [] } } }, undefined],
      [
        { answers: { place, hand: { name: 'Lena Link', method: 'typed' } } },
        ['answers.hand.strokes', expect.stringContaining('by link, a signature is drawn')],
      ],
    ] as const)
      if (wrong) expect(wrongIn(await send(at, form, given))).toEqual([422, [wrong]])
      else expect((await send(at, form, given)).status).toBe(200)
    expect(await listed(form)).toHaveLength(1)
    const words =
      '<p>Words</p><img src="/api/safety/uploaded_documents/1/file"><a href="/api/safety/uploaded_documents/1">x</a>'
    const rich = await published([field('words', 'richText')])
    expectOk(await send(await makeLink(rich), rich, { answers: { words } }))
    const [stored] = await listed(rich)
    expect(expectOk(await author.get(stored?.['@id'] ?? '')).answers.words).not.toContain('uploaded_documents')
  })

  test('the holder of a form’s link can’t use the name of an account, either as their own or for a signature', async () => {
    const form = await published()
    const at = await makeLink(form)
    const known = expect.stringContaining('has an account')
    expect(wrongIn(await send(at, form, { name: 'will  worker' }))).toEqual([422, [['name', known]]])
    const hand = drawn('Anna Author')
    expect(wrongIn(await send(at, form, { answers: { place: 'Yard', hand } }))).toEqual([
      422,
      [['answers.hand.name', known]],
    ])
    expect(await listed(form)).toEqual([])
  })

  test('the holder of a form’s link is asked to use their own account if signed in to the company’s portal, and is refused while impersonating', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    expect(problemOf(await send(at, form, {}, worker))).toEqual([
      409,
      'You are signed in to the portal. Please answer the form under your own account.',
    ])
    const another = await portal.client()
    const guest = another.as(await another.user({ roles: ['ROLE_EMPLOYEE'], name: 'Will Worker' }))
    expectOk(await send(at, form, {}, guest))
    expect(await listed(form)).toMatchObject([{ byLink: true, author: 'by link' }])
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const visit = await staff.get(`/api/security/user/switch?username=${admin.username}&client=${client.id}`)
    const visitor = portal.bearing(visit.body.token)
    expectOk(await visitor.post('/api/security/user/write', { reason: 'They asked for help' }))
    expect((await send(at, form, {}, visitor)).status).toBe(403)
    for (const act of [visitor.get(linkOf(form)), visitor.post(linkOf(form), {}), visitor.delete(linkOf(form))])
      expect((await act).status).toBe(403)
    expect((await visitor.get(`${linkOf(form)}/poster`)).status).toBe(403)
    expect(await listed(form)).toHaveLength(1)
  })

  test('the holder of a form’s link can finish an older version that they have started, and a new answer opens the newest version', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    expectOk(await author.put(form['@id'], { schema: schemaOf(PLACE, field('when', 'text', { required: true })) }))
    const newer = await publish(form)
    expect((await portal.anonymous.get(at)).body.form).toMatchObject({ version: versionOf(newer) })
    expectOk(await send(at, form))
    expect(wrongIn(await send(at, newer))).toEqual([422, [['answers.when', expect.anything()]]])
    const foreign = await published([PLACE])
    expect((await send(at, foreign)).status).toBe(409)
    expect((await send(at, form, { version: 999_999 })).status).toBe(409)
  })

  test('every guessed, altered or foreign link to a form gets the same error', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    const [clientId, id, ...rest] = at.split('/').at(-1)?.split('-') ?? []
    const secret = rest.join('-')
    const other = await portal.client()
    for (const guess of [
      `${clientId}-${id}-${'A'.repeat(32)}`,
      `${clientId}-${Number(id) + 999}-${secret}`,
      `${other.id}-${id}-${secret}`,
      'x',
    ]) {
      const there = `/api/safety/shared_forms/${guess}`
      for (const then of ['', '/logo']) expect((await portal.anonymous.get(`${there}${then}`)).status).toBe(404)
      expect((await portal.anonymous.post(`${there}/opened`, {})).status).toBe(404)
      expect((await send(there, form)).status).toBe(404)
    }
  })
})

describe('a form’s link', () => {
  test('only form authors of the company can manage a form’s link', async () => {
    const form = await published([PLACE])
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    for (const [who, status] of [
      [worker, 403],
      [stranger, 404],
      [portal.anonymous, 401],
    ] as const) {
      expect((await who.get(linkOf(form))).status).toBe(status)
      expect((await who.get(`${linkOf(form)}/poster`)).status).toBe(status)
      expect((await who.post(linkOf(form), {})).status).toBe(status)
      expect((await who.delete(linkOf(form))).status).toBe(status)
    }
    expect(expectOk(await author.get(linkOf(form))).link).toBeNull()
    const at = await makeLink(form)
    expect(await makeLink(form)).toBe(at)
  })

  test('a form’s link expires in 90 days by default, and in 365 days at most', async () => {
    const form = await published([PLACE])
    const day = (days: number) =>
      portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
    for (const [until, said] of [
      [day(366), 'at most 365 days'],
      [day(-1), 'in the past'],
      ['soon', 'must be a date'],
    ] as const)
      expect(wrongIn(await author.post(linkOf(form), { until }))).toEqual([
        422,
        [['until', expect.stringContaining(said)]],
      ])
    const own = linkOf(await published([PLACE]))
    expectOk(await author.post(own, {}))
    expect((await author.post(own, { until: '2020-01-01' })).status).toBe(422)
    expect(expectOk(await author.post(linkOf(form), {})).link.until).toBe(day(90))
    expectOk(await author.delete(linkOf(form)))
    expect(expectOk(await author.post(linkOf(form), { until: day(365) })).link.until).toBe(day(365))
  })

  test('a form’s link can be created only for one of the company’s published forms that requires no photo', async () => {
    const draft = (await author.post(FORMS, { title: 'Draft', schema: schemaOf(PLACE) })).body
    expect(problemOf(await author.post(linkOf(draft), {}))).toEqual([409, expect.stringContaining('publish it first')])
    const photo = await published([PLACE, { ...PHOTOS, required: true }])
    const said = expect.stringContaining('because “PHOTOS” requires photos or files')
    expect(problemOf(await author.post(linkOf(photo), {}))).toEqual([409, said])
    const onlyPhotos = await published([PHOTOS])
    expect((await author.post(linkOf(onlyPhotos), {})).status).toBe(409)
    const gone = await published([PLACE])
    expectOk(await author.put(gone['@id'], { retired: true }))
    expect((await author.post(linkOf(gone), {})).status).toBe(409)
  })

  test('a poster of a form’s link can be printed while the link is active', async () => {
    const form = await published([PLACE])
    const poster = `${linkOf(form)}/poster`
    expect((await author.get(poster)).status).toBe(409)
    const { address } = expectOk(await author.post(linkOf(form), {})).link
    const answer = await author.get(poster)
    const [page] = await renderPages(answer.raw ?? Buffer.alloc(0), 150)
    expect(page && decodeQR(page.image)).toBe(address)
    const printed = await extractResponseText(answer)
    for (const words of ['Near miss', 'Tell us about it', 'Scan to answer', 'works until the end of'])
      expect(printed).toContain(words)
  })

  test('a form’s link stops working with a clear message once it is withdrawn or expired, or the form is deleted or requires photos', async () => {
    const ends = [
      ['withdrawn this link', (f) => author.delete(linkOf(f))],
      [
        'has expired',
        (f) =>
          portal.engine.db.tx('system', (tx) =>
            tx.rows("UPDATE form_link SET until = '2020-01-01' WHERE form_id = $1", [f.id]),
          ),
      ],
      ['has deleted this form', (f) => author.put(f['@id'], { retired: true })],
      [
        'requires photos or files',
        async (f) => {
          expectOk(await author.put(f['@id'], { schema: schemaOf(PLACE, { ...PHOTOS, required: true }) }))
          await publish(f)
        },
      ],
    ] satisfies readonly (readonly [string, (f: TestForm) => Promise<unknown>])[]
    for (const [said, end] of ends) {
      const form = await published([PLACE])
      const at = await makeLink(form)
      await end(form)
      const { body } = await portal.anonymous.get(at)
      expect([said, body.form, body.sentence]).toEqual([said, undefined, expect.stringContaining(said)])
      expect(problemOf(await send(at, form))).toEqual([410, body.sentence])
      expect(await listed(form)).toEqual([])
    }
  })

  test('a form’s link accepts 50 answers a day, and refuses the fifty-first with a clear message', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    await portal.engine.db.tx('system', (tx) =>
      tx.rows(
        `INSERT INTO custom_form_answer (client_id, number, form_id, version_id, title, answers, digest, author, created_at, by_link, name, sent_key)
         SELECT client_id, 'X-' || id || '-' || n, id, current_id, title, '{}', 'x', 'by link',
           CASE WHEN n > 49 THEN portal_now() - interval '2 days' ELSE portal_now() END, true, 'Lena', 'k' || n
         FROM custom_form, generate_series(1, 80) n WHERE id = $1 AND client_id = $2`,
        [form.id, client.id],
      ),
    )
    expectOk(await send(at, form, { key: 'fiftieth' }))
    const said = expect.stringMatching(/answered by link 50 times today.*maximum for one day.*tomorrow/)
    expect(problemOf(await send(at, form))).toEqual([409, said])
    expect((await portal.anonymous.get(at)).body).toMatchObject({ sentence: said })
    expectOk(await send(at, form, { key: 'fiftieth' }))
    expectOk(await author.delete(linkOf(form)))
    expect((await send(await makeLink(form), form)).status).toBe(409)
  })

  test('two people who answer by link at once use two of the day’s answers', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    const all = await Promise.all(['A', 'B', 'C'].map((name) => send(at, form, { name: `${name} Person` })))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await listed(form)).toHaveLength(3)
  })

  test('guesses of known names by a form’s link are limited for each network', async () => {
    const form = await published([PLACE])
    const at = await makeLink(form)
    const statuses = new Set<number>()
    for (let i = 0; i < 32; i++) statuses.add((await send(at, form, { name: 'Will Worker' })).status)
    expect(statuses).toEqual(new Set([422, 429]))
  })
})

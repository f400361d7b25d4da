import { beforeAll, describe, expect, test } from 'vitest'
import { registryOf } from '#server/engine/registry.ts'
import { checkPdfUa } from '#test/pdf/ua/check-ua.ts'
import { extractPageTexts } from '#test/pdf/words.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let as: TestApi
let keeper: TestApi
beforeAll(async () => {
  portal = await testPortal()
  as = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'], name: 'Jane Caller' }))
  keeper = portal.provider.as(
    await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN'], name: 'Kit Keeper' }),
  )
})

let n = 0
const lead = async (more: Record<string, unknown> = {}) => {
  const { status, body } = await as.post('/api/crm/contacts', {
    companyName: `Post & Sons ${++n}`,
    name: 'Ann Field',
    address1: '1 High Street',
    city: 'Leeds',
    postcode: 'LS1 1AA',
    ...more,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const letter = async (more: Record<string, unknown> = {}) =>
  keeper.post('/api/crm/letters', {
    name: `L ${++n}`,
    subject: 'An offer for {{company}}',
    body: '<p>Dear {{first name|customer}},</p><p>We are in <strong>{{city}}</strong>. {{sender}}, {{portal}}</p>',
    ...more,
  })
const notesOf = async (l: { '@id': string }) =>
  (await as.get(`${l['@id']}/actions`)).body['hydra:member'] as { notes: string; about: string }[]
const listOf = (leads: readonly { id: number }[]) =>
  `/api/crm/contacts?${leads.map(({ id }) => `id%5B%5D=${id}`).join('&')}`
const pagesOf = (raw: Buffer | undefined) => raw?.toString('latin1').match(/\/Type \/Page\b/g)?.length

describe("a letter template's text", () => {
  test("a letter template with an unknown merge field is rejected with the field's name, through every route", async () => {
    const refused = await letter({ body: '<p>Dear {{shoe size}}</p>' })
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, 'body'])
    expect(refused.body.violations[0].message).toContain('“shoe size”')
    const { body } = await letter()
    expect((await keeper.put(body['@id'], { subject: '{{hat}}' })).status).toBe(422)
    expect((await keeper.patch(body['@id'], { body: '<p>{{first <b>name</p>' })).status).toBe(422)
    expect((await as.put(body['@id'], { name: 'x' })).status).toBe(403)
    const unsaved = { contact: (await lead())['@id'], subject: 'x', body: '<p>{{hat}}</p>' }
    expect((await as.post('/api/crm/letters/preview', unsaved)).status).toBe(422)
  })

  test("letter templates are listed newest first; retired ones are listed separately and can't be printed", async () => {
    const [a, b] = [(await letter()).body, (await letter()).body]
    const { body } = await as.get('/api/crm/letters?retired=false')
    const ids = body['hydra:member'].map(({ id }: { id: number }) => id)
    expect(ids.indexOf(b.id)).toBeLessThan(ids.indexOf(a.id))
    expect((await keeper.put(a['@id'], { retired: true })).status).toBe(200)
    expect((await as.post(`${a['@id']}/print`, { contact: (await lead())['@id'] })).status).toBe(409)
  })
})

describe('a letter to a lead', () => {
  test("a letter is previewed with the lead's details, saved as printed and shown in the timeline", async () => {
    const l = await lead({ companyName: '<b>Ash</b> & Co' })
    const { body: words } = await letter()
    const { body: seen } = await as.post('/api/crm/letters/preview', {
      contact: l['@id'],
      subject: words.subject,
      body: words.body,
    })
    expect(seen).toMatchObject({
      addressee: 'Ann Field\n<b>Ash</b> & Co\n1 High Street\nLeeds\nLS1 1AA',
      subject: 'An offer for <b>Ash</b> & Co',
      body: '<p>Dear Ann,</p><p>We are in <strong>Leeds</strong>. Jane Caller, Test</p>',
      refusal: '',
    })
    expect(pagesOf((await as.get(`${words['@id']}/preview.pdf?contact=${l.id}`)).raw)).toBe(1)
    expect((await as.get(`/api/crm/letter_copies?contact=${l.id}`)).body['hydra:totalItems']).toBe(0)
    const made = await as.post(`${words['@id']}/print`, { contact: l['@id'] })
    expect(made.status).toBe(201)
    expect((await notesOf(l))[0]).toMatchObject({ about: made.body['@id'], notes: `Letter by post: ${seen.subject}` })
    await keeper.put(words['@id'], { body: '<p>Another</p>' })
    const kept = await as.get(made.body['@id'])
    expect(kept.body).toMatchObject({ body: seen.body, letter: { name: words.name }, contact: { id: l.id } })
    expect(pagesOf((await as.get(`${made.body['@id']}/pdf`)).raw)).toBe(1)
    expect((await as.get(words['@id'])).body).toMatchObject({ printed: 1, printedAt: expect.any(String) })
    expect((await keeper.put(made.body['@id'], { body: 'x' })).status).toBe(405)
  })

  test("a letter can't be printed with a missing value, without a postal address or after an opt-out", async () => {
    const { body: words } = await letter()
    const printed = async (l: { '@id': string }) => {
      const { status, body } = await as.post(`${words['@id']}/print`, { contact: l['@id'] })
      return [status, body['hydra:description']]
    }
    expect(await printed(await lead({ address1: '' }))).toEqual([409, 'This lead has no postal address.'])
    expect(await printed(await lead({ city: '' }))).toEqual([409, 'This lead has no value for: City.'])
    const no = await lead({ email: `no${++n}@post.example` })
    await as.post('/api/email/suppressions', { address: no.email.toUpperCase(), reason: 'asked' })
    expect(await printed(no)).toEqual([409, 'This lead has opted out of letters.'])
    const bounced = await lead({ email: `gone${++n}@post.example` })
    await as.post('/api/email/suppressions', { address: bounced.email, reason: 'bounced' })
    expect((await printed(bounced))[0]).toBe(201)

    const l = await lead()
    const { body: entry } = await as.post('/api/crm/letter_refusals', { contact: l['@id'], detail: 'By telephone' })
    expect((await as.post('/api/crm/letter_refusals', { contact: l['@id'] })).status).toBe(422)
    expect(await printed(l)).toEqual([409, 'This lead has opted out of letters.'])
    expect((await as.put(entry['@id'], { retired: true, liftedReason: 'x' })).status).toBe(403)
    expect((await keeper.put(entry['@id'], { retired: true })).status).toBe(422)
    expect((await keeper.put(entry['@id'], { retired: true, liftedReason: 'They wrote' })).status).toBe(200)
    expect((await printed(l))[0]).toBe(201)
  })
})

describe('a batch of letters', () => {
  test('a batch of letters produces one PDF with one letter per lead, and lists excluded leads with reasons', async () => {
    const { body: words } = await letter()
    const [a, b, c] = [await lead(), await lead({ address1: '' }), await lead()]
    const ask = { from: `${listOf([a, b, c])}&id%5B%5D=${a.id}` }
    expect((await as.post(`${words['@id']}/print`, ask)).status).toBe(403)
    expect((await keeper.post(`${words['@id']}/print`, { from: '/api/crm/staff' })).status).toBe(400)
    expect((await keeper.post(`${words['@id']}/print`, { from: '/api/crm/contacts?id=999999999' })).status).toBe(409)
    const { status, body: begun } = await keeper.post(`${words['@id']}/print`, ask)
    expect(status).toBe(202)
    await keeper.put(words['@id'], { body: '<p>Too late</p>' })
    await portal.drain()
    const { body: run } = await keeper.get(begun['@id'])
    expect(run).toMatchObject({
      state: 'done',
      done: 2,
      refused: 1,
      total: 3,
      file: { name: `Letters ${words.name}.pdf` },
    })
    const file = await keeper.get(run.file['@id'])
    const pdf = file.raw ?? Buffer.of()
    expect(await checkPdfUa(pdf)).toEqual([])
    const pages = await extractPageTexts(pdf)
    expect(pages.map((text) => /Leeds LS1 1AA .* An offer for (Post & Sons \d+) Dear Ann/.exec(text)?.[1])).toEqual([
      a.companyName,
      c.companyName,
    ])
    expect(pages.join()).not.toContain('Page 2')
    expect(file.headers['content-type']).toBe('application/pdf')
    const { body: left } = await keeper.get(`/api/portal/run_refusals?run=${run.id}`)
    expect(left['hydra:member']).toEqual([
      expect.objectContaining({ line: b.id, about: b.companyName, reason: 'This lead has no postal address.' }),
    ])
    const { body: copies } = await as.get(`/api/crm/letter_copies?run=${run.id}`)
    expect(copies['hydra:member'].map((m: { contact: { id: number } }) => m.contact.id)).toEqual([c.id, a.id])
    expect((await notesOf(c))[0]?.about).toBe(copies['hydra:member'][0]['@id'])
  })

  test('a batch of letters resumes after a stop or a process crash without repeating a lead', async () => {
    const { body: words } = await letter()
    const leads: { id: number }[] = []
    while (leads.length < 120) leads.push(...(await Promise.all(Array.from({ length: 10 }, () => lead()))))
    const { body: begun } = await keeper.post(`${words['@id']}/print`, { from: listOf(leads) })
    const kind = registryOf(portal.engine).batchJobs.get('letters.batch')
    const workSteps = (most: number) => {
      let steps = 0
      return kind?.work(portal.engine, 0, begun.id, { onStep: () => void steps++, shouldStop: () => steps >= most })
    }
    const stateNow = async () => (await keeper.get(begun['@id'])).body
    await workSteps(1)
    expect(await stateNow()).toMatchObject({ state: 'stopped', done: 100, total: 120 })
    expect((await keeper.post(`${begun['@id']}/resume`, {})).status).toBe(200)
    await workSteps(3)
    expect(await stateNow()).toMatchObject({ state: 'stopped', done: 120, file: null })
    // Recreates the state that a killed process leaves behind.
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "UPDATE run SET state = 'running', lease = 'gone', lease_until = now() - interval '1 second' WHERE id = $1",
        [begun.id],
      ),
    )
    await portal.runSchedule('runs.recover')
    await portal.drain()
    const { body: run } = await keeper.get(begun['@id'])
    expect(run).toMatchObject({ state: 'done', done: 120 })
    expect((await as.get(`/api/crm/letter_copies?run=${run.id}`)).body['hydra:totalItems']).toBe(120)
    expect(pagesOf((await keeper.get(run.file['@id'])).raw)).toBe(120)
  })
})

test('letters and opt-outs are inaccessible to other clients, and move to the surviving lead in a merge', async () => {
  const { body: words } = await letter()
  const [into, from] = [await lead(), await lead()]
  const { body: begun } = await keeper.post(`${words['@id']}/print`, { from: listOf([into, from]) })
  await portal.drain()
  const [copy] = (await as.get(`/api/crm/letter_copies?contact=${from.id}`)).body['hydra:member']
  await as.post('/api/crm/letter_refusals', { contact: from['@id'] })
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  for (const at of [words['@id'], copy['@id'], `${copy['@id']}/pdf`])
    expect([403, 404]).toContain((await admin.get(at)).status)

  const { body: seen } = await keeper.get(`${into['@id']}/merge-preview?other=${from.id}`)
  const { take, fingerprint } = seen
  const merged = await keeper.post('/api/crm/merges', { survivor: into['@id'], merged: from['@id'], take, fingerprint })
  expect(merged.status).toBe(201)
  expect((await as.get(`/api/crm/letter_copies?contact=${into.id}&run=${begun.id}`)).body['hydra:totalItems']).toBe(2)
  expect((await as.post(`${words['@id']}/print`, { contact: into['@id'] })).status).toBe(409)
})

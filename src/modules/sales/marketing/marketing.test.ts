import { describe, expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const CONSENTS = '/api/crm/marketing_consents'
const LISTS = '/api/crm/mailing_lists'
const MESSAGE = '/api/email/message'
const EVIDENCE = 'Call of 5 January: “Yes, send me your news”'

async function desk() {
  const client = await portal.client()
  const boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] }))
  const ann = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  const lead = (companyName: string, email: string, more: object = {}) =>
    ann.post('/api/crm/contacts', { companyName, email, name: 'Ann Mary Carter', city: 'Leeds', ...more })
  const consent = async (address: string, givenOn = londonDate(portal.engine.clock.now()).toString()) => {
    const made = await ann.post(CONSENTS, { address, how: 'telephone', givenOn, evidence: EVIDENCE })
    expect([made.status, made.body.detail]).toEqual([201, undefined])
    return made.body
  }
  return { client, boss, ann, lead, consent }
}

/** Leads who need consent, and leads who do not. */
const INDIVIDUALS = [
  ['of unknown form', {}],
  ['who is a sole trader', { legalForm: 'sole trader' }],
  ['that is a partnership', { legalForm: 'partnership' }],
  ['who is a sole trader, whatever number is entered', { legalForm: 'sole trader', companyNumber: '01234567' }],
  ['that is a limited partnership in England', { companyNumber: 'LP012345' }],
  ['with a number that is none', { companyNumber: 'n/a' }],
] as const
const COMPANIES = [
  ['with a company number', { companyNumber: '1234567' }],
  ['that is an LLP by its number', { companyNumber: 'OC301234' }],
  ['that is a Scottish partnership by its number', { companyNumber: 'SL001234' }],
  ['that is a society by its number', { companyNumber: 'IP12345R' }],
  ['that is a limited company', { legalForm: 'limited' }],
  ['that is a Scottish partnership', { legalForm: 'scottish partnership' }],
  ['that is a public body', { legalForm: 'public body' }],
  ['that is a charity', { legalForm: 'other corporate' }],
] as const

describe('marketing by e-mail', () => {
  const offer = { subject: 'Our offer', body: 'Hello {{first name|there}}' }
  const send = async (about: object) => {
    const d = await desk()
    const made = (await d.lead('Acme', 'acme@market.example', about)).body
    return {
      ...d,
      made,
      write: (more: object = {}) => d.boss.post(MESSAGE, { contact: made['@id'], ...offer, ...more }),
    }
  }
  const told = async (clientId: number) =>
    await portal.db.tx('system', (tx) =>
      tx.rows<{ recipient: string; marketing: boolean; state: string; error: string | null }>(
        'SELECT recipient, marketing, state, error FROM message WHERE client_id = $1 AND contact_id IS NOT NULL ORDER BY id',
        [clientId],
      ),
    )

  test.each(INDIVIDUALS)('marketing to a lead %s needs consent, and an answer does not', async (_, about) => {
    const { boss, ann, made, write, consent, client } = await send(about)
    const refused = await write()
    expect([refused.status, refused.body.violations?.[0]]).toMatchObject([422, { propertyPath: 'recipient' }])
    expect(refused.body.violations[0].message).toContain('Record the consent')
    expect((await write({ marketing: true })).status).toBe(422)
    expect((await boss.put(made['@id'], { legalForm: 'guild' })).status).toBe(422)
    expect((await boss.post('/api/email/preview', { contact: made['@id'], ...offer })).body.refusal).toContain(
      'consent',
    )
    expect((await write({ marketing: false })).body).toMatchObject({ marketing: false })
    const given = await consent('Acme@market.example')
    expect((await write()).body).toMatchObject({ marketing: true })
    await ann.post(`${given['@id']}/withdraw`, { reason: 'Rang us' })
    expect((await write()).body.violations[0].message).toContain('withdrawn')
    expect((await boss.get(made['@id'])).body.marketingBar).toBe('withdrawn')
    expect((await told(client.id)).map(({ marketing }) => marketing)).toEqual([false, true])
  })

  test.each(COMPANIES)('marketing to a lead %s needs no consent, but stops after an objection', async (_, about) => {
    const { ann, write, consent } = await send(about)
    expect((await write()).status).toBe(201)
    const given = await consent('acme@market.example')
    await ann.post(`${given['@id']}/withdraw`, { reason: 'Rang us' })
    expect((await write()).status).toBe(422)
  })

  test("a marketing template can't be sent as an answer, but a template for answers can", async () => {
    const { boss, write } = await send({})
    const template = async (more: object) =>
      (await boss.post('/api/email/email_templates', { name: 'T', ...offer, ...more })).body
    const [marketing, plain] = [await template({}), await template({ marketing: false })]
    expect([marketing.marketing, plain.marketing]).toEqual([true, false])
    for (const answer of [{}, { marketing: false }])
      expect((await write({ ...answer, template: marketing['@id'] })).status).toBe(422)
    expect((await write({ template: plain['@id'] })).status).toBe(422)
    expect((await write({ template: plain['@id'], marketing: false })).status).toBe(201)
  })

  test('marketing to a list leaves out the leads without consent, even if it is sent as an answer', async () => {
    const { client, boss, lead, consent } = await desk()
    await lead('Unknown', 'unknown@market.example')
    await lead('Company', 'company@market.example', { legalForm: 'limited' })
    await lead('Agreed', 'agreed@market.example', { legalForm: 'sole trader' })
    await consent('agreed@market.example')
    const from = '/api/crm/contacts?order[id]=asc'
    const looked = await boss.post('/api/email/recipients', { from, ...offer })
    expect(looked.body.left).toMatchObject([{ about: 'Unknown', reason: expect.stringContaining('consent') }])
    expect((await boss.post(MESSAGE, { from, ...offer, marketing: false })).status).toBe(202)
    await portal.drain()
    expect(await told(client.id)).toMatchObject(
      ['company', 'agreed'].map((name) => ({ recipient: `${name}@market.example`, marketing: true })),
    )
  })

  test('marketing is stopped if consent is withdrawn before it is sent, and is not resent later', async () => {
    const { client, boss, ann, made, write, consent } = await send({})
    const given = await consent('acme@market.example')
    const sent = (await write()).body
    await ann.post(`${given['@id']}/withdraw`, { reason: 'Rang us' })
    await portal.drain()
    expect(await told(client.id)).toMatchObject([{ state: 'stopped', error: 'They have not consented to marketing' }])
    const again = () => boss.post(`/api/email/message/resend/${sent.id}`)
    expect((await again()).status).toBe(409)
    await boss.put(made['@id'], { legalForm: 'limited' })
    expect((await again()).status).toBe(409)
    const earlier = await consent('acme@market.example', '2026-01-05')
    expect((await again()).status).toBe(409)
    await ann.post(`${earlier['@id']}/withdraw`, { reason: 'Given before the withdrawal' })
    await consent('acme@market.example')
    expect((await again()).status).toBe(200)
  })

  test('marketing needs a new consent after an objection, even after e-mails are allowed again', async () => {
    const { boss, ann, write, consent } = await send({ legalForm: 'limited' })
    const given = await consent('acme@market.example')
    const stop = (await ann.post('/api/email/suppressions', { address: 'acme@market.example', reason: 'asked' })).body
    expect((await write()).status).toBe(422)
    await boss.put(stop['@id'], { retired: true, liftedReason: 'They rang and want answers' })
    expect((await write()).status).toBe(422)
    await ann.post(`${given['@id']}/withdraw`, { reason: 'Objected' })
    await consent('acme@market.example')
    expect((await write()).status).toBe(201)
  })

  test('marketing follows the stricter legal form after a merge, and the former one after the merge is undone', async () => {
    const { boss, lead } = await desk()
    const form = async (iri: string) => (await boss.get(iri)).body.legalForm
    for (const [own, other, merged] of [
      ['limited', 'sole trader', 'sole trader'],
      ['partnership', 'plc', 'partnership'],
      ['limited', 'unknown', 'unknown'],
      ['llp', 'limited', 'llp'],
    ] as const) {
      const survivor = (await lead('Merged', '', { legalForm: own })).body
      const gone = (await lead('Merged', '', { legalForm: other })).body
      const { take, fingerprint } = (await boss.get(`${survivor['@id']}/merge-preview?other=${gone.id}`)).body
      const merge = { survivor: survivor['@id'], merged: gone['@id'], take, fingerprint }
      const done = (await boss.post('/api/crm/merges', merge)).body
      expect([own, other, await form(survivor['@id'])]).toEqual([own, other, merged])
      expect((await boss.post(`${done['@id']}/undo`, {})).status).toBe(200)
      expect(await form(survivor['@id'])).toBe(own)
    }
  })

  test("an import stores the file's legal forms, and consent only with its evidence; undoing the import voids that consent", async () => {
    const { client } = await desk()
    const api = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_MAIL_ADMIN'] }))
    const csv = [
      'Company,Email,Legal form,Consent date,Consent method,Consent wording',
      'One,one@file.example,Private Limited Company,,,',
      'Two,two@file.example,Sole trader,05/01/2026,Web form,Send me news',
      'Three,three@file.example,,2026-01-05,,Send me news',
      'Four,four@file.example,General partnership,05/01/2999,form,Send me news',
      'Five,five@file.example,Alien,,,',
    ].join('\n')
    const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n${csv}\r\n--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const { body: file } = await api.send('POST', '/api/crm/imports', { headers, body })
    const { Company, Email } = { Company: 'companyName', Email: 'email' }
    const some = { Company, Email, 'Consent date': 'consentGivenOn' }
    expect((await api.post(`${file['@id']}/start`, { mapping: some })).body.violations[0].message).toContain('evidence')
    expect((await api.post(`${file['@id']}/start`, {})).status).toBeLessThan(300)
    await portal.drain()
    const { 'hydra:member': made } = (await api.get('/api/crm/contacts?order[id]=asc')).body
    expect(made.map((one: { legalForm: string }) => one.legalForm)).toEqual([
      'limited',
      'sole trader',
      'unknown',
      'partnership',
      'unknown',
    ])
    const consents = async () => (await api.get(CONSENTS)).body['hydra:member']
    expect(await consents()).toMatchObject([
      { address: 'two@file.example', how: 'form', givenOn: '2026-01-05', withdrawn: false },
    ])
    expect((await consents())[0].evidence).toMatch(/^Send me news \(import \d+\)$/)
    const lines = (await api.get(`/api/crm/import_lines?importBatch=${file.id}`)).body['hydra:member']
    expect(lines.filter(({ reason }: { reason: string }) => reason.startsWith('Consent not imported'))).toHaveLength(2)
    expect((await api.get(made[1]['@id'])).body.marketingBar).toBeNull()
    expect((await api.post(`${file['@id']}/undo`, {})).status).toBeLessThan(300)
    await portal.drain()
    const unmade = { withdrawn: true, withdrawnAt: null, reason: 'The import was undone' }
    expect(await consents()).toMatchObject([unmade])
    expect((await api.post(`${(await consents())[0]['@id']}/withdraw`, { reason: 'x' })).body.detail).toContain('void')
    expect((await api.get('/api/crm/contacts')).body['hydra:totalItems']).toBe(0)
  })

  test('after an import is undone, no new consent is needed, unless a person has withdrawn theirs', async () => {
    const { client } = await desk()
    const api = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_MAIL_ADMIN'] }))
    const csv = [
      'Company,Email,Legal form,Consent date,Consent method,Consent wording',
      'Again,again@undone.example,Sole trader,2026-01-05,form,Yes please',
      'Ended,ended@undone.example,Sole trader,2026-01-05,form,Yes please',
      'Merged,merged@undone.example,Sole trader,2026-01-05,form,Yes please',
    ].join('\n')
    const bring = async (rows: string) => {
      const up = (await api.send('POST', '/api/crm/imports', makeUploadForm(rows, `l${Math.random()}.csv`))).body
      expect((await api.post(`${up['@id']}/start`, {})).status).toBe(200)
      await portal.drain()
      return up
    }
    const find = async (name: string) =>
      (await api.get(`/api/crm/contacts?retired=false&email=${name}@undone.example`)).body['hydra:member'][0]
    const bar = async (name: string) => (await api.get((await find(name))['@id'])).body.marketingBar
    const up = await bring(csv)
    expect(await Promise.all(['again', 'ended', 'merged'].map(bar))).toEqual([null, null, null])
    const [given] = (await api.get(`${CONSENTS}?address=ended@undone.example`)).body['hydra:member']
    await api.post(`${given['@id']}/withdraw`, { reason: 'Rang us' })
    const survivor = (await api.post('/api/crm/contacts', { companyName: 'Survivor' })).body
    const gone = await find('merged')
    const { take, fingerprint } = (await api.get(`${survivor['@id']}/merge-preview?other=${gone.id}`)).body
    const merge = { survivor: survivor['@id'], merged: gone['@id'], take, fingerprint }
    expect((await api.post('/api/crm/merges', merge)).status).toBe(201)
    expect((await api.post(`${up['@id']}/undo`, {})).status).toBe(200)
    await portal.drain()
    const kept = (await api.get(`/api/crm/import_lines?importBatch=${up.id}&outcome=kept`)).body['hydra:member']
    expect((await api.get(up['@id'])).body.state).toBe('undone')
    expect(kept).toContainEqual(
      expect.objectContaining({ contact: null, company: 'Merged', reason: 'This lead has been merged into another' }),
    )
    expect(await bar('merged')).toBe('consent')
    const company = (await api.post('/api/crm/contacts', { email: 'again@undone.example', legalForm: 'limited' })).body
    expect((await api.get(company['@id'])).body.marketingBar).toBeNull()
    await api.put(company['@id'], { email: '' })
    await bring(csv)
    expect(await Promise.all(['again', 'ended'].map(bar))).toEqual([null, 'withdrawn'])
  })

  test('consent needs its wording, and its record states who entered it and when', async () => {
    const { ann, consent } = await desk()
    const bare = await ann.post(CONSENTS, { address: 'x@market.example', how: 'form', givenOn: '2026-01-05' })
    expect([bare.status, bare.body.violations[0].propertyPath]).toEqual([422, 'evidence'])
    expect(await consent('x@market.example')).toMatchObject({
      evidence: EVIDENCE,
      author: expect.any(String),
      createdAt: expect.any(String),
    })
  })
})

test('a mailing list contains each lead with consent and no opt-out exactly once, and its creation is recorded', async () => {
  const { boss, ann, lead, consent } = await desk()
  await lead('=Acme', 'Yes@acme.example')
  await lead('Acme again', 'yes@acme.example')
  await lead('Stopped', 'stopped@x.example')
  await lead('Never asked', 'never@x.example')
  await lead('No clients to show', 'no')
  await lead('Elsewhere', 'york@x.example', { city: 'York' })
  await consent('yes@ACME.example')
  await consent('stopped@x.example')
  await consent('york@x.example')
  await ann.post('/api/email/suppressions', { address: 'STOPPED@x.example', reason: 'asked' })
  const { body } = await boss.get('/api/crm/contacts/audience?city=Leeds')
  expect(body).toMatchObject({ leads: 5, withAddress: 4, consented: 3, writable: 2 })

  const asked = { name: 'Spring news', format: 'constant-contact' }
  expect((await ann.post(`${LISTS}/make`, asked)).status).toBe(403)
  expect((await boss.post(`${LISTS}/make`, { format: 'plain' })).status).toBe(422)
  const made = await boss.post(`${LISTS}/make?city=Leeds`, asked)
  expect([made.status, made.body.writable]).toEqual([201, 2])
  expect((await boss.get(made.body['@id'])).body).toMatchObject({ listed: 2, leftOut: 3, segment: 'city=Leeds' })
  const file = await boss.get(made.body.file)
  expect(file.text).toBe(
    '\uFEFF"Email address","First name","Last name","Company"\r\n"yes@acme.example","Ann","Mary Carter","\'=Acme"\r\n'.replace(
      'yes@acme',
      file.text.includes('Yes@acme') ? 'Yes@acme' : 'yes@acme',
    ),
  )
  // A file downloaded after an opt-out omits that address.
  await ann.post('/api/email/suppressions', { address: 'yes@acme.example', reason: 'asked' })
  expect((await boss.get(made.body.file)).text.trimEnd().split('\r\n').length).toBe(1)
  expect((await ann.get(made.body.file)).status).toBe(403)
})

test('each address has at most one marketing consent in force; withdrawal needs a reason, and consent can be given again', async () => {
  const { client, boss, ann, consent } = await desk()
  const given = await consent('a@b.example')
  expect(
    (await ann.post(CONSENTS, { address: 'A@b.example', how: 'form', givenOn: '2026-01-06', evidence: EVIDENCE }))
      .status,
  ).toBe(422)
  expect(
    (await ann.post(CONSENTS, { address: 'c@b.example', how: 'form', givenOn: '2999-01-06', evidence: EVIDENCE }))
      .status,
  ).toBe(422)
  expect((await ann.put(given['@id'], { evidence: 'x' })).status).toBe(403)
  expect((await boss.put(given['@id'], { address: 'other@b.example' })).status).toBe(409)
  expect((await ann.post(`${given['@id']}/withdraw`, {})).status).toBe(422)
  expect((await ann.post(`${given['@id']}/withdraw`, { reason: 'Rang us' })).body.withdrawn).toBe(true)
  expect((await ann.post(`${given['@id']}/withdraw`, { reason: 'again' })).status).toBe(409)
  expect((await boss.put(given['@id'], { evidence: 'x' })).status).toBe(409)
  await consent('a@b.example')
  const stranger = await portal.client()
  const other = stranger.as(await stranger.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] }))
  expect((await other.get(given['@id'])).status).toBe(404)
  expect(client.id).not.toBe(stranger.id)
})

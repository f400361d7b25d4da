import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { ASSESSMENTS_URL, documentIri, makeAssessments, makeCompleteAssessment } from '#test/support/assessments.ts'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, current } = await makeAssessments(portal)

interface SentMail {
  readonly to: string
  readonly subject: string
  readonly body: string
  readonly attachments: readonly { readonly file: number; readonly filename: string }[]
}
const lettersOf = async (clientId: number) => {
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ payload: SentMail }>("SELECT payload FROM outbox WHERE client_id = $1 AND kind = 'mail' ORDER BY id", [
      clientId,
    ]),
  )
  return rows.map((row) => row.payload)
}
const filesOf = (clientId: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ id: number; name: string; base64: string }>(
      'SELECT id, name, base64 FROM letter_file WHERE client_id = $1',
      [clientId],
    ),
  )

test('sending a document attaches its PDF to an e-mail', async () => {
  const made = await current()
  const sent = await author.post('/api/safety/document/send', {
    document: made['@id'],
    to: 'a@b.example, c@d.example',
    message: 'Please read.',
  })
  expect([sent.status, sent.body.sent]).toEqual([200, ['a@b.example', 'c@d.example']])
  const letters = await lettersOf(client.id)
  expect(letters.map((l) => l.to)).toEqual(['a@b.example', 'c@d.example'])
  expect(letters[0]?.attachments).toEqual(letters[1]?.attachments)
  const kept = await filesOf(client.id)
  expect(kept.map((f) => [f.id, f.name])).toEqual([
    [letters[0]?.attachments[0]?.file, letters[0]?.attachments[0]?.filename],
  ])
  expect(
    Buffer.from(kept[0]?.base64 ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  for (const to of ['nobody', ['a@b.example', { x: 1 }], ['a@b.example', null], ['a@b.example', 5], { x: 1 }])
    expect((await author.post('/api/safety/document/send', { document: made['@id'], to })).status).toBe(422)
  const pdf = await author.get(`${made['@id']}/pdf`)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
})

test("an address written in several ways is e-mailed only once, and the log entry can't be deleted", async () => {
  const made = await current()
  const to = ['a@b.example', ' A@B.example', 'a@b.example', 'c@d.example']
  const before = (await lettersOf(client.id)).length
  const sent = await author.post('/api/safety/document/send', { document: made['@id'], to, message: 'Read policy' })
  expect(sent.body.sent).toEqual(['a@b.example', 'c@d.example'])
  expect((await lettersOf(client.id)).length - before).toBe(2)
  const about = `document=/api/safety/documents/${made.id}`
  const [told] = (await author.get(`/api/safety/document_sendings?${about}`)).body['hydra:member']
  expect(told).toMatchObject({
    addresses: ['a@b.example', 'c@d.example'],
    message: 'Read policy',
    author: expect.any(String),
    checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const links = (await author.get(`/api/safety/seals?${about}`)).body['hydra:member']
  expect(links.map((l: { event: string }) => l.event)).toContain('sent')
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  const forge = portal.db.tx('owner', (tx) =>
    tx.script(
      `ALTER TABLE document_sending DISABLE TRIGGER USER; UPDATE document_sending SET addresses = '{x@y.example}' WHERE document_id = ${made.id}; ALTER TABLE document_sending ENABLE TRIGGER USER`,
    ),
  )
  await forge
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([
    expect.stringContaining('the e-mail sent by'),
  ])
})

test('sending a pack logs its recipients for each document in it, including in the audit chain', async () => {
  const own = await makeAssessments(portal)
  const read = await own.current()
  const whole = await own.inForce(await own.draft({ associated: [{ target: documentIri(read) }] }))
  const send = (body: object, as = own.author) =>
    as.post('/api/safety/document/send', { to: 'a@b.example', message: 'All of it', ...body })
  expect((await send({ document: whole['@id'], deep: true })).body.sent).toEqual(['a@b.example'])
  const [mail] = await lettersOf(own.client.id)
  const title = `${whole.documentNumber} Roof repairs and 1 more`
  expect(mail?.subject).toBe(title)
  expect(mail?.body).toContain(`has sent you the document pack "${title}"`)
  expect(mail?.attachments[0]?.filename).toBe(`Pack ${title}.pdf`)
  const [file] = await filesOf(own.client.id)
  const checksum = createHash('sha256')
    .update(Buffer.from(file?.base64 ?? '', 'base64'))
    .digest('hex')
  for (const { id } of [whole, read]) {
    const about = `document=${documentIri({ id })}`
    const [told] = (await own.author.get(`/api/safety/document_sendings?${about}`)).body['hydra:member']
    expect(told).toMatchObject({ addresses: ['a@b.example'], message: 'All of it', checksum })
    const links = (await own.author.get(`/api/safety/seals?${about}`)).body['hydra:member']
    expect(links.map((l: { event: string }) => l.event)).toContain('sent')
  }
  const [pack] = (await own.author.get('/api/safety/document_packs')).body['hydra:member']
  expect(pack.checksum).toBe(checksum)
  expect((await send({ documents: [read.id, documentIri(whole)] })).status).toBe(200)
  expect((await verifyEvidence(portal.engine, own.client.id)).broken).toEqual([])

  const draft = await own.draft()
  const refused = async (body: object) => (await send(body)).body.detail
  expect(await refused({ documents: [read.id, draft.id] })).toBe(
    `${draft.documentNumber} revision 1 is still a draft. It can’t be shared.`,
  )
  await own.act(read, 'withdraw', { note: 'Wrong' })
  expect(await refused({ document: whole['@id'], deep: true })).toBe(
    `${read.documentNumber} revision 1 has been withdrawn. It can’t be shared.`,
  )
  expect((await send({ documents: [] })).status).toBe(422)
  expect((await send({ documents: [whole.id] }, own.worker)).status).toBe(403)
  expect((await lettersOf(own.client.id)).length).toBe(2)
})

test("drafts, rejected and withdrawn documents, and templates can't be sent", async () => {
  const own = await makeAssessments(portal)
  const send = async (made: { '@id': string }) => {
    const answer = await own.author.post('/api/safety/document/send', { document: made['@id'], to: 'a@b.example' })
    return [answer.status, answer.body['hydra:description']]
  }
  const unfinished = await own.draft()
  expect(await send(unfinished)).toEqual([409, 'This risk assessment is still a draft. It can’t be shared.'])
  await own.author.post(`${unfinished['@id']}/complete`)
  await own.author.post(`${unfinished['@id']}/reject`, { note: 'No' })
  expect(await send(unfinished)).toEqual([409, 'This risk assessment was rejected. It can’t be shared.'])
  const withdrawn = await own.current()
  await own.author.post(`${withdrawn['@id']}/withdraw`, { note: 'No' })
  expect(await send(withdrawn)).toEqual([409, 'This risk assessment has been withdrawn. It can’t be shared.'])
  const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const template = (
    await keeper.post(ASSESSMENTS_URL, makeCompleteAssessment({ isTemplate: true, complete: true, approved: true }))
  ).body
  expect(await send(template)).toEqual([409, expect.stringContaining('belongs to another company')])
  expect(await lettersOf(own.client.id)).toEqual([])
})

test('invalid e-mail addresses of any length are rejected without delay', async () => {
  const made = await current()
  for (const to of [`a@${'.'.repeat(100_000)}@`, 'a,'.repeat(500_000), [`a@${'.'.repeat(100_000)}@`]]) {
    const send = () => author.post('/api/safety/document/send', { document: made['@id'], to })
    expect((await send()).status).toBe(422)
    expect(await measureThreadTime(send)).toBeLessThan(MAX_BLOCKING_MS)
  }
})

test("every e-mail names the sender above the sender's message", async () => {
  const made = await current()
  const message = 'Your account is locked. Sign in at https://evil.example'
  await author.post('/api/safety/document/send', { document: made['@id'], to: 'a@b.example', message })
  const { body } = (await lettersOf(client.id)).at(-1) as SentMail
  expect(body).toMatch(/^.+ \(.+\) has sent you the .+ It is attached as a PDF file\.\n\n.+ writes:\n\nYour account/s)
  expect(body.endsWith(message)).toBe(true)
})

test("the document title is never a link in an e-mail from the provider's address", async () => {
  const own = await makeAssessments(portal)
  const made = await own.inForce(await own.draft({ description: 'Sign in at https://evil.example/login' }))
  await own.author.post('/api/safety/document/send', { document: made['@id'], to: 'a@b.example' })
  const { subject, body } = (await lettersOf(own.client.id)).at(-1) as SentMail
  for (const words of [subject, body]) expect(words).not.toMatch(/https:|evil\.example/)
  expect(subject).toBe(`${made.documentNumber} Sign in at evil. example/login`)
})

describe('the daily recipient limit', () => {
  const keeper = async () =>
    portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))

  test('a client can send documents to fifty recipients a day, unless the provider sets another limit', async () => {
    const own = await makeAssessments(portal)
    const made = await own.current()
    const send = (count: number) =>
      own.author.post('/api/safety/document/send', {
        document: made['@id'],
        to: Array.from({ length: count }, (_, n) => `a${n}@b.example`),
      })
    for (const count of [20, 20, 9]) expect((await send(count)).status).toBe(200)
    const refused = await send(2)
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(await lettersOf(own.client.id)).toHaveLength(49)
    expect((await send(1)).status).toBe(200)
    expect((await (await keeper()).put(own.client.iri, { lettersPerDay: 60 })).body.lettersPerDay).toBe(60)
    expect([(await send(10)).status, (await send(1)).status]).toEqual([200, 429])
  })

  test("a client can't change its own daily recipient limit", async () => {
    const own = await portal.client()
    const admin = own.as(await own.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.put(own.iri, { lettersPerDay: 10_000, city: 'Bath' })).body.lettersPerDay).toBe(50)
    const plain = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await plain.put(own.iri, { lettersPerDay: 10_000, city: 'Bath' })).body.lettersPerDay).toBe(50)
  })
})

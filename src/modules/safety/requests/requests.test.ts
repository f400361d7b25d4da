import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { EICAR_TEST_FILE, startFakeClamd } from '#test/support/clamd.ts'
import { makeFilePortal, type TestFileClient } from '#test/support/files.ts'
import { grantPacks, type TestResponse } from '#test/support/portal.ts'
import { LOCKED_PDF, MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'
import { ramsRequestSecretLink } from './letters.server.ts'

const scanner = await startFakeClamd()
afterAll(() => scanner.close())
const { portal, folder, office, person, stored } = await makeFilePortal({
  FILES_MAX_MB: '25',
  SCAN_URL: scanner.url,
  LOG_LEVEL: 'error',
})
const REQUESTS = '/api/safety/rams_requests'
const RECEIVED = '/api/safety/rams_received'

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
const day = (days: number) =>
  portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
const pdf = (more = '') => Buffer.concat([MINIMAL_PDF, Buffer.from(`\n% ${more}\n`)])

interface CreatedRequest {
  readonly '@id': string
  readonly id: number
}

const asks = (there: TestFileClient, more = {}) =>
  there.admin.api.post(REQUESTS, {
    company: 'Slate & Sons',
    person: 'Sam Slate',
    email: 'sam@slate.example',
    job: 'Re-roofing Unit 4',
    site: 'Kelham Works',
    due: day(7),
    notes: 'Please include the lift plan',
    ...more,
  })
const linkOf = async (there: TestFileClient, { id }: CreatedRequest) => {
  const link = await ramsRequestSecretLink.make(portal.engine, there.client.id, { request: id })
  return `/api/safety/asked_rams/${link?.split('/rams-asked/')[1]}`
}
/** Creates a company that has requested RAMS. Returns the link from the e-mail. */
const asked = async (more = {}) => {
  const there = await office()
  const request: CreatedRequest = ok(await asks(there, more), 201)
  return {
    ...there,
    request,
    at: await linkOf(there, request),
    read: async () => ok(await there.admin.api.get(request['@id'])),
  }
}
const send = (at: string, bytes: Buffer | string = pdf(), name = 'rams.pdf', texts: Record<string, string> = {}) =>
  portal.anonymous.send('POST', `${at}/files`, makeUploadForm(bytes, name, { sender: 'Sam Slate', ...texts }))
const lettersTo = async ({ client }: TestFileClient) => {
  await portal.drain()
  return portal.db.tx('system', (tx) =>
    tx.rows<{ recipient: string; subject: string; body: string }>(
      'SELECT recipient, subject, body FROM message WHERE client_id = $1 ORDER BY id',
      [client.id],
    ),
  )
}
const violations = ({ status, body }: TestResponse) => [
  status,
  (body.violations ?? []).map((v: { propertyPath: string }) => v.propertyPath),
]

describe('a RAMS request', () => {
  test('a RAMS link can be opened without signing in, and the request records every step until its acceptance', async () => {
    const there = await asked()
    const { admin, at, request, read } = there
    const [letter, ...none] = await lettersTo(there)
    expect([letter?.recipient, letter?.subject, none]).toEqual([
      'sam@slate.example',
      expect.stringContaining('requests your RAMS: Re-roofing Unit 4, Kelham Works'),
      [],
    ])
    // The link's secret is not stored.
    expect(JSON.stringify([letter, await read()])).not.toContain(at.slice(-32))
    expect(ok(await portal.anonymous.get(at))).toMatchObject({
      sentence: '',
      asked: { company: 'Slate & Sons', job: 'Re-roofing Unit 4', state: 'requested', sent: [] },
    })
    expect((await read()).state).toBe('requested')
    for (let n = 0; n < 3; n++) ok(await portal.anonymous.post(`${at}/opened`, {}))
    expect(await read()).toMatchObject({ state: 'opened', opened: 1 })

    const first = ok(await send(at, pdf('1'), 'rams.pdf', { notes: 'Lift plan to come' }), 201)
    expect(first.asked).toMatchObject({ state: 'received', sent: [{ version: 1, name: 'rams.pdf' }] })
    await portal.drain()
    const bell = async () =>
      (await admin.api.get('/api/portal/notices/inbox')).body['hydra:member'].map((n: { words: string }) => n.words)
    expect(await bell()).toContain('RAMS received from Slate & Sons: Re-roofing Unit 4')

    ok(
      await admin.api.post(`${request['@id']}/send-back`, { version: 1, files: 1, reason: 'The lift plan is missing' }),
    )
    expect(await read()).toMatchObject({ state: 'returned', reason: 'The lift plan is missing' })
    expect((await lettersTo(there)).at(-1)?.subject).toBe(
      'Please correct your RAMS for Re-roofing Unit 4, Kelham Works',
    )
    expect(ok(await portal.anonymous.get(at)).asked.reason).toBe('The lift plan is missing')
    ok(await send(at, pdf('2')), 201)
    const received = ok(await admin.api.get(`${RECEIVED}?request=${request['@id']}`))['hydra:member']
    expect(received).toMatchObject([
      { version: 2, sender: 'Sam Slate' },
      { version: 1, notes: 'Lift plan to come', type: 'application/pdf' },
    ])
    expect((await admin.bytes(`${received[1]['@id']}/file`)).body.equals(pdf('1'))).toBe(true)
    ok(await admin.api.post(`${request['@id']}/accept`, { version: 2, files: 1 }))
    expect(await read()).toMatchObject({ state: 'accepted', received: 2 })
    expect(ok(await portal.anonymous.get(at))).toMatchObject({ sentence: expect.stringContaining('has accepted') })
    expect((await send(at, pdf('3'))).status).toBe(410)
    // Received RAMS are evidence and can't be changed.
    for (const verb of ['put', 'patch', 'delete'] as const)
      expect((await admin.api[verb](received[0]['@id'], { sender: 'Eve' })).status).toBe(405)
    await expect(
      portal.db.tx('system', (tx) =>
        tx.rows("UPDATE rams_received SET sender = 'Eve' WHERE id = $1", [received[0].id]),
      ),
    ).rejects.toThrow('permission denied')
    expect((await verifyEvidence(portal.engine, there.client.id)).broken).toEqual([])
    for (const key of stored(there.client)) writeFileSync(join(folder, 'files', String(there.client.id), key), 'other')
    expect((await verifyEvidence(portal.engine, there.client.id)).broken.join()).toContain(
      'of the RAMS received: "rams.pdf"',
    )
  })

  test('a RAMS request with missing values is refused with a message for each missing value', async () => {
    const there = await office()
    for (const [more, field] of [
      [{ company: '' }, 'company'],
      [{ person: '' }, 'person'],
      [{ email: 'sam' }, 'email'],
      [{ job: '' }, 'job'],
      [{ due: null }, 'due'],
      [{ due: day(-1) }, 'due'],
      [{ due: day(400) }, 'due'],
    ] as const)
      expect([more, ...violations(await asks(there, more))]).toEqual([more, 422, [field]])
    expect(await lettersTo(there)).toEqual([])
  })

  test('subcontractors are reminded one day before and after the due date, unless RAMS were received', async () => {
    const [silent, prompt] = [await asked({ due: day(2) }), await asked({ due: day(2) })]
    ok(await send(prompt.at), 201)
    const reminders = async (there: TestFileClient) =>
      (await lettersTo(there)).filter(({ subject }) => subject.startsWith('Reminder: RAMS for')).length
    try {
      for (const [days, many] of [
        [1, 1],
        [2, 1],
        [3, 2],
        [4, 2],
      ] as const) {
        await moveClock(portal.engine, days)
        await portal.runSchedule('rams.asked')
        expect([days, await reminders(silent), await reminders(prompt)]).toEqual([days, many, 0])
      }
    } finally {
      await moveClock(portal.engine, 0)
    }
  })

  test('withdrawing a RAMS request closes its links and cancels its queued e-mails', async () => {
    const there = await asked()
    ok(await there.admin.api.post(`${there.request['@id']}/withdraw`))
    expect(ok(await portal.anonymous.get(there.at))).toMatchObject({ sentence: expect.stringContaining('withdrawn') })
    expect((await send(there.at)).status).toBe(410)
    expect((await portal.anonymous.post(`${there.at}/opened`, {})).status).toBe(410)
    expect(await ramsRequestSecretLink.make(portal.engine, there.client.id, { request: there.request.id })).toBe(
      undefined,
    )
    expect((await there.admin.api.post(`${there.request['@id']}/accept`)).status).toBe(409)
  })
})

describe("a RAMS request's link", () => {
  test('a decision names the files that were read, and is refused once another file has been received', async () => {
    const { admin, at, request, read } = await asked()
    ok(await send(at, pdf('1'), 'first.pdf'), 201)
    const [accept, sendBack] = [`${request['@id']}/accept`, `${request['@id']}/send-back`]
    expect((await admin.api.post(accept, {})).status).toBe(422)
    ok(await send(at, pdf('2'), 'second.pdf'), 201)
    const first = { version: 1, files: 1, reason: 'The lift plan is missing' }
    for (const path of [accept, sendBack]) expect((await admin.api.post(path, first)).status).toBe(409)
    ok(await send(at, pdf('3'), 'third.pdf', { joins: '2' }), 201)
    for (const path of [accept, sendBack])
      expect((await admin.api.post(path, { ...first, version: 2 })).status).toBe(409)
    expect((await read()).state).toBe('received')
    ok(await admin.api.post(accept, { version: 2, files: 2 }))
  })

  test("a RAMS link accepts no files once the company's pack has lapsed, and says that files can't be received", async () => {
    const there = await asked()
    await portal.db.tx('system', (tx) => grantPacks(tx, there.client.id, [], ['safety']))
    const { status, body } = await send(there.at)
    expect([status, body.detail]).toEqual([410, expect.stringContaining('can’t receive files here at the moment')])
    expect(ok(await portal.anonymous.get(there.at)).sentence).toBe(body.detail)
    await portal.db.tx('system', (tx) => grantPacks(tx, there.client.id, ['safety']))
    ok(await send(there.at), 201)
  })

  test('a RAMS link that is invalid or belongs to another company is refused without revealing anything', async () => {
    const [one, other] = [await asked(), await asked()]
    const [whose, id, secret] = (one.at.split('/').at(-1) ?? '').split(/-(?=\d+-|[\w-]{32}$)/) as [
      string,
      string,
      string,
    ]
    const theirs = other.at.split('/').at(-1)?.split('-')[1]
    for (const guess of [
      `${whose}-${id}-${'A'.repeat(32)}`,
      `${whose}-${theirs}-${secret}`,
      `${other.client.id}-${id}-${secret}`,
      `0-${id}-${secret}`,
      'x',
    ]) {
      const at = `/api/safety/asked_rams/${guess}`
      for (const answer of [
        await portal.anonymous.get(at),
        await portal.anonymous.post(`${at}/opened`, {}),
        await portal.anonymous.get(`${at}/logo`),
        await send(at),
      ])
        expect([guess, answer.status, answer.text.includes('Slate')]).toEqual([guess, 404, false])
    }
    expect(stored(one.client)).toEqual([])
  })

  test('a RAMS link expires thirty days after the due date, or later if the RAMS were returned', async () => {
    const there = await asked({ due: day(1) })
    ok(await send(there.at), 201)
    try {
      await moveClock(portal.engine, 20)
      ok(await there.admin.api.post(`${there.request['@id']}/send-back`, { version: 1, files: 1, reason: 'No names' }))
      await moveClock(portal.engine, 40)
      expect(ok(await portal.anonymous.get(there.at)).sentence).toBe('')
      await moveClock(portal.engine, 51)
      expect(ok(await portal.anonymous.get(there.at)).sentence).toContain('This link expired on')
      expect((await send(there.at, pdf('late'))).status).toBe(410)
    } finally {
      await moveClock(portal.engine, 0)
    }
  })

  test('two different files sent at the same time are saved as two versions, and two identical files as one', async () => {
    const there = await asked()
    const both = await Promise.all([send(there.at, pdf('a')), send(there.at, pdf('b'))])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    const versions = ok(await there.admin.api.get(`${RECEIVED}?request=${there.request['@id']}`))['hydra:member']
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
    const last = ok(await portal.anonymous.get(there.at)).asked.sent[0].name
    expect(last).toBe('rams.pdf')
    const again = await Promise.all([send(there.at, pdf('c')), send(there.at, pdf('c'))])
    expect(again.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(stored(there.client)).toHaveLength(3)
  })

  test('a RAMS link accepts only virus-free PDFs, Word documents and pictures of at most 10 MB and stores no refused file', async () => {
    const there = await asked()
    const large = await send(there.at, Buffer.concat([MINIMAL_PDF, Buffer.alloc(10 * 1024 * 1024, 32)]))
    expect([large.status, large.body['hydra:description']]).toEqual([
      413,
      '"rams.pdf" is larger than 10 MB. Please reduce its size or split it.',
    ])
    const table = await send(there.at, 'Hours\n8\n', 'hours.csv')
    expect([table.status, table.body['hydra:description']]).toEqual([
      422,
      expect.stringContaining(
        '“hours.csv” is a CSV file. Please send a PDF, a Word document (.docx or .doc) or a picture.',
      ),
    ])
    const disguised = await send(there.at, pdf('1'), 'rams.docx')
    expect([disguised.status, disguised.body['hydra:description']]).toEqual([
      422,
      expect.stringContaining(
        '"rams.docx" has the file extension of a Word document, but its content is a PDF document',
      ),
    ])
    const locked = await send(there.at, LOCKED_PDF)
    expect([locked.status, locked.body['hydra:description']]).toEqual([
      422,
      expect.stringContaining('“rams.pdf” opens only with a password'),
    ])
    const sick = await send(there.at, Buffer.concat([MINIMAL_PDF, Buffer.from(EICAR_TEST_FILE)]))
    expect([sick.status, sick.body['hydra:description']]).toEqual([
      422,
      expect.stringContaining('Eicar-Test-Signature'),
    ])
    expect((await send(there.at, '')).status).toBe(422)
    for (const [texts, field] of [
      [{ notes: 'x'.repeat(1001) }, 'notes'],
      [{ sender: 'x'.repeat(201) }, 'sender'],
      [{ sender: '' }, 'sender'],
      [{ sender: ' \u200b ' }, 'sender'],
    ] as const)
      expect(violations(await send(there.at, pdf('1'), 'rams.pdf', texts))).toEqual([422, [field]])
    const unnamed = await portal.anonymous.send('POST', `${there.at}/files`, makeUploadForm(pdf('1'), 'rams.pdf', {}))
    expect(violations(unnamed)).toEqual([422, ['sender']])
    expect((await portal.anonymous.post(`${there.at}/files`, { sender: 'Sam' })).status).toBe(415)
    expect(stored(there.client)).toEqual([])
    expect((await there.read()).received).toBe(0)
  })
})

test('several files sent together become one version, a version has at most ten files, and each file is received unchanged', async () => {
  const there = await asked()
  const photo = await makePicture(20, 20).png().toBuffer()
  // The beginning of the container format of Word documents from before 2007.
  const word = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)])
  ok(await send(there.at, pdf('1'), 'rams.pdf', { notes: 'Lift plan to come' }), 201)
  ok(await send(there.at, word, 'method.doc', { joins: '1' }), 201)
  ok(await send(there.at, photo, 'site.png', { joins: '1' }), 201)
  expect((await send(there.at, photo, 'again.png', { joins: '1' })).status).toBe(409)
  const received = ok(await there.admin.api.get(`${RECEIVED}?request=${there.request['@id']}`))['hydra:member']
  expect(received).toMatchObject([
    { version: 1, part: 1, name: 'rams.pdf', type: 'application/pdf', notes: 'Lift plan to come' },
    { version: 1, part: 2, name: 'method.doc', type: 'application/msword' },
    { version: 1, part: 3, name: 'site.png', type: 'image/png' },
  ])
  const [, document, picture] = received
  expect((await there.admin.bytes(`${document['@id']}/file`)).body.equals(word)).toBe(true)
  expect((await there.admin.bytes(`${picture['@id']}/file?original=true`)).body.equals(photo)).toBe(true)
  for (let n = 4; n <= 10; n++) ok(await send(there.at, pdf(String(n)), `${n}.pdf`, { joins: '1' }), 201)
  const eleventh = await send(there.at, pdf('11'), '11.pdf', { joins: '1' })
  expect([eleventh.status, eleventh.body['hydra:description']]).toEqual([
    409,
    'At most 10 files can be sent at a time. Please send the others separately.',
  ])
  expect((await there.read()).received).toBe(1)
  ok(await there.admin.api.post(`${there.request['@id']}/send-back`, { version: 1, files: 10, reason: 'No names' }))
  // A returned version is closed: a file that would join it begins the next one.
  expect(ok(await send(there.at, pdf('12'), '12.pdf', { joins: '1' }), 201).asked.sent[0]).toMatchObject({
    version: 2,
    part: 1,
  })
  expect((await verifyEvidence(portal.engine, there.client.id)).broken).toEqual([])
})

test.each([
  ['nothing but a header', '%PDF-1.4\n'],
  ['a document without pages', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'],
  ['a truncated file', MINIMAL_PDF.subarray(0, MINIMAL_PDF.length - 30)],
  ['a page tree without a page', Buffer.from(MINIMAL_PDF.toString().replace('/Type/Page/', '/Type/Pages/'))],
])('an unreadable PDF is refused: %s', async (_, bytes) => {
  const { at } = await asked()
  const refused = await send(at, bytes)
  expect([refused.status, refused.body.violations?.[0]?.propertyPath]).toEqual([422, 'file'])
  expect((await portal.anonymous.get(at)).body.asked.sent).toEqual([])
})

test('only RAMS authors can access RAMS requests, and only those of their own company', async () => {
  const there = await asked()
  ok(await send(there.at), 201)
  const [file] = ok(await there.admin.api.get(RECEIVED))['hydra:member']
  const stranger = await person(await portal.client(), 'ROLE_CLIENT_ADMIN')
  expect((await there.worker.api.get(REQUESTS)).status).toBe(403)
  expect((await there.worker.api.post(REQUESTS, {})).status).toBe(403)
  expect((await there.worker.api.get(`${file['@id']}/file`)).status).toBe(403)
  expect(ok(await stranger.api.get(REQUESTS))['hydra:totalItems']).toBe(0)
  expect((await stranger.api.get(there.request['@id'])).status).toBe(404)
  expect((await stranger.api.get(`${file['@id']}/file`)).status).toBe(404)
  for (const action of ['accept', 'withdraw', 'open', 'receive'])
    expect([action, (await stranger.api.post(`${there.request['@id']}/${action}`)).status]).toEqual([action, 404])
  expect((await there.admin.api.post(RECEIVED, { request: there.request['@id'] })).status).toBe(405)
  expect((await there.admin.api.put(there.request['@id'], { state: 'accepted' })).status).toBe(405)
})

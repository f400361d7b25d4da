import { createHmac, randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { messageIdSecret } from '#modules/portal/mail/claim.server.ts'
import { EICAR_TEST_FILE, startFakeClamd } from '#test/support/clamd.ts'
import { MAX_BLOCKING_MS, measureLongestBlock } from '#test/support/effort.ts'
import { makeFilePortal } from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'

const SECRET = 'a secret of thirty-two characters'
const MEGABYTE = 2 ** 20

const scanner = await startFakeClamd()
afterAll(() => scanner.close())
beforeEach(() => scanner.be('looks'))
const { portal, stored } = await makeFilePortal({
  SCAN_URL: scanner.url,
  MAIL_INBOUND_SECRET: SECRET,
  PUBLIC_URL: 'https://portal.example',
  FILES_MAX_MB: '10',
})
const provider = { ...portal.provider, id: 0 }
const as = provider.as(await provider.user({ roles: ['ROLE_STAFF'], name: 'Jane Caller' }))
const keeper = provider.as(await provider.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN'] }))

let n = 0
const newLead = async (more: object = {}) =>
  (
    await as.post('/api/crm/contacts', {
      companyName: `In ${++n}`,
      legalForm: 'limited',
      name: 'Ann',
      email: `in${n}@post.example`,
      ...more,
    })
  ).body
const write = async (lead: { '@id': string }) =>
  (await as.post('/api/email/message', { contact: lead['@id'], subject: 'Your visit', body: 'How are you?' })).body
const idOf = async (m: { id: number }, client = 0) => {
  const [row] = await portal.db.tx('system', (tx) =>
    tx.rows<{ token: string }>('SELECT token FROM message WHERE client_id = 0 AND id = $1', [m.id]),
  )
  return `<letter.${client}.${m.id}.${messageIdSecret(row?.token ?? '')}@portal.example>`
}
const signed = (message: string) => {
  const t = Math.floor(Date.now() / 1000)
  return { 'x-signature': `t=${t},v1=${createHmac('sha256', SECRET).update(`${t}.${message}`).digest('hex')}` }
}
const bring = (raw: string | Buffer, body = (message: string) => JSON.stringify({ message })) => {
  const message = Buffer.from(raw).toString('base64')
  const headers = { ...signed(message), 'content-type': 'application/json' }
  return portal.anonymous.send('POST', '/api/email/inbound', { headers, body: body(message) })
}
const notesOf = async (lead: { '@id': string }) => (await as.get(`${lead['@id']}/actions`)).body['hydra:member']
const answersTo = async (m: { id: number }) =>
  (await as.get(`/api/email/messages?answerTo=${m.id}`)).body['hydra:member']

const part = (type: string, name: string, content: Buffer | string) =>
  `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`
const answer = (to: string, body: string, headers = 'Content-Type: text/plain; charset=utf-8') =>
  `From: Ann <ann@post.example>\r\nTo: sales@portal.example\r\nSubject: Re: Your visit\r\nMessage-ID: <${++n}@post.example>\r\nIn-Reply-To: ${to}\r\n${headers}\r\n\r\n${body}`
const withFiles = (to: string, ...files: string[]) =>
  answer(
    to,
    `--b\r\n\r\nHere it is\r\n\r\n> How are you?\r\n${files.join('')}--b--`,
    'Content-Type: multipart/mixed; boundary=b',
  )
const report = (to: string, address: string, action: string, status: string, words: string) =>
  answer(
    '<none@x>',
    `--b\r\n\r\nReport\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; ${words}\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${to}\r\n--b--`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  )

describe('files attached to a received e-mail', () => {
  test('files are stored with the reply, and the timeline shows their names, sizes and addresses', async () => {
    const lead = await newLead()
    const m = await write(lead)
    const photo = await makePicture(9, 9).png().toBuffer()
    const raw = withFiles(
      await idOf(m),
      part('application/pdf', 'form.pdf', MINIMAL_PDF),
      part('image/png', 'a.png', photo),
    )
    expect((await bring(raw)).body).toMatchObject({ taken: true })
    const [note] = await notesOf(lead)
    expect(note.received).toMatchObject({
      kind: 'answer',
      quoted: true,
      refused: [],
      files: [
        { name: 'form.pdf', size: MINIMAL_PDF.length },
        { name: 'a.png', size: photo.length },
      ],
    })
    const [reply] = await answersTo(m)
    expect(reply).toMatchObject({ body: 'Here it is', attachments: ['form.pdf', 'a.png'], kind: 'answer' })
    expect((await as.get(reply['@id'])).body.quoted).toBe('> How are you?')
    const { status, headers } = await as.get(note.received.files[0].url)
    expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
      200,
      'application/pdf',
      'nosniff',
    ])
    const before = stored(provider as never).length
    expect((await bring(raw)).body).toMatchObject({ taken: false })
    expect(stored(provider as never)).toHaveLength(before)
  })

  test('refused files are listed with the reason, and the reply is recorded without them', async () => {
    const lead = await newLead()
    const many = Array.from({ length: 20 }, (_, i) => part('text/plain', `${i}.txt`, 'text'))
    const files = [
      part('application/octet-stream', 'setup.exe', 'MZ\x90\x00'),
      part('text/plain', 'virus.txt', EICAR_TEST_FILE),
      part('application/pdf', 'empty.pdf', ''),
      part('application/pdf', 'big.pdf', Buffer.concat([Buffer.from('%PDF-1.4'), randomBytes(11 * MEGABYTE)])),
      ...many.slice(3),
    ]
    expect(
      (await bring(withFiles(await idOf(await write(lead)), ...files, part('text/csv', 'late.csv', 'a')))).body.taken,
    ).toBe(true)
    const [{ received }] = await notesOf(lead)
    expect(received.files).toHaveLength(16)
    expect(received.refused.map(({ name }: { name: string }) => name)).toEqual([
      'setup.exe',
      'virus.txt',
      'empty.pdf',
      'big.pdf',
      '19.txt',
      'late.csv',
    ])
    expect(received.refused.map(({ reason }: { reason: string }) => reason).join('\n')).toMatch(
      /setup\.exe.+\n.+harmful.+\n.+empty.+\n.+10 MB.+\nOnly the first 20 files/,
    )
  })

  test("a forwarded e-mail and winmail.dat are stored as files that browsers download and don't open", async () => {
    const lead = await newLead()
    const eml = '--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Old offer\r\n\r\n<script>1</script>\r\n'
    const raw = withFiles(
      await idOf(await write(lead)),
      eml,
      part('application/ms-tnef', 'winmail.dat', '\x78\x9f\x3e\x22'),
    )
    expect((await bring(raw)).body.taken).toBe(true)
    const [{ received }] = await notesOf(lead)
    expect(received.files.map(({ name }: { name: string }) => name)).toEqual(['Old offer.eml', 'winmail.dat'])
    expect(received.remarks[0]).toContain('winmail.dat')
    const { headers } = await as.get(received.files[0].url)
    expect(headers['content-disposition']).toMatch(/^attachment/)
  })

  test('while files can’t be scanned, an e-mail with files is refused with 503 and accepted when it is sent again', async () => {
    const lead = await newLead()
    const raw = withFiles(await idOf(await write(lead)), part('application/pdf', 'form.pdf', MINIMAL_PDF))
    const before = stored(provider as never).length
    scanner.be('hangs up')
    expect((await bring(raw)).status).toBe(503)
    expect(stored(provider as never)).toHaveLength(before)
    scanner.be('looks')
    expect((await bring(raw)).body.taken).toBe(true)
  })

  test("an e-mail's files are readable only by users who may read its lead", async () => {
    const lead = await newLead()
    await bring(withFiles(await idOf(await write(lead)), part('application/pdf', 'form.pdf', MINIMAL_PDF)))
    const [{ received }] = await notesOf(lead)
    const [{ id, url }] = received.files
    const colleague = provider.as(await provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await colleague.get(url)).status).toBe(200)
    const [other, reseller] = [await portal.client(), await portal.client({ isReseller: true })]
    const strangers = [
      other.as(await other.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] })),
      other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE'] })),
      reseller.as(await reseller.user({ roles: ['ROLE_RESELLER', 'ROLE_CLIENT_ADMIN'] })),
      provider.as(await provider.user({ roles: ['ROLE_EMPLOYEE'] })),
      portal.anonymous,
    ]
    for (const stranger of strangers)
      for (const path of [url, `/api/email/attachments/${id}`])
        expect([401, 403, 404]).toContain((await stranger.get(path)).status)
    expect((await as.put(`/api/email/attachments/${id}`, { name: 'x.pdf' })).status).toBe(405)
    expect((await as.send('DELETE', `/api/email/attachments/${id}`)).status).toBe(405)
  })

  test('a staff member who impersonates a client’s user can’t read files of the provider’s leads', async () => {
    const lead = await newLead()
    await bring(withFiles(await idOf(await write(lead)), part('application/pdf', 'form.pdf', MINIMAL_PDF)))
    const [{ received }] = await notesOf(lead)
    const client = await portal.client()
    const target = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const to = new URLSearchParams({ username: target.username, client: String(client.id), reason: 'Help' })
    const { token } = (await as.get(`/api/security/user/switch?${to}`)).body
    const headers = { authorization: `Bearer ${token}` }
    for (const path of [received.files[0].url, `/api/email/attachments/${received.files[0].id}`])
      expect([403, 404]).toContain((await portal.anonymous.get(path, headers)).status)
  })
})

describe('a large e-mail', () => {
  const photo = (megabytes: number) => Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(megabytes * MEGABYTE)])

  test('an e-mail of nearly 25 MB is accepted without blocking other requests', async () => {
    const lead = await newLead()
    const to = await idOf(await write(lead))
    const raw = withFiles(to, ...['one.pdf', 'two.pdf'].map((name) => part('application/pdf', name, photo(9))))
    const message = Buffer.from(raw).toString('base64')
    const [headers, body] = [
      { ...signed(message), 'content-type': 'application/json' },
      Buffer.from(JSON.stringify({ message })),
    ]
    expect(raw.length).toBeGreaterThan(24 * MEGABYTE)
    let status = 0
    const blocked = await measureLongestBlock(async () => {
      status = (await portal.anonymous.send('POST', '/api/email/inbound', { headers, body })).status
    })
    expect(status).toBe(200)
    expect(blocked).toBeLessThan(MAX_BLOCKING_MS)
    expect((await notesOf(lead))[0].received.files).toHaveLength(2)
  })

  test('an e-mail above 25 MB is refused with 413, and the error states the limit', async () => {
    const { status, body } = await bring(withFiles('<none@x>', part('application/pdf', 'large.pdf', photo(20))))
    expect([status, body.detail]).toEqual([413, 'The e-mail is too large. The limit is 25 MB.'])
  })

  test('a large body may contain escaped slashes, and is refused if it is not JSON or its signature is wrong', async () => {
    const lead = await newLead()
    const raw = withFiles(await idOf(await write(lead)), part('application/pdf', 'form.pdf', photo(3)))
    expect((await bring(raw, (message) => `{"message":"${message.slice(0, -4)}xxxx"}`)).status).toBe(403)
    expect((await bring(raw, (message) => `{"other":1,"message":"${message}"}`)).status).toBe(400)
    expect((await bring(raw, (message) => `{"message":"${message}`)).status).toBe(400)
    expect((await bring(raw, (message) => ` { "message" : "${message.replaceAll('/', '\\/')}" }\n`)).body.taken).toBe(
      true,
    )
  })

  test('a small body is validated like any other', async () => {
    expect((await bring('', () => '{}')).status).toBe(422)
    expect((await bring('', () => 'x')).status).toBe(400)
  })
})

describe('the kind of a received e-mail', () => {
  test('an automatic reply is recorded as automatic, not as a reply', async () => {
    const lead = await newLead()
    const m = await write(lead)
    await bring(answer(await idOf(m), 'I am away.', 'Auto-Submitted: auto-replied'))
    const [note] = await notesOf(lead)
    expect(note.notes).toBe('Automatic reply from ann@post.example to “Your visit”:\nI am away.')
    expect(note.received.kind).toBe('automatic')
  })

  test('a delay is shown until a reply arrives, and causes neither a bounce nor a suppression', async () => {
    const lead = await newLead()
    const m = await write(lead)
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE message SET state = 'sent' WHERE client_id = 0 AND id = $1", [m.id]),
    )
    await bring(report(await idOf(m), lead.email, 'delayed', '4.4.1', '451 timeout'))
    expect((await as.get(m['@id'])).body).toMatchObject({ state: 'sent', error: 'Delayed: 451 timeout' })
    expect((await notesOf(lead))[0].notes).toBe(
      `The e-mail “Your visit” to ${lead.email} is delayed (451 timeout). The mail server is still trying.`,
    )
    await bring(answer(await idOf(m), 'Yes'))
    expect((await as.get(m['@id'])).body).toMatchObject({ state: 'sent', error: null })
  })

  test("a read receipt is shown in the receipt's own terms", async () => {
    const lead = await newLead()
    const to = await idOf(await write(lead))
    const raw = answer(
      '<none@x>',
      `--b\r\n\r\nRead\r\n--b\r\nContent-Type: message/disposition-notification\r\n\r\nOriginal-Message-ID: ${to}\r\nDisposition: manual-action/MDN-sent-manually; displayed\r\n--b--`,
      'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
    )
    expect((await bring(raw)).body.taken).toBe(true)
    expect((await bring(raw)).body.taken).toBe(false)
    expect((await notesOf(lead))[0].notes).toBe(
      `A read receipt says that the e-mail “Your visit” to ${lead.email} was displayed.`,
    )
  })

  test('a calendar reply names its visit or the proposed time', async () => {
    const client = await portal.client()
    const planner = provider.as(await provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
    const visit = await planner.post('/api/crm/site_visits', {
      account: client.iri,
      startsAt: '2027-03-02T10:00:00Z',
      purpose: 'Annual audit',
      email: 'office@post.example',
    })
    expect((await planner.post(`${visit.body['@id']}/confirm`)).status).toBe(200)
    await portal.drain()
    const [m] = await portal.db.tx('system', (tx) =>
      tx.rows<{ id: number }>('SELECT id FROM message WHERE client_id = 0 AND about = $1', [visit.body['@id']]),
    )
    const to = await idOf(m as { id: number })
    const calendar = (method: string, lines: string) =>
      answer(
        to,
        `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nBEGIN:VEVENT\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
        `Content-Type: text/calendar; method=${method}`,
      )
    await bring(calendar('REPLY', 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:office@post.example'))
    await bring(calendar('COUNTER', 'DTSTART:20270303T140000Z'))
    const found = await keeper.get(`/api/email/messages?answerTo=${m?.id}`)
    expect(
      found.body['hydra:member'].map(
        ({ body, kind, account }: { body: string; kind: string; account: { id: number } }) => [kind, body, account.id],
      ),
    ).toEqual([
      [
        'calendar',
        expect.stringMatching(/^Proposed another time for the visit on .+2027.+ “Annual audit”: .+14:00\.$/),
        client.id,
      ],
      ['calendar', expect.stringMatching(/^Accepted the visit on .+2027.+ “Annual audit”\.$/), client.id],
    ])
  })

  test('an e-mail that names another client’s e-mail with its own token is not accepted', async () => {
    const lead = await newLead()
    const m = await write(lead)
    const client = await portal.client()
    expect((await bring(answer(await idOf(m, client.id), 'Hello'))).body).toMatchObject({ taken: false })
    expect((await notesOf(lead))[0].received).toBeNull()
  })
})

describe('addresses to which no e-mail may be sent', () => {
  test.each([
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied', true],
    ['5.0.0', '550 User unknown', true],
    ['5.2.2', '552 5.2.2 Mailbox full', false],
    ['5.7.1', '550 5.7.1 Rejected as spam', false],
  ])('status %s with "%s" suppresses the address: %s', async (status, words, gone) => {
    const lead = await newLead()
    const m = await write(lead)
    expect((await bring(report(await idOf(m), lead.email, 'failed', status, words))).body).toMatchObject({
      taken: true,
      bounced: true,
    })
    expect((await as.get(m['@id'])).body.state).toBe('bounced')
    const again = await as.post('/api/email/message', { contact: lead['@id'], subject: 'Again', body: 'Hi' })
    expect(again.status).toBe(gone ? 422 : 201)
    expect((await as.post(`/api/email/message/resend/${m.id}`)).status).toBe(gone ? 409 : 200)
  })

  test.each([
    ['capitals', (at: string) => `ANN${at}@König-Post.EXAMPLE`],
    ['a zero-width space', (at: string) => `\u200bann${at}@könig-post.example\u200b`],
    ['a dot at the end', (at: string) => `ann${at}@könig-post.example.`],
    ['the domain in ASCII', (at: string) => `ann${at}@${domainToASCII('könig-post.example')}`],
  ])('after an opt-out, no e-mail goes to another spelling of the address: %s', async (_what, spell) => {
    const at = `${++n}`
    const city = `Spellton ${n}`
    const template = (await keeper.post('/api/email/email_templates', { name: `T ${n}`, subject: 'Hi', body: 'Hi' }))
      .body
    const lead = await newLead({ email: spell(at), city })
    const waiting = await write(lead)
    // Stored as it was before addresses were normalised.
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE message SET recipient = $2 WHERE client_id = 0 AND id = $1', [waiting.id, spell(at)]),
    )
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE contact SET email = $2 WHERE client_id = 0 AND id = $1', [lead.id, spell(at)]),
    )
    expect((await keeper.post('/api/email/suppressions', { address: `ann${at}@könig-post.example` })).status).toBe(201)
    expect((await keeper.post('/api/email/suppressions', { address: spell(at) })).status).toBe(422)
    const to = { contact: lead['@id'] }
    expect((await as.post('/api/email/preview', { ...to, subject: 'Hi', body: 'Hi' })).body.suppressed).toBe(true)
    expect((await as.post('/api/email/message', { ...to, subject: 'Hi', body: 'Hi' })).status).toBe(422)
    expect((await as.post('/api/email/message', { ...to, template: template['@id'] })).status).toBe(422)
    const list = { from: `/api/crm/contacts?city=${encodeURIComponent(city)}`, subject: 'Hi', body: 'Hi' }
    expect((await keeper.post('/api/email/recipients', list)).body.left).toHaveLength(1)
    const { body: run } = await keeper.post('/api/email/message', list)
    await portal.drain()
    expect((await keeper.get(run['@id'])).body).toMatchObject({ done: 0, refused: 1 })
    expect((await as.get(waiting['@id'])).body.state).toBe('stopped')
    expect((await as.post(`/api/email/message/resend/${waiting.id}`)).status).toBe(409)
  })
})

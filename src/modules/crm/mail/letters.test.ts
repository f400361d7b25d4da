import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_BLOCKING_MS, measureLongestBlock } from '#test/support/effort.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

const SECRET = 'a secret of thirty-two characters'

interface Got {
  readonly to: string
  readonly text: string
}
/**
 * A test mail server. It rejects `gone@` permanently. After receiving the data of an e-mail to `cut@`, it disconnects
 * without a reply.
 */
const got: Got[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('gone') ? Object.assign(new Error('No such person'), { responseCode: 550 }) : undefined),
  onData: (stream, session, done) => {
    let text = ''
    const to = session.envelope.rcptTo.map((a) => a.address).join()
    stream.on('data', (part: Buffer) => (text += part.toString('latin1')))
    stream.on('end', () => {
      got.push({ to, text: text.replace(/=\r?\n/g, '').replace(/=3D/g, '=') })
      if (to.startsWith('cut'))
        for (const one of server.connections) (one as unknown as { _socket: { destroy(): void } })._socket.destroy()
      else done()
    })
  },
})

let portal: TestPortal
let as: TestApi
let keeper: TestApi
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  portal = await (await testPortal()).with({
    SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    PUBLIC_URL: 'https://portal.example',
    MAIL_INBOUND_SECRET: SECRET,
  })
  as = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'], name: 'Jane Caller' }))
  keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] }))
})
afterAll(() => new Promise<void>((done) => server.close(() => done())))
beforeEach(async () => {
  await portal.drain()
  got.splice(0)
})

let n = 0
const lead = async (more: Record<string, unknown> = {}) =>
  (
    await as.post('/api/crm/contacts', {
      legalForm: 'limited',
      companyName: `Acme ${++n}`,
      name: 'Ann Field',
      email: `ann${n}@post.example`,
      ...more,
    })
  ).body
const notesOf = async (l: { '@id': string }) =>
  (await as.get(`${l['@id']}/actions`)).body['hydra:member'] as { notes: string; about: string }[]
const bring = (raw: string, secret = SECRET) => {
  const message = Buffer.from(raw).toString('base64')
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${message}`).digest('hex')
  return portal.anonymous.post('/api/email/inbound', { message }, { 'x-signature': `t=${t},v1=${v1}` })
}
const idIn = (text: string) => /Message-ID: (<\S+>)/i.exec(text)?.[1] ?? ''

describe('an e-mail template', () => {
  const make = (more: object) =>
    keeper.post('/api/email/email_templates', { name: `T ${++n}`, subject: 'Hello', body: 'Hi', ...more })

  test("an e-mail template with an unknown merge field is rejected with the field's name, through every route", async () => {
    const refused = await make({ body: 'Dear {{shoe size}}' })
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, 'body'])
    expect(refused.body.violations[0].message).toContain('“shoe size”')
    const { body } = await make({})
    expect((await keeper.put(body['@id'], { subject: '{{hat}}' })).status).toBe(422)
    const junk = await keeper.patch(body['@id'], { kind: '<', body: '{{first name}}' })
    expect([junk.status, junk.body.violations?.[0].propertyPath]).toEqual([422, 'kind'])
    expect((await keeper.patch(body['@id'], { kind: 'client', body: '{{owner}}' })).status).toBe(422)
    expect((await as.post('/api/email/email_templates', { name: 'x', subject: 'x', body: 'x' })).status).toBe(403)
  })

  test('users who may change e-mail templates can read the e-mails that the portal composes itself', async () => {
    const { status, body } = await keeper.get('/api/email/system_emails')
    expect(status).toBe(200)
    expect(body['hydra:member']).toContainEqual(
      expect.objectContaining({
        name: 'quote',
        title: 'Quote sent to a customer',
        subject: 'Your quote Q-00007 from The seller',
        body: expect.stringMatching(
          /^Hello Ann Carter,\n\n.+password:\n\n\(the recipient’s personal link\)\n\n.+Sam Taylor/s,
        ),
      }),
    )
    expect(JSON.stringify(body)).not.toContain('{{')
    const client = await portal.client()
    const administrator = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    for (const api of [as, administrator]) expect((await api.get('/api/email/system_emails')).status).toBe(403)
  })

  test('an e-mail template is previewed for a lead and never sent with a missing value', async () => {
    const { body: template } = await make({ subject: 'For {{company}}', body: 'Dear {{first name|there}} in {{city}}' })
    const l = await lead()
    const words = { contact: l['@id'], template: template['@id'] }
    const { body: seen } = await as.post('/api/email/preview', words)
    expect(seen).toMatchObject({ subject: `For ${l.companyName}`, missing: ['city'], suppressed: false })
    const gap = await as.post('/api/email/message', words)
    expect([gap.status, gap.body.violations[0].propertyPath]).toEqual([422, 'values.city'])
    const sent = await as.post('/api/email/message', { ...words, values: { city: 'Leeds' } })
    expect([sent.status, sent.body.state]).toEqual([201, 'waiting'])
    await portal.drain()
    expect(got.map(({ to }) => to)).toEqual([l.email])
    expect(got[0]?.text).toContain('Dear Ann in Leeds')
    expect((await as.get(sent.body['@id'])).body.state).toBe('sent')
    expect((await notesOf(l))[0]).toMatchObject({ about: sent.body['@id'] })
  })
})

const write = async (l: { '@id': string }, by = as) =>
  (await by.post('/api/email/message', { contact: l['@id'], subject: 'Hello', body: 'How are you?' })).body

describe('an e-mail to a lead', () => {
  test('a bounced e-mail is shown as “bounced” in the timeline, and its address is suppressed', async () => {
    const l = await lead()
    const m = await write(l)
    await portal.drain()
    const dsn = `From: MAILER-DAEMON\r\nMessage-ID: <d${n}@x>\r\nContent-Type: multipart/report; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSorry\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\nFinal-Recipient: rfc822; ${l.email}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 No such mailbox\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${idIn(got[0]?.text ?? '')}\r\n--b--\r\n`
    expect((await bring(dsn, 'another secret of 32 characters!!')).status).toBe(403)
    expect((await bring(dsn)).body).toMatchObject({ taken: true, bounced: true })
    expect((await as.get(m['@id'])).body).toMatchObject({ state: 'bounced', error: '550 No such mailbox' })
    expect((await notesOf(l))[0]?.notes).toContain('was returned')
    const again = await as.post('/api/email/message', { contact: l['@id'], subject: 'Hello', body: 'x' })
    expect([again.status, again.body.violations[0].message]).toEqual([422, `${l.email} has opted out of e-mails`])
    expect((await as.post(`/api/email/message/resend/${m.id}`)).status).toBe(409)
    const [no] = (await keeper.get(`/api/email/suppressions?address=${l.email}`)).body['hydra:member']
    expect((await keeper.put(no['@id'], { retired: true })).status).toBe(422)
    expect((await keeper.put(no['@id'], { retired: true, liftedReason: 'They rang' })).status).toBe(200)
    const answers = await Promise.all([1, 2, 3, 4].map(() => as.post(`/api/email/message/resend/${m.id}`)))
    const [resent, ...others] = answers.toSorted((a, b) => a.status - b.status)
    expect([resent?.status, ...others.map(({ status }) => status)]).toEqual([200, 409, 409, 409])
    expect(resent?.body).toMatchObject({ state: 'waiting', resendOf: m['@id'] })
    await portal.drain()
    expect((await as.post(`/api/email/message/resend/${m.id}`)).status).toBe(409)
    expect(got).toHaveLength(2)
    expect(idIn(got[1]?.text ?? '')).not.toBe(idIn(got[0]?.text ?? ''))
  })

  describe('a received e-mail with a report', () => {
    const reportOf = (own: string, recipient: string, multipart = 'report', action = 'failed') =>
      `From: Ann <ann@post.example>\r\nSubject: Re\r\nMessage-ID: <r${++n}@x>\r\nReferences: ${own}\r\nContent-Type: multipart/${multipart}; boundary=b\r\n\r\n--b\r\n\r\nYes please, I accept\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n${recipient}\r\nAction: ${action}\r\nStatus: 5.1.1\r\n--b\r\nContent-Type: text/csv; name=prices.csv\r\n\r\na,b\r\n--b--\r\n`
    const setUp = async () => {
      const l = await lead()
      const m = await write(l)
      await portal.drain()
      const result = async () => {
        const { body } = await as.get(`/api/email/messages?answerTo=${m.id}`)
        const suppressions = await keeper.get(`/api/email/suppressions?address=${l.email}`)
        return {
          ours: (await as.get(m['@id'])).body,
          received: body['hydra:member'] as { kind: string; body: string; attachments: string[] }[],
          suppressed: suppressions.body['hydra:member'].length > 0,
        }
      }
      return { l, m, own: idIn(got[0]?.text ?? ''), result }
    }

    test.each([
      ['a reply with a report attached', 'mixed', 'answer'],
      ['a report about somebody else', 'report', 'automatic'],
    ])('%s changes nothing about the e-mail and is stored with its text and files', async (_what, multipart, kind) => {
      const { m, own, result } = await setUp()
      await portal.db.tx('system', (tx) =>
        tx.rows("UPDATE message SET error = 'Delayed: busy' WHERE client_id = $1 AND id = $2", [0, m.id]),
      )
      const raw = reportOf(own, 'Final-Recipient: rfc822; bob@else.example', multipart)
      const { body: recorded } = await bring(raw)
      expect([recorded.taken, recorded.bounced]).toEqual([true, undefined])
      const { ours, received, suppressed } = await result()
      expect(ours).toMatchObject({ state: 'sent', error: kind === 'answer' ? null : 'Delayed: busy' })
      expect(received).toMatchObject([{ kind, body: 'Yes please, I accept' }])
      expect(received[0]?.attachments).toContain('prices.csv')
      expect(suppressed).toBe(false)
    })

    test.each(['failed', 'delivered'])(
      'a report "%s" about another recipient changes nothing about this recipient',
      async (action) => {
        const { l, own, result } = await setUp()
        expect((await bring(reportOf(own, 'Final-Recipient: rfc822; bob@else.example', 'report', action))).status).toBe(
          200,
        )
        expect((await notesOf(l))[0]?.notes).toBe(
          'Automatic reply from ann@post.example to “Hello”:\nYes please, I accept',
        )
        expect((await result()).received).toMatchObject([{ kind: 'automatic' }])
      },
    )

    test.each([
      [
        'as original recipient',
        (email: string) => `Final-Recipient: rfc822; x@y.example\r\nOriginal-Recipient: rfc822;${email}`,
      ],
      ['in capitals', (email: string) => `Final-Recipient: RFC822; <${email.toUpperCase()}>`],
    ])('a report that names the recipient %s counts as a bounce, once, with its text and files', async (_how, name) => {
      const { l, own, result } = await setUp()
      const raw = reportOf(own, name(l.email))
      expect((await bring(raw)).body).toMatchObject({ taken: true, bounced: true })
      expect((await bring(raw)).body).toMatchObject({ taken: false, bounced: true })
      const { ours, received, suppressed } = await result()
      expect([ours.state, suppressed]).toEqual(['bounced', true])
      expect(received).toMatchObject([{ kind: 'failed', body: 'Yes please, I accept', attachments: ['prices.csv'] }])
      expect((await notesOf(l)).filter(({ notes }) => notes?.includes('was returned'))).toHaveLength(1)
    })
  })

  test('two e-mails with the same Message-ID are both added if they answer different e-mails', async () => {
    const [one, two] = [await write(await lead()), await write(await lead())]
    await portal.drain()
    const same = `<same${++n}@x>`
    for (const { text } of got)
      expect(
        (await bring(`From: a@x.example\r\nMessage-ID: ${same}\r\nIn-Reply-To: ${idIn(text)}\r\n\r\nYes`)).body,
      ).toMatchObject({ taken: true })
    for (const { id } of [one, two])
      expect((await as.get(`/api/email/messages?answerTo=${id}`)).body['hydra:member']).toHaveLength(1)
  })

  test("a reply to an e-mail is added to the e-mail's thread only once, and a reply with a forged token is ignored", async () => {
    const l = await lead()
    const m = await write(l)
    await portal.drain()
    const own = idIn(got[0]?.text ?? '')
    const answer = (to: string) =>
      `From: Ann <${l.email}>\r\nSubject: =?utf-8?q?Re=3A_Hell=C3=B6?=\r\nMessage-ID: <a${n}@x>\r\nIn-Reply-To: ${to}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nYes please\r\n\r\nOn Monday Jane wrote:\r\n> How are you?\r\n`
    expect((await bring(answer(own.replace(/\.[0-9a-f]{32}@/, `.${'0'.repeat(32)}@`)))).body.taken).toBe(false)
    expect((await bring(answer(own))).body.taken).toBe(true)
    expect((await bring(answer(own))).body.taken).toBe(false)
    const { body } = await as.get(`/api/email/messages?answerTo=${m.id}`)
    expect(body['hydra:member']).toEqual([
      expect.objectContaining({
        incoming: true,
        state: 'received',
        subject: 'Re: Hellö',
        body: 'Yes please',
        sender: l.email,
      }),
    ])
    expect((await notesOf(l))[0]).toMatchObject({ about: body['hydra:member'][0]['@id'] })
  })

  test('an e-mail with too many parts is refused with the reason, without delaying other requests', async () => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(50_000)}`
    let answer: Awaited<ReturnType<typeof bring>> | undefined
    const blocked = await measureLongestBlock(async () => {
      answer = await bring(raw)
    })
    expect(answer?.body).toMatchObject({ taken: false, why: 'The message can’t be read as an e-mail.' })
    expect(blocked).toBeLessThan(MAX_BLOCKING_MS)
    expect((await bring('Subject: hello\r\n\r\nGood day')).body.why).toBe(
      'The message is not a reply to one of our e-mails.',
    )
  })

  test('an e-mail permanently rejected by the mail server counts as failed and can be resent as the same e-mail', async () => {
    const l = await lead({ email: `gone${++n}@post.example` })
    const m = await write(l)
    await portal.drain()
    expect((await as.get(m['@id'])).body).toMatchObject({ state: 'failed' })
    expect((await as.post(`/api/email/message/resend/${m.id}`)).body['@id']).toBe(m['@id'])
    await portal.drain()
    expect((await as.get(m['@id'])).body).toMatchObject({ state: 'failed' })
  })

  test('an e-mail whose confirmation was lost after its data was sent is marked “perhaps sent” and never resent automatically', async () => {
    const l = await lead({ email: `cut${++n}@post.example` })
    const m = await write(l)
    await portal.drain()
    await portal.drain()
    expect((await as.get(m['@id'])).body).toMatchObject({ state: 'perhaps sent' })
    expect(got).toHaveLength(1)
  })

  test('after a process crash, an e-mail is sent if no data had been transmitted, and is marked “perhaps sent” otherwise', async () => {
    const [a, b, c] = await Promise.all([lead(), lead(), lead()])
    const all = [await write(a), await write(b), await write(c)]
    const left = (id: number, handed: boolean, lapsed: boolean) =>
      portal.db.tx('system', (tx) =>
        tx.rows(
          `UPDATE message SET state = 'sending', claim = gen_random_uuid(), handed_at = ${handed ? 'now()' : 'NULL'}, claimed_until = now() ${lapsed ? '-' : '+'} interval '1 minute' WHERE client_id = 0 AND id = $1`,
          [id],
        ),
      )
    await left(all[0].id, false, true)
    await left(all[1].id, true, true)
    await left(all[2].id, false, false)
    await portal.drain()
    const states = await Promise.all(all.map(async (m) => (await as.get(m['@id'])).body.state))
    expect(states).toEqual(['sent', 'perhaps sent', 'sending'])
    expect(got.map(({ to }) => to)).toEqual([a.email])
  })

  test('an e-mail has a one-click unsubscribe link in its header that stops all further e-mails to the address', async () => {
    const l = await lead()
    await write(l)
    await portal.drain()
    const [, way = ''] =
      /List-Unsubscribe: <https:\/\/portal\.example(\/api\/email\/unsubscribe\/[\w-]+)>/.exec(
        got[0]?.text.replace(/\r\n /g, ' ') ?? '',
      ) ?? []
    expect(got[0]?.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect((await portal.anonymous.get(way)).body).toMatchObject({ stopped: false })
    expect((await portal.anonymous.get(`${way.slice(0, -4)}0000`)).status).toBe(404)
    const waiting = await write(l)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const pressed = await portal.anonymous.send('POST', way, { headers, body: 'List-Unsubscribe=One-Click' })
    expect([pressed.status, pressed.body.stopped]).toEqual([200, true])
    expect((await portal.anonymous.post(way)).status).toBe(200)
    await portal.drain()
    expect((await as.get(waiting['@id'])).body.state).toBe('stopped')
    expect(got).toHaveLength(1)
    expect((await notesOf(l))[0]?.notes).toBe(`${l.email} has opted out of e-mails`)
  })

  test('an e-mail is accessible to colleagues who may read its lead, but not to other clients', async () => {
    const m = await write(await lead())
    const other = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await other.get(m['@id'])).status).toBe(200)
    const client = await portal.client()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await admin.get(m['@id'])).status).toBe(404)
    expect((await admin.post(`/api/email/message/resend/${m.id}`)).status).toBe(404)
    expect(
      (await admin.post('/api/email/message', { contact: '/api/crm/contacts/1', subject: 'x', body: 'x' })).status,
    ).toBe(403)
  })
})

test("an e-mail to a client is merged with the client's own fields, and can be listed by client", async () => {
  const client = await portal.client({ company: 'Brick & Co' })
  const post = `office${++n}@post.example`
  expect((await keeper.put(`/api/crm/clients/${client.id}`, { contactname: 'Mrs Field' })).status).toBe(200)
  const words = { client: client.iri, subject: 'For {{company}}', body: 'Dear {{first name}}, no. {{client number}}' }
  expect((await as.post('/api/email/message', words)).body.violations[0].propertyPath).toBe('recipient')
  await portal.db.tx('system', (tx) => tx.rows('UPDATE client SET contactemail = $2 WHERE id = $1', [client.id, post]))
  expect((await as.post('/api/email/message', { ...words, body: '{{owner}}' })).status).toBe(422)
  const sent = await as.post('/api/email/message', words)
  expect([sent.status, sent.body.account.id]).toEqual([201, client.id])
  await portal.drain()
  expect(got[0]?.text).toContain(`Dear Mrs Field, no. ${client.id}`)
  expect((await keeper.get(`/api/email/messages?account=${client.id}`)).body['hydra:totalItems']).toBe(1)
})

describe('a batch of e-mails', () => {
  test('only administrators can send a batch of e-mails; it contains one e-mail per address, and none for opt-outs or leads with missing values', async () => {
    const city = `Batchton ${++n}`
    const [a, b] = [await lead({ city }), await lead({ city })]
    await lead({ city, email: a.email.toUpperCase() })
    await lead({ city, email: '' })
    await lead({ city, name: '' })
    const gone = await lead({ city })
    await keeper.put(gone['@id'], { retired: true })
    await keeper.post('/api/email/suppressions', { address: b.email })
    const ask = {
      from: `/api/crm/contacts?city=${encodeURIComponent(city)}`,
      subject: 'Hello {{first name}}',
      body: 'Hi',
    }
    expect((await as.post('/api/email/message', ask)).status).toBe(403)
    expect((await keeper.post('/api/email/message', { ...ask, body: '{{hat}}' })).status).toBe(422)
    expect((await as.post('/api/email/recipients', ask)).status).toBe(403)
    const { body: looked } = await keeper.post('/api/email/recipients', ask)
    expect(looked).toMatchObject({ found: 6, lookedAt: 6 })
    expect(looked.left.map((l: { reason: string }) => l.reason)).toEqual([
      `${b.email} has opted out of e-mails`,
      expect.stringMatching(/^Another lead in this batch has the same address/),
      'The recipient has no e-mail address',
      'Please enter a value for First name',
      'This lead is retired',
    ])
    const { status, body: run } = await keeper.post('/api/email/message', ask)
    expect(status).toBe(202)
    await portal.drain()
    expect((await keeper.get(run['@id'])).body).toMatchObject({ state: 'done', done: 1, refused: 5, total: 6 })
    expect(got.map(({ to }) => to)).toEqual([a.email])
    expect((await keeper.get(`/api/email/messages?run=${run.id}`)).body['hydra:totalItems']).toBe(1)
  })
})

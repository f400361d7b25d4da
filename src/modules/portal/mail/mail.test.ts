import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { listFailedJobs, retryFailedJob } from '#server/jobs/schedules.ts'
import { makeInvoiceWorld } from '#test/support/invoices.ts'
import { testPortal } from '#test/support/portal.ts'
import { storeAttachment } from './claim.server.ts'
import { emailRequested } from './letter.ts'

/** Starts a local mail server that accepts all mail except mail to `refused@`. */
const received: { to: string[]; text: string }[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onRcptTo: (address, _session, done) =>
    done(
      address.address.startsWith('refused@')
        ? Object.assign(new Error('No such person here'), { responseCode: 550 })
        : address.address.startsWith('busy@')
          ? Object.assign(new Error('Come back later'), { responseCode: 451 })
          : undefined,
    ),
  onData: (stream, session, done) => {
    let text = ''
    stream.on('data', (part: Buffer) => (text += part.toString()))
    stream.on('end', () => {
      received.push({ to: session.envelope.rcptTo.map((a) => a.address), text })
      done()
    })
  },
})

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => new Promise<void>((done) => server.close(() => done())))

async function world(smtp: boolean) {
  const whole = await testPortal()
  const portal = await whole.with({
    PUBLIC_URL: 'https://portal.example',
    ...(smtp ? { SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` } : {}),
  })
  const client = await portal.client()
  return { portal, client }
}

describe('an e-mail', () => {
  test('an e-mail with a link to set a password reaches its recipient, and the link works once', async () => {
    const { portal, client } = await world(true)
    const person = await client.user({ email: `ann.${client.id}@post.example`, password: 'wellington boots' })
    for (const username of ['nobody.at.all', person.username]) {
      const asked = await portal.anonymous.post('/api/security/password/forgot', { username })
      expect([asked.status, asked.body.message]).toEqual([202, expect.stringMatching(/^If that account exists/)])
    }
    await portal.drain()
    const letter = received.find((r) => r.to.includes(`ann.${client.id}@post.example`))
    const plain = letter?.text.replace(/=\r?\n/g, '').replace(/=3D/g, '=') ?? ''
    const token = /https:\/\/portal\.example\/forgotten-my-password\/([\w-]+)/.exec(plain)?.[1]
    expect(token).toBeTruthy()
    const reset = () =>
      portal.anonymous.post(`/api/portal/password/reset/${token}`, { password: 'umbrella stand seven' })
    expect((await reset()).status).toBe(204)
    expect((await reset()).status).toBe(404)
    const signIn = { username: person.username, client: client.id, password: 'umbrella stand seven' }
    expect((await portal.anonymous.post('/api/security/login', signIn)).status).toBe(200)
  })

  test("an e-mail with a secret link is stored without the link and visible only to its client's administrators", async () => {
    const { portal, client } = await world(true)
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: `admin.${client.id}@post.example` })
    const worker = await client.user({ roles: ['ROLE_EMPLOYEE'], email: `worker.${client.id}@post.example` })
    const other = await portal.client()
    const stranger = await other.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    expect((await client.as(admin).post(`${worker.iri}/invite`)).status).toBe(204)
    await portal.drain()
    const { body } = await client.as(admin).get('/api/email/messages')
    expect(body['hydra:member'][0]).toMatchObject({
      recipient: `worker.${client.id}@post.example`,
      state: 'sent',
      confidential: true,
    })
    expect(JSON.stringify(body)).not.toContain('forgotten-my-password/')
    expect((await client.as(worker).get('/api/email/messages')).status).toBe(403)
    expect((await other.as(stranger).get('/api/email/messages')).body['hydra:totalItems']).toBe(0)
  })

  test('an e-mail that the mail server rejects permanently is marked as failed and not retried', async () => {
    const { portal, client } = await world(true)
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const gone = await client.user({ email: `refused@client-${client.id}.example` })
    await client.as(admin).post(`${gone.iri}/invite`)
    await portal.drain()
    const { body } = await client.as(admin).get('/api/email/messages')
    expect(body['hydra:member'][0]).toMatchObject({ state: 'failed', error: expect.stringContaining('No such person') })
    expect((await listFailedJobs(portal.db)).filter((f) => f.client === client.id)).toEqual([])
  })

  test('an e-mail that the mail server rejects temporarily remains queued and can be retried without creating a second message', async () => {
    const { portal, client } = await world(true)
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const gone = await client.user({ email: `busy@client-${client.id}.example` })
    await client.as(admin).post(`${gone.iri}/invite`)
    await portal.drain()
    const { body } = await client.as(admin).get('/api/email/messages')
    expect(body['hydra:member'][0]).toMatchObject({ state: 'waiting', error: expect.stringContaining('Come back') })
    const ours = async () => (await listFailedJobs(portal.db)).filter((f) => f.client === client.id)
    const [failure] = await ours()
    expect(failure).toMatchObject({ job: 'mail.send', attempts: 1, nextAt: expect.any(String) })
    await portal.drain()
    expect((await ours())[0]?.attempts).toBe(1)
    expect(await retryFailedJob(portal.engine, failure?.id ?? '')).toBe(true)
    await portal.drain()
    expect((await ours())[0]?.attempts).toBe(2)
    expect((await client.as(admin).get('/api/email/messages')).body['hydra:totalItems']).toBe(1)
  })

  test('an e-mail is stored if no mail server is configured', async () => {
    const { portal, client } = await world(false)
    const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: 'a@post.example' })
    const asked = await client.as(admin).post(`${admin.iri}/invite`)
    expect(asked.status).toBe(204)
    await portal.drain()
    const { body } = await client.as(admin).get('/api/email/messages')
    expect(body['hydra:member'][0]).toMatchObject({ state: 'kept', sentAt: null })
  })
})

test('an invoice counts as sent only once a mail server has accepted its e-mail', async () => {
  const w = await makeInvoiceWorld()
  const mailing = await w.portal.with({
    SMTP_URL: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
  })
  const issue = async (name: string) =>
    w.issued({ customer: await w.newCustomer({ invoiceEmail: `${name}@post.example` }) })
  const sentAt = async ({ '@id': iri }: { '@id': string }) => (await w.api.get(iri)).body.sentAt
  const letters = async ({ '@id': iri }: { '@id': string }) => (await w.api.get(`${iri}/letters`)).body['hydra:member']
  const accepted = await issue(`buyer.${w.sellers.id}.${process.pid}`)
  const refused = await issue('refused')
  expect([await sentAt(accepted), (await letters(accepted)).length]).toEqual([null, 0])
  await mailing.drain()
  expect([await sentAt(accepted), (await letters(accepted))[0].state]).toEqual([expect.any(String), 'sent'])
  expect([await sentAt(refused), (await letters(refused))[0].state]).toEqual([null, 'failed'])
  const unmailed = await issue(`later.${process.pid}`)
  await w.portal.drain()
  expect([await sentAt(unmailed), (await letters(unmailed))[0].state]).toEqual([null, 'kept'])
})

describe("an e-mail's sender name", () => {
  /**
   * Returns the e-mails sent to a new user whom an administrator invites and then gives another address and a password.
   */
  async function lettersIn(of: { resellerId?: number; isReseller?: boolean; company?: string }) {
    const { portal } = await world(true)
    const client = await portal.client(of)
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ann https://bad.example' }))
    const post = `mia.${client.id}@post.example`
    const mia = await client.user({ roles: ['ROLE_EMPLOYEE'], email: post })
    expect((await admin.post(`${mia.iri}/invite`)).status).toBe(204)
    await portal.drain()
    expect((await admin.put(mia.iri, { email: `new.${post}` })).status).toBe(200)
    expect((await admin.put(`${mia.iri}/password`, { password: 'umbrella stand seven' })).status).toBe(204)
    await portal.drain()
    const sent = received.filter((r) => r.to.some((to) => to.endsWith(post)))
    expect(sent.length).toBeGreaterThanOrEqual(4)
    const { body } = await admin.get('/api/email/messages')
    const kept = body['hydra:member'] as { subject: string; body: string }[]
    return {
      from: [...new Set(sent.map(({ text }) => /^From: (.*)$/m.exec(text)?.[1]?.trim()))],
      words: sent.map(({ text }) => text.replace(/=\r?\n/g, '')).join('\n'),
      kept: kept.map((m) => `${m.subject}\n${m.body}`).join('\n'),
    }
  }

  test("e-mails to a reseller's users and to those of its clients have the reseller's sender name", async () => {
    const { portal } = await world(true)
    const north = await portal.client({ isReseller: true, company: 'North Safety' })
    for (const whose of [{ resellerId: north.id }, { isReseller: true, company: 'North Safety' }]) {
      const { from, words, kept } = await lettersIn(whose)
      expect(from).toEqual(['North Safety <portal@localhost>'])
      for (const said of [words, kept]) {
        expect(said).toContain('Your sign-in for the North Safety portal')
        expect(said).toContain('contact your administrator, or North Safety.')
        expect(said).not.toMatch(/\bTest\b|\{\{/)
      }
    }
  })

  test("all other e-mails have the provider's sender name and wording", async () => {
    const { from, words } = await lettersIn({})
    expect(from).toEqual(['Portal <portal@localhost>'])
    expect(words).toContain('Your sign-in for the Test portal')
    expect(words).toContain('contact your administrator, or Test.')
  })
})

test('a stored file is attached to each e-mail that refers to it', async () => {
  const { portal, client } = await world(true)
  const by = createSystemActor(client.id, 'a test')
  await portal.engine.inTenant(client.id, { actor: by, requestId: 'test' }, async (c) => {
    const file = await storeAttachment(c, {
      filename: 'a.txt',
      contentType: 'text/plain',
      bytes: Buffer.from('kept once'),
    })
    for (const name of ['one', 'two'])
      await c.emit(emailRequested, {
        to: `${name}.${client.id}@post.example`,
        subject: 'A file',
        body: 'See it.',
        attachments: [file],
      })
    return () => undefined
  })
  await portal.drain()
  for (const name of ['one', 'two']) {
    const got = received.find((r) => r.to.includes(`${name}.${client.id}@post.example`))
    expect(got?.text).toContain(Buffer.from('kept once').toString('base64'))
  }
})

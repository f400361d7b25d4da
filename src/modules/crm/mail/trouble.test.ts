import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { EmailSendAttempt, messageIdSecret } from '#modules/portal/mail/claim.server.ts'
import { listFailedJobs, retryFailedJob } from '#server/jobs/schedules.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

/** Recipients of the e-mails received by all mail servers in the test. */
const got: string[] = []
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
  got.splice(0)
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
const listen = async (server: { listen: (port: number, host: string, done: () => void) => unknown }, port = 0) =>
  new Promise<void>((done) => void server.listen(port, '127.0.0.1', done))

/**
 * Starts a mail server that rejects `gone@` permanently. It stops responding after receiving the data of an e-mail to
 * `mute@`. Returns the port.
 */
async function postOffice(port = 0): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('gone') ? Object.assign(new Error('No such person'), { responseCode: 550 }) : undefined),
    onData: (stream, session, done) => {
      const to = session.envelope.rcptTo.map((a) => a.address).join()
      stream.resume()
      stream.on('end', () => {
        got.push(to)
        if (!to.startsWith('mute')) done()
      })
    },
  })
  await listen(server, port)
  closing.push(
    () =>
      new Promise<void>((done) => {
        for (const one of server.connections) (one as unknown as { _socket: Socket })._socket.destroy()
        server.close(() => done())
      }),
  )
  return portOf(server.server)
}

/** Starts a server that accepts connections but never responds. Returns the port. */
async function mute(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  await listen(server)
  closing.push(
    () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => done())
      }),
  )
  return portOf(server)
}

const IMPATIENT = '?greetingTimeout=500&connectionTimeout=500&socketTimeout=800'
let n = 0

async function world(port: number) {
  const portal = await (await testPortal()).with({ SMTP_URL: `smtp://127.0.0.1:${port}${IMPATIENT}` })
  await portal.drain()
  got.splice(0)
  const as = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_MAIL_ADMIN'] }))
  const lead = async (email: string, more: object = {}) =>
    (
      await as.post('/api/crm/contacts', {
        companyName: `Trouble ${++n}`,
        legalForm: 'limited',
        name: 'Ann',
        email,
        ...more,
      })
    ).body
  const write = async (email: string) => {
    const { '@id': contact } = await lead(email)
    const sent = await as.post('/api/email/message', { contact, subject: `Hello ${++n}`, body: 'How are you?' })
    expect(sent.status).toBe(201)
    return sent.body
  }
  const now = async (m: { '@id': string }) => (await as.get(m['@id'])).body
  return { portal, as, lead, write, now }
}

const failureOf = async (portal: TestPortal, error: RegExp) =>
  (await listFailedJobs(portal.db)).find((f) => f.job === 'mail.send-due' && error.test(f.error ?? ''))

describe('sending through an unreliable mail server', () => {
  test('an e-mail remains queued while the mail server is down, and is sent once when the server is back', async () => {
    const port = await mute()
    for (const close of closing.splice(0)) await close()
    const { portal, write, now } = await world(port)
    const m = await write(`down${n}@post.example`)
    await portal.drain()
    expect(await now(m)).toMatchObject({ state: 'waiting', error: expect.stringMatching(/ECONNREFUSED/) })
    const failure = await failureOf(portal, /ECONNREFUSED/)
    await postOffice(port)
    expect(await retryFailedJob(portal.engine, failure?.id ?? '')).toBe(true)
    await portal.drain()
    await portal.drain()
    expect(await now(m)).toMatchObject({ state: 'sent', error: null })
    expect(got).toEqual([m.recipient])
  })

  test('if the mail server accepts the connection but never responds, sending times out and the e-mail remains queued', async () => {
    const { portal, write, now } = await world(await mute())
    const m = await write(`silent${n}@post.example`)
    const began = performance.now()
    await portal.drain()
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await now(m)).toMatchObject({ state: 'waiting', error: expect.any(String) })
  })

  test('an e-mail that the mail server rejects or does not confirm does not delay other e-mails', async () => {
    const { portal, as, lead } = await world(await postOffice())
    const city = `Troubleton ${++n}`
    const names = ['first', 'gone', 'mute', 'last']
    for (const name of names) await lead(`${name}${n}@post.example`, { city })
    const { body: run } = await as.post('/api/email/message', {
      from: `/api/crm/contacts?city=${encodeURIComponent(city)}`,
      subject: 'Hello',
      body: 'Hi',
    })
    const began = performance.now()
    await portal.drain()
    await portal.drain()
    expect(performance.now() - began).toBeLessThan(15_000)
    const { body } = await as.get(`/api/email/messages?run=${run.id}`)
    const states = Object.fromEntries(
      body['hydra:member'].map((m: { recipient: string; state: string }) => [m.recipient.replace(/\d.*/, ''), m.state]),
    )
    expect(states).toEqual({ first: 'sent', gone: 'failed', mute: 'perhaps sent', last: 'sent' })
    expect(got.map((to) => to.replace(/\d.*/, '')).toSorted()).toEqual(['first', 'last', 'mute'])
    expect(await failureOf(portal, /No such person/)).toBeUndefined()
  })
})

test('a process renews its claim on an e-mail while running, and checks the claim again before sending data', async () => {
  const { portal, write, now } = await world(await postOffice())
  const m = await write(`claim${n}@post.example`)
  const to = { engine: portal.engine, clientId: 0, id: 0 }
  const lapse = (left: string) =>
    portal.db.tx('system', (tx) =>
      tx.rows(`UPDATE message SET claimed_until = now() + interval '${left}' WHERE client_id = 0 AND id = $1`, [m.id]),
    )
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const slow = new EmailSendAttempt(to)
  expect((await slow.take([m.id])).mine).toHaveLength(1)
  await lapse('20 seconds')
  vi.advanceTimersByTime(31_000)
  vi.useRealTimers()
  await vi.waitFor(async () => {
    const [row] = await portal.db.tx('system', (tx) =>
      tx.rows<{ renewed: boolean }>(
        "SELECT claimed_until > now() + interval '1 minute' AS renewed FROM message WHERE client_id = 0 AND id = $1",
        [m.id],
      ),
    )
    expect(row?.renewed).toBe(true)
  })

  const other = new EmailSendAttempt(to)
  expect(await other.take([m.id])).toEqual({ mine: [], elsewhere: 1 })
  await lapse('-1 seconds')
  expect((await other.take([m.id])).mine).toHaveLength(1)
  await expect(slow.hand(m.id)).rejects.toThrow('Another process has claimed this e-mail')
  await slow.settle({ id: m.id, state: 'sent', error: null })
  expect((await now(m)).state).toBe('sending')
  await other.hand(m.id)
  await other.settle({ id: m.id, state: 'sent', error: null })
  expect((await now(m)).state).toBe('sent')
  slow.end()
  other.end()
})

test("simultaneous one-click opt-outs are all confirmed and stored once, and a message ID can't be used as an opt-out secret", async () => {
  const { portal, as, write } = await world(await postOffice())
  const email = `opted-out${++n}@post.example`
  const message = await write(email)
  const [row] = await portal.db.tx('system', (tx) =>
    tx.rows<{ token: string }>('SELECT token FROM message WHERE client_id = 0 AND id = $1', [message.id]),
  )
  const optOut = (secret = '') => portal.anonymous.post(`/api/email/unsubscribe/0-${message.id}-${secret}`)
  expect((await optOut(messageIdSecret(row?.token ?? ''))).status).toBe(404)
  const answers = await Promise.all(Array.from({ length: 12 }, () => optOut(row?.token)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const stored = await as.get(`/api/email/suppressions?address=${encodeURIComponent(email)}`)
  expect(stored.body['hydra:totalItems']).toBe(1)
})

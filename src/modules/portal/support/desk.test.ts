import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApi, type TestClient, type TestPortal, testPortal } from '#test/support/portal.ts'

const TICKETS = '/api/portal/support_tickets'
const KEY = 'a-key-of-the-help-desk'

/** Starts a local help desk that behaves like osTicket: its response is the ticket number as text. */
const got: { headers: IncomingHttpHeaders; url: string | undefined; body: Record<string, unknown> }[] = []
let answers: readonly ('hang up' | readonly [number, string])[] = []
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (part: Buffer) => (text += part.toString()))
  request.on('end', () => {
    got.push({ headers: request.headers, url: request.url, body: JSON.parse(text) })
    const [next = [201, '482913'] as const, ...rest] = answers
    answers = rest
    if (next === 'hang up') return request.socket.destroy()
    response.writeHead(next[0], { 'content-type': 'text/html' }).end(next[1])
  })
})

let portal: TestPortal
let client: TestClient
let as: TestApi
let staff: TestApi
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  portal = await (await testPortal()).with({
    SUPPORT_URL: `http://127.0.0.1:${port}/api/tickets.json`,
    SUPPORT_KEY: KEY,
  })
  client = await portal.client({ company: 'Saltmarsh Foods Ltd' })
  as = client.as(await client.user({ name: 'Ann' }))
  staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
})
afterAll(async () => {
  const closed = new Promise<void>((done) => server.close(() => done()))
  server.closeAllConnections()
  await closed
})

const ask = async (...to: typeof answers) => {
  got.splice(0)
  answers = to
  const { status, body } = await as.post(TICKETS, {
    subject: 'It fails',
    message: 'I pressed save',
    email: 'ann@salt.example',
    topicId: 3,
    page: '/sfp/overview?token=0123456789abcdef0123456789abcdef',
    reference: 'req-1',
  })
  expect([status, body.desk]).toEqual([201, 'waiting'])
  await portal.drain()
  return body['@id'] as string
}
/** Makes queued retries due immediately. */
const later = async () => {
  await portal.db.tx('owner', (tx) =>
    tx.rows("UPDATE pgboss.job SET start_after = now() WHERE name = 'support' AND state = 'retry'"),
  )
  await portal.drain()
}
const deskOf = async (at: string) => {
  const { desk, deskNumber, deskError } = (await staff.get(at)).body
  return [desk, deskNumber, deskError]
}

test('a ticket without a subject is rejected', async () => {
  for (const subject of [undefined, null, '', ' ']) {
    const { status, body } = await as.post(TICKETS, { subject, message: 'I pressed save', email: 'ann@salt.example' })
    expect([status, body.violations?.[0]?.propertyPath]).toEqual([422, 'subject'])
  }
})

test('a ticket is forwarded to the help desk with the specified fields and the API key, but without secrets', async () => {
  const at = await ask()
  expect(got).toHaveLength(1)
  const [{ headers, url, body } = { headers: {}, url: '', body: {} }] = got
  expect([url, headers['x-api-key'], headers['content-type']]).toEqual(['/api/tickets.json', KEY, 'application/json'])
  expect(body).toEqual({
    alert: true,
    autorespond: true,
    source: 'API',
    name: 'Ann',
    email: 'ann@salt.example',
    subject: 'Saltmarsh Foods Ltd: It fails',
    message: expect.stringMatching(
      /^I pressed save\n\nScreen: \/sfp\/overview.*\n\nRequest: req-1\n\nPortal ticket \d+-\d+$/,
    ),
    topicId: 3,
    client: 'Saltmarsh Foods Ltd',
  })
  expect(JSON.stringify(body)).not.toContain('0123456789abcdef')
  expect(await deskOf(at)).toEqual(['handed on', '482913', ''])
  expect((await staff.post(`${at}/hand-on`, {})).status).toBe(409)
  expect((await as.get(at)).body).not.toHaveProperty('deskError')
})

test('after errors and dropped connections, a ticket is sent again until the help desk accepts it', async () => {
  const at = await ask([503, 'Busy'], 'hang up')
  expect(await deskOf(at)).toEqual(['waiting', '', '503: Busy'])
  await later()
  expect(await deskOf(at)).toEqual(['waiting', '', 'The help desk did not respond.'])
  await later()
  expect(await deskOf(at)).toEqual(['handed on', '482913', ''])
  expect(got).toHaveLength(3)
})

test('a permanent rejection by the help desk is shown on the ticket, and staff can send the ticket again', async () => {
  const at = await ask([401, 'API key not found'])
  expect(await deskOf(at)).toEqual(['refused', '', '401: API key not found'])
  await later()
  expect(got).toHaveLength(1)
  expect((await as.post(`${at}/hand-on`, {})).status).toBe(403)
  expect((await staff.post(`${at}/hand-on`, {})).body.desk).toBe('waiting')
  await portal.drain()
  expect(await deskOf(at)).toEqual(['handed on', '482913', ''])
})

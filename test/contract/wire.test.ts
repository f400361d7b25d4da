import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { ensureTemporaryUploadFolder } from '#server/files/receive.ts'
import { makeFilePortal } from '#test/support/files.ts'
import { parseRawResponse, sendRaw } from '#test/support/raw.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const intervals = vi.spyOn(globalThis, 'setInterval')
const { portal } = await makeFilePortal()
/** Functions that the server runs periodically, such as the check for slow requests. */
const looks = intervals.mock.calls.map(([look]) => look)
intervals.mockRestore()
const client = await portal.client()
const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] })
const api = client.as(user)
const origin = await portal.listen()
const { token } = await portal.sessions.open(
  { clientId: client.id, userId: user.id },
  { address: '127.0.0.1', agent: 'test', browser: false },
)
const LIST = '/api/safety/hazards'
/** Milliseconds well below those after which the server closes an idle connection. */
const SOON_MS = 30_000
const LINK = /^<http:\/\/[^>]+\/api\/docs\.jsonld>; rel="http:\/\/www\.w3\.org\/ns\/hydra\/core#apiDocumentation"$/

test.each(['keep-alive', 'close'])(
  'the sender of a refused body receives the response before the whole body is sent (connection: %s)',
  async (connection) => {
    const { hostname, port } = new URL(origin)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('utf8').on('data', (part: string) => (received += part))
    const ended = vi.fn<() => void>()
    socket.on('error', ended).on('end', ended)
    const [part, parts] = ['x'.repeat(2 ** 20), 4]
    const head = `Host: a\r\nContent-Type: application/json\r\nConnection: ${connection}\r\n`
    socket.write(`POST ${LIST} HTTP/1.1\r\n${head}Content-Length: ${parts * part.length}\r\n\r\n${part}`)
    await expect.poll(() => received).toContain('"code":"too_large"')
    for (let sent = 1; sent < parts; sent++) await new Promise((done) => socket.write(part, done))
    expect(parseRawResponse(received).status).toBe(413)
    expect(ended).not.toHaveBeenCalled()
    socket.destroy()
  },
)

describe('malformed requests', () => {
  test.each([
    ['a request that is not HTTP', '\x16\x03\x01\x02\x00hello\r\n\r\n', '400 bad_request'],
    ['an unknown HTTP method', 'FOO /api HTTP/1.1\r\nHost: a\r\n\r\n', '400 bad_request'],
    [
      'a request with two body lengths',
      'POST /api HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400 bad_request',
    ],
    [
      'a chunk without a valid length',
      'POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
      '400 bad_request',
    ],
    [
      'an oversized header',
      `GET /api HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 headers_too_large',
    ],
    ['an oversized URL', `GET /api?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, '431 headers_too_large'],
    ['a request without a Host header', 'GET /api HTTP/1.1\r\nConnection: close\r\n\r\n', '400 bad_request'],
    [
      'a request with two Host headers',
      'GET /api HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
      '400 bad_request',
    ],
    [
      'an unsupported Expect header',
      'GET /api HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
      '417 expectation_failed',
    ],
    ['a URL that can’t be decoded', 'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '404 not_found'],
  ])('%s is rejected with the standard error body, and its connection ends', async (_, bytes, said) => {
    const answered = sendRaw(origin, bytes)
    const late = sleep(SOON_MS, undefined, { ref: false }).then(() =>
      expect.unreachable('The connection is still open.'),
    )
    const { status, headers, text: body } = await Promise.race([answered, late])
    expect(`${status} ${JSON.parse(body).code}`).toBe(said)
    expect(JSON.parse(body)).toMatchObject({ '@type': 'hydra:Error', status, detail: expect.any(String) })
    expect(headers).toMatchObject({
      'content-type': 'application/ld+json; charset=utf-8',
      link: expect.stringMatching(LINK),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  test('a response in progress is never mixed with an error response', async () => {
    const both = await sendRaw(origin, 'GET /api HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n')
    expect(both.text.match(/HTTP\/1\.1/g) ?? []).toHaveLength(both.status === 200 ? 1 : 0)
  })
})

describe('a request line in absolute form', () => {
  const asked = (line: string) =>
    sendRaw(
      origin,
      `${line} HTTP/1.1\r\nHost: other.example\r\nAuthorization: bearer ${token}\r\nConnection: close\r\n\r\n`,
    )

  test('a request line in absolute form is served for the host that it names', async () => {
    for (const path of ['/api', LIST, `${LIST}?itemsPerPage=1`]) {
      const { status, headers } = await asked(`GET http://portal.example${path}`)
      expect([status, headers.vary]).toEqual([200, 'Accept, Accept-Encoding'])
      expect(headers.link).toContain('<http://portal.example/api/docs.jsonld>')
    }
    expect((await asked(`OPTIONS http://portal.example${LIST}`)).status).toBe(204)
    expect((await asked('GET http://portal.example/api/nothing')).status).toBe(404)
    expect((await asked('OPTIONS *')).status).toBeLessThan(500)
  })
})

describe('HTTP methods', () => {
  test('OPTIONS lists the methods of a URL, and returns 404 for an unknown URL', async () => {
    for (const [url, allow] of [
      [LIST, 'GET, POST, HEAD, OPTIONS'],
      [`${LIST}/1`, 'GET, PUT, PATCH, HEAD, OPTIONS'],
      ['/api/safety/risk_assessments/1/complete', 'POST, OPTIONS'],
      ['/api', 'GET, HEAD, OPTIONS'],
      ['/api/docs.json', 'GET, HEAD, OPTIONS'],
      ['/healthz', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers, text: body } = await portal.anonymous.send('OPTIONS', url)
      expect([url, status, headers.allow, body]).toEqual([url, 204, allow, ''])
    }
    for (const url of ['/api/nothing', '/api/nothing/1'])
      expect((await portal.anonymous.send('OPTIONS', url)).status).toBe(404)
  })

  test('no URL supports TRACE', async () => {
    for (const url of [LIST, `${LIST}/1`, '/api', '/healthz']) {
      const { status, headers, body } = await api.send('TRACE', url)
      expect([status, headers.allow?.includes('OPTIONS'), body.code]).toEqual([405, true, 'method_not_allowed'])
    }
  })

  test('HEAD is supported wherever GET is, without the side effects of GET', async () => {
    const addresses = [`${LIST}/export.csv`, `${LIST}/export.xlsx`]
    const exports = () =>
      portal.db
        .tx('system', (tx) => tx.rows('SELECT 1 FROM audit WHERE client_id = $1', [client.id]))
        .then((rows) => rows.length)
    const before = await exports()
    for (const url of addresses) {
      expect((await api.head(url)).status).toBe(200)
      expect((await portal.anonymous.head(url)).status).toBe(401)
    }
    expect(await exports()).toBe(before)
    for (const url of addresses) expect((await api.get(url)).status).toBe(200)
    expect(await exports()).toBe(before + addresses.length)
    expect((await portal.anonymous.head('/healthz')).status).toBe(200)
  })
})

test('search engines may neither request nor index anything', async () => {
  const { status, headers, text: rules } = await portal.anonymous.get('/robots.txt')
  expect([status, headers['content-type'], rules]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'User-agent: *\nDisallow: /\n',
  ])
  for (const url of ['/', '/form/1-1-x', '/robots.txt', '/api', '/api/safety/shared_forms/1-1-x', LIST])
    expect([url, (await portal.anonymous.get(url)).headers['x-robots-tag']]).toEqual([url, 'noindex'])
})

describe('encoded request bodies', () => {
  const send = (headers: Record<string, string>) =>
    api.send('POST', LIST, { headers: { 'content-type': 'application/json', ...headers }, body: '{}' })

  test('a request body that is compressed or has a charset other than UTF-8 is rejected with 415', async () => {
    const odd: Record<string, string>[] = [
      { 'content-encoding': 'gzip' },
      { 'content-encoding': 'br' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json;charset="ISO-8859-1"' },
    ]
    for (const headers of odd) {
      const { status, body } = await send(headers)
      expect([headers, status, body.code]).toEqual([headers, 415, 'unsupported_media_type'])
    }
    expect((await send({ 'content-encoding': 'gzip' })).headers['accept-encoding']).toBe('identity')
    expect((await send({ 'content-encoding': 'identity' })).status).toBe(422)
    expect((await send({ 'content-type': 'application/json; charset=UTF-8' })).status).toBe(422)
  })
})

describe('a slowly sent request body', () => {
  const FORM = 'multipart/form-data; boundary=x'
  const KNOWN = `Authorization: Bearer ${token}\r\n`

  /** Advances the clock of the periodic checks by a number of seconds. */
  function pass(seconds: number): void {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + seconds * 1000)
    for (const look of looks) look()
    clock.mockRestore()
  }

  /** Starts a request and leaves its body incomplete. Returns the socket, and a promise of the response text. */
  async function begin(path: string, more: string, bytes: string | Buffer, length = 100_000) {
    const { hostname, port } = new URL(origin)
    const begun = once(portal.app.server, 'request')
    const socket = connect(Number(port), hostname)
    const got = text(socket)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${more}Content-Length: ${length}\r\n\r\n`)
    socket.write(bytes)
    await begun
    return { socket, got }
  }

  test.each([
    ['from an anonymous user', '/api/security/login', 'application/json', ''],
    ['sent as a form to an endpoint that does not accept forms', '/api/security/login', FORM, ''],
    ['sent as a form to a public endpoint', '/pay/test/x', FORM, ''],
    ['uploaded by an anonymous user', `/api/safety/uploads/${client.id}`, FORM, ''],
    ['from a signed-in user', LIST, 'application/json', KNOWN],
  ])(
    'a slow request body %s is cut off after a minute with an error response, unless a response has already been sent',
    async (_, path, type, more) => {
      const { got } = await begin(path, `${more}Content-Type: ${type}\r\n`, '--x')
      pass(61)
      const { status, text: body } = parseRawResponse(await got)
      expect([408, 401, 410, 415]).toContain(status)
      if (status === 408) expect(JSON.parse(body)).toMatchObject({ code: 'not_in_time', status: 408 })
    },
  )

  test('a slow upload by a signed-in user is not limited to a minute', async () => {
    const { headers, body } = makeUploadForm(MINIMAL_PDF, 'a.pdf')
    const half = body.length - 100
    const { socket, got } = await begin(
      `/api/safety/uploads/${client.id}`,
      `${KNOWN}Content-Type: ${headers['content-type']}\r\n`,
      body.subarray(0, half),
      body.length,
    )
    await expect.poll(async () => readdirSync(await ensureTemporaryUploadFolder()).length).toBe(1)
    pass(300)
    socket.write(body.subarray(half))
    expect(parseRawResponse(await got).status).toBe(201)
  })
})

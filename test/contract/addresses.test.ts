import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { testPortal } from '../support/portal.ts'

const portal = await testPortal()
const LOGIN = '/api/security/login'
const PASSWORD = 'umbrella stand seven'
const VISITOR = '203.0.113.9'

/** Returns the visitor's IP address that the server determines from these headers, as recorded for a sign-in. */
async function addressOf(settings: Record<string, string>, headers: Record<string, string>): Promise<string> {
  const served = await portal.with(settings)
  const client = await portal.client()
  const { username } = await client.user({ password: PASSWORD })
  const { body } = await served.anonymous.post(LOGIN, { username, client: client.id, password: PASSWORD }, headers)
  const sessions = await served.bearing(body.token).get('/api/security/sessions')
  return sessions.body['hydra:member'][0].address
}

describe('the IP address of a visitor', () => {
  const forged = { 'x-forwarded-for': `127.0.0.1, 198.51.100.7, ${VISITOR}` }

  test.each([
    ['is that of the connection if no proxy is trusted', {}, '127.0.0.1'],
    ['is the last in X-Forwarded-For if one proxy is trusted', { TRUST_PROXY: 'true' }, VISITOR],
    ['is found by counting the trusted hops from the right', { TRUST_PROXY: '2' }, '198.51.100.7'],
    [
      'is the first from the right outside the trusted networks',
      { TRUST_PROXY: 'loopback,203.0.113.0/24' },
      '198.51.100.7',
    ],
    [
      'is that of the connection if it comes from outside the trusted networks',
      { TRUST_PROXY: '10.0.0.0/8' },
      '127.0.0.1',
    ],
  ])("the visitor's IP address %s", async (_, settings, address) => {
    expect(await addressOf(settings as Record<string, string>, forged)).toBe(address)
  })

  test('an unreadable TRUST_PROXY setting prevents the portal from starting', () => {
    expect(() => readConfig({ TRUST_PROXY: 'everybody' })).toThrow('The setting TRUST_PROXY must be')
  })
})

describe('token renewal by cookie', () => {
  test('token renewal by cookie ignores forwarded hosts from untrusted proxies', async () => {
    const client = await portal.client()
    const { username } = await client.user({ password: PASSWORD })
    const page = { 'x-requested-with': 'portal' }
    const { headers } = await portal.anonymous.post(LOGIN, { username, client: client.id, password: PASSWORD }, page)
    const cookie = String(headers['set-cookie']).split(';')[0] as string
    const elsewhere = { ...page, cookie, host: 'portal.example', origin: 'https://evil.example' }
    const renew = (more: object) => portal.anonymous.post('/api/security/renew', {}, { ...elsewhere, ...more })
    expect((await renew({ 'x-forwarded-host': 'evil.example' })).status).toBe(401)
    expect((await renew({ origin: 'https://portal.example' })).status).toBe(200)
  })

  test('token renewal over HTTPS uses a cookie that only an HTTPS response can set', async () => {
    const served = await portal.with({ PUBLIC_URL: 'https://portal.example' })
    const client = await portal.client()
    const { username } = await client.user({ password: PASSWORD })
    const signIn = { username, client: client.id, password: PASSWORD }
    const { headers } = await served.anonymous.post(LOGIN, signIn, { 'x-requested-with': 'portal' })
    for (const cookie of [headers['set-cookie'] ?? 'none'].flat())
      expect(cookie).toMatch(/^__Secure-stanchion_\w+=.*; Secure$/)
  })
})

describe('a published demo password', () => {
  test.each([
    ['the same machine', {}, 200],
    ['the portal’s own page', { host: 'localhost:3000', origin: 'http://localhost:3000' }, 200],
    ['behind a proxy on the same machine', { 'x-forwarded-for': VISITOR }, 403],
    ['behind a proxy that sends the standard Forwarded header', { forwarded: `for=${VISITOR}` }, 403],
    ['a client that uses a host name', { host: 'portal.example' }, 403],
    ['a page on another site', { host: 'localhost:3000', origin: 'https://evil.example' }, 403],
    ['a page with an opaque origin', { origin: 'null' }, 403],
  ])('a sign-in with a demo password from %s with headers %j gets status %i', async (_, headers, status) => {
    const client = await portal.client()
    const { id, username } = await client.user({ password: PASSWORD })
    await portal.db.tx('system', (tx) => tx.rows('UPDATE credential SET demo = true WHERE user_id = $1', [id]))
    const signIn = { username, client: client.id, password: PASSWORD }
    expect((await portal.anonymous.post(LOGIN, signIn, headers as Record<string, string>)).status).toBe(status)
  })
})

describe('a portal that other machines can access', () => {
  test('a publicly accessible portal requires an https URL, or a setting that allows http', () => {
    for (const settings of [{}, { PUBLIC_URL: 'http://portal.example' }])
      expect(() => readConfig({ HOST: '0.0.0.0', ...settings })).toThrow('set PUBLIC_URL to the https URL')
    expect(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://portal.example' }).host).toBe('0.0.0.0')
    expect(readConfig({ HOST: '0.0.0.0', PLAIN_HTTP: 'true' }).host).toBe('0.0.0.0')
    for (const host of ['127.0.0.1', '::1', 'localhost']) expect(readConfig({ HOST: host }).host).toBe(host)
  })
})

describe('cross-origin requests', () => {
  const origin = 'https://app.example'
  const allowed = async (url: string, settings: Record<string, string> = {}) =>
    (await (await portal.with(settings)).anonymous.get(url, { origin })).headers['access-control-allow-origin']

  test('pages on other sites can read only the API documentation and the JSON-LD contexts', async () => {
    for (const url of ['/api', '/api/docs.jsonld', '/api/docs.json', '/api/contexts/User'])
      expect([url, await allowed(url)]).toEqual([url, '*'])
    for (const url of ['/api/portal/public', '/api/portal/users', '/api/docs', '/api/contexts/User/1', '/healthz'])
      expect([url, await allowed(url)]).toEqual([url, undefined])
  })

  test('pages on other sites can read everything if a setting lists their origin', async () => {
    const settings = { API_ORIGINS: `https://other.example ${origin}` }
    expect(await allowed('/api/portal/public', settings)).toBe(origin)
    const served = await portal.with(settings)
    const stranger = await served.anonymous.get('/api/portal/public', { origin: 'https://evil.example' })
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined()
    expect(stranger.headers.vary).toBe('Accept, Accept-Encoding, Origin')
  })

  test('allowed sites are identified by their origin alone', () => {
    for (const wrong of ['*', 'app.example', 'https://app.example/'])
      expect(() => readConfig({ API_ORIGINS: wrong })).toThrow(
        'The setting API_ORIGINS must be a list of origins such as https://app.example.',
      )
  })
})

describe('security headers in responses', () => {
  test.each(['/api', '/api/portal/users', '/api/portal/public', '/api/nothing', '/%zz', '/healthz', '/quote/none'])(
    'the response from %s has a content security policy',
    async (url) => {
      const { headers } = await portal.anonymous.get(url)
      expect(headers['content-security-policy']).toMatch(/frame-ancestors/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    },
  )

  test('pages have a permissions policy and an opener policy, but data responses do not', async () => {
    const page = await portal.anonymous.get('/pay/test/seti_test_x', { accept: 'text/html' })
    const data = await portal.anonymous.get('/api')
    const said = [page, data].map(({ headers }) => [
      headers['permissions-policy'],
      headers['cross-origin-opener-policy'],
    ])
    expect(said).toEqual([
      [expect.stringContaining('geolocation=(self)'), 'same-origin'],
      [undefined, undefined],
    ])
  })

  test('responses with personal data are never stored by caches, but a matching ETag still avoids sending the data again', async () => {
    const client = await portal.client()
    const api = client.as(await client.user())
    const { headers } = await api.get('/api/portal/users')
    expect(headers['cache-control']).toBe('private, no-store')
    const again = await api.get('/api/portal/users', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.headers['cache-control']]).toEqual([304, 'private, no-store'])
  })
})

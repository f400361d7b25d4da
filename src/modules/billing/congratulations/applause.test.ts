import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

let serve: RequestListener = (_, res) => res.end()
const service = createServer((req, res) => serve(req, res)).listen(0)
const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/random`
afterAll(() => service.close())

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const portal = await (await testPortal()).with({ APPLAUSE_URL: address })
const caller = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
const ask = () => caller.get('/api/financial/applause', { accept: '*/*' })

test("the portal forwards the applause service's picture and sends the service no personal data", async () => {
  const heard: unknown[] = []
  serve = (req, res) => {
    heard.push(req.headers.authorization, req.headers.cookie)
    res.setHeader('content-type', 'text/html')
    res.end(GIF)
  }
  const answer = await ask()
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/gif'])
  expect(heard).toEqual([undefined, undefined])
})

test.each<[string, RequestListener]>([
  ['is unavailable', (_, res) => void res.socket?.destroy()],
  ['fails', (_, res) => void res.writeHead(500).end('no')],
  ['responds with an HTML page', (_, res) => void res.end('<script>alert(1)</script>')],
  ['redirects to another URL', (_, res) => void res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  [
    'never ends its response',
    (_, res) => {
      const more = () => (res.write(Buffer.alloc(100_000, GIF)) ? setImmediate(more) : res.once('drain', more))
      more()
    },
  ],
])('if the applause service %s, no picture is shown and no error is reported', async (_, does) => {
  serve = does
  const answer = await ask()
  expect([answer.status, answer.text]).toEqual([204, ''])
})

test('applause is available only to sales staff', async () => {
  const client = await portal.client()
  expect(
    (await client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })).get('/api/financial/applause')).status,
  ).toBe(403)
})

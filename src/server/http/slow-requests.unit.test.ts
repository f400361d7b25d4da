import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endSlowRequests, waiveBodyTimeLimit } from './slow-requests.ts'

/**
 * Starts a server that responds `ms` milliseconds after it has received a complete body, and returns the server's URL.
 * Requests with a form are granted more time.
 */
async function served(silence: number, ms: number, whole = 10_000): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.once('end', () => setTimeout(() => response.end('done'), ms))
    if (incoming.headers['content-type']?.startsWith('multipart/')) waiveBodyTimeLimit(incoming)
  })
  endSlowRequests(
    server,
    { silence, whole },
    (socket) => void socket.end('HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns the result of a started request: its status or error code. The connection may break after a response. */
function endOf(begun: ReturnType<typeof request>): Promise<number | string | undefined> {
  begun.on('error', () => {})
  return once(begun, 'response').then(
    ([response]) => response.on('error', () => {}).resume().statusCode,
    (e: NodeJS.ErrnoException) => e.code,
  )
}

test('a request whose body stalls is rejected', async () => {
  const begun = request(await served(200, 0), { method: 'POST', headers: { 'content-length': 10 } })
  begun.write('half')
  expect(await endOf(begun)).toBe(408)
})

test('a second request on a reused connection is rejected if its body stalls', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const origin = await served(200, 0)
  const ask = () => request(origin, { method: 'POST', agent, headers: { 'content-length': 4 } })
  const first = ask()
  first.end('full')
  expect(await endOf(first)).toBe(200)
  await once(agent, 'free')
  const second = ask()
  second.write('fu')
  const how = await endOf(second)
  expect([how, second.reusedSocket]).toEqual([408, true])
})

test('a request whose body has arrived is not rejected while it waits for a slow response', async () => {
  const whole = request(await served(200, 500), { method: 'POST', headers: { 'content-length': 4 } })
  whole.end('full')
  expect(await endOf(whole)).toBe(200)
})

test('a request whose body arrives too slowly is rejected, unless it has been granted more time', async () => {
  const drip = async (type: string) => {
    const origin = await served(5000, 0, 50)
    const begun = request(origin, { method: 'POST', headers: { 'content-length': 10, 'content-type': type } })
    const ended = endOf(begun)
    const dripping = setInterval(() => begun.destroyed || begun.write('x'), 30)
    const how = await ended
    clearInterval(dripping)
    return how
  }
  expect(await Promise.all([drip('application/json'), drip('multipart/form-data; boundary=x')])).toEqual([408, 200])
})

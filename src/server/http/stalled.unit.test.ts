import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { endStalled } from './stalled.ts'

/** A server that answers a whole body after `ms`, and the address of it. */
async function served(silence: number, ms: number, text = 10_000): Promise<string> {
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.once('end', () => setTimeout(() => response.end('done'), ms))
  })
  endStalled(server, { silence, text })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a request whose body stops coming is ended', async () => {
  const begun = request(await served(200, 0), { method: 'POST', headers: { 'content-length': 10 } })
  begun.write('half')
  const [e] = (await once(begun, 'error')) as [NodeJS.ErrnoException]
  expect(e.code).toBe('ECONNRESET')
})

test('one that has come whole waits for its answer, however long that takes', async () => {
  const whole = request(await served(200, 500), { method: 'POST', headers: { 'content-length': 4 } })
  whole.end('full')
  const [response] = await once(whole, 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
})

test('one whose body drips is ended too, unless it is a form, which may be large', async () => {
  const drip = async (type: string) => {
    const origin = await served(5000, 0, 50)
    const begun = request(origin, { method: 'POST', headers: { 'content-length': 10, 'content-type': type } })
    const ended = once(begun, 'response').then(
      () => 'answered',
      (e: NodeJS.ErrnoException) => e.code,
    )
    const dripping = setInterval(() => begun.destroyed || begun.write('x'), 30)
    const how = await ended
    clearInterval(dripping)
    return how
  }
  expect(await Promise.all([drip('application/json'), drip('multipart/form-data; boundary=x')])).toEqual([
    'ECONNRESET',
    'answered',
  ])
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitConnectionsWithoutRequests } from './request-limits.ts'

test('an IP address can have only a limited number of open connections that have not yet sent a request', async () => {
  const server = createServer((_incoming, response) => response.end('done'))
  limitConnectionsWithoutRequests(server, 2)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  onTestFinished(() => void server.close())
  const [first] = [await open(), await open()]
  const third = await open()
  third.resume()
  await once(third, 'close')

  first.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(first, 'data')
  const fourth = await open()
  fourth.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String((await once(fourth, 'data'))[0])).toContain('200 OK')
})

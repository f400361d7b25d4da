import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOfAddress } from '#server/auth/network.ts'

/**
 * Limits the connections from one address that have not sent a request, because too many would shut out everybody else.
 */
export function limitSilentConnections(server: Server, most: number): void {
  const silent = new Map<string, number>()
  const leaving = new WeakMap<Socket, () => void>()
  server.on('connection', (socket: Socket) => {
    const from = networkOfAddress(socket.remoteAddress ?? '')
    const before = silent.get(from) ?? 0
    if (before >= most) return socket.destroy()
    silent.set(from, before + 1)
    const leave = () => {
      if (!leaving.delete(socket)) return
      const left = (silent.get(from) ?? 1) - 1
      if (left > 0) silent.set(from, left)
      else silent.delete(from)
    }
    leaving.set(socket, leave)
    return socket.once('close', leave)
  })
  server.on('request', ({ socket }: IncomingMessage) => leaving.get(socket)?.())
}

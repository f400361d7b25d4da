import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '#server/auth/network.ts'

/** Keeps those from one address that have connected and asked for nothing yet to `most`: more would shut the door to everybody. */
export function limitSilent(server: Server, most: number): void {
  const silent = new Map<string, number>()
  const leaving = new WeakMap<Socket, () => void>()
  server.on('connection', (socket: Socket) => {
    const from = networkOf(socket.remoteAddress ?? '')
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

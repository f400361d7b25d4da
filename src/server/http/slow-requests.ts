import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds. */
export interface Patience {
  /** A request whose body has stopped coming is ended after this. */
  readonly silence: number
  /** A body has to have come whole after this, unless it is given time: nobody has signed in for it yet. */
  readonly whole: number
}

/** A request whose body may still be coming: since when, how much of it there was when it was last looked at, and when that came. */
interface Coming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
  bytes: number
  heardAt: number
}

/** Those that are given time. */
const given = new WeakSet<IncomingMessage>()

/** How often all are looked at in the shorter of the two spans. */
const LOOKS = 20
/** Before it is looked at for the first time: what it costs to ask a connection how much has come, not every request pays. */
const UNKNOWN = -1

/**
 * Ends requests whose body stops coming, or drips: each would hold a connection, memory and a place on the disk for ever. Those that
 * are not answered yet are `refused`. All are looked at together now and then, the last of each connection: a timer for each, and
 * a listener for its end, would cost every request more.
 */
export function endStalled(server: Server, { silence, whole }: Patience, refuse: (socket: Socket) => void): void {
  const coming = new Map<Socket, Coming>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    const since = performance.now()
    coming.set(request.socket, { request, response, since, bytes: UNKNOWN, heardAt: since })
  })
  const look = () => {
    const now = performance.now()
    for (const [socket, one] of coming) {
      const { request } = one
      if (one.bytes !== socket.bytesRead) Object.assign(one, { bytes: socket.bytesRead, heardAt: now })
      const isOver = request.complete || request.destroyed
      const isLate = now - one.heardAt > silence || (now - one.since > whole && !given.has(request))
      if (isOver || isLate) coming.delete(socket)
      if (isOver || !isLate) continue
      if (one.response.headersSent) socket.destroy()
      else refuse(socket)
    }
  }
  const looking = setInterval(look, Math.min(silence, whole) / LOOKS).unref()
  server.once('close', () => clearInterval(looking))
}

/** Lets a body come as long as it doesn't fall silent: a large file, of somebody who is known. */
export const giveTime = (request: IncomingMessage): void => void given.add(request)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

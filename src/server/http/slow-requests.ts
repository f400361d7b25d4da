import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Time limits in milliseconds. */
export interface SlowRequestLimits {
  /** For the next piece of a body. */
  readonly silence: number
  /** For a whole body, unless it is given time: nobody has signed in for it yet. */
  readonly whole: number
}

/** A request whose body may still be coming: since when, how many bytes at the last check, and when they came. */
interface IncomingBody {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
  bytes: number
  heardAt: number
}

const withTime = new WeakSet<IncomingMessage>()

/** Checks in the shorter of the two limits. */
const CHECKS_PER_LIMIT = 20
/** Before the first check: asking a connection for its byte count costs time that few requests need. */
const UNKNOWN = -1

/**
 * Ends requests whose body stops coming, or drips: each would hold a connection, memory and disk space for ever. Unanswered ones are
 * refused. All are checked together now and then, the last request of each connection: a timer and an end listener for each would cost
 * every request more.
 */
export function endSlowRequests(
  server: Server,
  { silence, whole }: SlowRequestLimits,
  refuse: (socket: Socket) => void,
): void {
  const coming = new Map<Socket, IncomingBody>()
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
      const isLate = now - one.heardAt > silence || (now - one.since > whole && !withTime.has(request))
      if (isOver || isLate) coming.delete(socket)
      if (isOver || !isLate) continue
      if (one.response.headersSent) socket.destroy()
      else refuse(socket)
    }
  }
  const looking = setInterval(look, Math.min(silence, whole) / CHECKS_PER_LIMIT).unref()
  server.once('close', () => clearInterval(looking))
}

/** Gives a body time as long as data keeps coming: a large file, of somebody who is signed in. */
export const giveTime = (request: IncomingMessage): void => void withTime.add(request)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

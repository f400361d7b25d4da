import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Time limits in milliseconds. */
export interface SlowRequestLimits {
  /** For the next chunk of a body. */
  readonly silence: number
  /** For the whole body, unless the request has been granted longer. Short, as the sender is not authenticated yet. */
  readonly whole: number
}

/** A request whose body may still be arriving: its start, the bytes at the last check, and when they arrived. */
interface IncomingBody {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
  bytes: number
  heardAt: number
}

const withTime = new WeakSet<IncomingMessage>()

/** Number of checks during the shorter of the two limits. */
const CHECKS_PER_LIMIT = 20
/** Value before the first check: reading a connection's byte count takes time that few requests need. */
const UNKNOWN = -1

/**
 * Ends requests whose body stalls or arrives too slowly, since each would occupy a connection, memory and disk space
 * indefinitely. Those without a response yet get an error. Periodically checks the last request of every connection: a
 * timer and an end handler for each request would be slower.
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

/** Grants a body time as long as data keeps arriving: for a large file of a signed-in user. */
export const extendBodyTimeLimit = (request: IncomingMessage): void => void withTime.add(request)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

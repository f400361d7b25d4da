import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Time limits in milliseconds. */
export interface SlowRequestLimits {
  /** Time limit for the next chunk of a body. */
  readonly silence: number
  /**
   * Time limit for the complete body, unless the request has been granted more time. The limit is short because the
   * sender is not authenticated yet.
   */
  readonly whole: number
}

/**
 * A request whose body may still be arriving, with its start time, the number of bytes at the last check, and the time
 * at which they arrived.
 */
interface IncomingBody {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly since: number
  bytes: number
  heardAt: number
}

const withTime = new WeakSet<IncomingMessage>()

/** Number of checks within the shorter of the two time limits. */
const CHECKS_PER_LIMIT = 20
/**
 * Number of bytes before the first check. A connection's byte count is not read earlier, because this takes time and
 * few requests need it.
 */
const UNKNOWN = -1

/**
 * Ends requests whose body stalls or arrives too slowly, because each would occupy a connection, memory and disk space
 * indefinitely. A request that has had no response yet gets an error. The last request on every connection is checked
 * periodically, because a timer and an end handler for each request would be slower.
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

/**
 * Removes the time limit for a complete body as long as data keeps arriving, for a large file from a signed-in user.
 */
export const waiveBodyTimeLimit = (request: IncomingMessage): void => void withTime.add(request)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

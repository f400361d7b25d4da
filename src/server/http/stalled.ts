import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds. */
export interface Patience {
  /** A request whose body has stopped coming is ended after this. */
  readonly silence: number
  /** A body has to have come whole after this, unless it is given time: nobody has signed in for it yet. */
  readonly whole: number
}

/** How those that are still coming are given time. */
const coming = new WeakMap<IncomingMessage, () => void>()

/**
 * Ends requests whose body stops coming, or drips: each would hold a connection, memory and a place on the disk for ever. Those that
 * are not answered yet are `refused`.
 */
export function endStalled(server: Server, { silence, whole }: Patience, refuse: (socket: Socket) => void): void {
  // Before whoever answers: time may be given at once.
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (!hasBody(request)) return
    const end = () => (response.headersSent ? socket.destroy() : refuse(socket))
    socket.setTimeout(silence)
    // With somebody listening to its `timeout`, Node leaves the connection to them.
    request.once('timeout', end)
    const late = setTimeout(end, whole).unref()
    coming.set(request, () => clearTimeout(late))
    request.once('close', () => clearTimeout(late))
    request.once('end', () => {
      clearTimeout(late)
      // Once the answer has gone, the time is that of an idle connection, which is Node's to set.
      if (!response.writableEnded) socket.setTimeout(0)
    })
  })
}

/** Lets a body come as long as it doesn't fall silent: a large file, of somebody who is known. */
export const giveTime = (request: IncomingMessage): void => coming.get(request)?.()

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

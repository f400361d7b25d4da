import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Milliseconds. */
export interface Patience {
  /** A request whose body has stopped coming is ended after this. */
  readonly silence: number
}

/** Ends requests whose body stops coming: each would hold a connection, memory and a place on the disk for ever. */
export function endStalled(server: Server, { silence }: Patience): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (!hasBody(request)) return
    // With nobody listening to its `timeout`, Node destroys the connection.
    socket.setTimeout(silence)
    request.once('end', () => {
      // Once the answer has gone, the time is that of an idle connection, which is Node's to set.
      if (!response.writableEnded) socket.setTimeout(0)
    })
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

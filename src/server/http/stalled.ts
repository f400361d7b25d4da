import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Milliseconds. */
export interface Patience {
  /** A request whose body has stopped coming is ended after this. */
  readonly silence: number
  /** A body other than a form's has to have come whole after this: it has 2 MB at the most, and nobody has signed in for it yet. */
  readonly text: number
}

/** Ends requests whose body stops coming, or drips: each would hold a connection, memory and a place on the disk for ever. */
export function endStalled(server: Server, { silence, text }: Patience): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    if (!hasBody(request)) return
    // With nobody listening to its `timeout`, Node destroys the connection.
    socket.setTimeout(silence)
    const late = isForm(request) ? undefined : setTimeout(() => socket.destroy(), text).unref()
    request.once('close', () => clearTimeout(late))
    request.once('end', () => {
      clearTimeout(late)
      // Once the answer has gone, the time is that of an idle connection, which is Node's to set.
      if (!response.writableEnded) socket.setTimeout(0)
    })
  })
}

const isForm = ({ headers }: IncomingMessage): boolean => /^multipart\//i.test(headers['content-type'] ?? '')

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Problem, problem } from '#kernel/errors.ts'
import type { Config } from '#server/config.ts'
import { errorAnswer } from './errors.ts'
import { headersOfRefusal, VARY } from './headers.ts'
import { linkTo } from './origin.ts'

// An import would enumerate the module and load its WebSocket and fetch: a tenth of a start.
const { STATUS_CODES: statusTexts } = process.getBuiltinModule('node:http')

type Origins = Pick<Config, 'publicUrl'>

/** The headers of a refusal before the framework. The connection ends: what follows on it can't be told apart. */
function headersOf(config: Origins, host: string, type: string, text: string): Record<string, string> {
  return {
    ...headersOfRefusal(config),
    'content-type': type,
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    link: linkTo(config.publicUrl ?? `http://${host}`),
    vary: VARY,
    connection: 'close',
  }
}

const addressOf = ({ localAddress = 'localhost', localPort = 0 }: Socket): string =>
  `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`

/** The last response of a connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>()

/** Refuses a request that can't be read, or doesn't come. Where an answer is on its way already, the connection just ends. */
export function refuseOn(socket: Socket, why: Problem, config: Origins): void {
  const answering = lastResponses.get(socket)
  if (!socket.writable || (answering?.headersSent && !answering.writableFinished)) {
    socket.destroy()
    return
  }
  const { status, type, body, headers } = errorAnswer(why, undefined)
  const all = { ...headersOf(config, addressOf(socket), type, body), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

/** The refusal for an error of the HTTP parser. */
export function readerProblem({ code }: { readonly code?: string }): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem.notInTime()
  if (code === 'HPE_HEADER_OVERFLOW') return problem.longHeaders()
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return problem.tooLarge('16 kB of extensions of a chunk')
  return problem.badRequest('This is no HTTP request that can be read.')
}

/** Refuses in our words what Node would refuse without any. */
export function refuseUnread(server: Server, config: Origins): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    lastResponses.set(request.socket, response),
  )
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, type, body } = errorAnswer(problem.expectation(), request.headers.accept)
    response
      .writeHead(status, headersOf(config, request.headers.host ?? addressOf(request.socket), type, body))
      .end(body)
  })
}

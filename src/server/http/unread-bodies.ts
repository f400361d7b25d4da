import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isErrorStatus } from '#kernel/error-statuses.ts'
import { Problem, problem } from '#kernel/errors.ts'
import type { Config } from '#server/config.ts'
import { DbUnavailableError, isTimeLimitExceeded } from '#server/db/unavailable.ts'
import { frameworkErrorHeaders, VARY_HEADER } from './headers.ts'
import { pickFormat } from './negotiate.ts'
import { documentationLink } from './origin.ts'

const TITLE = 'An error occurred'

/**
 * Builds an error response whose body suits both Hydra and RFC 9457 clients (API convention, section 7). Errors that
 * are not Problems reveal no details.
 */
export function buildErrorResponse(
  e: unknown,
  accept: string | undefined,
): { status: number; type: string; body: string; headers: Record<string, string> } {
  const p = e instanceof Problem ? e : (databaseProblem(e) ?? frameworkProblem(e))
  const list = p.violations ? { violations: p.violations } : {}
  const body = {
    '@context': `/api/contexts/${p.violations ? 'ConstraintViolationList' : 'Error'}`,
    '@type': p.violations ? 'ConstraintViolationList' : 'hydra:Error',
    'hydra:title': TITLE,
    'hydra:description': p.message,
    type: `/api/errors/${p.status}`,
    title: TITLE,
    status: p.status,
    code: p.code,
    detail: p.message,
    ...list,
    ...p.more,
  }
  const linked = pickFormat(accept) === 'application/ld+json'
  return {
    status: p.status,
    type: linked ? 'application/ld+json; charset=utf-8' : 'application/problem+json; charset=utf-8',
    body: JSON.stringify(body),
    // Not cached, because error responses may contain names and values from records.
    headers: { 'cache-control': 'no-store', ...p.headers },
  }
}

/** Returns the Problem for a temporary database failure; `undefined` for other errors. */
function databaseProblem(e: unknown): Problem | undefined {
  if (e instanceof DbUnavailableError) return problem.away(e.inDoubt)
  return isTimeLimitExceeded(e) ? problem.tooSlow() : undefined
}

/** Pattern for the multipart parser's messages about unreadable forms. The parser's errors have no code. */
const BROKEN_FORM =
  /^(Unexpected end of (form|multipart data|file)|Part terminated early|Malformed part header|Multipart: )/

/** Converts the web framework's errors to Problems; any other error is an internal failure. */
function frameworkProblem(e: unknown): Problem {
  const code = (e as { code?: string }).code ?? ''
  const status = (e as { statusCode?: number }).statusCode
  if (code === 'FST_FILES_LIMIT')
    return new Problem(413, 'Only one file can be uploaded at a time. Please send the files one by one.')
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new Problem(413, 'The form has too many parts. Please send fewer fields and files.')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || status === 413)
    return new Problem(413, 'The request is too large. Please send less at a time: the limit is 2 MB.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem(415, 'Send the body as application/json.')
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY' || code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return problem.invalidJson('The body is not valid JSON.')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return new Problem(404, 'Not found.')
  if (code.startsWith('FST_REQ_FILE_TOO_LARGE'))
    return new Problem(413, 'The file is too large. Please choose a smaller one.')
  if (e instanceof Error && BROKEN_FORM.test(e.message))
    return problem.badRequest('The form is incomplete or invalid. Please send it again.')
  if (status && status >= 400 && status < 500)
    return new Problem(isErrorStatus(status) ? status : 400, 'The request could not be understood.')
  return new Problem(500, 'Something went wrong on our side. What you typed is still here; please try again.')
}

// Not imported, because an import would enumerate the module and thereby load its WebSocket and fetch. This would take
// a tenth of the start-up time.
const { STATUS_CODES: statusTexts } = process.getBuiltinModule('node:http')

type Origins = Pick<Config, 'publicUrl'>

/**
 * Returns the headers for an error that is sent before the framework is involved. The connection is closed, because the
 * bytes that follow can't be interpreted.
 */
function headersOf(config: Origins, host: string, type: string, text: string): Record<string, string> {
  return {
    ...frameworkErrorHeaders(config),
    'content-type': type,
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-request-id': randomUUID(),
    link: documentationLink(config.publicUrl ?? `http://${host}`),
    vary: VARY_HEADER,
    connection: 'close',
  }
}

const addressOf = ({ localAddress = 'localhost', localPort = 0 }: Socket): string =>
  `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`

/** Last response on each connection. */
const lastResponses = new WeakMap<Socket, ServerResponse>()

/**
 * Rejects a request that can't be parsed or does not arrive completely. If a response has already started, only closes
 * the connection.
 */
export function rejectOnSocket(socket: Socket, why: Problem, config: Origins): void {
  const answering = lastResponses.get(socket)
  if (!socket.writable || (answering?.headersSent && !answering.writableFinished)) {
    socket.destroy()
    return
  }
  const { status, type, body, headers } = buildErrorResponse(why, undefined)
  const all = { ...headersOf(config, addressOf(socket), type, body), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

export function createHttpParserProblem({ code }: { readonly code?: string }): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem.notInTime()
  if (code === 'HPE_HEADER_OVERFLOW') return problem.longHeaders()
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return problem.tooLarge('16 kB of chunk extensions')
  return problem.badRequest('This is not a valid HTTP request.')
}

/** Sends the portal's problem response for requests that Node would reject without a body. */
export function rejectUnparsedRequests(server: Server, config: Origins): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
    lastResponses.set(request.socket, response),
  )
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, type, body } = buildErrorResponse(problem.expectation(), request.headers.accept)
    response
      .writeHead(status, headersOf(config, request.headers.host ?? addressOf(request.socket), type, body))
      .end(body)
  })
}

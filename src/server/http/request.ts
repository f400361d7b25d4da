import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '#kernel/errors.ts'
import { parseProxyAddress } from '#server/addresses.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { RequestDetails } from '#server/engine/route.ts'
import type { Engine, WriteRequest } from '#server/engine/types.ts'
import { sanitiseText, sanitiseUploadParts } from './clean.ts'
import { toUncompressedEtags } from './compression.ts'
import { type Endpoint, MERGE_PATCH_TYPE } from './endpoint.ts'
import { parseJson } from './json.ts'
import { etagOf } from './negotiate.ts'
import { recordJsonLd, toPlainJson } from './represent.ts'

const JSON_TYPES = ['application/json', 'application/ld+json']

/** Returns the details of a request that its route needs. */
export function requestDetails(
  request: FastifyRequest,
  { raw, streamed }: Pick<Endpoint, 'raw' | 'streamed'> = {},
): RequestDetails {
  const authorization = request.headers.authorization
  return {
    id: request.id,
    address: parseProxyAddress(request.ip) ?? parseProxyAddress(request.socket.remoteAddress ?? '') ?? '',
    ...(request.ip === request.socket.remoteAddress && request.socket.remotePort
      ? { port: request.socket.remotePort }
      : {}),
    agent: sanitiseText(String(request.headers['user-agent'] ?? '').slice(0, 300)),
    token: authorization && /^bearer /i.test(authorization) ? authorization.slice(7).trim() : undefined,
    cookies: request.cookies ?? {},
    headers: request.headers,
    host: request.host,
    ...(raw ? { raw: typeof request.body === 'string' ? request.body : '' } : {}),
    ...(streamed ? { stream: request.body instanceof Readable ? request.body : Readable.from([]) } : {}),
    ...(request.isMultipart() ? { parts: () => sanitiseUploadParts(request.parts()) } : {}),
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i

/** Throws 415 if the body is compressed or is not in UTF-8, because it would be misread. */
function checkEncoding({ headers }: FastifyRequest): void {
  const packed = headers['content-encoding']
  if (packed && packed.trim().toLowerCase() !== 'identity')
    throw new Problem(415, 'Send the body uncompressed, without Content-Encoding.', {
      headers: { 'accept-encoding': 'identity' },
    })
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new Problem(415, 'Send the body in UTF-8.')
}

/**
 * Parses the body: a merge patch for PATCH, JSON for other methods. Returns an empty record for GET and DELETE, whose
 * bodies are ignored, and for an uploaded form, because its handler reads the body itself.
 */
export function parseRequestBody(request: FastifyRequest, e: Endpoint): ApiRecord {
  if (e.method === 'GET' || e.method === 'DELETE') return {}
  checkEncoding(request)
  if (e.upload && (request.isMultipart() || !e.uploadAsJson)) return {}
  const type = String(request.headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  const accepted = e.method === 'PATCH' ? [MERGE_PATCH_TYPE] : JSON_TYPES
  const text = typeof request.body === 'string' ? request.body.trim() : ''
  if (text === '' && e.bodyOptional && !request.isMultipart()) return {}
  if (type ? !accepted.includes(type) : text !== '') throw problem.mediaType(accepted.join(' or '))
  if (text === '') throw problem.invalidJson('The body is empty.')
  const body = parseJson(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw problem.invalidJson('The body must be a JSON object.')
  return body as ApiRecord
}

/**
 * Returns a function that checks the record against the caller's If-Match header, in either format; `undefined` if
 * there is no such header or it matches any record.
 */
export function createIfMatchCheck(
  { headers }: Pick<RequestDetails, 'headers'>,
  { resources }: Pick<Engine, 'resources'>,
): Pick<WriteRequest, 'matches'> | undefined {
  const header = headers['if-match']
  if (typeof header !== 'string' || !header || header === '*') return undefined
  const tags = toUncompressedEtags(header)
  return {
    matches: (current) => {
      const text = recordJsonLd(String(current['@type']), current)
      return [text, toPlainJson(resources)(text)].some((t) => tags.includes(etagOf(t)))
    },
  }
}

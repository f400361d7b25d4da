import type { ErrorCode } from '#kernel/error-codes.ts'
import type { Violation } from '#kernel/errors.ts'
import { ownerOf } from '../offline/owner.ts'
import { mayChange, mayChangeNow, reason, STILL_LOOKING } from './changes.ts'
import { takeEarly } from './early.ts'
import { requestHeaders } from './headers.ts'
import { proof } from './proof.ts'
import { session } from './session.ts'

/** A refusal by the server, or a connection that failed (`status` 0: nothing is known of what was sent). */
export class ApiError extends Error {
  readonly status: number
  readonly violations: readonly Violation[]
  /** The server's code for this refusal; absent where it said nothing. */
  readonly code: ErrorCode | undefined
  /** All that the answer says. */
  readonly more: Readonly<Record<string, unknown>>
  /** The number of the request, by which whoever runs the portal finds it. */
  readonly request: string
  constructor(
    status: number,
    message: string,
    violations: readonly Violation[] = [],
    code?: ErrorCode,
    more: Readonly<Record<string, unknown>> = {},
    request = '',
  ) {
    super(message)
    this.status = status
    this.code = code
    this.violations = violations
    this.more = more
    this.request = request
  }
}

/** Where support is asked about a screen that failed: with its address, without what its query says, and the number of its request. */
export const askSupportPath = (pathname: string, error?: unknown): string =>
  `/help?${new URLSearchParams({ ask: '', page: pathname, ...(error instanceof ApiError && error.request ? { reference: error.request } : {}) })}`

/** The refusals that the same request would meet again: what it is about has become another. */
const OVERTAKEN: readonly (ErrorCode | undefined)[] = [
  'conflict',
  'wrong_state',
  'in_use',
  'gone',
  'precondition_failed',
]

/** Was something refused for what has become of it meanwhile, so that there is something newer to look at and nothing to try again? */
export const isOvertaken = (error: unknown): boolean => error instanceof ApiError && OVERTAKEN.includes(error.code)

/** A list as the API sends it. */
export interface Collection<T> {
  readonly 'hydra:member': readonly T[]
  readonly 'hydra:totalItems'?: number
  readonly 'hydra:view'?: { readonly 'hydra:next'?: string; readonly 'hydra:previous'?: string }
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** The same key twice does the thing once: give one to every POST that a person may repeat. */
  readonly idempotencyKey?: string
  /** The ETag of the version that is being changed. */
  readonly ifMatch?: string
  /** Goes on when the page is left, where it is small enough for a browser to see to that. */
  readonly lasting?: boolean
  /** Sent by the page itself, and not because of a click: whoever only looks is not asked why, and it is not sent. */
  readonly byItself?: boolean
  /** Whose it is (`ownerOf`): it is sent as nobody else, though somebody else may sign in meanwhile. */
  readonly as?: string
}

export type Params = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined | null>
>

/** `{page: 2, 'order[id]': 'desc'}` → `?page=2&order%5Bid%5D=desc`; empty values are left out. */
export function queryString(params: Params): string {
  const q = new URLSearchParams()
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined || value === null || value === '') continue
    if (Array.isArray(value)) for (const v of value) q.append(`${key}[]`, String(v))
    else q.append(key, String(value))
  }
  const s = q.toString()
  return s && `?${s}`
}

const OFFLINE = 'The connection was lost. What you typed is still here; please try again.'
export const NOT_THEM = 'Somebody else is signed in here now.'

/**
 * One call to the API. A token that has run out is renewed once, quietly. When the session itself is over, the session says so
 * and the caller gets an ApiError 401.
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<T> {
  return (await answer<T>(method, path, body, options)).body
}

/** The same, with the answer's ETag. */
export async function answer<T>(
  method: string,
  path: string,
  body?: unknown,
  options: CallOptions = {},
): Promise<{ body: T; etag: string | null }> {
  const early = method === 'GET' ? await takeEarly(path) : undefined
  if (early) return { body: early.body as T, etag: early.etag }
  if (session.stale()) await session.renew().catch(() => false)
  if (isChange(method, path) && !(options.byItself ? mayChange(session.me()) === 'yes' : await mayChangeNow()))
    throw new ApiError(403, STILL_LOOKING, [], 'visit_read_only')
  let response = await send(method, path, body, options)
  if (response.status === 401 && session.me()) {
    if (await session.renew().catch(() => true)) response = await send(method, path, body, options)
    if (response.status === 401) session.expired()
  }
  let read = await readBody(response)
  // First the reason, where another tab knows of no step yet; then, where it is guarded, the person proves once more who they are.
  for (const [code, question] of [
    ['visit_read_only', reason],
    ['proof_required', proof],
  ] as const)
    if (response.status === 403 && read?.code === code && !options.byItself && (await question.ask())) {
      response = await send(method, path, body, options)
      read = await readBody(response)
    }
  if (response.status === 204) return { body: undefined as T, etag: null }
  if (!response.ok)
    throw new ApiError(
      response.status,
      typeof read?.['hydra:description'] === 'string'
        ? read['hydra:description']
        : 'The server could not be understood. Please try again.',
      (read?.violations as Violation[]) ?? [],
      read?.code as ErrorCode | undefined,
      read,
      response.headers.get('x-request-id') ?? '',
    )
  return { body: read as T, etag: response.headers.get('etag') }
}

/** What is about one's own session is open to those who only look. */
const isChange = (method: string, path: string) => method !== 'GET' && !path.startsWith('/api/security/')

const readBody = async (response: Response) =>
  response.status === 204
    ? undefined
    : ((await response.json().catch(() => undefined)) as Record<string, unknown> | undefined)

/** Browsers let 64 KB outlive their page, of all requests together. */
const LASTING_CHARS = 15_000

async function send(
  method: string,
  path: string,
  body: unknown,
  { signal, idempotencyKey, ifMatch, lasting = false, as }: CallOptions,
): Promise<Response> {
  if (as !== undefined && as !== ownerOf(session.me())) throw new ApiError(401, NOT_THEM, [], 'sign_in_required')
  const headers = requestHeaders(method, session.token())
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (ifMatch) headers['if-match'] = ifMatch
  const form = body instanceof FormData
  if (body !== undefined && !form)
    headers['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json'
  const sent = form ? body : body === undefined ? undefined : JSON.stringify(body)
  try {
    return await fetch(path, {
      method,
      headers,
      keepalive: lasting && (sent === undefined || (typeof sent === 'string' && sent.length < LASTING_CHARS)),
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
    })
  } catch (e) {
    if (signal?.aborted) throw e
    throw new ApiError(0, OFFLINE)
  }
}

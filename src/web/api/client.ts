import type { ErrorCode } from '#kernel/error-statuses.ts'
import type { Violation } from '#kernel/errors.ts'
import { ownerKeyOf } from '../offline/owner.ts'
import { changeReasonPrompt, checkChangePermission, ensureChangesAllowed, READ_ONLY_MESSAGE } from './changes.ts'
import { takePrefetchedResponse } from './early-requests.ts'
import { requestHeaders } from './headers.ts'
import { identityProofPrompt } from './proof.ts'
import { session } from './session.ts'

/** Error response from the server, or a lost connection. With `status` 0, the request may have arrived. */
export class ApiError extends Error {
  readonly status: number
  readonly violations: readonly Violation[]
  readonly code: ErrorCode | undefined
  /** The complete response body. */
  readonly more: Readonly<Record<string, unknown>>
  /** ID of the request, for finding it in the server's logs. */
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

/** True if a request was refused because the same was requested a moment ago. It can be confirmed. */
export const isRepeatedRequest = (e: unknown): boolean => e instanceof ApiError && e.code === 'already_there'

/**
 * Returns the URL of the help form for a screen that failed, with the screen's path (without its query) and the ID of
 * the failed request.
 */
export const supportRequestPath = (pathname: string, error?: unknown): string =>
  `/help?${new URLSearchParams({ ask: '', page: pathname, ...(error instanceof ApiError && error.request ? { reference: error.request } : {}) })}`

/**
 * Error codes of requests that conflict with the current state of their record, so that repeating the request would
 * fail again.
 */
const OVERTAKEN: readonly (ErrorCode | undefined)[] = [
  'conflict',
  'wrong_state',
  'in_use',
  'gone',
  'precondition_failed',
]

/** Returns true if the request was rejected because it conflicts with the current state of its record. */
export const isConflictError = (error: unknown): boolean => error instanceof ApiError && OVERTAKEN.includes(error.code)

/** List in the API's format. */
export interface Collection<T> {
  readonly 'hydra:member': readonly T[]
  readonly 'hydra:totalItems'?: number
  readonly 'hydra:view'?: { readonly 'hydra:next'?: string; readonly 'hydra:previous'?: string }
}

export interface ApiCallOptions {
  readonly signal?: AbortSignal
  /**
   * Idempotency key. Two requests with the same key take effect only once, so pass one key with every POST that a
   * person may repeat.
   */
  readonly idempotencyKey?: string
  /** ETag of the version that is being changed. */
  readonly ifMatch?: string
  /**
   * True to complete the request even if the page is closed. Has no effect if the request is too large for the browser.
   */
  readonly lasting?: boolean
  /** Marks a request that is sent without a click. It never asks for a reason, and is not sent in read-only mode. */
  readonly byItself?: boolean
  /**
   * Owner of the request (`ownerKeyOf`). The request is never sent as another person, even if somebody else signs in
   * before it is sent.
   */
  readonly as?: string
}

export type QueryParams = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined | null>
>

/**
 * Converts parameters to a query string: `{page: 2, 'order[id]': 'desc'}` → `?page=2&order%5Bid%5D=desc`. Empty values
 * are omitted.
 */
export function queryString(params: QueryParams): string {
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
export const OTHER_PERSON_SIGNED_IN_MESSAGE = 'Somebody else is now signed in to the portal in this browser.'

/**
 * Calls the API. The result is the JSON body, or a `Blob` for a PDF. An expired token is renewed once. If the session itself has ended, the session's state becomes
 * `expired` and the caller gets an ApiError 401.
 */
export async function callApi<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  options: ApiCallOptions = {},
): Promise<T> {
  return (await callApiWithEtag<T>(method, path, body, options)).body
}

/**
 * Calls the API like `callApi`, and returns both the response's body and its ETag. A GET request uses the early
 * response, if there is one.
 */
export async function callApiWithEtag<T>(
  method: string,
  path: string,
  body?: unknown,
  options: ApiCallOptions = {},
): Promise<{ body: T; etag: string | null }> {
  const early = method === 'GET' ? await takePrefetchedResponse(path) : undefined
  if (early) return { body: early.body as T, etag: early.etag }
  if (session.stale()) await session.renew().catch(() => false)
  if (
    isChange(method, path) &&
    !(options.byItself ? checkChangePermission(session.me()) === 'yes' : await ensureChangesAllowed())
  )
    throw new ApiError(403, READ_ONLY_MESSAGE, [], 'visit_read_only')
  let response = await send(method, path, body, options)
  if (response.status === 401 && session.me()) {
    if (await session.renew().catch(() => true)) response = await send(method, path, body, options)
    if (response.status === 401) session.expired()
  }
  let read = await readBody(response)
  // Asks for a reason first, because another tab may not have given one yet. If the action is protected, asks for proof
  // of identity next.
  for (const [code, question] of [
    ['visit_read_only', changeReasonPrompt],
    ['proof_required', identityProofPrompt],
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
        : 'The server’s response could not be read. Please try again.',
      (read?.violations as Violation[]) ?? [],
      read?.code as ErrorCode | undefined,
      read,
      response.headers.get('x-request-id') ?? '',
    )
  return { body: read as T, etag: response.headers.get('etag') }
}

/** A person may change their own session even in read-only mode, so requests for it are not treated as changes. */
const isChange = (method: string, path: string) => method !== 'GET' && !path.startsWith('/api/security/')

const readBody = async (response: Response) =>
  response.status === 204
    ? undefined
    : response.headers.get('content-type') === 'application/pdf'
      ? ((await response.blob()) as unknown as Record<string, unknown>)
      : ((await response.json().catch(() => undefined)) as Record<string, unknown> | undefined)

/**
 * Maximum length, in characters, of a request that continues after its page is closed. Browsers limit such requests to
 * 64 KB in total, so each may use only a part.
 */
const LASTING_CHARS = 15_000

async function send(
  method: string,
  path: string,
  body: unknown,
  { signal, idempotencyKey, ifMatch, lasting = false, as }: ApiCallOptions,
): Promise<Response> {
  if (as !== undefined && as !== ownerKeyOf(session.me()))
    throw new ApiError(401, OTHER_PERSON_SIGNED_IN_MESSAGE, [], 'sign_in_required')
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

import type { PackChoice } from '#kernel/packs.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Tx } from '#server/db/db.ts'
import type { RequestDetails, ResponseBytes } from '#server/engine/route.ts'
import type { WriteRequest } from '#server/engine/types.ts'
import type { ResponseFormat } from './negotiate.ts'

/** The only content type that PATCH accepts (RFC 7386). */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json'

/** One HTTP method for one URL pattern. */
export interface Endpoint {
  readonly method: string
  readonly url: string
  readonly allow: Roles
  readonly pack?: PackChoice
  readonly upload?: boolean
  /** True if the endpoint limits concurrent requests itself. */
  readonly takesOwnTurns?: boolean
  /** True if an upload may also be sent as JSON. */
  readonly uploadAsJson?: boolean
  readonly raw?: true
  readonly streamed?: true
  readonly isReplayOf?: (c: EndpointCall, answer: string) => Promise<boolean>
  readonly writesOnGet?: true
  readonly bytes?: true
  readonly secret?: true
  readonly provider?: true
  readonly duringMaintenance?: true
  readonly whileReadOnly?: true
  /** True if the endpoint is refused while impersonating a user, whatever the impersonation allows. */
  readonly inPersonOnly?: boolean
  /** True if the endpoint may be called without a body. */
  readonly bodyOptional?: boolean
  readonly run: (c: EndpointCall) => Promise<EndpointResponse>
}

/** A request as passed to its handler. */
export interface EndpointCall {
  readonly actor: Actor | undefined
  readonly facts: RequestDetails
  readonly query: RequestQuery
  readonly rawQuery: string
  readonly params: Record<string, string>
  readonly body: ApiRecord
  readonly format: ResponseFormat
  readonly change: WriteRequest
  /** Stores the response, if the request has an Idempotency-Key. */
  readonly answerStore?: ResponseStore
}

/** A response without its ETag. */
export interface EndpointResponse {
  status: number
  text: string
  /** True if the text is already plain JSON. Otherwise, the text is converted if the caller requested plain JSON. */
  plain?: true
  bytes?: ResponseBytes
  headers?: Record<string, string | string[]>
}

/** Stores the response to a request with an Idempotency-Key in the transaction that does the work. */
export interface ResponseStore {
  store(tx: Tx, answer: EndpointResponse): Promise<void>
  /** Replaces the stored response when a request has a second transaction; `undefined` releases the key. */
  replace(tx: Tx, answer: EndpointResponse | undefined): Promise<void>
}

/**
 * Runs a write request whose value becomes the response. With an Idempotency-Key, the response is stored in the same
 * transaction.
 */
export const withStoredResponse = <T>(
  { answerStore, change }: EndpointCall,
  answer: (value: T) => EndpointResponse,
): WriteRequest =>
  answerStore ? { ...change, keep: (tx, value) => answerStore.store(tx, answer(value as T)) } : change

/**
 * Runs the second transaction of a write request. Its response replaces the response stored by the first transaction,
 * or the key is released.
 */
export const withReplacedResponse = <T>(
  { answerStore, change }: EndpointCall,
  answer: (value: T) => EndpointResponse | undefined,
): WriteRequest =>
  answerStore ? { ...change, keep: (tx, value) => answerStore.replace(tx, answer(value as T)) } : change

import type { Pack } from '#kernel/packs.ts'
import type { Actor, Roles } from '#kernel/roles.ts'
import type { Query } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Tx } from '#server/db/db.ts'
import type { Bytes, RequestFacts } from '#server/engine/route.ts'
import type { WriteRequest } from '#server/engine/types.ts'
import type { Format } from './negotiate.ts'

/** The only content type that PATCH accepts (RFC 7386). */
export const MERGE_PATCH = 'application/merge-patch+json'

/** One method of one address. */
export interface Endpoint {
  readonly method: string
  readonly url: string
  readonly allow: Roles
  readonly pack?: Pack
  readonly upload?: boolean
  readonly raw?: true
  readonly isReplayOf?: (c: Call, answer: string) => Promise<boolean>
  readonly writesOnGet?: true
  readonly bytes?: true
  readonly secret?: true
  readonly provider?: true
  readonly duringMaintenance?: true
  readonly whileReadOnly?: true
  /** May be called without a body. */
  readonly bodyOptional?: boolean
  readonly run: (c: Call) => Promise<Answer>
}

/** A request as passed to its handler. */
export interface Call {
  readonly actor: Actor | undefined
  readonly facts: RequestFacts
  readonly query: Query
  readonly rawQuery: string
  readonly params: Record<string, string>
  readonly body: ApiRecord
  readonly format: Format
  readonly change: WriteRequest
  /** Stores the response, for a request with an Idempotency-Key. */
  readonly answerStore?: AnswerStore
}

/** A response without its tag. */
export interface Answer {
  status: number
  text: string
  /** The text is plain JSON already; otherwise it is converted if the caller requested that. */
  plain?: true
  bytes?: Bytes
  headers?: Record<string, string | string[]>
}

/** Stores the response to a request with an Idempotency-Key, in the same transaction. */
export interface AnswerStore {
  store(tx: Tx, answer: Answer): Promise<void>
  /** Replaces the stored response of a request that has a second transaction; `undefined` releases the key. */
  replace(tx: Tx, answer: Answer | undefined): Promise<void>
}

/** Write request whose value becomes the response: with an Idempotency-Key, its transaction stores the response. */
export const storingAnswer = <T>({ answerStore, change }: Call, answer: (value: T) => Answer): WriteRequest =>
  answerStore ? { ...change, keep: (tx, value) => answerStore.store(tx, answer(value as T)) } : change

/** Write request for a second transaction, which replaces the response of the first, or releases the key. */
export const replacingAnswer = <T>(
  { answerStore, change }: Call,
  answer: (value: T) => Answer | undefined,
): WriteRequest =>
  answerStore ? { ...change, keep: (tx, value) => answerStore.replace(tx, answer(value as T)) } : change

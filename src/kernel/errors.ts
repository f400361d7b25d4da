import type { ViolationCode } from './error-codes.ts'
import {
  defaultErrorCode,
  type ErrorCode,
  type ErrorCodeForStatus,
  type ErrorStatus,
  statusOfErrorCode,
} from './error-statuses.ts'

/** Violation of a rule by one field, as sent by the API. */
export interface Violation {
  readonly propertyPath: string
  readonly message: string
  readonly code: ViolationCode
}

interface Extra {
  /** Error code; by default the first code for the status. Set only if API clients must distinguish this error. */
  readonly code?: ErrorCode
  readonly violations?: readonly Violation[]
  readonly headers?: Record<string, string>
  readonly more?: Readonly<Record<string, unknown>>
}

/** Error with an HTTP status, a code for API clients and a message for the user. */
export class Problem extends Error {
  readonly status: ErrorStatus
  readonly code: ErrorCode
  readonly violations?: readonly Violation[]
  readonly headers?: Readonly<Record<string, string>>
  /** Additional properties of the response, for API clients. */
  readonly more?: Readonly<Record<string, unknown>>
  constructor(status: ErrorStatus, message: string, extra: Extra = {}) {
    super(message)
    this.status = status
    this.code = extra.code ?? defaultErrorCode(status)
    if (statusOfErrorCode(this.code) !== status)
      throw new TypeError(`"${this.code}" is not an error code for status ${status}`)
    if (extra.violations) this.violations = extra.violations
    if (extra.headers) this.headers = extra.headers
    if (extra.more) this.more = extra.more
  }
}

/** Errors that the engine can return, each with its message for the user. */
export const problem = {
  badRequest: (detail: string) => new Problem(400, detail),
  invalidJson: (detail: string) => new Problem(400, detail, { code: 'invalid_json' }),
  invalidIri: (value: unknown) => new Problem(400, `Invalid IRI "${showValue(value)}".`, { code: 'invalid_iri' }),
  unknownTarget: (value: unknown) =>
    new Problem(400, `Item not found for "${showValue(value)}".`, { code: 'unknown_target' }),
  wrongType: (name: string, expected: string, got: unknown) =>
    new Problem(400, `The type of the "${name}" attribute must be "${expected}", "${typeName(got)}" given.`, {
      code: 'wrong_type',
    }),
  signIn: (detail = 'Please sign in.', code: ErrorCodeForStatus<401> = 'sign_in_required') =>
    new Problem(401, detail, { code, headers: { 'www-authenticate': 'Bearer' } }),
  sessionEnded: () => problem.signIn('Your session has ended. Please sign in again.', 'session_ended'),
  forbidden: (detail = 'You do not have permission to do this.', code: ErrorCodeForStatus<403> = 'forbidden') =>
    new Problem(403, detail, { code }),
  notFound: (detail = 'Not found.') => new Problem(404, detail),
  method: (allowed: readonly string[]) =>
    new Problem(405, `This URL supports only ${allowed.join(', ')}.`, { headers: { allow: allowed.join(', ') } }),
  notAcceptable: () => new Problem(406, 'This URL returns only application/ld+json and application/json.'),
  notInTime: () => new Problem(408, 'The complete request did not arrive in time. Please send it again.'),
  conflict: (detail: string, code: ErrorCodeForStatus<409> = 'conflict') => new Problem(409, detail, { code }),
  precondition: () =>
    new Problem(
      412,
      'Another user has changed this record since you opened it. Reload the record and compare both versions.',
    ),
  tooLarge: (limit: string) => new Problem(413, `The request is too large. The limit is ${limit}.`),
  mediaType: (accepted: string) => new Problem(415, `Send the body as ${accepted}.`),
  expectation: () => new Problem(417, 'Only "Expect: 100-continue" is supported.'),
  longHeaders: () => new Problem(431, 'The URL and headers are too long. Together they must not exceed 16 kB.'),
  invalid: (violations: readonly Violation[]) =>
    new Problem(
      422,
      violations.map((v) => (v.propertyPath ? `${v.propertyPath}: ${v.message}` : v.message)).join('\n'),
      { violations },
    ),
  /** Error while the portal is closed for maintenance. The provider writes the message. */
  closed: (sentence: string) => new Problem(503, sentence, { code: 'closed', headers: { 'retry-after': '300' } }),
  /**
   * Error while the database is unavailable. If `inDoubt`, the connection failed during a save whose outcome is
   * unknown.
   */
  away: (inDoubt: boolean) =>
    new Problem(
      503,
      inDoubt
        ? 'The database became unavailable while your change was being saved. It may have been saved: please check before you try again.'
        : 'The database is unavailable at the moment. Nothing was changed; please try again in a moment.',
      { code: inDoubt ? 'in_doubt' : 'unavailable', headers: { 'retry-after': '2' } },
    ),
  tooSlow: () =>
    new Problem(
      503,
      'This request took too long and was stopped. Nothing was changed. Request less data, or try again later.',
      {
        code: 'too_slow',
        headers: { 'retry-after': '30' },
      },
    ),
  /** Error when one person, client or link has reached the limit for concurrent requests. */
  busy: (sentence = 'Too many requests at once. Please try again in a moment.', seconds = 2) =>
    new Problem(429, sentence, { headers: { 'retry-after': String(seconds) } }),
  tooMany: (seconds: number) =>
    new Problem(429, `Too many attempts. Please wait ${wait(seconds)} and try again.`, {
      headers: { 'retry-after': String(seconds) },
    }),
}

/** Creates a violation. Set a code only if API clients must distinguish this violation. */
export const violation = (propertyPath: string, message: string, code: ViolationCode = 'invalid'): Violation => ({
  propertyPath,
  message,
  code,
})

const wait = (seconds: number) => (seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`)
const typeName = (v: unknown) => (v === null ? 'NULL' : Array.isArray(v) ? 'array' : typeof v)
const showValue = (v: unknown) => (typeof v === 'string' ? v : (JSON.stringify(v) ?? '')).slice(0, 200)

/** Returns the name of the field that a violation concerns: `rows[2].name` → `rows`. */
export const violationFieldName = (propertyPath: string): string => propertyPath.split(/[.[]/)[0] ?? ''

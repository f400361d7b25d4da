/**
 * Statuses of the API's error codes. Messages may change, but codes never do. The first code for a status is its default.
 */
const ERROR_STATUSES = {
  bad_request: 400,
  invalid_json: 400,
  wrong_type: 400,
  invalid_iri: 400,
  unknown_target: 400,
  sign_in_required: 401,
  session_ended: 401,
  wrong_credentials: 401,
  password_change_required: 401,
  second_factor_required: 401,
  second_factor_setup_required: 401,
  forbidden: 403,
  read_only: 403,
  visit_read_only: 403,
  in_person: 403,
  pack_missing: 403,
  pack_lapsed: 403,
  proof_required: 403,
  second_factor_missing: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  not_in_time: 408,
  conflict: 409,
  wrong_state: 409,
  in_use: 409,
  already_there: 409,
  changed_meanwhile: 409,
  preview_outdated: 409,
  rule_changed: 409,
  leads_left: 409,
  held: 409,
  refunded_meanwhile: 409,
  due_changed: 409,
  no_second_person: 409,
  approval_needed: 409,
  no_gateway: 409,
  still_running: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_beyond_end: 416,
  expectation_failed: 417,
  invalid: 422,
  key_reused: 422,
  payment_refused: 422,
  too_many: 429,
  headers_too_large: 431,
  failure: 500,
  gateway_failure: 502,
  unavailable: 503,
  in_doubt: 503,
  too_slow: 503,
  closed: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUSES
export type ErrorStatus = (typeof ERROR_STATUSES)[ErrorCode]

export const statusOfErrorCode = (code: ErrorCode): ErrorStatus => ERROR_STATUSES[code]

export type ErrorCodeForStatus<S extends ErrorStatus> = {
  [K in ErrorCode]: (typeof ERROR_STATUSES)[K] extends S ? K : never
}[ErrorCode]

const firstOf = new Map<number, ErrorCode>()
for (const [code, status] of Object.entries(ERROR_STATUSES))
  if (!firstOf.has(status)) firstOf.set(status, code as ErrorCode)

export const isErrorStatus = (status: number): status is ErrorStatus => firstOf.has(status)

export const defaultErrorCode = (status: ErrorStatus): ErrorCode => firstOf.get(status) as ErrorCode

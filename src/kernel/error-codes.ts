/**
 * Error codes of the API. Messages may change, but codes never do. The first code for a status is its default.
 * `meaning` is printed in the documentation.
 */
const CODES = {
  bad_request: { status: 400, meaning: 'The request could not be understood.' },
  invalid_json: { status: 400, meaning: 'The body is empty or not a JSON object.' },
  wrong_type: { status: 400, meaning: 'A value does not have the JSON type that its field requires.' },
  invalid_iri: { status: 400, meaning: 'The value of a relation is not an IRI of the required class.' },
  unknown_target: {
    status: 400,
    meaning: 'A relation refers to a record that does not exist or is not accessible to the caller.',
  },
  sign_in_required: { status: 401, meaning: 'The caller is not signed in.' },
  session_ended: { status: 401, meaning: 'The token or session has expired: renew it, or sign in again.' },
  wrong_credentials: {
    status: 401,
    meaning: 'The username and password do not match, or match more than one account.',
  },
  password_change_required: {
    status: 401,
    meaning:
      'The password is correct, but another person has set it: choose another one with `POST /api/portal/password/reset/{token}`, using the token in `passwordLink`, then sign in with it.',
  },
  second_factor_required: {
    status: 401,
    meaning:
      'The password is correct; continue the sign-in with the ticket in `secondFactor`, using one of its `methods`.',
  },
  second_factor_setup_required: {
    status: 401,
    meaning: 'The password is correct; a second factor must be set up first, with the ticket in `secondFactor`.',
  },
  forbidden: { status: 403, meaning: 'The caller does not have permission.' },
  read_only: { status: 403, meaning: 'The caller may read this record, but not change it.' },
  visit_read_only: {
    status: 403,
    meaning:
      'The caller is impersonating a user in read-only mode. To allow changes, call `POST /api/security/user/write` with a reason.',
  },
  in_person: {
    status: 403,
    meaning: 'Users must perform this action themselves, so it is not available during impersonation.',
  },
  pack_missing: { status: 403, meaning: 'The caller’s company does not have the required pack.' },
  pack_lapsed: { status: 403, meaning: 'The pack has lapsed: its records can be read and exported, but not changed.' },
  proof_required: {
    status: 403,
    meaning: 'The caller must confirm their identity again: `POST /api/security/proof`.',
  },
  second_factor_missing: { status: 403, meaning: 'The caller needs a second factor and must set one up first.' },
  not_found: { status: 404, meaning: 'The record does not exist or is not accessible to the caller.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The URL does not support this method; `Allow` lists the supported ones.',
  },
  not_acceptable: { status: 406, meaning: 'None of the accepted formats is available.' },
  not_in_time: { status: 408, meaning: 'The complete request did not arrive in time; the connection is closed.' },
  conflict: { status: 409, meaning: 'The request conflicts with the current data.' },
  wrong_state: { status: 409, meaning: 'The record’s status does not allow this action.' },
  in_use: { status: 409, meaning: 'Other records still refer to this record.' },
  already_there: {
    status: 409,
    meaning: 'Another record has the same name: `existing` is its URL. Send `keepBoth` to save both.',
  },
  changed_meanwhile: {
    status: 409,
    meaning: 'Another request changed the record at the same time: send the request again.',
  },
  preview_outdated: { status: 409, meaning: 'The content to be sent has changed since the preview: preview it again.' },
  rule_changed: {
    status: 409,
    meaning: 'The rule for this outcome has changed since it was displayed: check what it will do, then choose again.',
  },
  leads_left: {
    status: 409,
    meaning:
      'The user still has leads: name their new owner in `handTo`, or set `handToTeam` to leave them unassigned.',
  },
  held: { status: 409, meaning: 'Another user is working on this record.' },
  refunded_meanwhile: {
    status: 409,
    meaning: 'The amount refunded on this charge differs from `amountRefunded`: check the amount again.',
  },
  due_changed: { status: 409, meaning: 'The amount due differs from `amountDue`: check the amount again.' },
  no_second_person: {
    status: 409,
    meaning:
      'A second person must approve this, but no user has the permission: give a user the permission, or raise the limit.',
  },
  approval_needed: {
    status: 409,
    meaning: 'A second person must approve this first: request approval (`{quote}/ask-approval`).',
  },
  no_gateway: { status: 409, meaning: 'No payment service is set up, so cards can’t be accepted.' },
  still_running: { status: 409, meaning: 'An earlier request of the same kind is still in progress.' },
  gone: { status: 410, meaning: 'The link has expired.' },
  precondition_failed: { status: 412, meaning: 'The record no longer matches `If-Match`.' },
  too_large: { status: 413, meaning: 'The request or its result exceeds a limit.' },
  unsupported_media_type: { status: 415, meaning: 'The content type of the body is not supported here.' },
  range_beyond_end: { status: 416, meaning: 'The requested byte range is beyond the end of the file.' },
  expectation_failed: { status: 417, meaning: '`Expect` has a value other than `100-continue`.' },
  invalid: { status: 422, meaning: 'Some values are invalid; `violations` lists those that belong to fields.' },
  key_reused: { status: 422, meaning: 'The Idempotency-Key was used for a different request.' },
  payment_refused: { status: 422, meaning: 'The payment service declined the card.' },
  too_many: { status: 429, meaning: 'Too many requests or attempts; `Retry-After` states how long to wait.' },
  headers_too_large: { status: 431, meaning: 'The URL and headers together exceed 16 kB.' },
  failure: { status: 500, meaning: 'The portal encountered an internal error.' },
  gateway_failure: { status: 502, meaning: 'An external service returned no usable response.' },
  unavailable: { status: 503, meaning: 'The service is temporarily unavailable: try again later.' },
  in_doubt: {
    status: 503,
    meaning: 'The database became unavailable while saving: the change may or may not have been saved.',
  },
  too_slow: { status: 503, meaning: 'The request took too long and was stopped; nothing was changed.' },
  closed: { status: 503, meaning: 'The portal is closed for maintenance.' },
} as const

export type ErrorCode = keyof typeof CODES
export type ErrorStatus = (typeof CODES)[ErrorCode]['status']

export const ERROR_CODES: Readonly<Record<ErrorCode, { readonly status: ErrorStatus; readonly meaning: string }>> =
  CODES

export type ErrorCodeForStatus<S extends ErrorStatus> = {
  [K in ErrorCode]: (typeof CODES)[K]['status'] extends S ? K : never
}[ErrorCode]

/** Violation codes. `invalid` is used if no specific code applies; the message gives the reason. */
export const VIOLATION_CODES = {
  invalid: 'The value is not acceptable; the message says why.',
  required: 'A value is required.',
  too_long: 'The value has more characters than the field allows.',
  not_one_line: 'The value must be on one line.',
  not_an_email: 'The value is not an e-mail address.',
  not_an_option: 'The value is not one of the options.',
  wrong_format: 'The value does not have the required format.',
  too_small: 'The number is below the minimum, or the date is before 1900.',
  too_big: 'The number is above the maximum, or the date is after 2999.',
  too_much_to_open:
    'The picture is within the file size limit, but has too many pixels or takes too long to open: use a smaller one.',
  duplicate: 'Another record already has this value.',
  unconfirmed: 'The answer was copied and has not been confirmed yet.',
} as const

export type ViolationCode = keyof typeof VIOLATION_CODES

const firstOf = new Map<number, ErrorCode>()
for (const [code, { status }] of Object.entries(ERROR_CODES))
  if (!firstOf.has(status)) firstOf.set(status, code as ErrorCode)

export const isErrorStatus = (status: number): status is ErrorStatus => firstOf.has(status)

export const defaultErrorCode = (status: ErrorStatus): ErrorCode => firstOf.get(status) as ErrorCode

import { type ErrorCode, type ErrorStatus, statusOfErrorCode } from './error-statuses.ts'

/** Meaning of each error code, for the documentation. */
const MEANINGS: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request could not be understood.',
  invalid_json: 'The body is empty or not a JSON object.',
  wrong_type: 'A value does not have the JSON type that its field requires.',
  invalid_iri: 'The value of a relation is not an IRI of the required class.',
  unknown_target: 'A relation refers to a record that does not exist or is not accessible to the caller.',
  sign_in_required: 'The caller is not signed in.',
  session_ended: 'The token or session has expired: renew it, or sign in again.',
  wrong_credentials: 'The username and password do not match, or match more than one account.',
  password_change_required:
    'The password is correct, but another person has set it: choose another one with `POST /api/portal/password/reset/{token}`, using the token in `passwordLink`, then sign in with it.',
  second_factor_required:
    'The password is correct; continue the sign-in with the ticket in `secondFactor`, using one of its `methods`.',
  second_factor_setup_required:
    'The password is correct; a second factor must be set up first, with the ticket in `secondFactor`.',
  forbidden: 'The caller does not have permission.',
  read_only: 'The caller may read this record, but not change it.',
  visit_read_only:
    'The caller is impersonating a user in read-only mode. To allow changes, call `POST /api/security/user/write` with a reason.',
  in_person: 'Users must perform this action themselves, so it is not available during impersonation.',
  pack_missing: 'The caller’s company does not have the required pack.',
  pack_lapsed: 'The pack has lapsed: its records can be read and exported, but not changed.',
  proof_required: 'The caller must confirm their identity again: `POST /api/security/proof`.',
  second_factor_missing: 'The caller needs a second factor and must set one up first.',
  not_found: 'The record does not exist or is not accessible to the caller.',
  method_not_allowed: 'The URL does not support this method; `Allow` lists the supported ones.',
  not_acceptable: 'None of the accepted formats is available.',
  not_in_time: 'The complete request did not arrive in time; the connection is closed.',
  conflict: 'The request conflicts with the current data.',
  wrong_state: 'The record’s status does not allow this action.',
  in_use: 'Other records still refer to this record.',
  already_there: 'Another record has the same name: `existing` is its URL. Send `keepBoth` to save both.',
  changed_meanwhile: 'Another request changed the record at the same time: send the request again.',
  preview_outdated: 'The content to be sent has changed since the preview: preview it again.',
  rule_changed:
    'The rule for this outcome has changed since it was displayed: read its new effects, then choose again.',
  leads_left:
    'The user still has leads: name their new owner in `handTo`, or set `handToTeam` to leave them unassigned.',
  held: 'Another user is working on this record.',
  refunded_meanwhile: 'The amount refunded on this charge differs from `amountRefunded`: check the amount again.',
  due_changed: 'The amount due differs from `amountDue`: check the amount again.',
  no_second_person:
    'A second person must approve this, but no user has the permission: give a user the permission, or raise the limit.',
  approval_needed: 'A second person must approve this first: request approval (`{quote}/ask-approval`).',
  no_gateway: 'No payment service is set up, so cards can’t be accepted.',
  still_running: 'An earlier request of the same kind is still in progress.',
  gone: 'The link has expired.',
  precondition_failed: 'The record no longer matches `If-Match`.',
  too_large: 'The request or its result exceeds a limit.',
  unsupported_media_type: 'The content type of the body is not supported here.',
  range_beyond_end: 'The requested byte range is beyond the end of the file.',
  expectation_failed: '`Expect` has a value other than `100-continue`.',
  invalid: 'Some values are invalid; `violations` lists those that belong to fields.',
  key_reused: 'The Idempotency-Key was used for a different request.',
  payment_refused: 'The payment service declined the card.',
  too_many: 'Too many requests or attempts; `Retry-After` states how long to wait.',
  headers_too_large: 'The URL and headers together exceed 16 kB.',
  failure: 'The portal encountered an internal error.',
  gateway_failure: 'An external service returned no usable response.',
  unavailable: 'The service is temporarily unavailable: try again later.',
  in_doubt: 'The database became unavailable while saving: the change may or may not have been saved.',
  too_slow: 'The request took too long and was stopped; nothing was changed.',
  closed: 'The portal is closed for maintenance.',
}

/** Error codes of the API, with status and meaning. The web app does without the meanings. */
export const ERROR_CODES = Object.fromEntries(
  Object.entries(MEANINGS).map(([code, meaning]) => [code, { status: statusOfErrorCode(code as ErrorCode), meaning }]),
) as Readonly<Record<ErrorCode, { readonly status: ErrorStatus; readonly meaning: string }>>

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

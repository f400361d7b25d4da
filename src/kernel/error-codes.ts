/**
 * Error codes of the API. Messages may be reworded, codes never change. The first code of a status is the default.
 * `meaning` is printed in the documentation.
 */
const CODES = {
  bad_request: { status: 400, meaning: 'The request could not be understood.' },
  invalid_json: { status: 400, meaning: 'The body is empty, or no JSON object.' },
  wrong_type: { status: 400, meaning: 'A value is of another JSON type than its field.' },
  invalid_iri: { status: 400, meaning: 'A relation is given as something that is no IRI of its class.' },
  unknown_target: { status: 400, meaning: 'A relation leads to a record that is not there, or not for the caller.' },
  sign_in_required: { status: 401, meaning: 'Nobody is signed in.' },
  session_ended: { status: 401, meaning: 'The token or session is over: renew it, or sign in again.' },
  wrong_credentials: {
    status: 401,
    meaning: 'Name and password do not fit each other, or do not say which account is meant.',
  },
  second_factor_required: {
    status: 401,
    meaning: 'The password is right; the sign-in goes on with the ticket in `secondFactor`, by one of its `methods`.',
  },
  second_factor_setup_required: {
    status: 401,
    meaning: 'The password is right; a second factor has to be set up first, with the ticket in `secondFactor`.',
  },
  forbidden: { status: 403, meaning: 'Not permitted to the caller.' },
  read_only: { status: 403, meaning: 'The caller may look at this record, but not change it.' },
  visit_read_only: {
    status: 403,
    meaning: 'The caller works as somebody else to look only, until `POST /api/security/user/write` with the reason.',
  },
  in_person: { status: 403, meaning: 'People do this themselves, and the caller works as somebody else.' },
  pack_missing: { status: 403, meaning: 'The caller’s company does not have the pack that this belongs to.' },
  pack_lapsed: { status: 403, meaning: 'The pack has lapsed: its records can be read and exported, but not changed.' },
  proof_required: {
    status: 403,
    meaning: 'The caller has to prove once more who they are: `POST /api/security/proof`.',
  },
  second_factor_missing: { status: 403, meaning: 'The caller needs a second factor, and has to set one up first.' },
  not_found: { status: 404, meaning: 'Not there, or not for the caller.' },
  method_not_allowed: { status: 405, meaning: 'The address answers other methods; `Allow` names them.' },
  not_acceptable: { status: 406, meaning: 'None of the accepted formats is served.' },
  not_in_time: { status: 408, meaning: 'The request did not come whole in time; the connection is closed.' },
  conflict: { status: 409, meaning: 'It does not fit what is there now.' },
  wrong_state: { status: 409, meaning: 'The record is in a state in which this can’t be done.' },
  in_use: { status: 409, meaning: 'Other records still refer to this one.' },
  already_there: {
    status: 409,
    meaning: 'Another one is called the same: `existing` is its address. With `keepBoth`, both are kept.',
  },
  changed_meanwhile: {
    status: 409,
    meaning: 'Somebody else changed it at the same moment: the request can be sent again.',
  },
  preview_outdated: { status: 409, meaning: 'What would be sent is not what was looked at: look at it again.' },
  rule_changed: {
    status: 409,
    meaning: 'It was decided on by a rule that has been changed since: look at what it does now, and decide again.',
  },
  leads_left: {
    status: 409,
    meaning: 'They still have leads: say with `handTo` who takes them over, or with `handToTeam` that nobody does.',
  },
  held: { status: 409, meaning: 'Somebody else is working on it just now.' },
  refunded_meanwhile: {
    status: 409,
    meaning: 'More or less has been refunded of this charge than `amountRefunded` says: look at it again.',
  },
  due_changed: { status: 409, meaning: 'Another amount is due than `amountDue` says: look at it again.' },
  no_second_person: {
    status: 409,
    meaning: 'A second person has to approve it, and there is none: give somebody the right, or raise the limit.',
  },
  approval_needed: {
    status: 409,
    meaning: 'A second person has to approve it first: ask for that (`{quote}/ask-approval`).',
  },
  no_gateway: { status: 409, meaning: 'No payment service is set up: no cards can be taken.' },
  still_running: { status: 409, meaning: 'What was asked for before is still under way.' },
  gone: { status: 410, meaning: 'The link is too old.' },
  precondition_failed: { status: 412, meaning: 'The record is no longer as `If-Match` says.' },
  too_large: { status: 413, meaning: 'More than is accepted, or given, at once.' },
  unsupported_media_type: { status: 415, meaning: 'The body is of another type than the address takes.' },
  range_beyond_end: { status: 416, meaning: 'The range of bytes that is asked for lies beyond the end of the file.' },
  expectation_failed: { status: 417, meaning: '`Expect` asks for something else than `100-continue`.' },
  invalid: { status: 422, meaning: 'Some values are wrong; `violations` names them where they are fields.' },
  key_reused: { status: 422, meaning: 'The Idempotency-Key was used for a different request.' },
  payment_refused: { status: 422, meaning: 'The payment service refuses the card.' },
  too_many: { status: 429, meaning: 'Too many requests or attempts; `Retry-After` says how long to wait.' },
  headers_too_large: { status: 431, meaning: 'The address and the headers are longer than 16 kB together.' },
  failure: { status: 500, meaning: 'A fault on the portal’s side.' },
  gateway_failure: { status: 502, meaning: 'An outside service gave no usable answer.' },
  unavailable: { status: 503, meaning: 'It can’t be answered just now: try again later.' },
  in_doubt: { status: 503, meaning: 'The database went away while it was being saved: it may have happened or not.' },
  too_slow: { status: 503, meaning: 'It took too long and was stopped; nothing was changed.' },
  closed: { status: 503, meaning: 'The portal is closed for maintenance.' },
} as const

export type ErrorCode = keyof typeof CODES
/** Statuses of error responses. */
export type ErrorStatus = (typeof CODES)[ErrorCode]['status']

export const ERROR_CODES: Readonly<Record<ErrorCode, { readonly status: ErrorStatus; readonly meaning: string }>> =
  CODES

/** Error codes of one status. */
export type CodeOf<S extends ErrorStatus> = {
  [K in ErrorCode]: (typeof CODES)[K]['status'] extends S ? K : never
}[ErrorCode]

/** Violation codes. `invalid` covers everything without a code of its own: the message says why. */
export const VIOLATION_CODES = {
  invalid: 'The value is not acceptable; the message says why.',
  required: 'A value is needed.',
  too_long: 'More characters than the field holds.',
  not_one_line: 'The value must be on one line.',
  not_an_email: 'The value is no e-mail address.',
  not_an_option: 'The value is none of those that can be chosen.',
  wrong_format: 'The value does not look as it should.',
  too_small: 'The number is below the smallest, or the day is before 1900.',
  too_big: 'The number is above the greatest, or the day is after 2999.',
  too_much_to_open:
    'The picture is within the limit of files, but has too many pixels, or takes too long to open: a smaller one is taken.',
  duplicate: 'Another record already has this value.',
  unconfirmed: 'The answer came with a copy, and nobody has said yet that it holds.',
} as const

export type ViolationCode = keyof typeof VIOLATION_CODES

const firstOf = new Map<number, ErrorCode>()
for (const [code, { status }] of Object.entries(ERROR_CODES))
  if (!firstOf.has(status)) firstOf.set(status, code as ErrorCode)

export const isErrorStatus = (status: number): status is ErrorStatus => firstOf.has(status)

/** Returns the default code of a status. */
export const codeOf = (status: ErrorStatus): ErrorCode => firstOf.get(status) as ErrorCode

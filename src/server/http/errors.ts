import { isErrorStatus } from '#kernel/error-codes.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { isTooSlow, Unavailable } from '#server/db/unavailable.ts'
import { pickFormat } from './negotiate.ts'

const TITLE = 'An error occurred'

/** One body for Hydra and RFC 9457 clients (API convention, section 7). Errors other than Problems reveal nothing. */
export function errorAnswer(
  e: unknown,
  accept: string | undefined,
): { status: number; type: string; body: string; headers: Record<string, string> } {
  const p = e instanceof Problem ? e : (databaseProblem(e) ?? frameworkProblem(e))
  const list = p.violations ? { violations: p.violations } : {}
  const body = {
    '@context': `/api/contexts/${p.violations ? 'ConstraintViolationList' : 'Error'}`,
    '@type': p.violations ? 'ConstraintViolationList' : 'hydra:Error',
    'hydra:title': TITLE,
    'hydra:description': p.message,
    type: `/api/errors/${p.status}`,
    title: TITLE,
    status: p.status,
    code: p.code,
    detail: p.message,
    ...list,
    ...p.more,
  }
  const linked = pickFormat(accept) === 'application/ld+json'
  return {
    status: p.status,
    type: linked ? 'application/ld+json; charset=utf-8' : 'application/problem+json; charset=utf-8',
    body: JSON.stringify(body),
    // Refusals contain names and values of records.
    headers: { 'cache-control': 'no-store', ...p.headers },
  }
}

/** Temporary failures of the database. */
function databaseProblem(e: unknown): Problem | undefined {
  if (e instanceof Unavailable) return problem.away(e.inDoubt)
  return isTooSlow(e) ? problem.tooSlow() : undefined
}

/** Messages of the multipart reader about unreadable forms; its errors carry no code. */
const BROKEN_FORM =
  /^(Unexpected end of (form|multipart data|file)|Part terminated early|Malformed part header|Multipart: )/

/** Refusals of the web framework in our words; any other error is a failure of ours. */
function frameworkProblem(e: unknown): Problem {
  const code = (e as { code?: string }).code ?? ''
  const status = (e as { statusCode?: number }).statusCode
  if (code === 'FST_FILES_LIMIT')
    return new Problem(413, 'One file at a time is taken here. Please send them one by one.')
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new Problem(413, 'The form has more parts than are read here.')
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || status === 413)
    return new Problem(413, 'That is too large to accept. Please send less at a time: the limit is 2 MB.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem(415, 'Send the body as application/json.')
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY' || code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return problem.invalidJson('The body is not valid JSON.')
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return new Problem(404, 'Not found.')
  if (code.startsWith('FST_REQ_FILE_TOO_LARGE')) return new Problem(413, 'That file is too large to accept.')
  if (e instanceof Error && BROKEN_FORM.test(e.message))
    return problem.badRequest('The form is broken off, or is no form. Please send it again.')
  if (status && status >= 400 && status < 500)
    return new Problem(isErrorStatus(status) ? status : 400, 'The request could not be understood.')
  return new Problem(500, 'Something went wrong on our side. What you typed is safe; please try again.')
}

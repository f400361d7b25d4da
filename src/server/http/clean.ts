import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { Problem, problem } from '#kernel/errors.ts'

/** Converts text so that PostgreSQL can store it: removes null characters and replaces lone surrogates with U+FFFD. */
export const sanitiseText = (s: string): string => s.toWellFormed().replaceAll('\u0000', '')

const NEEDS_CLEANING = /\\u(?:0000|[dD][89a-fA-F])/
const ESCAPE =
  /(\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[^u])|(\\u0000)|\\u[dD][89a-fA-F][\da-fA-F]{2}/g

/** Cleans the escape sequences in JSON text, including its keys. Surrogate pairs and `\\u0000` are unchanged. */
export const sanitiseJson = (json: string): string =>
  NEEDS_CLEANING.test(json)
    ? json.replace(ESCAPE, (_, valid: string | undefined, zero) => valid ?? (zero ? '' : '\\ufffd'))
    : json

type Records = Record<string, string | string[] | undefined>

/**
 * True if the text may need cleaning. Only percent-encoded text may, because Node rejects such characters in any other
 * form.
 */
const isEscaped = (text: string | undefined): boolean => text?.includes('%') ?? false

/**
 * Cleans the percent-decoded query and cookies in place. Throws 404 if the path needs cleaning, because no record has
 * such a URL.
 */
export function sanitiseRequestText(
  request: Pick<FastifyRequest, 'url' | 'headers' | 'query' | 'params' | 'cookies'>,
): void {
  if (!isEscaped(request.url) && !isEscaped(request.headers.cookie)) return
  for (const value of Object.values(request.params as Record<string, string>))
    if (sanitiseText(value) !== value) throw problem.notFound()
  for (const record of [request.query, request.cookies ?? {}] as Records[])
    for (const [key, value] of Object.entries(record)) {
      const name = sanitiseText(key)
      if (name !== key) delete record[key]
      record[name] = typeof value === 'string' ? sanitiseText(value) : value?.map(sanitiseText)
    }
}

/**
 * Yields the parts of an upload with clean names and text. Throws 413 if a form field is too long. The handler checks
 * the content of files.
 */
export async function* sanitiseUploadParts(parts: AsyncIterable<Multipart>): AsyncGenerator<Multipart> {
  for await (const part of parts) {
    part.fieldname = sanitiseText(part.fieldname)
    if (part.type === 'file') part.filename = sanitiseText(part.filename)
    else if (part.valueTruncated || part.fieldnameTruncated)
      throw new Problem(413, 'A form field is too long. Please shorten it and try again.')
    else if (typeof part.value === 'string') part.value = sanitiseText(part.value)
    yield part
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDbError } from '#server/db/db.ts'

/** The method and the route's pattern: an address may hold a secret, its pattern none. */
export const routeOf = (request: FastifyRequest): string => `${request.method} ${patternOf(request)}`

const patternOf = (request: FastifyRequest): string => request.routeOptions?.url ?? 'none'

/** What the server's log says of a request. */
export const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: patternOf(request),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
})

/** What the server's log says of an error: never the values that a statement was given, which drivers hang onto theirs. */
export function errorFacts(e: unknown): object {
  if (!(e instanceof Error)) return { message: String(e) }
  const { name, message, stack } = e
  const { code } = e as { code?: unknown }
  return { type: name, message, stack, ...(isDbError(e) ? { code, constraint: e.constraint } : code ? { code } : {}) }
}

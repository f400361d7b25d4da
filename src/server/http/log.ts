import type { FastifyReply, FastifyRequest } from 'fastify'
import { patternOf } from './router.ts'

/** The method and the route's pattern: an address may hold a secret, its pattern does not. */
export const routeOf = (request: FastifyRequest): string => `${request.method} ${patternOf(request) ?? NO_ROUTE}`

const NO_ROUTE = 'none'

/** The log line of a request. */
export const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: patternOf(request) ?? NO_ROUTE,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
})

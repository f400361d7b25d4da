import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestPattern } from './router.ts'

/** Returns the method and route pattern for the log. The URL itself is not logged, because it may contain a secret. */
export const routeForLog = (request: FastifyRequest): string =>
  `${request.method} ${requestPattern(request) ?? NO_ROUTE}`

const NO_ROUTE = 'none'

export const requestLogLine = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: requestPattern(request) ?? NO_ROUTE,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
})

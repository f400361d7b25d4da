import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestPattern } from './router.ts'

/** Method and pattern of the route: unlike its pattern, an address may contain a secret. */
export const routeForLog = (request: FastifyRequest): string =>
  `${request.method} ${requestPattern(request) ?? NO_ROUTE}`

const NO_ROUTE = 'none'

/** Log line of a request. */
export const requestLogLine = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: requestPattern(request) ?? NO_ROUTE,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
})

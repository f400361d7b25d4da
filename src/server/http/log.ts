import type { FastifyReply, FastifyRequest } from 'fastify'

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

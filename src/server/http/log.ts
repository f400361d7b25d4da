import type { FastifyReply, FastifyRequest } from 'fastify'
import { patternOf } from './router.ts'

/** The method and the route's pattern: an address may hold a secret, its pattern none. */
export const routeOf = (request: FastifyRequest): string => `${request.method} ${patternOf(request) ?? NONE}`

const NONE = 'none'

/** What the server's log says of a request. */
export const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  method: request.method,
  route: patternOf(request) ?? NONE,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
})

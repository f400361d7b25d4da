import type { FastifyInstance } from 'fastify'
import { problem } from '#kernel/errors.ts'

/** All that some address answers, and TRACE, which none does. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const

/** Answers OPTIONS at an address with the methods that it has, HEAD wherever GET is, and every other method with 405. */
export function answerOthers(app: FastifyInstance, url: string, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
  app.route({
    method: 'OPTIONS',
    url,
    handler: (_request, reply) => reply.header('allow', allow.join(', ')).code(204).send(),
  })
  app.route({
    method: METHODS.filter((m) => !allow.includes(m)),
    url,
    exposeHeadRoute: false,
    handler: () => {
      throw problem.method(allow)
    },
  })
}

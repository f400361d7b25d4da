import type { FastifyInstance } from 'fastify'
import type { Engine } from '#server/engine.ts'

/** The entrypoint, the documentation and the contexts. */
export function hydraRoutes(app: FastifyInstance, engine: Engine): void {
  app.get('/api', async () => ({
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    ...Object.fromEntries(engine.resources.map((r) => [r.type.charAt(0).toLowerCase() + r.type.slice(1), r.url])),
  }))
}

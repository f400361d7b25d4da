import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** Returns the portal's public origin: as configured or, if not configured, as requested (through a trusted proxy). */
export const originOf = (config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  config.publicUrl ?? `${request.protocol}://${/^[\w.:[\]-]+$/.test(request.host) ? request.host : 'localhost'}`

/** Returns the Link header for every response. This header refers to the documentation. */
export const documentationLink = (origin: string): string =>
  `<${documentationUrl(origin)}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`

/**
 * Returns the URL of the documentation. The same string is in the Link header and, followed by `#`, in every JSON-LD
 * context.
 */
export const documentationUrl = (origin: string): string => `${origin}/api/docs.jsonld`

import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** Public origin of the portal: as configured, or as requested (through a trusted proxy). */
export const originOf = (config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  config.publicUrl ?? `${request.protocol}://${/^[\w.:[\]-]+$/.test(request.host) ? request.host : 'localhost'}`

/** Link header to the documentation, for every response. */
export const documentationLink = (origin: string): string =>
  `<${documentationUrl(origin)}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`

/** Address of the documentation: the same string in the Link header and, with `#`, in every context. */
export const documentationUrl = (origin: string): string => `${origin}/api/docs.jsonld`

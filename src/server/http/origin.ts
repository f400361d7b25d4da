import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** The portal's public origin: as configured, or as it was requested (through a trusted proxy). */
export const originOf = (config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  config.publicUrl ?? `${request.protocol}://${/^[\w.:[\]-]+$/.test(request.host) ? request.host : 'localhost'}`

/** The Link header to the documentation, in every answer. */
export const linkTo = (origin: string): string =>
  `<${docsUrl(origin)}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`

/** The documentation's address: the same string in the Link header and, with `#`, in every context. */
export const docsUrl = (origin: string): string => `${origin}/api/docs.jsonld`

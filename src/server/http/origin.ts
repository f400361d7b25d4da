import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** Where the outside sees this portal: as configured, or as the request (through a trusted proxy) was addressed. */
export const originOf = (config: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  config.publicUrl ?? `${request.protocol}://${/^[\w.:[\]-]+$/.test(request.host) ? request.host : 'localhost'}`

/** The header that leads to the documentation: every answer has it. */
export const linkTo = (origin: string): string =>
  `<${docsUrl(origin)}>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"`

/** The documentation's address: the same string in the Link header and, with `#`, in every context. */
export const docsUrl = (origin: string): string => `${origin}/api/docs.jsonld`

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** A browser shows a PDF by a part of its own, which this governs too. */
const PAPER =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/** What every answer says, whatever it is. */
const headersOf = (config: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), microphone=(), payment=(self), camera=(self)',
  ...(config.publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {}),
})

/** The headers of every answer; a content security policy that allows nothing, for what brings none of its own. */
export function sendHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const headers = headersOf(config)
  app.addHook('onSend', (_request, reply, payload, done) => {
    reply.headers(headers)
    if (!reply.hasHeader('content-security-policy')) {
      const paper = reply.getHeader('content-type') === 'application/pdf'
      reply.header('content-security-policy', paper ? PAPER : NOTHING)
    }
    done(null, payload)
  })
}

/** The addresses that any page of any site may read: what the API is, and what its words mean. */
const DOCUMENTATION = /^\/api(\/docs\.json(?:ld)?|\/contexts\/[^/?]+)?(\?|$)/

const EXPOSED = 'Link, Location, Content-Location, ETag, Allow, Idempotency-Replayed, Preference-Applied, X-Request-Id'

/**
 * The headers by which a browser lets pages of other sites read an answer: any page the documentation and the contexts, and
 * pages of the origins that a setting names everything that their bearer's token opens.
 */
export function crossOrigin(
  { apiOrigins }: Pick<Config, 'apiOrigins'>,
  request: Pick<FastifyRequest, 'url' | 'headers'>,
): Record<string, string> {
  const { origin } = request.headers
  const open = DOCUMENTATION.test(request.url)
  const named = origin !== undefined && apiOrigins.includes(origin)
  return {
    vary: apiOrigins.length && !open ? 'Accept, Origin' : 'Accept',
    ...(open || named
      ? { 'access-control-allow-origin': open ? '*' : origin, 'access-control-expose-headers': EXPOSED }
      : {}),
  }
}

/** The headers of a refusal that the framework makes before anything of ours is asked. */
export const headersOfRefusal = (config: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...headersOf(config),
  'content-security-policy': NOTHING,
})

/** The answer to a browser that asks beforehand, for those who may. */
export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-None-Match, If-Match, Idempotency-Key, Accept, Prefer',
  'access-control-max-age': '86400',
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

const ALLOW_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Browsers show a PDF by a component of their own, which this governs too. */
const ALLOW_PDF_VIEWER =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/** Headers of every answer. */
const commonHeaders = (config: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  ...(config.publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {}),
})

/** Further headers of pages. JSON, which nothing is loaded or opened from, does without. */
const PAGE_HEADERS = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), microphone=(), payment=(self), camera=(self)',
}

const isJson = (type: unknown): boolean => typeof type === 'string' && type.includes('json')

/** Sets the headers of every answer, with a content security policy that allows nothing unless the answer brings its own. */
export function sendHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
  const ofJson = commonHeaders(config)
  const ofPages = { ...ofJson, ...PAGE_HEADERS }
  app.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type')
    reply.headers(isJson(type) ? ofJson : ofPages)
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', type === 'application/pdf' ? ALLOW_PDF_VIEWER : ALLOW_NOTHING)
    done(null, payload)
  })
}

export const VARY = 'Accept, Accept-Encoding'

/** Addresses that any page of any site may read: the documentation and the contexts. */
const DOCUMENTATION = /^\/api(\/docs\.json(?:ld)?|\/contexts\/[^/?]+)?(\?|$)/

const EXPOSED_HEADERS =
  'Link, Location, Content-Location, ETag, Allow, Idempotency-Replayed, Preference-Applied, X-Request-Id'

/** For callers that are no page of another site: what a cache has to keep apart. */
const [VARY_BY_FORMAT, VARY_BY_ORIGIN] = [{ vary: VARY }, { vary: `${VARY}, Origin` }]

/**
 * The headers that let pages of other sites read an answer: any page for the documentation and the contexts, and pages of the configured
 * origins for everything that their bearer's token opens.
 */
export function crossOrigin(
  { apiOrigins }: Pick<Config, 'apiOrigins'>,
  request: Pick<FastifyRequest, 'url' | 'headers'>,
): Readonly<Record<string, string>> {
  const { origin } = request.headers
  const open = DOCUMENTATION.test(request.url)
  const vary = apiOrigins.length && !open ? VARY_BY_ORIGIN : VARY_BY_FORMAT
  const reader = open ? '*' : apiOrigins.find((one) => one === origin)
  if (reader === undefined) return vary
  return { ...vary, 'access-control-allow-origin': reader, 'access-control-expose-headers': EXPOSED_HEADERS }
}

/** The headers of a refusal by the framework, before any hook of ours. */
export const headersOfRefusal = (config: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...commonHeaders(config),
  'content-security-policy': ALLOW_NOTHING,
})

/** The answer to an allowed preflight request. */
export const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-None-Match, If-Match, Idempotency-Key, Accept, Prefer',
  'access-control-max-age': '86400',
}

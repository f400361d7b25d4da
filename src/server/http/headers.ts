import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

const ALLOW_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Content security policy for PDFs, which must also allow the browser's built-in viewer. */
const ALLOW_PDF_VIEWER =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'self'"

/** Returns the headers for every response. The portal is not public, so search engines may index nothing of it. */
const commonHeaders = (config: Pick<Config, 'publicUrl'>): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  ...(config.publicUrl?.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
    : {}),
})

/** Additional headers for pages. JSON does not need them, because nothing is loaded or opened from it. */
const PAGE_HEADERS = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(self), microphone=(), payment=(self), camera=(self)',
}

const isJson = (type: unknown): boolean => typeof type === 'string' && type.includes('json')

/**
 * Adds headers to every response. Unless the response has its own content security policy, it gets one that allows
 * nothing or, for a PDF, only the browser's built-in viewer.
 */
export function addSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {
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

export const VARY_HEADER = 'Accept, Accept-Encoding'

/** Pattern for the URLs that pages on any website may read: the documentation and the JSON-LD contexts. */
const DOCUMENTATION = /^\/api(\/docs\.json(?:ld)?|\/contexts\/[^/?]+)?(\?|$)/

const EXPOSED_HEADERS =
  'Link, Location, Content-Location, ETag, Allow, Idempotency-Replayed, Preference-Applied, X-Request-Id'

/** Vary headers: by format alone, or by format and origin where the response depends on the requesting website. */
const [VARY_BY_FORMAT, VARY_BY_ORIGIN] = [{ vary: VARY_HEADER }, { vary: `${VARY_HEADER}, Origin` }]

/**
 * Returns the CORS headers for a response. Pages on any website may read the documentation and the JSON-LD contexts.
 * Pages on the configured origins may read everything that their bearer token allows.
 */
export function corsHeaders(
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

/** Returns the headers for an error response that the framework sends before any hook runs. */
export const frameworkErrorHeaders = (config: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...commonHeaders(config),
  'content-security-policy': ALLOW_NOTHING,
})

/** Headers for the response to an allowed preflight request. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, If-None-Match, If-Match, Idempotency-Key, Accept, Prefer',
  'access-control-max-age': '86400',
}

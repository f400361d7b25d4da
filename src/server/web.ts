import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Db } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { createPageRenderer, type PageRenderer } from '#server/page.ts'

const DIST = join(import.meta.dirname, '../../dist/web')
/** HTTP methods that page URLs support. */
const PAGE = ['GET', 'HEAD', 'OPTIONS']
/**
 * Pattern for a path that looks like a file: at the top level or in the assets folder. In deeper paths, a dot is part
 * of a username.
 */
const MISSING_FILE = /^[/](?:assets[/].+|[^/]+)\.\w+$/
const YEAR = 365 * 24 * 3600

/**
 * Returns the content security policy for pages. If a payment service is configured, pages may load its script and
 * frame for entering cards.
 */
const policy = (nonce: string, stripe: boolean) =>
  [
    "default-src 'self'",
    `script-src 'self'${stripe ? ' https://js.stripe.com' : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // React and the charts set style attributes from scripts. This directive also governs such attributes. Our HTML
    // contains no style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${stripe ? ' https://api.stripe.com' : ''}`,
    `frame-src 'self'${stripe ? ' https://js.stripe.com https://hooks.stripe.com' : ''}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')

/** Content security policy for files. Files are not pages, but a worker uses the policy of its own file. */
const FILES =
  "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; object-src 'none'; frame-ancestors 'self'"

/** Instructions for search engines, which may request nothing. */
const ROBOTS = 'User-agent: *\nDisallow: /\n'

/** Milliseconds after which an unresponsive database is reported as busy. */
const PROMPT_MS = 2000

async function lookAtDatabase(db: Db): Promise<'here' | 'busy' | 'away'> {
  if (db.presence.isAway) return 'away'
  const late = AbortSignal.timeout(PROMPT_MS)
  return Promise.race([
    db.read.rows('SELECT 1').then(
      () => 'here' as const,
      () => 'away' as const,
    ),
    once(late, 'abort').then(() => 'busy' as const),
  ])
}

/**
 * Serves the HTML page for every URL that is neither part of the API nor a file. Also serves the static files,
 * `/robots.txt`, and the health checks `/healthz` and `/readyz`.
 */
export async function registerWebRoutes(app: FastifyInstance, engine: Engine): Promise<void> {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    const database = await lookAtDatabase(engine.db)
    const ok = database === 'here'
    return reply
      .code(ok ? 200 : 503)
      .headers({ 'cache-control': 'no-store', ...(ok ? {} : { 'retry-after': '2' }) })
      .send({ ok, database })
  })
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS))
  const page = createPageRenderer(DIST)
  const send = (page: PageRenderer, path: string, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({
        'content-security-policy': policy(nonce, engine.config.stripe !== undefined),
        'cache-control': 'no-cache',
        'x-frame-options': 'SAMEORIGIN',
        vary: 'Accept-Encoding',
      })
      .type('text/html; charset=utf-8')
      .send(page(path, nonce))
  }
  if (page) {
    await app.register(files, {
      root: DIST,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        // The names of built files change with their content, so browsers may cache them permanently. The names of
        // other files don't change, so browsers must revalidate them.
        reply.header('content-security-policy', FILES)
        reply.header('cache-control', path.includes('/assets/') ? `public, max-age=${YEAR}, immutable` : 'no-cache')
      },
    })
    app.get('/', (_request, reply) => send(page, '/', reply))
  }
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    if (!page || /^[/](?:api|healthz$|readyz$)/.test(path)) return app.answerOthers(request, reply)
    if (MISSING_FILE.test(path)) throw problem.notFound()
    if (request.method === 'GET' || request.method === 'HEAD') return send(page, path, reply)
    if (request.method !== 'OPTIONS') throw problem.method(PAGE)
    return reply.header('allow', PAGE.join(', ')).code(204).send()
  })
}

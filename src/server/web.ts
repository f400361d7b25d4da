import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Engine } from './engine.ts'

const DIST = join(import.meta.dirname, '../../dist/web')
const MONTH = 30 * 24 * 3600

const policy = (nonce: string) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    // React and the charts position by style attributes set from script, which this governs; no HTML of ours carries one.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')

/** The portal's page for every address that is no API and no file, and the security headers on all of it. */
export async function serveWeb(app: FastifyInstance, engine: Engine): Promise<void> {
  const secure = engine.config.publicUrl?.startsWith('https:')
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'geolocation=(), microphone=(), payment=(self), camera=(self)',
      ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
    })
  })
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await engine.db.read.rows('SELECT 1').then(
      () => true,
      () => false,
    )
    return reply.code(ready ? 200 : 503).send({ ok: ready })
  })
  const page = join(DIST, 'index.html')
  if (!existsSync(page)) return
  const html = readFileSync(page, 'utf8')
  await app.register(files, {
    root: DIST,
    index: false,
    wildcard: true,
    maxAge: MONTH * 1000,
    immutable: true,
    setHeaders: (reply, path) => {
      if (path.endsWith('sw.js') || path.endsWith('.webmanifest')) reply.header('cache-control', 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const wantsPage =
      request.method === 'GET' && !request.url.startsWith('/api') && !/\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (!wantsPage) throw Object.assign(new Error('Not found'), { statusCode: 404, code: 'FST_ERR_BAD_URL' })
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({
        'content-security-policy': policy(nonce),
        'cache-control': 'no-cache',
        'x-frame-options': 'SAMEORIGIN',
      })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll('__NONCE__', nonce))
  })
}

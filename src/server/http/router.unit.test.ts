import Fastify, { type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { ApiRouter, requestPattern } from './router.ts'

const endpoint = (method: string, url: string): Endpoint => ({
  method,
  url,
  allow: 'anyone',
  run: async () => ({ status: 200, text: '' }),
})

/** Creates a server that responds with the matched pattern and its parameters. */
function serving(...list: readonly (readonly [method: string, url: string])[]) {
  const app = Fastify({ routerOptions: { maxParamLength: 500 } }) as unknown as FastifyInstance
  const addresses = new ApiRouter(app)
  app.get('/api/docs.json', (request) => requestPattern(request))
  for (const [method, url] of list) addresses.add(endpoint(method, url))
  app.addHook('onRequest', async (request) => addresses.look(request))
  app.all('/api/*', (request, reply) =>
    request.address ? { at: requestPattern(request), params: request.params } : app.answerOthers(request, reply),
  )
  return async (method: 'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT', url: string) => {
    const { statusCode, headers, body } = await app.inject({ method, url })
    return method === 'OPTIONS'
      ? headers.allow
      : statusCode === 200
        ? (body && JSON.parse(body)) || 'found'
        : statusCode
  }
}

const LEADS = '/api/leads'
const ask = serving(
  ['GET', LEADS],
  ['POST', LEADS],
  ['GET', `${LEADS}/{id}`],
  ['PUT', `${LEADS}/{id}`],
  ['POST', `${LEADS}/next`],
  ['GET', `${LEADS}/next/notes`],
  ['GET', `${LEADS}/{lead}/notes/{note}`],
)

test('a literal path segment takes precedence over a parameter if the literal route supports the method', async () => {
  expect(await ask('POST', `${LEADS}/next`)).toEqual({ at: `${LEADS}/next`, params: {} })
  expect(await ask('GET', `${LEADS}/next`)).toEqual({ at: `${LEADS}/:id`, params: { id: 'next' } })
  expect(await ask('GET', `${LEADS}/7`)).toEqual({ at: `${LEADS}/:id`, params: { id: '7' } })
  // The named segment leads to no match, so the parameter is used. No values remain from the first attempt.
  expect(await ask('GET', `${LEADS}/next/notes/3`)).toEqual({
    at: `${LEADS}/:lead/notes/:note`,
    params: { lead: 'next', note: '3' },
  })
})

test('path segments are decoded, but an encoded slash does not split a segment', async () => {
  expect(await ask('GET', `${LEADS}/a%2Fb?c=%2F`)).toMatchObject({ params: { id: 'a/b' } })
  expect(await ask('GET', `${LEADS}/%C3%A9%2525`)).toMatchObject({ params: { id: 'é%25' } })
  expect(await ask('GET', '/api/l%65ads')).toMatchObject({ at: LEADS })
  expect(await ask('GET', `${LEADS}/constructor`)).toMatchObject({ params: { id: 'constructor' } })
  expect(await ask('GET', `${LEADS}/%`)).toBe(400)
})

test('a GET route also supports HEAD, while an unsupported method returns 405 and an unknown path 404', async () => {
  expect(await ask('HEAD', LEADS)).toBe('found')
  expect(await ask('HEAD', `${LEADS}/next/notes`)).toBe('found')
  expect(await ask('PUT', LEADS)).toBe(405)
  expect(await ask('OPTIONS', LEADS)).toBe('GET, POST, HEAD, OPTIONS')
  expect(await ask('OPTIONS', `${LEADS}/next`)).toBe('POST, OPTIONS')
  expect(await ask('OPTIONS', '/api/docs.json')).toBe('GET, HEAD, OPTIONS')
  expect(await ask('GET', `${LEADS}/`)).toBe(404)
  expect(await ask('GET', `${LEADS}//notes/3`)).toBe(404)
  expect(await ask('GET', `${LEADS}/${'x'.repeat(500)}`)).toMatchObject({ at: `${LEADS}/:id` })
  expect(await ask('GET', `${LEADS}/${'x'.repeat(501)}`)).toBe(404)
})

test('the server does not start with a duplicate endpoint or a parameter within a path segment', () => {
  expect(() => serving(['GET', `${LEADS}/{id}`], ['GET', `${LEADS}/{lead}`])).toThrow(
    'Two endpoints are declared for GET /api/leads/:lead',
  )
  expect(() => serving(['GET', `${LEADS}/export.{format}`])).toThrow('combines fixed text with a parameter')
})

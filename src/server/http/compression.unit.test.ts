import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { ConstantResponse, compressTextResponses } from './compression.ts'

const TEXT = 'The same for everybody. '.repeat(10_000)

test('a constant response is compressed once for each encoding, and each encoding has its own ETag', async () => {
  const compressed = new Set<unknown>()
  const app = Fastify()
  onTestFinished(() => app.close())
  compressTextResponses(app)
  app.addHook('onSend', async (_request, _reply, payload) => {
    compressed.add(payload)
    return payload
  })
  const constant = new ConstantResponse(TEXT, '"1"')
  app.get('/', (request, reply) => constant.send(request, reply.type('text/plain')))
  const request = (encoding?: string) =>
    app.inject({ url: '/', headers: encoding ? { 'accept-encoding': encoding } : {} })
  const answers = await Promise.all(['br', 'gzip', 'br', 'gzip', 'br', 'br'].map(request))
  expect(compressed.size).toBe(2)
  expect(answers.map(({ headers }) => [headers['content-encoding'], headers.etag]).slice(0, 3)).toEqual([
    ['br', '"1+br"'],
    ['gzip', '"1+gzip"'],
    ['br', '"1+br"'],
  ])
  for (const { rawPayload } of answers) expect(rawPayload.length).toBeLessThan(TEXT.length / 10)
  const plain = await request()
  expect([plain.headers['content-encoding'], plain.headers.etag, plain.body]).toEqual([undefined, '"1"', TEXT])
})

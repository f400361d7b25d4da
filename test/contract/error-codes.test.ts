import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES, VIOLATION_CODES } from '#kernel/error-codes.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const api = client.as(await client.user())
const LIST = '/api/test/specimens'
const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guide/errors.md'), 'utf8')

test('an error response has a code for its cause, in both formats', async () => {
  const { '@id': iri } = (await api.post(LIST, { name: 'Ash' })).body
  for (const accept of ['application/ld+json', 'application/json']) {
    const headers = { accept }
    const said = [
      await portal.anonymous.get(LIST, headers),
      await portal.bearing('over').get(LIST, headers),
      await api.get(`${LIST}/99999999`, headers),
      await api.delete(LIST, headers),
      await api.get(LIST, { accept: 'image/png' }),
      await api.post(LIST, '{', headers),
      await api.post(LIST, { name: 5 }, headers),
      await api.post(LIST, {}, headers),
      await api.put(iri, { amount: 5 }, { ...headers, 'if-match': '"another"' }),
      await api.send('POST', LIST, { headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' }),
      await api.post(LIST, { name: 'x'.repeat(3_000_000) }, headers),
      await api.get('/api/test/boom', headers),
    ]
    expect(said.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '401 sign_in_required',
      '401 session_ended',
      '404 not_found',
      '405 method_not_allowed',
      '406 not_acceptable',
      '400 invalid_json',
      '400 wrong_type',
      '422 invalid',
      '412 precondition_failed',
      '415 unsupported_media_type',
      '413 too_large',
      '500 failure',
    ])
  }
})

test('an error without a code gets the default code for its status, and a code for another status is rejected', () => {
  expect([new Problem(409, 'x').code, problem.conflict('x', 'held').code]).toEqual(['conflict', 'held'])
  expect(() => new Problem(404, 'x', { code: 'held' })).toThrow(TypeError)
})

test('every error code is documented in the guide, in OpenAPI and in Hydra', async () => {
  const openapi = (await api.get('/api/docs.json')).body.components.schemas
  const { text } = await api.get('/api/docs.jsonld')
  const [refusals, violations] = [Object.keys(ERROR_CODES), Object.keys(VIOLATION_CODES)]
  expect(openapi.Error.properties.code.enum).toEqual(refusals)
  expect(openapi.ConstraintViolationList.properties.violations.items.properties.code.enum).toEqual(violations)
  for (const [code, { status, meaning }] of Object.entries(ERROR_CODES)) {
    expect(text).toContain(`${code}: ${status}. ${meaning}`)
    expect(GUIDE).toContain(`\`${code}\` ${meaning}`)
  }
  for (const [code, meaning] of Object.entries(VIOLATION_CODES)) expect(GUIDE).toContain(`| \`${code}\` | ${meaning} |`)
})

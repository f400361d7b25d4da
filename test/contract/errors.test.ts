import { expect, test } from 'vitest'
import { openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const api = client.as(await client.user())
const LIST = '/api/test/specimens'

test('an invalid body is rejected with 422, worded exactly as in the API convention', async () => {
  const answer = await api.post(LIST, { amount: 2000, mail: 'nobody' })
  expect(answer.status).toBe(422)
  expect(answer.headers['content-type']).toBe('application/ld+json; charset=utf-8')
  const sentences =
    'name: Field required, please enter text\nmail: Please enter an e-mail address such as name@company.co.uk\namount: Amount must be at most 1000'
  expect(answer.body).toEqual({
    '@context': '/api/contexts/ConstraintViolationList',
    '@type': 'ConstraintViolationList',
    'hydra:title': 'An error occurred',
    'hydra:description': sentences,
    type: '/api/errors/422',
    title: 'An error occurred',
    status: 422,
    code: 'invalid',
    detail: sentences,
    violations: [
      { propertyPath: 'name', message: 'Field required, please enter text', code: 'required' },
      {
        propertyPath: 'mail',
        message: 'Please enter an e-mail address such as name@company.co.uk',
        code: 'not_an_email',
      },
      { propertyPath: 'amount', message: 'Amount must be at most 1000', code: 'too_big' },
    ],
  })
})

test('an update is validated after it is merged with the stored record', async () => {
  const { '@id': iri } = (await api.post(LIST, { name: 'Ash', amount: 5 })).body
  for (const answer of [
    await api.put(iri, { name: null }),
    await api.patch(iri, { name: ' ' }),
    await api.put(iri, { amount: 5000 }),
  ])
    expect([answer.status, answer.body.violations.length]).toEqual([422, 1])
  expect((await api.put(iri, { amount: 6 })).status).toBe(200)
  expect((await api.post(`${iri}/paint`, { coats: 1 })).status).toBe(409)
})

test('the input to an action is validated like the fields of a record', async () => {
  const { '@id': iri } = (await api.post(LIST, { name: 'Ash', colour: 'red' })).body
  expect((await api.post(`${iri}/paint`)).body.violations[0].propertyPath).toBe('coats')
  expect((await api.post(`${iri}/paint`, { coats: 0 })).status).toBe(422)
  expect((await api.post(`${iri}/paint`, { coats: 'one' })).status).toBe(400)
})

test('other errors are worded exactly as in the API convention', async () => {
  const { body } = await api.get(`${LIST}/99999999`)
  expect(body).toEqual({
    '@context': '/api/contexts/Error',
    '@type': 'hydra:Error',
    'hydra:title': 'An error occurred',
    'hydra:description': 'Not found.',
    type: '/api/errors/404',
    title: 'An error occurred',
    status: 404,
    code: 'not_found',
    detail: 'Not found.',
  })
})

test.each([
  [undefined, 'application/ld+json'],
  ['*/*', 'application/ld+json'],
  ['application/ld+json', 'application/ld+json'],
  ['application/json', 'application/problem+json'],
  ['application/problem+json', 'application/problem+json'],
  ['text/html', 'application/problem+json'],
])('an error for Accept: %s has the media type %s', async (accept, type) => {
  const headers: Record<string, string> = accept ? { accept } : {}
  const answers = [
    await api.get(`${LIST}/99999999`, headers),
    await portal.anonymous.get(LIST, headers),
    await api.post(LIST, {}, headers),
    await api.get('/api/nothing', headers),
    await api.get('/api/%zz', headers),
    await api.delete(LIST, headers),
    await api.get('/api/test/boom', headers),
  ]
  for (const a of answers) {
    expect(a.status).toBeGreaterThanOrEqual(400)
    expect(a.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(a.body).toMatchObject({
      status: a.status,
      code: expect.stringMatching(/^[a-z_]+$/),
      detail: a.body['hydra:description'],
      title: a.body['hydra:title'],
    })
  }
})

test('error responses are never cached by intermediaries, because they may contain names and field values', async () => {
  const answers = [
    await portal.anonymous.get('/api/portal/users'),
    await portal.anonymous.get('/api/nothing'),
    await portal.anonymous.post('/api/security/login', {}),
  ]
  expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual(
    [401, 404, 422].map((status) => [status, 'no-store']),
  )
})

test('an internal error reveals no details', async () => {
  const { status, text, body } = await api.get('/api/test/boom')
  expect(status).toBe(500)
  expect(text).not.toMatch(/secret detail|\.ts|node_modules|at \w+ \(/)
  expect(body['hydra:description']).toMatch(/try again/)
  expect(body).not.toHaveProperty('trace')
})

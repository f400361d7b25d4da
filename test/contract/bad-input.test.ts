/* oxlint-disable vitest/expect-expect -- a helper of the file expects */
import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const client = await portal.client()
const person = await client.user()
const api = client.as(person)
const LIST = '/api/test/specimens'
const TEXTS = ['name', 'code', 'motto', 'story', 'tel'] as const

/**
 * Stores a value and reads it back in both formats. Expects it unchanged unless `expected` differs. Returns the new
 * record.
 */
async function roundTrip(field: string, given: unknown, expected: unknown = given) {
  const made = await api.post(LIST, { name: 'Ash', [field]: given })
  expect(made.status, made.text).toBe(201)
  expect(made.body[field]).toEqual(expected)
  expect((await api.get(made.body['@id'])).body[field]).toEqual(expected)
  expect((await api.get(made.body['@id'], { accept: 'application/json' })).body[field]).toEqual(expected)
  return made.body
}

describe('text input', () => {
  test.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "Robert'); DROP TABLE specimen;--",
    '{{constructor.constructor("alert(1)")()}}',
    '=HYPERLINK("x")',
    '\\u0000 $1 %s',
    '💩 ünïcödé ‮ʇxǝʇ',
  ])('%s is stored unchanged in every text field', async (text) => {
    for (const field of TEXTS) await roundTrip(field, text.slice(0, 50))
    await roundTrip('tags', [text])
    await roundTrip('extra', { [text]: text })
  })

  test('rich text preserves a small set of HTML tags and nothing executable', async () => {
    await roundTrip('html', '<p>Some <strong>bold</strong> words<br />and</p><ul><li>a list</li></ul>')
    const { html } = await roundTrip(
      'html',
      '<p onclick="x()">a<script>alert(1)</script><img src=x onerror=y><a href="javascript:z">b</a><style>*{}</style></p>',
      '<p>ab</p>',
    )
    expect(html).not.toMatch(/script|onclick|onerror|javascript/)
  })

  test('zero bytes in text are removed and lone surrogates replaced, without a server error', async () => {
    for (const field of [...TEXTS, 'html']) {
      await roundTrip(field, 'a\u0000b', 'ab')
      await roundTrip(field, 'a\ud800b', 'a\ufffdb')
    }
    await roundTrip('tags', ['a\u0000b', '\udc00'], ['ab', '\ufffd'])
    await roundTrip('extra', { 'k\u0000': ['a\u0000b', '\ud800'] }, { k: ['ab', '\ufffd'] })
    expect((await api.post(LIST, { name: '\u0000' })).status).toBe(422)
    const raw = '{"name":"Ash","story":"x\\u0000\\ud83d y"}'
    const { status, body } = await api.send('POST', LIST, {
      headers: { 'content-type': 'application/json' },
      body: raw,
    })
    expect([status, body.story]).toEqual([201, 'x\ufffd y'])
  })

  test('bytes that are not valid UTF-8 cause no server error', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from('"}')])
    const answer = await api.send('POST', LIST, { headers: { 'content-type': 'application/json' }, body })
    expect([answer.status, answer.body.name]).toEqual([201, 'a\ufffd\ufffd\ufffd'])
  })

  test('text that is too long, or a line break in a single-line field, is rejected with 422 and an error message', async () => {
    for (const [field, most] of [
      ['name', 255],
      ['story', 20_000],
      ['tel', 50],
      ['html', 200_000],
    ] as const) {
      expect((await api.post(LIST, { name: 'Ash', [field]: 'x'.repeat(most) })).status).toBe(201)
      const { status, body } = await api.post(LIST, { name: 'Ash', [field]: 'x'.repeat(most + 1) })
      expect([status, body.violations[0].propertyPath]).toEqual([422, field])
      expect(body.violations[0].message).toMatch(/can have at most [\d,]+ characters; this text has [\d,]+/)
    }
    expect((await api.post(LIST, { name: 'a\nb' })).status).toBe(422)
  })

  test('a body of ten megabytes is rejected with 413 and an error message', async () => {
    for (const [method, url, type] of [
      ['POST', LIST, 'application/json'],
      ['PUT', `${LIST}/1`, 'application/json'],
      ['PATCH', `${LIST}/1`, 'application/merge-patch+json'],
      ['POST', LIST, 'text/plain'],
    ] as const) {
      const body = JSON.stringify({ name: 'Ash', story: 'x'.repeat(10 * 1024 * 1024) })
      const answer = await api.send(method, url, { headers: { 'content-type': type }, body })
      expect([answer.status, answer.body['@type']]).toEqual([413, 'hydra:Error'])
      expect(answer.body['hydra:description']).toBe(
        'The request is too large. Please send less at a time: the limit is 2 MB.',
      )
      expect(answer.headers.link).toMatch(/docs\.jsonld/)
    }
  })

  test('a body of ten megabytes over a real connection is also rejected with 413 and an error message', async () => {
    const origin = await portal.listen()
    const { token } = await portal.sessions.open(
      { clientId: client.id, userId: person.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const sending = request(
        `${origin}${LIST}`,
        { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` } },
        (answer) => {
          let all = ''
          answer.setEncoding('utf8').on('data', (s: string) => (all += s))
          answer.on('end', () => resolve([answer.statusCode, all]))
        },
      )
      sending.on('error', reject)
      sending.end(`{"story":"${'x'.repeat(10 * 1024 * 1024)}"}`)
    })
    expect([status, JSON.parse(text).status]).toEqual([413, 413])
  })
})

test('a choice of only white space counts as empty, and white space counts towards length limits', async () => {
  await roundTrip('colour', '', null)
  await roundTrip('colour', '  ', null)
  for (const [field, length] of [
    ['name', 1_900_000],
    ['story', 20_001],
    ['html', 200_001],
  ] as const) {
    const { status, body } = await api.post(LIST, { name: 'Ash', [field]: ' '.repeat(length) })
    expect([field, status, body.violations?.[0].propertyPath]).toEqual([field, 422, field])
  }
})

test('the length of formatted text is limited both as received and as stored', async () => {
  for (const html of ['x'.repeat(200_001), `<script>${'x'.repeat(200_000)}</script>`, '&'.repeat(150_000)]) {
    const { status, body } = await api.post(LIST, { name: 'Ash', html })
    expect([status, body.violations?.[0]]).toMatchObject([422, { propertyPath: 'html', code: 'too_long' }])
  }
  const { body: made } = await api.post(LIST, { name: 'Ash', html: '&'.repeat(40_000) })
  expect((await api.put(made['@id'], { html: made.html })).body.html).toBe(made.html)
})

test('a date field accepts a day, with or without a time', async () => {
  for (const born of ['2024-02-29', '2024-02-29T10:20', '2024-02-29T10:20:30.5Z', '2024-02-29T10:20:30+01:00'])
    await roundTrip('born', born, '2024-02-29')
  for (const born of ['2024-02-29T', '2024-02-29Tea', '2024-02-29T99', '2024-02-29T10:20:30Zulu', '2024-02-29 10:20'])
    expect([born, (await api.post(LIST, { name: 'Ash', born })).status]).toEqual([born, 400])
})

describe('numbers and dates', () => {
  test.each([
    ['amount', 1e6, 422],
    ['amount', 9007199254740992, 400],
    ['amount', 1e300, 400],
    ['big', 9007199254740991, 400],
    ['big', 2147483648, 400],
    ['big', -2147483648, 201],
    ['price', 1e300, 201],
    ['price', -0.1, 201],
    ['due', 32503679999, 201],
    ['due', 32503680000, 422],
    ['due', 253402300799, 422],
    ['due', 253402300800, 400],
    ['due', -2208988800, 201],
    ['due', -2208988801, 422],
    ['due', -62135596800, 422],
    ['due', -62135596801, 400],
    ['born', '2999-12-31', 201],
    ['born', '3000-01-01', 422],
    ['born', '9999-12-31', 422],
    ['born', '1900-01-01', 201],
    ['born', '1899-12-31', 422],
    ['born', '0001-01-01', 422],
    ['born', '0000-01-01', 400],
    ['born', '10000-01-01', 400],
    ['born', '2026-02-29', 400],
    ['born', '2026-13-01', 400],
    ['born', '29/02/2024', 400],
    ['born', '2024-02-29T23:00:00+00:00', 201],
    ['born', 'today', 400],
    ['born', 'infinity', 400],
    ['seen', '2026-02-28', 201],
    ['seen', '2026-02-29T10:00:00+00:00', 400],
    ['seen', '2026-02-30', 400],
    ['seen', '2026-02-28T25:00:00Z', 400],
    ['seen', '2026-02-28T10:00:00', 400],
    ['seen', '0000-01-01T00:00:00Z', 400],
    ['seen', '9999-12-31T23:59:59Z', 422],
    ['seen', '0001-01-01T00:00:00Z', 422],
    ['seen', '0001-01-01T00:00:00+10:00', 400],
    ['seen', '9999-12-31T23:59:59-10:00', 400],
    ['seen', '2026-02-28T10:00:00+99:00', 400],
    ['seen', '2026-02-28T10:00:00.123456Z', 201],
    ['seen', 'now', 400],
  ])('the field %s with value %j gets status %i', async (field, value, status) => {
    const answer = await api.post(LIST, { name: 'Ash', [field]: value })
    expect(answer.status, answer.text).toBe(status)
    if (status === 400) expect(answer.body['hydra:description']).toMatch(/^(The type of|"|A number or date)/)
  })

  test('date-times and prices are returned in one canonical form', async () => {
    for (const [given, sent] of [
      ['2026-02-28T10:20:30.999Z', '2026-02-28T10:20:30+00:00'],
      ['2026-02-28T10:20+01:00', '2026-02-28T09:20:00+00:00'],
      ['2026-07-01', '2026-07-01T00:00:00+00:00'],
      ['1900-01-01T00:00:00Z', '1900-01-01T00:00:00+00:00'],
      ['2999-12-31T23:59:59Z', '2999-12-31T23:59:59+00:00'],
    ])
      await roundTrip('seen', given, sent)
    await roundTrip('price', 0.1)
    await roundTrip('price', 12345678901.25)
  })

  test('numbers that JSON cannot represent exactly are refused, not changed', async () => {
    const raw = (text: string) =>
      api.send('POST', LIST, { headers: { 'content-type': 'application/json' }, body: text })
    expect((await raw('{"name":"Ash","big":12345678901234567890}')).status).toBe(400)
    expect((await raw('{"name":"Ash","price":1e999}')).status).toBe(400)
    expect((await raw('{"name":"Ash","big":NaN}')).status).toBe(400)
  })
})

test('duplicate keys and keys such as __proto__ in JSON cause no server error', async () => {
  const raw = (text: string, headers = {}) =>
    api.send('POST', LIST, { headers: { 'content-type': 'application/json', ...headers }, body: text })
  const { status, body } = await raw(
    '{"name":"Ash","__proto__":{"amount":5},"constructor":{"prototype":{}},"toString":1}',
  )
  expect([status, body.amount]).toEqual([201, null])
  expect((await raw('{"name":"first","name":"last"}')).body.name).toBe('last')
  const deep = '['.repeat(50_000) + ']'.repeat(50_000)
  for (const key of ['unknown', 'extra', 'name', 'parent'])
    expect((await raw(`{"name":"Ash","${key}":${deep}}`)).status, key).not.toBe(500)
  expect((await raw(`{"name":"Ash","unknown":${deep}}`, { 'idempotency-key': 'deep' })).status).not.toBe(500)
  expect(
    (
      await api.send('POST', LIST, {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('\ufeff{"name":"BOM"}'),
      })
    ).status,
  ).toBe(201)
})

test('an error response contains no stack trace, SQL or file name', async () => {
  const answers = [
    await api.post(LIST, { name: 'Ash', big: 2 ** 40 }),
    await api.post(LIST, { name: 'Ash', born: '0000-01-01' }),
    await api.get(`${LIST}?id=9007199254740991&order[id]=x`),
    await api.get('/api/test/boom'),
    await api.get('/api/%zz'),
  ]
  for (const { text } of answers)
    expect(text).not.toMatch(/\bat [\w.<>]+ \(|node_modules|\.ts\b|SELECT|INSERT|relation "|column "/)
})

test('the length of formatted text is checked before the text is parsed', async () => {
  const send = () => api.post(LIST, { name: 'Ash', html: '<b>'.repeat(630_000) })
  const { status, body } = await send()
  expect([status, body.violations[0].propertyPath]).toEqual([422, 'html'])
  expect(await measureThreadTime(send)).toBeLessThan(MAX_BLOCKING_MS)
  await roundTrip('html', '<b>'.repeat(50_000), `${'<b>'.repeat(100)}${'</b>'.repeat(100)}`)
})

test('the number of values in a body is limited at every level', async () => {
  const headers = { 'content-type': 'application/json' }
  const thousand = `[${'1,'.repeat(999)}1]`
  const many = (count: number) =>
    `{"name":"Ash","extra":[${Array(count / 1000)
      .fill(thousand)
      .join()}]}`
  const send = (body: string) => api.send('POST', LIST, { headers, body })
  const keys = `{${Array.from({ length: 150_000 }, (_, n) => `"k${n}":1`).join()}}`
  for (const body of [many(900_000), keys]) {
    expect((await send(body)).body.code).toBe('too_large')
    expect(await measureThreadTime(() => send(body))).toBeLessThan(MAX_BLOCKING_MS)
  }
  expect((await send(many(50_000))).status).toBe(201)
  expect((await send(`{"name":"Ash","story":"${','.repeat(20_000)}"}`)).status).toBe(201)
})

test('a list of strings has a maximum length, as does each string', async () => {
  for (const tags of [Array.from({ length: 1001 }, String), ['x'.repeat(256)]])
    expect((await api.post(LIST, { name: 'Ash', tags })).status).toBe(422)
})

test("the limit on a list's length covers its values, nested values and ignored keys", async () => {
  const many = Array.from({ length: 1001 }, String)
  for (const [field, value] of [
    ['tags', many],
    ['extra', many],
    ['extra', { list: [{ list: many }] }],
    ['extra', Object.fromEntries(many.map((_, n) => [`key ${n}`, 1]))],
  ] as const)
    for (const [method, url] of [
      ['post', LIST],
      ['put', `${LIST}/1`],
      ['patch', `${LIST}/1`],
    ] as const) {
      const { status, body } = await api[method](url, { name: 'Ash', [field]: value })
      expect([status, body.violations?.[0]]).toEqual([
        422,
        {
          propertyPath: field,
          message: expect.stringContaining('at most 1,000 entries; this list has 1,001'),
          code: 'too_long',
        },
      ])
    }
  const author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const equipment = (ppe: unknown) => author.post('/api/safety/risk_assessments', { description: 'Roof', ppe })
  for (const ppe of ['1,'.repeat(900_000), Array(201).fill(1)])
    expect((await equipment(ppe)).body['hydra:description']).toBe('ppe: Please choose at most 200 items of PPE')
  const assessment = { description: 'Roof', groupsAffected: Array(90_000).fill('Employees') }
  const refused = await author.post('/api/safety/risk_assessments', assessment)
  expect([refused.status, refused.body['hydra:description']]).toEqual([
    422,
    'groupsAffected: Who might be harmed? can have at most 1,000 entries; this list has 90,000',
  ])
})

test('a header with thousands of spaces is parsed quickly', async () => {
  const { body } = await api.post(LIST, { name: 'Ash' })
  const spaces = `"a"${' '.repeat(14_000)}"b"`
  for (const name of ['if-none-match', 'if-match', 'accept', 'prefer'])
    expect(await measureThreadTime(() => api.put(body['@id'], { name: 'Elm' }, { [name]: spaces }))).toBeLessThan(
      MAX_BLOCKING_MS / 2,
    )
})

test('excessively nested JSON is rejected by every endpoint', async () => {
  const deep = `${'['.repeat(900_000)}${']'.repeat(900_000)}`
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'deep' }
  for (const name of ['extra', 'unknown', 'tags', '@id']) {
    const send = () => api.send('POST', LIST, { headers, body: `{"name":"Ash","${name}":${deep}}` })
    expect([name, (await send()).status]).toEqual([name, 400])
    expect(await measureThreadTime(send)).toBeLessThan(MAX_BLOCKING_MS)
  }
  await roundTrip('story', `${'['.repeat(1000)}"\\`)
})

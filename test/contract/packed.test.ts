import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const roles = (await portal.db.tx('system', (tx) => tx.rows<{ name: string }>('SELECT name FROM role'))).map(
  (r) => r.name,
)
const provider = portal.provider.as(await portal.provider.user({ roles }))
const LIST = '/api/crm/last_results'

describe.each(['br', 'gzip'])('compressed responses for Accept-Encoding: %s', (packing) => {
  test('every list is smaller when compressed, and has the same contents as when uncompressed', async () => {
    const sent = { plain: 0, packed: 0 }
    for (const { url } of portal.engine.addressed) {
      const plain = await provider.get(url)
      const packed = await provider.get(url, { 'accept-encoding': packing })
      const isShort = plain.text.length < 1024
      expect(packed.text, url).toBe(plain.text)
      expect(packed.headers['content-encoding'], url).toBe(isShort ? undefined : packing)
      if (isShort) continue
      const bytes = packed.raw?.length ?? 0
      expect(bytes, url).toBeLessThan(plain.text.length)
      expect(packed.headers['content-length']).toBe(String(bytes))
      expect(packed.headers.etag).not.toBe(plain.headers.etag)
      sent.plain += plain.text.length
      sent.packed += bytes
    }
    expect(sent.packed).toBeLessThan(sent.plain / 2)
  })

  test('a compressed response can be revalidated with its own ETag or that of the uncompressed response, weak or strong', async () => {
    const accepts = { 'accept-encoding': packing }
    const own = (await provider.get(LIST, accepts)).headers.etag ?? ''
    const plain = (await provider.get(LIST)).headers.etag ?? ''
    for (const tag of [own, plain, `W/${own}`, `"other", ${own}`])
      expect((await provider.get(LIST, { ...accepts, 'if-none-match': tag })).status, tag).toBe(304)
    expect((await provider.get(LIST, { ...accepts, 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('the ETag of a compressed response is accepted for one change only', async () => {
    const note = 'What was said on the telephone. '.repeat(100)
    const accepts = { 'accept-encoding': packing }
    const made = await provider.post('/api/crm/contacts', {
      companyName: `Packed ${packing}`,
      name: note.slice(0, 100),
    })
    const at = made.body['@id']
    const longer = {
      address1: note.slice(0, 200),
      address2: note.slice(0, 200),
      website: `https://${'a'.repeat(200)}.test`,
    }
    await provider.put(at, longer)
    const { headers } = await provider.get(at, accepts)
    expect(headers['content-encoding']).toBe(packing)
    const changed = { 'if-match': headers.etag ?? '' }
    expect((await provider.put(at, { name: 'Ada' }, changed)).status).toBe(200)
    expect((await provider.put(at, { name: 'Bob' }, changed)).status).toBe(412)
  })
})

test.each(['identity', 'br;q=0, gzip;q=0', 'deflate', 'nonsense', ';;,='])(
  'a client that accepts "%s" gets an uncompressed response',
  async (accepted) => {
    const { status, headers } = await provider.get(LIST, { 'accept-encoding': accepted })
    expect([status, headers['content-encoding']]).toEqual([200, undefined])
  },
)

test('responses with secrets are never compressed, because their length would reveal them', async () => {
  const long = { words: 'The same again. '.repeat(200) }
  const route = (secret: boolean) =>
    ({
      method: 'GET',
      path: `/api/packed_${secret}`,
      title: 'Long words',
      allow: 'anonymous',
      ...(secret ? { secret } : {}),
      handle: () => Promise.resolve(long),
    }) as const
  const { anonymous } = await portal.with({}, [{ name: 'packed', resources: [], routes: [route(true), route(false)] }])
  const packings = await Promise.all(
    [true, false].map(async (secret) => {
      const { headers, body } = await anonymous.get(`/api/packed_${secret}`, { 'accept-encoding': 'br' })
      expect(body.words).toBe(long.words)
      return headers['content-encoding']
    }),
  )
  expect(packings).toEqual([undefined, 'br'])
})

test('the API description is compressed for a few hosts only, so that invented hosts cost no compression', async () => {
  const encodings = []
  for (let i = 0; i < 6; i++) {
    const headers = { 'accept-encoding': 'br', host: `host${i}.test` }
    const { text, headers: sent } = await portal.anonymous.get('/api/docs.jsonld', headers)
    expect(text).toContain(`"http://host${i}.test/api/docs.jsonld`)
    encodings.push(sent['content-encoding'])
  }
  expect(encodings.filter((encoding) => encoding === 'br').length).toBeLessThanOrEqual(4)
  expect(encodings.at(-1)).toBeUndefined()
})

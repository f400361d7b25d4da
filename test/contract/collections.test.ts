import { describe, expect, test } from 'vitest'
import { createSpecimenKind, openSpecimenPortal } from '#test/support/specimen.ts'

const portal = await openSpecimenPortal()
const LIST = '/api/test/specimens'

/**
 * Creates a client with the given number of specimens; all have the same name if `tied`. Returns the API for the
 * client's administrator.
 */
async function listOf(n: number, tied = false) {
  const client = await portal.client()
  const user = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  await portal.db.tx({ clientId: client.id }, (tx) =>
    tx.rows(
      `INSERT INTO specimen (client_id, name, amount) SELECT $1, CASE WHEN $3 THEN 'Tied' ELSE 'Specimen ' || lpad(i::text, 4, '0') END, i % 3 FROM generate_series(1, $2::int) i`,
      [client.id, n, tied],
    ),
  )
  return client.as(user)
}
const fifty = await listOf(50)
const few = await listOf(3)
const none = await listOf(0)
const ids = (body: { 'hydra:member': { id: number }[] }) => body['hydra:member'].map((m) => m.id)

test('a cached total is correct after every commit, whichever process commits', async () => {
  const client = await portal.client()
  const api = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  // Inserts rows without the engine, as another process on the same database would.
  const add = (n: number, meanwhile = async () => {}) =>
    portal.db.tx({ clientId: client.id }, async (tx) => {
      await tx.rows(
        "INSERT INTO specimen (client_id, name) SELECT $1, 'Specimen ' || i FROM generate_series(1, $2::int) i",
        [client.id, n],
      )
      await meanwhile()
    })
  const totals = async () => [await total(), await total()]
  const total = async () => (await api.get(LIST)).body['hydra:totalItems']
  await add(35)
  expect(await totals()).toEqual([35, 35])
  await add(1)
  expect(await totals()).toEqual([36, 36])
  await add(1, async () => {
    expect(await totals()).toEqual([36, 36])
    await add(1)
    expect(await totals()).toEqual([37, 37])
  })
  expect(await totals()).toEqual([38, 38])
  const [first] = (await api.get(LIST)).body['hydra:member']
  await api.delete(first['@id'])
  expect(await totals()).toEqual([37, 37])
})

test('a list item has @context only at the top level, includes nulls, and has relations as declared', async () => {
  const kind = await createSpecimenKind(portal, 'Dust')
  const { body: parent } = await few.post(LIST, { name: 'Parent' })
  const { body: made } = await few.post(LIST, { name: 'Child', kind: kind['@id'], parent: parent['@id'] })
  const { body } = await few.get(made['@id'])
  expect(Object.keys(body).slice(0, 4)).toEqual(['@context', '@id', '@type', 'id'])
  expect(body).toMatchObject({
    '@context': '/api/contexts/Specimen',
    '@id': `${LIST}/${body.id}`,
    '@type': 'Specimen',
    parent: parent['@id'],
    kind: { '@id': kind['@id'], '@type': 'SpecimenKind', id: kind.id, name: 'Dust' },
    code: null,
    amount: null,
    born: null,
    seen: null,
    active: false,
    tags: [],
  })
  expect(body.kind).not.toHaveProperty('@context')
  for (const absent of ['secret', 'hidden', 'staffNote']) expect(body).not.toHaveProperty(absent)
  expect(body.updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
  await few.delete(made['@id'])
  await few.delete(parent['@id'])
})

test('a list is ordered by at most three fields', async () => {
  const by = (...fields: string[]) => few.get(`${LIST}?${fields.map((f) => `order[${f}]=asc`).join('&')}`)
  expect((await by('name', 'amount', 'id')).status).toBe(200)
  const { status, body } = await by('name', 'amount', 'id', 'born')
  expect([status, body.violations]).toEqual([
    422,
    [{ propertyPath: 'order', message: 'A list can be ordered by at most 3 fields.', code: 'invalid' }],
  ])
})

test('the @id of a list has no query, and its members have no @context', async () => {
  const { body } = await few.get(`${LIST}?name=Specimen&order[name]=desc`)
  expect(Object.keys(body)).toEqual([
    '@context',
    '@id',
    '@type',
    'hydra:totalItems',
    'hydra:member',
    'hydra:view',
    'hydra:search',
  ])
  expect(body).toMatchObject({
    '@context': '/api/contexts/Specimen',
    '@id': LIST,
    '@type': 'hydra:Collection',
    'hydra:totalItems': 3,
  })
  for (const m of body['hydra:member']) expect(m).not.toHaveProperty('@context')
})

test('lists returned by custom routes are objects whose @id has no query', async () => {
  const { body } = await few.get('/api/test/members?page=1')
  expect(body).toMatchObject({ '@id': '/api/test/members', '@type': 'hydra:Collection' })
  expect(typeof body['@context']).toBe('string')
  expect((await few.get('/api/test/members', { accept: 'application/json' })).body).toEqual([{ id: 1 }])
  expect((await few.get('/api/test/specimens/count')).body).toEqual({ '@id': '/api/test/specimens/count', count: 3 })
})

describe('pages of a list', () => {
  test('a page has thirty members, and its view lists the links in page order', async () => {
    const { body } = await fifty.get(LIST)
    expect(body['hydra:member']).toHaveLength(30)
    expect(body['hydra:totalItems']).toBe(50)
    expect(body['hydra:view']).toEqual({
      '@id': `${LIST}?page=1`,
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': `${LIST}?page=1`,
      'hydra:last': `${LIST}?page=2`,
      'hydra:next': `${LIST}?page=2`,
    })
    const last = (await fifty.get(`${LIST}?page=2`)).body
    expect(last['hydra:member']).toHaveLength(20)
    expect(last['hydra:view']).toEqual({
      '@id': `${LIST}?page=2`,
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': `${LIST}?page=1`,
      'hydra:last': `${LIST}?page=2`,
      'hydra:previous': `${LIST}?page=1`,
    })
  })

  test('a middle page links in both directions, with the other parameters encoded in its links', async () => {
    const query = 'itemsPerPage=10&order[name]=desc&name=Spec%69men&unknown=a%26b'
    const { body } = await fifty.get(`${LIST}?page=3&${query}`)
    const view = body['hydra:view']
    const at = (page: number) =>
      `${LIST}?itemsPerPage=10&order%5Bname%5D=desc&name=Spec%69men&unknown=a%26b&page=${page}`
    expect(view).toEqual({
      '@id': at(3),
      '@type': 'hydra:PartialCollectionView',
      'hydra:first': at(1),
      'hydra:last': at(5),
      'hydra:previous': at(2),
      'hydra:next': at(4),
    })
    expect(ids((await fifty.get(view['hydra:next'])).body)).toEqual(
      ids((await fifty.get(`${LIST}?${query}&page=4`)).body),
    )
  })

  test.each([
    ['', false],
    ['page=1', false],
    ['pagination=true', false],
    ['order[id]=asc', true],
    ['itemsPerPage=30', true],
    ['unknown=1', true],
  ])('a list with one page, requested with "?%s", includes hydra:view: %s', async (query, has) => {
    const { body } = await few.get(`${LIST}?${query}`)
    expect('hydra:view' in body).toBe(has)
    if (has)
      expect(body['hydra:view']).toEqual({
        '@id': `${LIST}?${query.replace('[', '%5B').replace(']', '%5D')}`,
        '@type': 'hydra:PartialCollectionView',
      })
  })

  test('an empty list has one page without members', async () => {
    const { status, body } = await none.get(LIST)
    expect([status, body['hydra:totalItems'], body['hydra:member'], 'hydra:view' in body]).toEqual([200, 0, [], false])
  })

  test('itemsPerPage is limited to 100; 0 returns only the total', async () => {
    const many = await listOf(150)
    expect((await many.get(`${LIST}?itemsPerPage=500`)).body['hydra:member']).toHaveLength(100)
    const { body } = await many.get(`${LIST}?itemsPerPage=0`)
    expect([body['hydra:totalItems'], body['hydra:member']]).toEqual([150, []])
    expect(body['hydra:view']).toEqual({
      '@id': `${LIST}?itemsPerPage=0`,
      '@type': 'hydra:PartialCollectionView',
    })
  })

  test.each(['page=0', 'page=-1', 'itemsPerPage=-1'])(
    'an invalid page parameter %s is rejected with 400',
    async (query) => {
      const { status, body } = await fifty.get(`${LIST}?${query}`)
      expect([status, body['@type']]).toEqual([400, 'hydra:Error'])
    },
  )

  test.each(['page=3', 'page=99999999', 'page=99999999999999999999999&itemsPerPage=25'])(
    'a list requested with ?%s, past its last page, returns 200 and no members',
    async (query) => {
      const { status, body } = await fifty.get(`${LIST}?${query}`)
      expect([status, body['hydra:member'], body['hydra:totalItems']]).toEqual([200, [], 50])
      expect(body['hydra:view']).not.toHaveProperty('hydra:next')
      expect(body['hydra:view']['hydra:last']).toMatch(/page=2$/)
    },
  )

  test.each(['page=abc', 'page=', 'page=1.5', 'page[]=2', 'itemsPerPage=lots', 'itemsPerPage='])(
    'an unusable parameter %s is ignored',
    async (query) => {
      const { status, body } = await fifty.get(`${LIST}?${query}`)
      expect([status, body['hydra:member'].length]).toEqual([200, 30])
    },
  )

  test('pagination=false returns all records without a paging view, where the list allows this', async () => {
    const api = await listOf(0)
    await Promise.all(Array.from({ length: 35 }, (_, i) => createSpecimenKind(portal, `Kind ${i}`)))
    const { body } = await api.get('/api/test/specimen_kinds?pagination=false')
    expect(body['hydra:member'].length).toBeGreaterThanOrEqual(35)
    expect(body['hydra:totalItems']).toBe(body['hydra:member'].length)
    expect(body).not.toHaveProperty('hydra:view')
    expect((await fifty.get(`${LIST}?pagination=false`)).body['hydra:member']).toHaveLength(30)
  })

  test('partial=true omits the total count', async () => {
    const first = (await fifty.get(`${LIST}?partial=true&itemsPerPage=20`)).body
    expect(first).not.toHaveProperty('hydra:totalItems')
    const at = (page: number) => `${LIST}?partial=true&itemsPerPage=20&page=${page}`
    expect(first['hydra:view']).toEqual({
      '@id': at(1),
      '@type': 'hydra:PartialCollectionView',
      'hydra:next': at(2),
    })
    const last = (await fifty.get(at(3))).body
    expect(last['hydra:view']).toEqual({
      '@id': at(3),
      '@type': 'hydra:PartialCollectionView',
      'hydra:previous': at(2),
    })
  })

  test.each([
    '',
    'order[name]=asc',
    'order[name]=desc',
    'order[amount]=asc',
    'order[kind]=asc',
    'order[kind.name]=desc',
  ])('paging with "?%s" over equal sort values neither repeats nor skips records', async (query) => {
    const tied = await listOf(40, true)
    const seen: number[] = []
    for (let page = 1; page <= 4; page++)
      seen.push(...ids((await tied.get(`${LIST}?itemsPerPage=10&page=${page}&${query}`)).body))
    expect(new Set(seen).size).toBe(40)
  })

  test('distant pages, whose ids are selected first, neither repeat nor skip records', async () => {
    const many = await listOf(420)
    const seen: number[] = []
    for (let page = 1; page <= 5; page++)
      seen.push(...ids((await many.get(`${LIST}?itemsPerPage=100&page=${page}&order[amount]=desc`)).body))
    expect(new Set(seen).size).toBe(420)
  })
})

describe('hydra:search', () => {
  test.each(['return=minimal', 'respond-async, return="minimal"', 'RETURN = minimal; x=1'])(
    'hydra:search is omitted for Prefer: %s',
    async (prefer) => {
      const { status, headers, body } = await few.get(LIST, { prefer })
      expect([status, headers['preference-applied'], headers.vary]).toEqual([
        200,
        'return=minimal',
        'Accept, Accept-Encoding, Prefer',
      ])
      const { 'hydra:search': _, ...rest } = (await few.get(LIST)).body
      expect(body).toEqual(rest)
    },
  )

  test.each(['return=representation', 'x="return=minimal"', 'minimal', ''])(
    'hydra:search is included for Prefer: %s',
    async (prefer) => {
      const { headers, body } = await few.get(LIST, { prefer })
      expect(headers).not.toHaveProperty('preference-applied')
      expect(body['hydra:search']).toBeDefined()
    },
  )

  test('hydra:search lists every parameter that the list accepts, and its mapping has unprefixed keys', async () => {
    const { 'hydra:search': search } = (await few.get(LIST)).body
    expect(search).toMatchObject({
      '@type': 'hydra:IriTemplate',
      'hydra:variableRepresentation': 'BasicRepresentation',
    })
    const variables = search['hydra:mapping'].map((m: { variable: string }) => m.variable)
    expect(search['hydra:template']).toBe(`${LIST}{?${variables.join(',')}}`)
    expect(new Set(variables).size).toBe(variables.length)
    for (const m of search['hydra:mapping'])
      expect(m).toEqual({
        '@type': 'IriTemplateMapping',
        variable: expect.any(String),
        property: expect.any(String),
        required: false,
      })
    expect(variables).toEqual(
      expect.arrayContaining([
        'id',
        'id[]',
        'order[id]',
        'name',
        'name[]',
        'order[name]',
        'active',
        'amount',
        'amount[]',
        'amount[gt]',
        'amount[gte]',
        'amount[lt]',
        'amount[lte]',
        'amount[between]',
        'born[after]',
        'born[before]',
        'born[strictly_after]',
        'born[strictly_before]',
        'exists[born]',
        'kind',
        'kind[]',
        'kind.name',
        'order[kind.name]',
        'parent.name',
        'parent.id',
        'q',
      ]),
    )
    for (const absent of ['hidden', 'order[hidden]', 'secret', 'story', 'extra'])
      expect(variables).not.toContain(absent)
  })
})

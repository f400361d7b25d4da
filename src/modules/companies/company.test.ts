import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { toRegisterKey } from './company.ts'

const URL = '/api/financial/companies_houses'
const portal = await testPortal()
const base64 = (s: string) => Buffer.from(s).toString('base64')
let staff: TestApi

const COMPANIES: readonly (readonly [number: string, name: string, status: string])[] = [
  ['08200001', 'HARBOUR ROOFING LTD', 'Active'],
  ['08200002', 'HARBOUR LTD', 'Active'],
  ['08200003', 'OLD HARBOUR LTD', 'Active'],
  ['08200004', 'HARBOUR', 'Liquidation'],
  ['08200005', 'THE HARBOUR COMPANY LIMITED', 'Active - Proposal to Strike off'],
  ['SC012345', 'GLEN A B & SONS 100% LTD', 'Active'],
  ['08200007', 'A B SERVICES LTD', 'Active'],
  ['08200008', 'ÉCLAIR BAKERS LTD', 'Active'],
]

beforeAll(async () => {
  const client = await portal.client()
  staff = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  await portal.db.tx('system', async (tx) => {
    for (const [number, name, status] of COMPANIES)
      await tx.rows(
        "INSERT INTO company (number, name, status, city, postcode, sic_codes, incorporated) VALUES ($1, $2, $3, 'LEEDS', 'LS10 2RU', '{43910,43999}', '2012-09-11')",
        [number, name, status],
      )
  })
})

const find = async (companyName: string, more: Record<string, string> = {}, api = staff) => {
  const { status, body } = await api.get(`${URL}?${new URLSearchParams({ companyName, ...more })}`)
  expect(status).toBe(200)
  return body['hydra:member'].map((c: { companyName: string }) => c.companyName)
}

describe('company search by name', () => {
  test.each([
    ['harbour', ['HARBOUR LTD', 'HARBOUR', 'HARBOUR ROOFING LTD', 'OLD HARBOUR LTD', 'THE HARBOUR COMPANY LIMITED']],
    [
      'Harbour Limited',
      ['HARBOUR LTD', 'HARBOUR', 'HARBOUR ROOFING LTD', 'OLD HARBOUR LTD', 'THE HARBOUR COMPANY LIMITED'],
    ],
    [
      'harbour ltd.',
      ['HARBOUR LTD', 'HARBOUR', 'HARBOUR ROOFING LTD', 'OLD HARBOUR LTD', 'THE HARBOUR COMPANY LIMITED'],
    ],
    ['roofing harbour', ['HARBOUR ROOFING LTD']],
    ['Harbor Roofing', ['HARBOUR ROOFING LTD']],
    ['Glen A B and Sons', ['GLEN A B & SONS 100% LTD']],
    ['eclair', ['ÉCLAIR BAKERS LTD']],
    ['Eclair Bakers Public Limited Company', ['ÉCLAIR BAKERS LTD']],
    [base64('Harbour  Roof'), ['HARBOUR ROOFING LTD']],
    ['  HARBOUR l ', ['HARBOUR LTD', 'OLD HARBOUR LTD']],
    ['our', ['HARBOUR LTD', 'OLD HARBOUR LTD', 'HARBOUR ROOFING LTD', 'THE HARBOUR COMPANY LIMITED', 'HARBOUR']],
    ['ha', ['HARBOUR LTD', 'HARBOUR ROOFING LTD', 'HARBOUR']],
    ['ou', []],
    ['a b', ['A B SERVICES LTD', 'GLEN A B & SONS 100% LTD']],
    ['100%', ['GLEN A B & SONS 100% LTD']],
    ['%%%', []],
    ['___', []],
    ['éclair', ['ÉCLAIR BAKERS LTD']],
    ["'; --", []],
    ['nowhere at all', []],
    ['', []],
  ])('a company search by name returns the matching companies in order: %s', async (typed, expected) => {
    expect(await find(typed)).toEqual(expected)
  })

  test('a company search returns the requested number of companies, up to the maximum page size', async () => {
    expect(await find('harbour', { itemsPerPage: '2' })).toEqual(['HARBOUR LTD', 'HARBOUR'])
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "INSERT INTO company (number, name, status) SELECT 'ZZ' || lpad(i::text, 6, '0'), 'ZEBRA ' || i, 'Active' FROM generate_series(1, 120) i",
      ),
    )
    expect(await find('zebra')).toHaveLength(20)
    expect(await find('zebra', { itemsPerPage: '999' })).toHaveLength(50)
    expect(await find('ebra', { itemsPerPage: '5' })).toEqual(['ZEBRA 1', 'ZEBRA 2', 'ZEBRA 3', 'ZEBRA 4', 'ZEBRA 5'])
  })

  test('a company search returns the same total on every page, capped at the search limit', async () => {
    const look = async (query: string) => (await staff.get(`${URL}?companyName=${query}`)).body
    const all = await look('harbour')
    expect([all['hydra:totalItems'], all['hydra:member'].length]).toEqual([5, 5])
    const names: string[] = []
    for (let next: string | undefined = `${URL}?companyName=harbour&itemsPerPage=2`; next; ) {
      const { body } = await staff.get(next)
      expect(body['hydra:totalItems']).toBe(5)
      names.push(...body['hydra:member'].map((c: { companyName: string }) => c.companyName))
      next = body['hydra:view']['hydra:next']
    }
    expect(names).toEqual(all['hydra:member'].map((c: { companyName: string }) => c.companyName))
    await portal.db.tx('system', (tx) =>
      tx.rows(
        "INSERT INTO company (number, name, status) SELECT 'YY' || lpad(i::text, 6, '0'), 'YAFFLE ' || i, 'Active' FROM generate_series(1, 120) i",
      ),
    )
    const many = await look('yaffle&itemsPerPage=50')
    expect([many['hydra:totalItems'], many['hydra:view']['hydra:last']]).toEqual([
      100,
      `${URL}?companyName=yaffle&itemsPerPage=50&page=2`,
    ])
    expect((await look('yaffle&itemsPerPage=50&page=3'))['hydra:member']).toEqual([])
    expect(await look('nowhere+at+all')).toMatchObject({ 'hydra:totalItems': 0, 'hydra:member': [] })
    expect(await look('')).toMatchObject({ 'hydra:totalItems': 0, 'hydra:member': [] })
  })

  test('a company search also finds a company by its number, with or without leading zeros', async () => {
    expect(await find('08200001')).toEqual(['HARBOUR ROOFING LTD'])
    expect(await find('8200001')).toEqual(['HARBOUR ROOFING LTD'])
    expect(await find('sc 12345')).toEqual(['GLEN A B & SONS 100% LTD'])
  })
})

describe('a single company', () => {
  test('a company lookup accepts a number in any notation, or an ID', async () => {
    const { body, status } = await staff.get(`${URL}/08200001`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      '@id': `${URL}/${body.id}`,
      '@type': 'CompaniesHouse',
      companyName: 'HARBOUR ROOFING LTD',
      companyNumber: '08200001',
      city: 'LEEDS',
      postcode: 'LS10 2RU',
      status: 'Active',
      active: true,
      sicCodes: ['43910', '43999'],
      incorporated: '2012-09-11',
      dissolved: null,
    })
    for (const given of [body.id, '8200001', '%2008200001'])
      expect((await staff.get(`${URL}/${given}`)).body.id).toBe(body.id)
    expect((await staff.get(`${URL}/sc012345`)).body.companyName).toBe('GLEN A B & SONS 100% LTD')
  })

  test.each(['99999999', '100000000', 'nonsense', '1', '999999999999999', '0'])(
    'looking up the company %s returns 404',
    async (id) => {
      expect((await staff.get(`${URL}/${id}`)).status).toBe(404)
    },
  )
})

test('companies are readable only by staff and client administrators', async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const worker = client.as(await client.user())
  expect((await admin.get(`${URL}?companyName=harbour`)).status).toBe(200)
  for (const path of ['?companyName=harbour', '/08200001']) {
    expect((await worker.get(URL + path)).status).toBe(403)
    expect((await portal.anonymous.get(URL + path)).status).toBe(401)
  }
  expect((await staff.post(URL, { companyName: 'X' })).status).toBe(405)
})

describe('a company search with an API key for the public register', () => {
  const KEY = 'the-key'
  let live: TestApi
  let broken = false
  let moved = false
  let padding = ''
  let asked: string[] = []
  const answer = (request: IncomingMessage): [number, unknown] => {
    asked.push(request.url as string)
    if (broken) return [500, { error: 'sorry' }]
    if (request.headers.authorization !== `Basic ${base64(`${KEY}:`)}`) return [401, { error: 'Invalid Authorization' }]
    const office = {
      premises: '57',
      address_line_1: 'Pepper Road',
      address_line_2: 'Hunslet',
      locality: 'Leeds',
      region: 'West Yorkshire',
      country: 'England',
      postal_code: 'LS10 2RU',
    }
    if (request.url === '/company/08200001')
      return [
        200,
        {
          company_name: 'HARBOUR ROOFING (LIVE) LTD',
          company_number: '08200001',
          company_status: 'active',
          type: 'ltd',
          date_of_creation: '2012-09-11',
          sic_codes: ['43910'],
          registered_office_address: office,
          padding,
        },
      ]
    if (request.url?.startsWith('/search/companies?q=harbour&'))
      return [
        200,
        {
          total_results: 431,
          items: [
            {
              title: 'HARBOUR ROOFING (LIVE) LTD',
              company_number: '08200001',
              company_status: 'active',
              company_type: 'ltd',
              address: office,
            },
            {
              title: 'HARBOUR GONE LTD',
              company_number: '08200009',
              company_status: 'dissolved',
              date_of_cessation: '2020-01-01',
              address: null,
            },
          ],
        },
      ]
    return [404, { errors: [{ error: 'company-profile-not-found' }] }]
  }
  const server = createServer((request, response) => {
    if (moved) {
      asked.push(request.url as string)
      return void response.writeHead(302, { location: '/elsewhere' }).end()
    }
    const [status, body] = answer(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const behind = async (key: string): Promise<{ api: TestApi; world: TestPortal }> => {
    const world = await portal.with({
      COMPANIES_HOUSE_KEY: key,
      COMPANIES_HOUSE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    })
    const client = await world.client()
    return { world, api: client.as(await client.user({ roles: ['ROLE_STAFF'] })) }
  }
  beforeAll(async () => {
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    live = (await behind(KEY)).api
  })
  afterAll(() => void server.close())

  test('a search with an API key queries the public register', async () => {
    asked = []
    const { body } = await live.get(`${URL}?companyName=${base64('harbour')}&itemsPerPage=2`)
    expect(asked).toEqual(['/search/companies?q=harbour&items_per_page=2'])
    expect(body['hydra:member']).toMatchObject([
      {
        '@id': `${URL}/08200001`,
        companyName: 'HARBOUR ROOFING (LIVE) LTD',
        address1: '57 Pepper Road',
        address2: 'Hunslet',
        city: 'Leeds',
        county: 'West Yorkshire',
        postcode: 'LS10 2RU',
        status: 'Active',
        active: true,
      },
      { companyNumber: '08200009', active: false, dissolved: '2020-01-01', city: '' },
    ])
    expect(body).not.toHaveProperty('notice')
    expect([body['hydra:totalItems'], body['hydra:view']['hydra:next']]).toEqual([
      100,
      `${URL}?companyName=${encodeURIComponent(base64('harbour'))}&itemsPerPage=2&page=2`,
    ])
    await live.get(`${URL}?companyName=harbour&itemsPerPage=2&page=3`)
    expect(asked.at(-1)).toBe('/search/companies?q=harbour&items_per_page=2&start_index=4')
    expect((await live.get(`${URL}/8200001`)).body).toMatchObject({
      companyName: 'HARBOUR ROOFING (LIVE) LTD',
      incorporated: '2012-09-11',
      sicCodes: ['43910'],
    })
    expect((await live.get(`${URL}/08299999`)).status).toBe(404)
  })

  test('if the public register fails, a search uses our own copy and says so in a notice', async () => {
    broken = true
    const { body } = await live.get(`${URL}?companyName=harbour`)
    expect(body['hydra:member'][0].companyName).toBe('HARBOUR LTD')
    expect(body.notice).toMatch(/is unavailable\. These results are from our own copy/)
    expect((await live.get(`${URL}/08200001`)).body.companyName).toBe('HARBOUR ROOFING LTD')
    const missing = await live.get(`${URL}/08299999`)
    expect(missing.status).toBe(503)
    expect(missing.body['hydra:description']).toMatch(/is unavailable\. Please enter/)
    broken = false
  })

  test('a redirect from the public register is not followed, and a notice says that our own copy was used', async () => {
    moved = true
    asked = []
    const { body } = await live.get(`${URL}?companyName=harbour`)
    expect(body['hydra:member'][0].companyName).toBe('HARBOUR LTD')
    expect(body.notice).toMatch(/has moved to another URL\. An administrator should check COMPANIES_HOUSE_URL/)
    expect((await live.get(`${URL}/08200001`)).body.companyName).toBe('HARBOUR ROOFING LTD')
    expect(asked).toEqual(['/search/companies?q=harbour&items_per_page=20', '/company/08200001'])
    moved = false
  })

  test("a company lookup uses our own copy if the public register's response is too long", async () => {
    padding = 'x'.repeat(1_000_000)
    expect((await live.get(`${URL}/08200001`)).body.companyName).toBe('HARBOUR ROOFING LTD')
    padding = ''
    expect((await live.get(`${URL}/08200001`)).body.companyName).toBe('HARBOUR ROOFING (LIVE) LTD')
  })

  test('the search reports that the public register has rejected its API key', async () => {
    const { api } = await behind('another-key')
    expect((await api.get(`${URL}?companyName=harbour`)).body.notice).toMatch(/rejected our API key/)
  })
})

test.each([
  ['0673 4419', '06734419'],
  ['06734419.', '06734419'],
  ['6734419', '06734419'],
  ['R0123456', 'R0123456'],
  ['r123456', 'R0123456'],
  ['ip12345r', 'IP12345R'],
  ['IP 12345 R', 'IP12345R'],
  ['ni12345', 'NI012345'],
  ['Bluebird Ltd', '06734419'],
  ['Bluebird Ltd.', '06734419'],
  ['BLUEBIRD LIMITED', '06734419'],
  ['bluebird plc', '06734419'],
  ['Bluebird LLP', '06734419'],
  ['bluebird lim', '06734419'],
  ['Blue-bird', '06734419'],
  ['Blubird', '06734419'],
  ['O’Hara Roofing', '11223344'],
  ["o'hara", '11223344'],
  ['ohara roofing limited', '11223344'],
  ['Cafe Zoe', '11223347'],
  ['CAFÉ ZOË', '11223347'],
  ['Smith and Jones', '11223348'],
  ['Smith & Jones Ltd.', '11223348'],
  ['Mill', 'NI012345'],
  ['linen ulster', 'NI012345'],
  ['Studio 54 Ltd', '11223349'],
  ['studio54', '11223349'],
  ['Old Belfast Shiping Company', 'R0123456'],
])('the first company found by %s is %s', async (typed, number) => {
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO company (number, name, status) SELECT *, 'Active' FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
      [
        ['06734419', 'R0123456', 'IP12345R', '11223344', '11223347', 'NI012345', '11223348', '11223349'],
        [
          'BLUEBIRD LIMITED',
          'OLD BELFAST SHIPPING LTD',
          'MIDLAND FARMERS SOCIETY',
          "O'HARA ROOFING LTD",
          'CAFÉ ZOË LIMITED',
          'ULSTER LINEN MILLS LTD',
          'SMITH & JONES LTD',
          'STUDIO 54 LIMITED',
        ],
      ],
    ),
  )
  const { status, body } = await staff.get(`${URL}?${new URLSearchParams({ companyName: typed })}`)
  expect([status, body['hydra:member'][0]?.companyNumber ?? '']).toEqual([200, number])
})

test('the database returns the same register key as the program', async () => {
  const names = [
    ...COMPANIES.map(([, name]) => name),
    'A B Public Limited Company',
    'X Limited Liability Partnership',
    'Tŷ Bach Cyf.',
    'Studio 54 Ltd',
    'Ltd',
    'Malted',
    'Y Community Interest Company',
    'The Company',
    '',
  ]
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ key: string }>(
      'SELECT register_key(n) AS key FROM unnest($1::text[]) WITH ORDINALITY u (n, k) ORDER BY k',
      [names],
    ),
  )
  expect(rows.map(({ key }) => key)).toEqual(names.map(toRegisterKey))
})

test.each(["'", '%', '_', '\\', '-', 'a', '!!!', 'x'.repeat(5000), '🔥', '\u0000', '\u0301', 'ab '.repeat(900)])(
  'a company search for the unusual text %j does not fail',
  async (typed) => {
    expect((await staff.get(`${URL}?${new URLSearchParams({ companyName: typed })}`)).status).toBe(200)
  },
)

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeBase64Text } from '#server/http/json.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
let as: TestApi
const made: Record<string, number> = {}
const base64 = (s: string) => Buffer.from(s).toString('base64')

beforeAll(async () => {
  const client = await portal.client()
  as = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  const leads = {
    roof: {
      companyName: 'Harbour Roofing Ltd',
      name: 'Aisha Barker',
      phone: '01632 960123',
      companyNumber: '01234567',
      email: 'aisha@harbour.example',
      city: 'Leeds',
    },
    same: { companyName: 'HARBOUR ROOFING LTD', name: 'Ben Walker', mobile: '+44 (0)1632 960 123', email: 'no' },
    care: {
      companyName: 'Willow 100% Care',
      name: 'Joanna O’Connor',
      phone: '0044 7700 900456',
      companyNumber: 'sc123456',
      email: 'NO',
      city: 'Bath',
    },
    bt: { companyName: 'BT', phone: '07700900456', email: 'AISHA@harbour.example' },
    blank: { name: 'Nobody Inparticular', phone: '', companyName: '', email: '' },
  }
  for (const [key, body] of Object.entries(leads)) made[key] = (await as.post(CONTACTS, body)).body.id
})
const names = (body: { 'hydra:member': { id: number }[] }) =>
  body['hydra:member'].map((m) => Object.keys(made).find((k) => made[k] === m.id)).sort()
const find = async (path: string, query: Record<string, string>) => {
  const { status, body } = await as.get(`${CONTACTS}${path}?${new URLSearchParams(query)}`)
  expect(status).toBe(200)
  return names(body)
}

describe('the lead search box', () => {
  test.each([
    ['harbour', ['roof', 'same', 'bt'].sort()],
    ['HARB', ['roof', 'same', 'bt'].sort()],
    ['roofing barker', ['roof']],
    ['barker  harbour   leeds', ['roof']],
    ['walker leeds', []],
    ['bour roof', ['roof', 'same']],
    ['01234567', ['roof']],
    ['SC123456', ['care']],
    ['100%', ['care']],
    ['%', []],
    ['_', []],
    ['o’connor', ['care']],
    ['\\', []],
    ['   ', ['blank', 'bt', 'care', 'roof', 'same']],
  ])('the lead search box finds "%s"', async (q, expected) => {
    expect(await find('', { q })).toEqual(expected)
  })

  test.each([
    '01632960123',
    '01632 960 123',
    '+44 1632 960123',
    '0044 1632 960-123',
    '(01632) 960123',
    '1632960123',
    '960123',
  ])('the lead search box finds a telephone number in any format: %s', async (q) => {
    expect(await find('', { q })).toEqual(['roof', 'same'])
  })
})

describe('the search by name and company', () => {
  test.each([
    [{ companyName: base64('Harbour') }, ['roof', 'same']],
    [{ companyName: 'Harbour' }, ['roof', 'same']],
    [{ companyName: base64('harbour roofing'), name: base64('Ben') }, ['same']],
    [{ companyName: '', name: base64('Joanna') }, ['care']],
    [{ companyName: '  ', name: 'joanna' }, ['care']],
    [{ companyName: base64('BT') }, ['bt']],
    [{ name: base64('O’Connor') }, ['care']],
    [{ name: base64('Nowhere') }, []],
    [{ companyName: base64('100%') }, ['care']],
    [{ companyName: base64('%') }, ['care']],
  ])('the search by name and company returns the matching leads for %j', async (query, expected) => {
    expect(await find('/search', query as never)).toEqual(expected)
  })

  test('search results follow the requested order and include the total number', async () => {
    const { body } = await as.get(`${CONTACTS}/search?companyName=${base64('harbour')}&order[name]=DESC`)
    expect(body['hydra:totalItems']).toBe(2)
    expect(body['hydra:member'].map((m: { name: string }) => m.name)).toEqual(['Ben Walker', 'Aisha Barker'])
  })

  test('search terms in any base64 variant are decoded', () => {
    const printable = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .map((s) => s.trim())
      .filter((s) => s !== '' && !/[\p{Cc}\ufffd]/u.test(s) && s.isWellFormed())
    fc.assert(
      fc.property(printable, (s) => {
        expect(decodeBase64Text(base64(s))).toBe(s)
        // In a URL, a plus sign may arrive as a space.
        expect(decodeBase64Text(base64(s).replaceAll('+', ' '))).toBe(s)
      }),
    )
  })

  test.each([
    'Acme',
    'Test',
    'Bath',
    'Roofing Ltd',
    'Smith & Sons',
    'Café',
    'J. Doe',
    '1664',
    'Willow Court Care Homes',
    'Harbour Roofing Ltd',
    'Building',
    'Electric',
    'a',
    '',
  ])('the plain search term "%s" is used unchanged, not decoded as base64', (s) => {
    expect(decodeBase64Text(s)).toBe(s)
  })
})

describe('possible duplicates', () => {
  const dupes = (query: Record<string, string>) => find('/dupes', query)

  test.each([
    [{ companyName: 'harbour roofing ltd' }, ['roof', 'same']],
    [{ companyName: 'Harbour' }, []],
    [{ companyNumber: 'SC123456' }, ['care']],
    [{ phone: '+44 (0)1632 960 123' }, ['roof', 'same']],
    [{ mobile: '01632960123' }, ['roof', 'same']],
    [{ phone: '07700 900456' }, ['bt', 'care']],
    [{ email: 'Aisha@Harbour.example' }, ['bt', 'roof']],
    [{ email: 'no' }, []],
    [{ email: 'NO' }, []],
    [{ email: ' no ' }, []],
    [{ phone: 'none' }, []],
    [{ phone: '', mobile: ' ', companyName: '', companyNumber: '', email: '' }, []],
    [{}, []],
    [{ name: 'Aisha Barker' }, []],
    [{ companyName: 'BT', email: 'no', phone: '' }, ['bt']],
  ])('possible duplicates are found for %j', async (query, expected) => {
    expect(await dupes(query as never)).toEqual(expected)
  })

  test('possible duplicates name the matching fields, are listed most likely first and exclude the lead itself', async () => {
    const query = { companyName: 'Harbour Roofing Ltd', phone: '01632 960123', email: 'aisha@harbour.example' }
    const { body } = await as.get(`${CONTACTS}/dupes?${new URLSearchParams({ ...query, id: String(made.bt) })}`)
    expect(body['hydra:member'].map((m: { id: number; same: string[] }) => [m.id, m.same.sort()])).toEqual([
      [made.roof, ['companyName', 'email', 'phone']],
      [made.same, ['companyName', 'phone']],
    ])
  })

  test("possible duplicates include only leads of the user's own client", async () => {
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_STAFF'] }))
    const { body } = await stranger.get(`${CONTACTS}/dupes?companyName=Harbour+Roofing+Ltd&phone=01632960123`)
    expect(body['hydra:member']).toEqual([])
  })
})

test.each([
  '/dupes?companyName=%00&phone=%00',
  '/dupes?companyName=a&id=1e30',
  '/dupes?companyName=a&id=x',
  '/next?after=1e30',
  '/next?after=x',
  '/search?companyName=%00',
  '/search?name=AAAA',
  '/counts?owner=%00',
  '/counts?owner=99999999999999999999',
  '/count?owner=/api/crm/staff/1e9',
  '/count?lastResult.category=%00',
])("an unusual search query doesn't cause a server error: %s", async (query) => {
  expect((await as.get(`${CONTACTS}${query}`)).status).toBe(200)
})

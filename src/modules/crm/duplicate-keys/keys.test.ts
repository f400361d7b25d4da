import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePhoneNumbers, toE164 } from '#kernel/text/phone.ts'
import { testPortal } from '#test/support/portal.ts'
import { companyNameKey, companyNumberKey } from './keys.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'

const words = [
  'Ltd',
  'limited',
  '& Sons',
  'son',
  'The',
  'Bros',
  'company',
  ' ',
  '.',
  '’',
  'É',
  'İ',
  'ß',
  'ﬁ',
  '株',
  '😀',
  '\u00a0',
  'a',
  'PLC',
  '+',
]
const units = {
  phone_e164: [toE164, fc.string({ unit: fc.constantFrom(...'0044+44(0) -123456789xé/'.split('')), maxLength: 24 })],
  company_number_key: [
    companyNumberKey,
    fc.string({ unit: fc.constantFrom(...'0012345SCoc -ß'.split('')), maxLength: 10 }),
  ],
  company_name_key: [companyNameKey, fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((w) => w.join(' '))],
} as const

test.each(Object.keys(units) as (keyof typeof units)[])(
  '%s returns the same key in TypeScript and in the database',
  async (name) => {
    const [key, typed] = units[name]
    const given = fc.sample(typed, 1000)
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows<{ key: string | null }>(
        `SELECT ${name}(n) AS key FROM unnest($1::text[]) WITH ORDINALITY u(n, k) ORDER BY k`,
        [given],
      ),
    )
    expect(rows.map((r) => r.key ?? '')).toEqual(given.map(key))
  },
)

test('the database finds the same telephone numbers in a text as TypeScript', async () => {
  const piece = fc.constantFrom(
    '01632 960123',
    '07700900123',
    '+44 (0)1632 960123',
    '0044',
    '44 0',
    '+353 1 234 5678',
    '960123',
    ' ',
    '-',
    ' - ',
    '/',
    ',',
    'x12',
    ' ext. 3',
    '#4',
    'Tel ',
    'or',
    '(0)',
    '( 0 )',
    '\u00a0',
    '\uff10\uff11',
    '\u2013',
    '+',
    '0',
    '\n',
    'EXT5',
    '9',
  )
  const given = fc.sample(
    fc.array(piece, { maxLength: 7 }).map((parts) => parts.join('')),
    2000,
  )
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ numbers: string[] }>(
      'SELECT phone_numbers(n) AS numbers FROM unnest($1::text[]) WITH ORDINALITY u(n, k) ORDER BY k',
      [given],
    ),
  )
  expect(rows.map(({ numbers }) => numbers)).toEqual(given.map((typed) => parsePhoneNumbers(typed).numbers))
})

test('every number in a field finds the lead that has it', async () => {
  const client = await portal.client()
  const as = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  await as.post(CONTACTS, { companyName: 'Two Lines', phone: '01632 960871 - 07700 900871' })
  const same = async (phone: string) =>
    (await as.get(`${CONTACTS}/dupes?${new URLSearchParams({ phone })}`)).body['hydra:member'].length
  expect([await same('07700900871'), await same('+441632960871'), await same('44 01632 960871')]).toEqual([1, 1, 1])
})

test('typed and imported leads match despite padded numbers, legal forms and different telephone number formats', async () => {
  const client = await portal.client()
  const as = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  const made = await as.post(CONTACTS, {
    companyName: 'Keyes & Sons Ltd',
    companyNumber: '1234567',
    phone: '01632 960321',
  })
  expect(made.body.companyNumber).toBe('01234567')
  const same = async (query: Record<string, string>) =>
    (await as.get(`${CONTACTS}/dupes?${new URLSearchParams(query)}`)).body['hydra:member'].flatMap(
      (l: { same: string[] }) => l.same,
    )
  expect(await same({ companyNumber: '01234567' })).toEqual(['companyNumber'])
  expect(await same({ companyName: 'keyes and sons' })).toEqual(['companyName'])
  expect(await same({ phone: '+44 (0)1632 960 321 ext 2' })).toEqual(['phone'])
  expect(await same({ companyName: 'Keyez & Sons' })).toEqual(['nearName'])
  for (const none of [{ email: 'no' }, { phone: '960321' }, { companyNumber: '0' }, { companyName: 'Keys' }])
    expect(await same(none as never)).toEqual([])
})

test("a business type's name is unique, regardless of capital letters", async () => {
  const client = portal.provider
  const admin = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  const name = `Thatching ${Date.now()}`
  expect((await admin.post('/api/crm/business_types', { name })).status).toBe(201)
  expect((await admin.post('/api/crm/business_types', { name: name.toUpperCase() })).status).toBe(422)
})

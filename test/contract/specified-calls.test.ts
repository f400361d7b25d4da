import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestResponse, testPortal } from '../support/portal.ts'
import { makePhonePhoto, makeUploadForm } from '../support/uploads.ts'

// Tests every call of the CRM, e-mail and sales services that the specification names (portal, section 7), exactly as
// specified.

const portal = await testPortal()

/** The user and the new records that the calls use. */
interface Floor {
  readonly api: TestApi
  readonly staff: string
  readonly client: number
  readonly lead: string
  readonly note: string
  readonly deal: string
  readonly counted: number
  readonly letter: string
  readonly template: string
  readonly message: string
  readonly businessType: string
  readonly supported: string
}
let floor: Floor

const ROLES = [
  'ROLE_STAFF',
  'ROLE_LEADS_ADMIN',
  'ROLE_CLIENTS_ADMIN',
  'ROLE_USER_ADMIN',
  'ROLE_MAIL_ADMIN',
  'ROLE_SALES_ADMIN',
  'ROLE_BILLING_ADMIN',
]

beforeAll(async () => {
  const person = await portal.provider.user({ roles: ROLES, username: 'calls.floor', email: 'calls@provider.example' })
  const api = portal.provider.as(person)
  const made = async (url: string, body: Record<string, unknown>) => {
    const answer = await api.post(url, body)
    if (answer.status !== 201) throw new Error(`${url}: ${answer.text}`)
    return answer.body
  }
  const client = await portal.client({ company: 'Called Ltd', packs: [] })
  await api.put(client.iri, { contactname: 'Ann Carter', contactemail: 'ann@called.example' })
  const lead = await made('/api/crm/contacts', {
    legalForm: 'limited',
    name: 'Ann Carter',
    companyName: 'Called Roofing',
    phone: '01632 960477',
    email: 'ann@called.example',
    client: client.iri,
  })
  const { 'hydra:member': people } = (await api.get(`/api/crm/staff?username=${person.username}`)).body
  const staff = people[0]['@id']
  const note = await made('/api/crm/actions', { contact: lead['@id'], user: staff, notes: 'Rang' })
  const deal = await made('/api/crm/sales', { contact: lead['@id'], user: staff, notes: 'Sold a pack' })
  const counted = await made('/api/sales/sales/create', {
    day: '2026-03-02',
    amount: 12_000,
    what: 'A pack',
    contact: lead['@id'],
  })
  const template = await made('/api/email/email_templates', { name: 'Hello', subject: 'Hello', body: 'Hello there' })
  const message = await made('/api/email/message', { contact: lead['@id'], subject: 'Hello', body: 'Hello there' })
  const letter = await made('/api/crm/letters', { name: 'Welcome', subject: 'Welcome', body: '<p>Hello</p>' })
  const types = (await api.get('/api/crm/business_types?itemsPerPage=1')).body['hydra:member']
  const supported = (await api.get(`/api/crm/supported/${lead.id}`)).body
  floor = {
    api,
    staff,
    client: client.id,
    lead: lead['@id'],
    note: note['@id'],
    deal: deal['@id'],
    counted: counted.id,
    letter: letter['@id'],
    template: template['@id'],
    message: message['@id'],
    businessType: types[0]['@id'],
    supported: supported['@id'],
  }
})

type Call = (f: Floor) => Promise<TestResponse>
/** A call as specified, its expected status, and a check of its response. */
type SpecifiedCall = readonly [
  call: string,
  ask: Call,
  status: number,
  looks?: (body: TestResponse['body'], f: Floor) => void,
]

const isList = (body: TestResponse['body']) => {
  expect(body['@type']).toBe('hydra:Collection')
  expect(Array.isArray(body['hydra:member'])).toBe(true)
  expect(typeof body['hydra:totalItems']).toBe('number')
}
/** Expects the response to a list request with a query, including its view. */
const isViewed = (body: TestResponse['body']) => {
  isList(body)
  expect(body['hydra:view']['@type']).toBe('hydra:PartialCollectionView')
}
const has =
  (...fields: readonly string[]) =>
  (body: TestResponse['body']) =>
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['@id', ...fields]))
const get =
  (url: (f: Floor) => string): Call =>
  (f) =>
    f.api.get(url(f))
const idIn = (iri: string) => iri.split('/').at(-1)
const base64 = (words: string) => encodeURIComponent(Buffer.from(words).toString('base64'))

const CRM: readonly SpecifiedCall[] = [
  ['GET alert_banners/17', get(() => '/api/crm/alert_banners/17'), 200, has('title', 'image')],
  ['GET alert_banners/5', get(() => '/api/crm/alert_banners/5'), 200, has('title', 'image')],
  ['PUT alert_banners/{id}', (f) => f.api.put('/api/crm/alert_banners/5', { title: 'Spring' }), 200, has('title')],
  [
    'POST alert_banners_upload',
    async (f) => {
      const picture = await makePhonePhoto()
      return f.api.send('POST', '/api/crm/alert_banners_upload', makeUploadForm(picture, 'spring.jpg', { banner: '5' }))
    },
    201,
    (body) => expect(body.image).toMatch(/^\/api\/crm\/alert_banners\/5\/image/),
  ],
  ['GET contacts/{id}/sales', get((f) => `${f.lead}/sales?order[id]=DESC&retired=false`), 200, isViewed],
  [
    'POST sales',
    (f) => f.api.post('/api/crm/sales', { contact: f.lead, user: f.staff, notes: 'Another' }),
    201,
    has('lastResult', 'minutes', 'reason', 'timestamp', 'sticky'),
  ],
  ['PUT sales/{id}', (f) => f.api.put(f.deal, { notes: 'Sold two packs' }), 200, has('notes')],
  ['GET clients', get(() => '/api/crm/clients?order[company]=asc'), 200, isViewed],
  ['GET clients/{id}', get((f) => `/api/crm/clients/${f.client}`), 200, has('company', 'contact', 'applications')],
  ['GET clients/{id}/applications', get((f) => `/api/crm/clients/${f.client}/applications`), 200, isList],
  [
    'PUT clients/{id}',
    (f) =>
      f.api.put(`/api/crm/clients/${f.client}`, {
        '@id': `/api/crm/clients/${f.client}`,
        company: 'Called Roofing Ltd',
        address1: '1 High Street',
        address2: '',
        city: 'Leeds',
        postcode: 'LS1 1AA',
        county: '',
        country: 'GB',
        regcompno: '01234567',
        contactname: 'Ann Carter',
        contacttel: '',
      }),
    200,
    (body) => expect(body).toMatchObject({ company: 'Called Roofing Ltd', address2: '', contacttel: '' }),
  ],
  ['GET referrals', get((f) => `/api/crm/referrals?contact.id=${idIn(f.lead)}&retired=false`), 200, isViewed],
  ['GET setup_admin_user/{id}', get((f) => `/api/crm/setup_admin_user/${f.client}`), 200, has('administrator')],
  ['GET setup_pack_user/{id}', get((f) => `/api/crm/setup_pack_user/${f.client}`), 200, has('packs')],
  ['GET business_types', get(() => '/api/crm/business_types'), 200, isList],
  ['GET business_types/{id}', get((f) => f.businessType), 200, has('name')],
  ['GET cities', get(() => '/api/crm/cities'), 200, isList],
  ['GET staff', get(() => '/api/crm/staff?retired=false'), 200, isViewed],
  ['GET staff/{id}', get((f) => f.staff), 200, has('username', 'name')],
  ['GET letters', get(() => '/api/crm/letters'), 200, isList],
  ['GET letters/{id}', get((f) => f.letter), 200, has('timestamp')],
  ['GET last_results', get(() => '/api/crm/last_results'), 200, isList],
  ['GET came_froms', get(() => '/api/crm/came_froms'), 200, isList],
  [
    'GET contacts/search',
    get(() => `/api/crm/contacts/search?companyName=${base64('Called Roof')}&name=&order[companyName]=asc`),
    200,
    (body, f) => {
      isViewed(body)
      expect(body['hydra:member'].map((m: { '@id': string }) => m['@id'])).toContain(f.lead)
    },
  ],
  ['GET contacts/count', get(() => '/api/crm/contacts/count?lastResult.category=NEW'), 200, has()],
  [
    'GET contacts/dupes',
    get(() => '/api/crm/contacts/dupes?phone=01632960477&email=no&companyName='),
    200,
    (body, f) => {
      isList(body)
      expect(body['hydra:member'].map((m: { '@id': string }) => m['@id'])).toContain(f.lead)
    },
  ],
  [
    'GET contacts/{id}',
    get((f) => f.lead),
    200,
    has(
      'name',
      'owner',
      'expiry',
      'callbackDate',
      'lastResult',
      'lastEditBy',
      'subContractors',
      'employees',
      'actions',
    ),
  ],
  [
    'PUT contacts/{id}',
    (f) => f.api.put(f.lead, { owner: f.staff, callbackDate: Math.floor(Date.now() / 1000) + 86_400 }),
    200,
    (body, f) => expect(body.owner['@id'] ?? body.owner).toBe(f.staff),
  ],
  [
    'GET contacts/{id}/actions',
    get((f) => `${f.lead}/actions?order[sticky]=desc&order[id]=desc&retired=false`),
    200,
    isViewed,
  ],
  [
    'POST actions',
    (f) => f.api.post('/api/crm/actions', { contact: f.lead, user: f.staff, notes: 'Rang again' }),
    201,
    has('lastResult', 'minutes', 'reason', 'timestamp', 'sticky'),
  ],
  ['PUT actions/{id}', (f) => f.api.put(f.note, { sticky: true }), 200, has('sticky')],
  ['GET supported/{id}', get((f) => `/api/crm/supported/${idIn(f.lead)}`), 200, has('supported')],
  ['PUT supporteds/{id}', (f) => f.api.put(f.supported, { supported: true }), 200, has('supported')],
  ['GET contacts/{id}/insurance_sales', get((f) => `${f.lead}/insurance_sales`), 200, isList],
]

const EMAIL: readonly SpecifiedCall[] = [
  [
    'GET messages',
    get(() => '/api/email/messages'),
    200,
    (body) => {
      isList(body)
      const ids = body['hydra:member'].map((m: { id: number }) => m.id)
      expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a))
    },
  ],
  ['GET messages/{id}', get((f) => f.message), 200, has('state', 'subject', 'body')],
  ['GET email_templates', get(() => '/api/email/email_templates'), 200, isList],
  [
    'POST message',
    (f) => f.api.post('/api/email/message', { contact: f.lead, template: f.template }),
    201,
    (body) => expect(body).toMatchObject({ recipient: 'ann@called.example', subject: 'Hello', state: 'waiting' }),
  ],
  [
    'POST message/resend/{id}',
    async (f) => {
      await portal.drain()
      return f.api.post(`/api/email/message/resend/${idIn(f.message)}`)
    },
    200,
    has('state'),
  ],
]

const SALES: readonly SpecifiedCall[] = [
  [
    'POST sales/create',
    (f) => f.api.post('/api/sales/sales/create', { day: '2026-03-03', amount: 100, what: 'Boots', contact: f.lead }),
    201,
    has('seller', 'amount', 'day'),
  ],
  [
    'PUT sales_stats/update/{id}',
    (f) => f.api.put(`/api/sales/sales_stats/update/${f.counted}`, { amount: 13_000 }),
    200,
    (body) => expect(body.amount).toBe(13_000),
  ],
  ['GET salesStats', get(() => '/api/sales/salesStats'), 200],
  ['DELETE sales_stats/delete/{id}', (f) => f.api.delete(`/api/sales/sales_stats/delete/${f.counted}`), 204],
]

/** Figures that the specification names without a URL. */
const FIGURES: readonly SpecifiedCall[] = [
  ['top users by day', get(() => '/api/sales/top_users/day?date=2026-03-02'), 200, has('users')],
  ['top users by month', get(() => '/api/sales/top_users/month?date=2026-03-02'), 200, has('users')],
  ['top users by year', get(() => '/api/sales/top_users/year?date=2026-03-02'), 200, has('users')],
  [
    'company by month',
    get(() => '/api/sales/company/month?date=2026-03-02'),
    200,
    (body) => expect(body.months).toHaveLength(12),
  ],
  ['user by month', get(() => '/api/sales/users/month?date=2026-03-02'), 200, has('users')],
  ['user by year', get(() => '/api/sales/users/year?date=2026-03-02'), 200, has('users')],
]

const SERVICES: readonly (readonly [name: string, calls: readonly SpecifiedCall[], count: number])[] = [
  ['CRM', CRM, 34],
  ['e-mail', EMAIL, 5],
  ['sales', SALES, 4],
  ['sales figures', FIGURES, 6],
]

describe.each(SERVICES)('specified API calls: %s', (_, calls, count) => {
  const cases = calls.map(([call, ask, status, looks]) => ({ call, ask, status, looks }))
  test.each(cases)('the specified API call $call returns the expected response', async ({ ask, status, looks }) => {
    const answer = await ask(floor)
    expect([answer.status, answer.body?.detail]).toEqual([status, undefined])
    looks?.(answer.body, floor)
  })

  test('each list of specified API calls is complete, and every call requires a sign-in', async () => {
    expect(new Set(calls.map(([call]) => call)).size).toBe(count)
    const unknown = { ...floor, api: portal.anonymous }
    for (const [call, ask] of calls) expect([call, (await ask(unknown)).status]).toEqual([call, 401])
  })
})

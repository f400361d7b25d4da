import { beforeAll, describe, expect, test } from 'vitest'
import { toE164 } from '#kernel/text/phone.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const LIST = '/api/crm/do_not_call'
let client: TestClient
let admin: TestApi
let caller: TestApi
let callerName: string

beforeAll(async () => {
  client = await portal.client()
  const [a, b] = [
    await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'], name: 'Ada Admin' }),
    await client.user({ roles: ['ROLE_STAFF'], name: 'Cal Caller' }),
  ]
  callerName = b.username
  admin = client.as(a)
  caller = client.as(b)
})

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}
let next = 960000
const aNumber = () => `01632 ${++next}`
const international = (number: string) => `+44 (0)${number.slice(1)}`
const lead = async (more: Record<string, unknown> = {}): Promise<CreatedRecord & { doNotCall: boolean }> => {
  const { status, body } = await caller.post(CONTACTS, { companyName: 'Ring', ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const isBarred = async (it: CreatedRecord) => (await caller.get(it['@id'])).body.doNotCall
const listed = async (number: string, query = '') =>
  (await caller.get(`${LIST}?q=${encodeURIComponent(number)}${query}`)).body['hydra:member']

describe('an opt-out from calls', () => {
  test('an opt-out on one lead applies to every existing and future lead with the same number', async () => {
    const number = aNumber()
    const [said, there] = [await lead({ phone: number }), await lead({ mobile: international(number) })]
    const withPerson = await lead({ phone: aNumber() })
    await caller.post('/api/crm/people', { contact: withPerson['@id'], name: 'Jo', mobile: number })
    const apart = await lead({ phone: aNumber() })
    expect((await caller.put(said['@id'], { doNotCall: true })).status).toBe(200)
    expect(await Promise.all([said, there, withPerson, apart].map(isBarred))).toEqual([true, true, true, false])
    expect((await lead({ phone: number.replace(' ', '') })).doNotCall).toBe(true)
    const later = await lead({ phone: aNumber() })
    expect((await caller.put(later['@id'], { mobile: number })).body.doNotCall).toBe(true)
    const person = await lead({ phone: aNumber() })
    await caller.post('/api/crm/people', { contact: person['@id'], name: 'Jo', telephone: number })
    expect(await isBarred(person)).toBe(true)
    expect(await listed(number)).toMatchObject([
      { source: 'objection', state: 'in force', author: callerName, contact: { id: said.id } },
    ])
  })

  test('the outcome “Dead” records an opt-out, and undoing the outcome removes it', async () => {
    const number = aNumber()
    const [dead, same] = [await lead({ phone: number }), await lead({ phone: number })]
    const { body } = await caller.post(`${dead['@id']}/outcomes`, { result: '/api/crm/last_results/4' })
    expect(await isBarred(same)).toBe(true)
    expect(await listed(number)).toMatchObject([{ reason: 'Dead do not call', state: 'in force' }])
    const next = (await caller.get(`${CONTACTS}/next?phone=${encodeURIComponent(number)}`)).body.next
    expect(next).toBe(null)
    expect((await caller.post(`${dead['@id']}/undo`, { note: body.note.id })).status).toBe(200)
    expect(await Promise.all([dead, same].map(isBarred))).toEqual([false, false])
    expect(await listed(number)).toMatchObject([{ state: 'lifted', liftedReason: 'Taken back at once' }])
  })

  test('only lead administrators can lift an opt-out, only with a reason, and for every lead with the number', async () => {
    const number = aNumber()
    const [said, same, both] = [
      await lead({ phone: number }),
      await lead({ phone: number }),
      await lead({ phone: number, mobile: aNumber() }),
    ]
    await caller.put(said['@id'], { doNotCall: true })
    const lift = { doNotCall: false, callAgainReason: 'They rang us' }
    expect((await caller.put(same['@id'], lift)).status).toBe(403)
    expect((await caller.patch(same['@id'], lift)).status).toBe(403)
    expect((await admin.put(same['@id'], { doNotCall: false })).status).toBe(422)
    expect((await admin.put(same['@id'], lift)).status).toBe(200)
    expect(await Promise.all([said, same, both].map(isBarred))).toEqual([false, false, false])

    await caller.post(LIST, { number, reason: 'By letter' })
    const another = (await caller.get(both['@id'])).body.mobile
    await caller.post(LIST, { number: another, reason: 'By telephone' })
    const [row] = await listed(number, '&state=in+force')
    expect((await caller.post(`${row['@id']}/lift`, { reason: 'x' })).status).toBe(403)
    expect((await admin.post(`${row['@id']}/lift`, {})).status).toBe(422)
    expect((await admin.post(`${row['@id']}/lift`, { reason: 'A mistake' })).body).toMatchObject({
      state: 'lifted',
      liftedReason: 'A mistake',
    })
    expect((await admin.post(`${row['@id']}/lift`, { reason: 'A mistake' })).status).toBe(409)
    expect(await Promise.all([said, both].map(isBarred))).toEqual([false, true])
    const csv = (await caller.get(`${LIST}/export.csv?q=${encodeURIComponent(number)}`)).text
    expect(csv).toContain('A mistake')
    expect(csv).toContain('By letter')
    expect((await admin.delete(row['@id'])).status).toBe(405)
  })

  test('an opt-out needs a complete telephone number and is recorded only once', async () => {
    expect((await caller.post(LIST, { number: '960123', reason: 'x' })).status).toBe(422)
    const number = aNumber()
    expect((await caller.post(LIST, { number, reason: '' })).status).toBe(422)
    expect((await caller.post(LIST, { number, reason: 'x' })).body.number).toBe(
      `+44${number.replace(' ', '').slice(1)}`,
    )
    expect((await caller.post(LIST, { number: international(number), reason: 'x' })).status).toBe(422)
    const two = await caller.post(LIST, { number: `${aNumber()} / ${aNumber()}`, reason: 'x' })
    expect([two.status, two.body.violations[0].propertyPath]).toEqual([422, 'number'])
  })

  test("an opt-out applies only within the user's own client", async () => {
    const number = aNumber()
    await caller.post(LIST, { number, reason: 'x' })
    const stranger = await portal.client()
    const they = stranger.as(await stranger.user({ roles: ['ROLE_STAFF'] }))
    expect((await they.post(CONTACTS, { companyName: 'Ring', phone: number })).body.doNotCall).toBe(false)
    expect((await they.get(LIST)).body['hydra:member']).toEqual([])
  })
})

test.each([
  '01632 960884',
  '01632960884',
  '+44 (0)1632 960884',
  '0044 1632 960884',
  '44 01632 960884',
  '01632 960884 - 07700 900184',
  '07700 900184 / 01632 960884',
  'Tel 01632 960884',
])('a lead with a do-not-call number is barred, however the number is typed: %s', async (phone) => {
  await caller.post(LIST, { number: '01632 960884', reason: 'x' })
  expect(await isBarred(await lead({ phone }))).toBe(true)
  const later = await lead({ phone: '', companyName: 'Later' })
  await caller.put(later['@id'], { mobile: phone })
  expect(await isBarred(later)).toBe(true)
})

describe('a TPS and CTPS screening', () => {
  const today = () => new Date().toISOString().slice(0, 10)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const screen = async (content: string, screenedOn = today()) => {
    const made = await admin.post('/api/crm/screenings', { fileName: 'tps.csv', screenedOn, content })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await portal.drain()
    return (await admin.get(made.body['@id'])).body
  }

  test('a screening blocks registered numbers, unblocks those no longer registered and counts registered, clear and unreadable lines', async () => {
    const [tps, ctps, clear, own] = [aNumber(), aNumber(), aNumber(), aNumber()]
    const leads = await Promise.all([tps, ctps, clear, own].map((phone) => lead({ phone })))
    await caller.post(LIST, { number: own, reason: 'x' })
    const csv = ['Number,Result', `${tps},TPS`, `"${international(ctps)}",CTPS`, `${clear},N`, `${own},`, 'x,TPS', '']
    expect(await screen(csv.join('\r\n'))).toMatchObject({ rowsRead: 5, registered: 2, clear: 2, refused: 1 })
    expect(await Promise.all(leads.map(isBarred))).toEqual([true, true, false, true])
    const runs = (await admin.get('/api/portal/runs')).body['hydra:member']
    expect(runs[0]).toMatchObject({ state: 'done', refused: 1 })
    await screen(`${tps},TPS\n${clear},TPS`, ago(3))
    expect(await Promise.all(leads.map(isBarred))).toEqual([true, true, false, true])
    await screen(`${tps},no\n${ctps},yes\n${own},no`)
    expect(await Promise.all(leads.map(isBarred))).toEqual([false, true, false, true])
    expect(await listed(tps)).toMatchObject([{ source: 'TPS', state: 'lifted' }])
  })

  test('numbers are screened by default', async () => {
    const other = await portal.client()
    const api = other.as(await other.user({ roles: ['ROLE_STAFF'] }))
    const made = (await api.post(CONTACTS, { companyName: 'New', phone: aNumber() })).body
    expect((await api.get(`${made['@id']}/locked-numbers`)).body.locked).toHaveLength(1)
  })

  test('the number that was looked up is read from its column, and a file with several such columns is refused', async () => {
    const [phone, other] = [aNumber(), aNumber()]
    const it = await lead({ phone })
    await screen(`Record ID,Company,Phone,TPS\n8801234567,Acme Ltd,${phone},Y`)
    expect(await isBarred(it)).toBe(true)
    expect(await listed('8801234567')).toEqual([])
    await screen(`8801234567,x,${other},CTPS\nA17,y,${aNumber()},N`)
    expect(await listed(other)).toHaveLength(1)
    const post = (content: string) =>
      admin.post('/api/crm/screenings', { fileName: 'tps.csv', screenedOn: today(), content })
    const unclear = await post(`Phone,Mobile,TPS\n${aNumber()},${aNumber()},Y`)
    expect([unclear.status, unclear.body.violations[0].propertyPath]).toEqual([422, 'content'])
    expect((await post(`8801234567,${aNumber()},Y\n8801234568,${aNumber()},N`)).status).toBe(422)
    expect((await post('Name,TPS\nAcme,Y')).status).toBe(422)
  })

  test.each(['01/61/49/60/00/00', '#016149 #60000', '٠١٦١٤٩٦٠٠٠٠'])(
    'a field without a readable number is locked: %s',
    async (phone) => {
      const odd = await lead({ phone })
      expect((await caller.get(`${odd['@id']}/locked-numbers`)).body.locked).toHaveLength(1)
    },
  )

  test('a screening can be recorded only by lead administrators and not for a future day', async () => {
    const file = { fileName: 'a.csv', screenedOn: today(), content: `${aNumber()},N` }
    expect((await caller.post('/api/crm/screenings', file)).status).toBe(403)
    expect((await admin.post('/api/crm/screenings', { ...file, screenedOn: ago(-3) })).status).toBe(422)
    expect((await admin.post('/api/crm/screenings', { ...file, content: '\n' })).status).toBe(422)
  })

  test("if the provider screens numbers, a number can't be called from day 29 after its last screening", async () => {
    const [old, fresh, abroad] = [aNumber(), aNumber(), '+353 1 234 5678']
    const it = await lead({ phone: old, mobile: fresh })
    const elsewhere = await lead({ phone: abroad })
    const locked = async (l: CreatedRecord) => (await caller.get(`${l['@id']}/locked-numbers`)).body.locked
    await screen(`${old},N`, ago(29))
    await screen(`${fresh},N`, ago(28))
    const settings = await admin.post('/api/crm/call_settings', { screens: false })
    expect(settings.status).toBe(201)
    expect(await locked(it)).toEqual([])
    expect((await admin.put(settings.body['@id'], { screens: true })).status).toBe(200)
    expect((await caller.put(settings.body['@id'], { screens: false })).status).toBe(403)
    expect(await locked(it)).toEqual([{ number: old, why: 'This number was last screened 29 days ago' }])
    expect(await locked(elsewhere)).toEqual([])
    const two = await lead({ phone: `${fresh} / ${old}`, mobile: 'ask for 960999' })
    await caller.post('/api/crm/people', { contact: two['@id'], name: 'Pat', telephone: old })
    expect(await locked(two)).toEqual([
      { number: toE164(old), why: 'This number was last screened 29 days ago' },
      { number: 'ask for 960999', why: expect.stringContaining('unreadable number') },
      { number: old, why: 'This number was last screened 29 days ago' },
    ])
    expect(await locked(await lead({ phone: aNumber() }))).toMatchObject([
      { why: expect.stringContaining('never been screened') },
    ])
  })
})

import { expect, test } from 'vitest'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CALENDAR = '/api/employees/leave_calendar'
const FEED = '/api/employees/leave_feed'
const year = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').year + 1
const monday = (() => {
  const first = Temporal.PlainDate.from({ year, month: 3, day: 1 })
  return first.add({ days: (8 - first.dayOfWeek) % 7 }).toString()
})()

async function yard() {
  const company = await createLeaveCompany(portal)
  const { hr, saved, person } = company
  const department = (await saved(hr, LEAVE.departments, { name: 'Yard', minimumCover: 2 }))['@id']
  const manager = await person({ department })
  const worker = await person({ department, manager: manager.iri })
  const colleague = await person({ department })
  const stranger = await person()
  return { ...company, manager, worker, colleague, stranger }
}

const read = async (api: TestApi, from = `${year}-03-01`, until = `${year}-03-31`) => {
  const { status, body, text } = await api.get(`${CALENDAR}?from=${from}&until=${until}`)
  expect(status, text).toBe(200)
  return body
}

test('managers see kind and state of absences, colleagues only that a person is busy, and others nothing', async () => {
  const { worker, manager, colleague, stranger, hr, request } = await yard()
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, monday))).body
  const absences = async (api: TestApi) =>
    (await read(api)).absences.map(({ state, kind }: { state: string; kind: number | null }) => [state, kind !== null])
  expect(await absences(manager.api)).toEqual([['requested', true]])
  expect(await absences(worker.api)).toEqual([['requested', true]])
  expect(await absences(colleague.api)).toEqual([])
  await manager.api.post(`${iri}/approve`)
  expect(await absences(hr)).toEqual([['approved', true]])
  expect(await absences(colleague.api)).toEqual([['busy', false]])
  expect(await absences(stranger.api)).toEqual([])
  expect((await read(stranger.api)).lanes.map(({ isMe }: { isMe: boolean }) => isMe)).toEqual([true])
  const other = await yard()
  expect((await read(other.hr)).absences).toEqual([])
})

test('the cover of a department counts members who work and are not absent all day', async () => {
  const { worker, manager, request } = await yard()
  await worker.api.post(LEAVE.requests, request(worker, monday))
  const { cover } = await read(manager.api)
  const [{ days }] = cover
  expect(days.find(({ day }: { day: string }) => day === monday)).toEqual({ day: monday, atWork: 2, minimum: 2 })
  expect(days.every(({ day }: { day: string }) => Temporal.PlainDate.from(day).dayOfWeek < 6)).toBe(true)
})

test('a year of the calendar needs few statements, and longer or reversed periods are refused', async () => {
  const { hr } = await yard()
  expect((await read(hr, `${year}-01-01`, `${year}-12-31`)).cover).toEqual([])
  for (const query of [
    'from=2026-01-01&until=2027-06-01',
    'from=2026-02-01&until=2026-01-01',
    'from=9999-12-31&until=9999-12-31',
    'from=2026-02-30&until=2026-03-01',
    'department=x',
  ])
    expect((await hr.get(`${CALENDAR}?${query}`)).status).toBe(400)
})

test('a calendar feed shows own leave and busy colleagues at a secret address, until it is withdrawn', async () => {
  const { worker, colleague, manager, request } = await yard()
  const at = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days: 7 })
  const day = at.add({ days: (8 - at.dayOfWeek) % 7 }).toString()
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, day))).body
  const made = await colleague.api.post(FEED, {})
  const { pathname } = new URL(made.body.address)
  const feed = async (path = pathname) => portal.anonymous.get(path)
  expect((await feed()).text).not.toContain('BEGIN:VEVENT')
  await manager.api.post(`${iri}/approve`)
  const { text, headers } = await feed()
  expect(headers['content-type']).toContain('text/calendar')
  expect(text).toContain(': busy')
  expect(text).not.toContain('Annual')
  const guessed = pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  expect((await feed(guessed)).status).toBe(404)
  const again = new URL((await colleague.api.post(FEED, {})).body.address).pathname
  expect([(await feed()).status, (await feed(again)).status]).toEqual([410, 200])
  expect((await colleague.api.get(FEED)).body).toMatchObject({ address: null, createdAt: expect.any(String) })
  expect((await colleague.api.delete(FEED)).body.createdAt).toBeNull()
  expect((await feed(again)).status).toBe(410)
})

test('a calendar feed doesn’t tell sickness from leave, and the entries have stable IDs', async () => {
  const { worker, colleague, manager, hr, request } = await yard()
  const at = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
  const away = at
    .add({ days: 7 })
    .add({ days: (8 - at.dayOfWeek) % 7 })
    .toString()
  const ill = at.subtract({ days: 3 }).toString()
  const { pathname } = new URL((await colleague.api.post(FEED, {})).body.address)
  const ids = async () =>
    [...(await portal.anonymous.get(pathname)).text.matchAll(/UID:(.*)\r/g)].map((one) => one[1] ?? '')
  const { '@id': iri } = (await worker.api.post(LEAVE.requests, request(worker, away))).body
  await manager.api.post(`${iri}/approve`)
  const [leave] = await ids()
  await hr.post('/api/employees/sickness_absences', { employee: worker.iri, firstDay: ill })
  const all = await ids()
  expect(all).toHaveLength(2)
  expect(all).toContain(leave)
  expect(new Set(all.map((id) => id.replaceAll(/\d+/g, '0')))).toEqual(new Set(['0-0-0-0-0-0-0@leave']))
})

test('a calendar feed applies the rights of its owner, and stays closed once the account was retired', async () => {
  const { admin, client, hr, worker, colleague, manager } = await yard()
  const create = async (api: TestApi) => new URL((await api.post(FEED, {})).body.address).pathname
  const status = async (path: string) => (await portal.anonymous.get(path)).status
  const set = (sql: string, ...values: unknown[]) => portal.db.tx('system', (tx) => tx.rows(sql, values))
  const [own, other] = [await create(worker.api), await create(colleague.api)]
  expect([await status(own), await status(other)]).toEqual([200, 200])
  expect((await admin.put(worker.account.iri, { roles: [] })).status).toBe(200)
  expect([await status(own), await status(other)]).toEqual([410, 200])
  await admin.put(worker.account.iri, { roles: ['ROLE_EMPLOYEE'] })
  expect(await status(own)).toBe(200)
  expect((await admin.put(colleague.account.iri, { isRetired: true })).status).toBe(200)
  expect(await status(other)).toBe(410)
  expect((await admin.put(colleague.account.iri, { isRetired: false })).status).toBe(200)
  expect(await status(other)).toBe(410)
  const leaver = await create(manager.api)
  const end = { leavingDate: '2026-01-31', leavingReason: 'resigned' }
  expect((await hr.post(`${manager.iri}/end-employment`, end)).status).toBe(200)
  expect(await status(leaver)).toBe(410)
  expect((await hr.post(`${manager.iri}/resume-employment`, {})).status).toBe(200)
  expect((await admin.put(manager.account.iri, { isRetired: false })).status).toBe(200)
  expect(await status(leaver)).toBe(410)
  await set('UPDATE client SET retired = true WHERE id = $1', client.id)
  expect(await status(own)).toBe(410)
  await set('UPDATE client SET retired = false WHERE id = $1', client.id)
  await set(
    "UPDATE app_status SET retired = true FROM pack_product p WHERE client_id = $1 AND p.id = product_id AND p.code = 'holidays'",
    client.id,
  )
  expect(await status(own)).toBe(410)
})

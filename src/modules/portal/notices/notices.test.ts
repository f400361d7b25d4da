import { describe, expect, test } from 'vitest'
import { now, toUnixSeconds } from '#kernel/time.ts'
import { type TestApi, type TestUser, testPortal } from '#test/support/portal.ts'
import { makeQuoteWorld } from '#test/support/quotes.ts'
import { expectSuccess, makeSignOffHelpers, sendSignature, TALKS_URL } from '#test/support/sign-offs.ts'

const portal = await testPortal()
const { company, ask } = makeSignOffHelpers(portal)
const NOTICES = '/api/portal/notices'

interface NoticeBody {
  readonly '@id': string
  readonly kind: string
  readonly words: string
  readonly path: string
  readonly read: boolean
  readonly ended: boolean
}
const inbox = async (who: TestApi, query = ''): Promise<NoticeBody[]> =>
  expectSuccess(await who.get(`${NOTICES}/inbox${query}`))['hydra:member']
const summary = async (who: TestApi) => {
  const { unread, waiting } = expectSuccess(await who.get(`${NOTICES}/summary`))
  return { unread, waiting }
}

describe('a user with a signature request', () => {
  test('a user with a signature request has a notification with a link to the document until they sign', async () => {
    const { author, workers, current, as } = await company('Will', 'Zoe')
    const [will, zoe] = workers as [TestUser, TestUser]
    const on = await current()
    expectSuccess(await ask(author, on, { people: [will.id] }))
    await portal.drain()
    expect(await summary(as(will))).toEqual({ unread: 1, waiting: { Documents: 1 } })
    expect(await summary(as(zoe))).toEqual({ unread: 0, waiting: {} })
    const [entry] = await inbox(as(will))
    expect(entry).toMatchObject({ kind: 'document.sign', read: false, ended: false })
    expect(entry?.words).toMatch(/^To sign: \S+-\d+ Ladders$/)
    expect(entry?.path).toMatch(new RegExp(`/view/${on.id}$`))

    expect((await sendSignature(as(will), on)).status).toBe(201)
    expect(await summary(as(will))).toEqual({ unread: 0, waiting: {} })
    expect(await inbox(as(will))).toMatchObject([{ kind: 'document.sign', read: true, ended: true }])
    expect(await inbox(as(will), '?unread=true')).toEqual([])
  })

  test('marking one or all notifications as read leaves open tasks unchanged', async () => {
    const { author, workers, current, as } = await company('Will')
    const [will] = workers as [TestUser]
    for (const title of ['One', 'Two']) expectSuccess(await ask(author, await current(title), { people: [will.id] }))
    await portal.drain()
    const [entry] = await inbox(as(will))
    expectSuccess(await as(will).post(`${entry?.['@id']}/read`))
    expect(await summary(as(will))).toEqual({ unread: 1, waiting: { Documents: 2 } })
    expectSuccess(await as(will).post(`${entry?.['@id']}/unread`))
    expect(expectSuccess(await as(will).post(`${NOTICES}/read_all`))).toMatchObject({ read: 2 })
    expect(await summary(as(will))).toEqual({ unread: 0, waiting: { Documents: 2 } })
  })
})

test('approvers are notified of completed documents, and authors only of the decision', async () => {
  const { client, author, admin, hire, as } = await company()
  const [keeper, worker] = [await hire('Kit', ['ROLE_SAFETY_ADMIN']), await hire('Will')]
  const made = expectSuccess(await author.post(TALKS_URL, { title: 'Ladders', points: [{ text: 'Look up.' }] }))
  expectSuccess(await author.post(`${made['@id']}/complete`))
  await portal.drain()
  expect(await summary(as(keeper))).toEqual({ unread: 1, waiting: { Documents: 1 } })
  expect((await inbox(as(keeper)))[0]?.words).toBe(`Awaiting approval: ${made.documentNumber} Ladders`)
  // The author is not notified but may approve the document like the other approvers.
  expect(await summary(author)).toEqual({ unread: 0, waiting: { Documents: 1 } })
  expect(await inbox(as(worker))).toEqual([])
  // Users who lose access to a record no longer see or count its notification.
  const to = (roles: string[]) =>
    portal.db.tx('system', (tx) =>
      tx.rows('UPDATE user_account SET roles = $3 WHERE client_id = $1 AND id = $2', [client.id, keeper.id, roles]),
    )
  await to(['ROLE_EMPLOYEE'])
  portal.sessions.forget()
  expect(await summary(as(keeper))).toEqual({ unread: 0, waiting: {} })
  expect(await inbox(as(keeper))).toEqual([])
  await to(['ROLE_SAFETY_ADMIN'])
  portal.sessions.forget()
  expect((await summary(as(keeper))).unread).toBe(1)
  expectSuccess(await client.as(admin).post(`${made['@id']}/approve`))
  expect(await summary(as(keeper))).toEqual({ unread: 0, waiting: {} })
})

test('the number of open approvals equals the length of the list of approvals, whether or not users may approve their own work', async () => {
  const { author, hire, client, as } = await company()
  const keeper = await hire('Kit', ['ROLE_SAFETY_ADMIN'])
  const complete = async (who: TestApi, title: string) => {
    const made = expectSuccess(await who.post(TALKS_URL, { title, points: [{ text: 'Look up.' }] }))
    expectSuccess(await who.post(`${made['@id']}/complete`))
    await portal.drain()
    return made
  }
  const listed = async (who: TestApi) =>
    expectSuccess(await who.get('/api/safety/documents/to_approve'))['hydra:member'].map(
      ({ title }: { title: string }) => title,
    )
  const both = async (who: TestApi) => [await listed(who), (await summary(who)).waiting.Documents ?? 0]
  await complete(author, 'My views')
  expect([await both(author), await both(as(keeper))]).toEqual([
    [['My views'], 1],
    [['My views'], 1],
  ])
  await portal.db.tx('system', (tx) =>
    tx.rows('UPDATE client SET forbid_self_approval = true WHERE id = $1', [client.id]),
  )
  await complete(as(keeper), 'Theirs')
  expect(await listed(as(keeper))).toEqual(['My views'])
  expect(await both(as(keeper))).toEqual([['My views'], 1])
  expect(await listed(author)).toEqual(['Theirs'])
  // In the morning, a new approver is notified of all open approvals. Running the schedule again notifies nobody twice.
  const late = await hire('Lou', ['ROLE_SAFETY_ADMIN'])
  expect((await both(as(late)))[1]).toBe(0)
  await portal.runSchedule('document.tell-new-approvers')
  expect([await both(as(late)), (await summary(as(late))).unread]).toEqual([[['Theirs', 'My views'], 2], 2])
  await portal.runSchedule('document.tell-new-approvers')
  expect([(await summary(as(late))).unread, (await summary(as(keeper))).unread]).toEqual([2, 1])
})

test("the author and the person who completed the document are notified of the decision and its reason, without the approver's name", async () => {
  const { author, admin, hire, client, as } = await company()
  const [writer, keeper] = [await hire('Wyn', ['ROLE_SAFETY_ADMIN']), await hire('Kit', ['ROLE_SAFETY_ADMIN'])]
  const made = expectSuccess(await as(writer).post(TALKS_URL, { title: 'Ladders', points: [{ text: 'Look up.' }] }))
  expectSuccess(await as(keeper).post(`${made['@id']}/complete`))
  expectSuccess(await author.post(`${made['@id']}/reject`, { note: 'No rescue plan' }))
  await portal.drain()
  for (const who of [as(writer), as(keeper)])
    expect((await inbox(who, '?unread=true'))[0]).toMatchObject({
      kind: 'document.decided',
      words: `Rejected: ${made.documentNumber} Ladders: “No rescue plan”`,
      path: expect.stringMatching(new RegExp(`/view/${made.id}$`)),
    })
  expect((await inbox(client.as(admin))).filter(({ kind }) => kind === 'document.decided')).toEqual([])

  const next = expectSuccess(await as(writer).post(`${made['@id']}/revise`, { reason: 'A rescue plan' }))
  expectSuccess(await as(writer).post(`${next['@id']}/complete`))
  expectSuccess(await author.post(`${next['@id']}/approve`))
  await portal.drain()
  expect((await inbox(as(writer)))[0]?.words).toBe(`Approved: ${made.documentNumber} Ladders`)
})

test("a quote's owner is notified of the customer's decision", async () => {
  const w = await makeQuoteWorld()
  const { quote, token } = await w.sent()
  const before = await summary(w.api)
  expectSuccess(await w.portal.anonymous.post(`/api/financial/acceptances/${token}/decline`, {}))
  await w.portal.drain()
  expect(await summary(w.api)).toEqual({ ...before, unread: before.unread + 1 })
  const [entry] = await inbox(w.api)
  expect(entry).toMatchObject({ kind: 'quote.decided', path: `/invoice/quote/view/${quote.id}` })
  expect(entry?.words).toContain(`has declined ${quote.reference}`)
})

describe('a callback', () => {
  const desk = async () => {
    const user = await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })
    const api = portal.provider.as(user)
    // This request creates the staff record, because the user has the staff role.
    const made = await api.get(`/api/crm/staff/${user.username}`)
    const lead = async (callbackDate: number) =>
      expectSuccess(
        await api.post('/api/crm/contacts', {
          companyName: 'Harbour Roofing',
          owner: expectSuccess(made)['@id'],
          callbackDate,
        }),
      )
    return { api, lead, staff: expectSuccess(made)['@id'] as string }
  }
  const later = (minutes: number) => toUnixSeconds(now()) + minutes * 60

  test("a callback's owner is notified once when the callback is due, and the notification ends when the callback is postponed", async () => {
    const { api, lead } = await desk()
    const due = await lead(later(-1))
    await lead(later(60))
    for (let twice = 0; twice < 2; twice++) await portal.runSchedule('leads.tell-callbacks')
    expect(await inbox(api)).toMatchObject([
      { words: 'Call back: Harbour Roofing', path: `/crm/contact/view/${due.id}` },
    ])
    expect(await summary(api)).toEqual({ unread: 1, waiting: { Sales: 1 } })
    expectSuccess(await api.put(due['@id'], { callbackDate: later(120) }))
    expect(await summary(api)).toEqual({ unread: 0, waiting: {} })
  })

  test('the number of callbacks equals the length of the list of callbacks, and includes all overdue ones', async () => {
    const { api, lead, staff } = await desk()
    await lead(later(-1))
    await lead(later(-3 * 24 * 60))
    await lead(later(-40 * 24 * 60))
    await lead(later(60))
    await portal.runSchedule('leads.tell-callbacks')
    const overdue = `/api/crm/contacts?owner=${staff}&retired=false&callbackDate[lte]=${toUnixSeconds(now())}`
    expect(expectSuccess(await api.get(overdue))['hydra:totalItems']).toBe(3)
    expect(await summary(api)).toEqual({ unread: 2, waiting: { Sales: 3 } })
  })

  test('undoing the change that ended a callback notification restores the notification and its read or unread status', async () => {
    const { api, lead, staff } = await desk()
    const [one, other] = [await lead(later(-5)), await lead(later(-6))]
    await portal.runSchedule('leads.tell-callbacks')
    const [first] = await inbox(api)
    expectSuccess(await api.post(`${first?.['@id']}/read`))
    const before = { unread: 1, waiting: { Sales: 2 } }
    expect(await summary(api)).toEqual(before)
    const give = async (owner: string | null) =>
      expectSuccess(
        await api.post('/api/crm/contacts/bulk', { action: 'owner', ids: [one.id, other.id], input: { owner } }),
      )
    await give(null)
    expect(await summary(api)).toEqual({ unread: 0, waiting: {} })
    await give(staff)
    expect(await summary(api)).toEqual(before)

    const done = expectSuccess(await api.post(`${one['@id']}/outcomes`, { result: '/api/crm/last_results/3' }))
    expect((await summary(api)).waiting).toEqual({ Sales: 1 })
    expectSuccess(await api.post(`${one['@id']}/undo`, { note: done.note.id }))
    expect(await summary(api)).toEqual(before)

    // The new owner is notified of overdue callbacks; the previous owner no longer is.
    const colleague = await desk()
    await give(colleague.staff)
    await portal.runSchedule('leads.tell-callbacks')
    expect((await summary(colleague.api)).waiting).toEqual({ Sales: 2 })
    expect((await summary(api)).waiting).toEqual({})
  })

  test("while a callback's owner is away, the team is notified instead of the owner", async () => {
    const [owner, colleague] = [await desk(), await desk()]
    const today = now().toZonedDateTimeISO('Europe/London').toPlainDate().toString()
    expectSuccess(await owner.api.put(owner.staff, { awayUntil: today }))
    const due = await owner.lead(later(-1))
    for (let twice = 0; twice < 2; twice++) await portal.runSchedule('leads.tell-callbacks')
    expect(await inbox(owner.api)).toEqual([])
    expect(await inbox(colleague.api)).toMatchObject([{ path: `/crm/contact/view/${due.id}` }])
    expectSuccess(await colleague.api.put(due['@id'], { callbackDate: later(120) }))
    expect(await summary(colleague.api)).toEqual({ unread: 0, waiting: {} })
  })

  test('the owner is notified again about the next callback to the same lead', async () => {
    const { api, lead } = await desk()
    const due = await lead(later(-30))
    await portal.runSchedule('leads.tell-callbacks')
    expectSuccess(await api.put(due['@id'], { callbackDate: later(-2) }))
    expect((await summary(api)).unread).toBe(0)
    await portal.runSchedule('leads.tell-callbacks')
    expect(await inbox(api)).toMatchObject([{ read: false, ended: false }])
  })
})

test('a user is notified when their background job finishes', async () => {
  const { author } = await company()
  expectSuccess(await author.post('/api/portal/exports', { from: '/api/safety/hazards', format: 'csv' }))
  await portal.drain()
  expect(await inbox(author)).toMatchObject([{ kind: 'run.over', path: '/profile/long-work', read: false }])
})

describe('an impersonator', () => {
  test("an impersonator sees the user's notifications but can't mark them as read, and receives none of their own", async () => {
    const { client, author, workers, current, as, ask: asks } = { ...(await company('Will')), ask }
    const [will] = workers as [TestUser]
    expectSuccess(await asks(author, await current(), { people: [will.id] }))
    await portal.drain()
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    const from = { address: '127.0.0.1', agent: 'test', browser: false }
    const { token } = await portal.sessions.open({ clientId: 0, userId: staff.id }, from)
    const switched = await portal.sessions.visit(token, { username: will.username, clientId: client.id }, 'They rang')
    const { token: writes } = await portal.sessions.allowWrites(switched.token, 'To help')
    const visitor = portal.bearing(writes)
    const [entry] = await inbox(visitor)
    expect(entry).toMatchObject({ read: false })
    for (const refused of [
      await visitor.post(`${entry?.['@id']}/read`),
      await visitor.post(`${NOTICES}/read_all`),
      await visitor.put(`${NOTICES}/settings/document.sign`, { bell: false, mail: false }),
      await visitor.get(`${NOTICES}/summary`, { accept: 'text/event-stream' }),
    ])
      expect([refused.status, refused.body.code]).toEqual([403, 'in_person'])
    expect((await summary(as(will))).unread).toBe(1)
  })
})

test("users can't read or mark other users' notifications", async () => {
  const { author, workers, current, as } = await company('Will', 'Zoe')
  const [will, zoe] = workers as [TestUser, TestUser]
  expectSuccess(await ask(author, await current(), { people: [will.id] }))
  await portal.drain()
  const [entry] = await inbox(as(will))
  const other = await portal.client()
  const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  for (const who of [as(zoe), author, stranger]) {
    expect((await who.get(entry?.['@id'] ?? '')).status).toBe(404)
    expect((await who.post(`${entry?.['@id']}/read`)).status).toBe(404)
  }
  expectSuccess(await as(zoe).post(`${NOTICES}/read_all`))
  expect((await summary(as(will))).unread).toBe(1)
})

describe('notification settings', () => {
  test('notification settings determine which types are shown in the bell', async () => {
    const { author, workers, current, as } = await company('Will')
    const [will] = workers as [TestUser]
    expectSuccess(await ask(author, await current(), { people: [will.id] }))
    await portal.drain()
    const settings = `${NOTICES}/settings`
    expect(expectSuccess(await as(will).get(settings))['hydra:member']).toContainEqual(
      expect.objectContaining({ kind: 'document.sign', bell: true, mail: false }),
    )
    expectSuccess(await as(will).put(`${settings}/document.sign`, { bell: false, mail: false }))
    expect([await inbox(as(will)), await summary(as(will))]).toEqual([[], { unread: 0, waiting: {} }])
    expectSuccess(await as(will).put(`${settings}/document.sign`, { bell: true, mail: false }))
    expect((await summary(as(will))).unread).toBe(1)
    expect((await as(will).put(`${settings}/no.such`, { bell: true, mail: true })).status).toBe(404)
  })

  test('the daily e-mail lists unread notifications of the chosen types once, for users with a confirmed address', async () => {
    const { client, author, workers, hire, current, as } = await company('Will')
    const keeper = await hire('Kit', ['ROLE_SAFETY_ADMIN'])
    const [will] = workers as [TestUser]
    const made = expectSuccess(
      await author.post(TALKS_URL, { title: 'Ladders at www.example.com', points: [{ text: 'Look up.' }] }),
    )
    expectSuccess(await author.post(`${made['@id']}/complete`))
    expectSuccess(await ask(author, await current(), { people: [will.id] }))
    await portal.drain()
    const letters = async () => {
      await portal.runSchedule('notices.digest')
      const rows = await portal.db.tx('system', (tx) =>
        tx.rows<{ payload: { to: string; subject: string; body: string } }>(
          "SELECT payload FROM outbox WHERE client_id = $1 AND payload ->> 'template' = 'notices.digest'",
          [client.id],
        ),
      )
      return rows.map(({ payload }) => payload)
    }
    expect(await letters()).toEqual([])
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE user_account SET last_login_at = now() WHERE client_id = $1', [client.id]),
    )
    const [letter, ...others] = await letters()
    expect(others).toEqual([])
    expect(letter).toMatchObject({ to: expect.stringContaining('kit@'), subject: '1 new notification' })
    expect(letter?.body).toContain(`Awaiting approval: ${made.documentNumber} Ladders at www. example. com`)
    expect(await letters()).toHaveLength(1)
    expect((await summary(as(keeper))).unread).toBe(1)
  })
})

test('notifications that were read long ago are deleted, unless they are open tasks', async () => {
  const { client, author, workers, current, as } = await company('Will')
  const [will] = workers as [TestUser]
  const [one, two] = [await current('One'), await current('Two')]
  for (const on of [one, two]) expectSuccess(await ask(author, on, { people: [will.id] }))
  await portal.drain()
  expectSuccess(await sendSignature(as(will), one))
  expectSuccess(await as(will).post(`${NOTICES}/read_all`))
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE notice SET read_at = read_at - interval '40 days' WHERE client_id = $1", [client.id]),
  )
  await portal.runSchedule('notices.tidy')
  expect((await inbox(as(will))).map(({ words }) => words)).toEqual([expect.stringContaining('Two')])
})

import { expect, onTestFinished, test } from 'vitest'
import type { Tx } from '#server/db/db.ts'
import { moveClock } from '#server/engine/clock.ts'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'
import { correctiveActionSecretLink } from './action-link.server.ts'
import { correctiveAction } from './corrective-action.ts'

const portal = await testPortal()
const ACTIONS = correctiveAction.url

async function company() {
  const client = await portal.client({ company: 'Brick Ltd' })
  const author = await client.user({ roles: ['ROLE_SAFETY_AUTHOR'], name: 'Sam Slate', email: 'sam@brick.example' })
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], name: 'Ann Bell', email: 'ann@brick.example' })
  const as = { author: client.as(author), admin: client.as(admin) }
  const raise = async (more: object = {}) => {
    const made = await as.author.post(ACTIONS, {
      description: 'Mend the rail',
      managerName: 'Vic Vance',
      email: 'vic@vance.example',
      notes: 'Second lift',
      ...more,
    })
    expect([made.status, made.text]).toEqual([201, expect.anything()])
    return made.body as { '@id': string; id: number; number: string }
  }
  const linkOf = async ({ id }: { readonly id: number }) => {
    const link = await correctiveActionSecretLink.make(portal.engine, client.id, { action: id })
    return `/api/safety/linked_actions/${link?.split('/action/')[1]}`
  }
  return { client, as, raise, linkOf }
}

const anyone = portal.anonymous
const upload = (at: string, file: Buffer, name: string) => {
  const { body, headers } = makeUploadForm(file, name)
  return anyone.send('POST', `${at}/files`, { headers, body })
}
/** Returns true once another transaction waits for a row that this one has locked. */
const isAwaited = async (tx: Tx) =>
  (await tx.rows('SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid')).length > 0
const events = async (as: { get: typeof anyone.get }, { id }: { readonly id: number }) => {
  const { body } = await as.get(`/api/safety/corrective_action_events?action=${id}`)
  return (body['hydra:member'] as { event: string; notes: string }[]).map(({ event, notes }) => `${event}: ${notes}`)
}

/** Opens a link and reports its action as read. */
const reportDone = async (at: string, proof: string) =>
  anyone.post(`${at}/done`, { proof, version: (await anyone.get(at)).body.action?.version ?? 1 })
const verify = async (by: TestApi, at: string) => by.post(`${at}/verify`, { version: (await by.get(at)).body.version })

test('an owner without an account can read the action by the link in the e-mail, add a photo and report it as done', async () => {
  const { as, raise, client, linkOf } = await company()
  const made = await raise()
  await portal.drain()
  const [letter] = await portal.db.tx('system', (tx) =>
    tx.rows<{ recipient: string; subject: string }>('SELECT recipient, subject FROM message WHERE client_id = $1', [
      client.id,
    ]),
  )
  expect(letter).toEqual({ recipient: 'vic@vance.example', subject: `Corrective action ${made.number} for Brick Ltd` })
  const at = await linkOf(made)
  const { body: seen } = await anyone.get(at)
  expect(seen).toEqual({
    '@id': at,
    '@type': 'LinkedAction',
    company: 'Brick Ltd',
    logo: null,
    sentence: '',
    action: {
      number: made.number,
      managerName: 'Vic Vance',
      description: 'Mend the rail',
      deadline: null,
      notes: 'Second lift',
      adminNotes: '',
      version: expect.any(Number),
      isLate: false,
      files: [],
    },
  })
  expect([(await anyone.post(`${at}/opened`, {})).status, (await anyone.post(`${at}/opened`, {})).status]).toEqual([
    200, 200,
  ])
  expect((await upload(at, await makePicture(40, 30).png().toBuffer(), 'rail.png')).body.action.files).toEqual([
    'rail.png',
  ])
  expect((await reportDone(at, '  ')).status).toBe(422)
  const done = await reportDone(at, 'Rail welded')
  expect([done.status, done.body.sentence]).toEqual([
    200,
    `Corrective action ${made.number} has been reported as done. Thank you.`,
  ])
  expect((await as.author.get(made['@id'])).body).toMatchObject({
    state: 'rectified',
    proof: 'Rail welded',
    completedBy: null,
    completedByLink: 'Vic Vance',
  })
  expect(await events(as.author, made)).toEqual([
    'Raised: Vic Vance',
    'Link opened: Vic Vance',
    'File added by link: Vic Vance: rail.png',
    'Reported as done by link: Vic Vance: Rail welded',
  ])
  await portal.drain()
  const { body: inbox } = await as.author.get('/api/portal/notices/inbox')
  expect(inbox['hydra:member'][0].words).toBe(
    `Vic Vance reported corrective action ${made.number} as done: Mend the rail`,
  )
  expect((await verify(as.admin, made['@id'])).body.state).toBe('verified')
})

test('the link of a closed, retired, dismissed or reassigned action accepts nothing, and says why', async () => {
  const { as, raise, linkOf } = await company()
  const cases = [
    ['reported as done', (at: string) => as.author.post(`${at}/complete`, { proof: 'Done' })],
    ['no longer needed', (at: string) => as.author.post(`${at}/dismiss`, { reason: 'Sold' })],
    ['withdrawn', (at: string) => as.author.patch(at, { retired: true })],
    ['another owner', (at: string) => as.author.patch(at, { managerName: 'Una Voe', email: 'una@voe.example' })],
  ] as const
  for (const [words, close] of cases) {
    const made = await raise()
    const at = await linkOf(made)
    expect((await close(made['@id'])).status, words).toBeLessThan(300)
    const { body } = await anyone.get(at)
    expect([body.sentence, body.action], words).toEqual([expect.stringContaining(words), undefined])
    expect((await reportDone(at, 'Forged')).status, words).toBe(410)
    expect((await upload(at, MINIMAL_PDF, 'late.pdf')).status, words).toBe(410)
    expect((await anyone.post(`${at}/opened`, {})).status, words).toBe(410)
  }
})

test("a link shows only its own action, and neither an altered link nor another company's link works", async () => {
  const [one, other] = [await company(), await company()]
  const at = await one.linkOf(await one.raise())
  const [, secret] = /\/\d+-\d+-(.+)$/.exec(at) ?? []
  const foreign = (await other.linkOf(await other.raise())).replace(/(?<=\/\d+-\d+-).+$/, secret ?? '')
  for (const wrong of [foreign, at.slice(0, -1), `${at}x`, '/api/safety/linked_actions/1-1-x'])
    expect((await anyone.get(wrong)).status, wrong).toBe(404)
})

test('a link stops working after ninety days, and while the safety pack has lapsed', async () => {
  const { client, raise, linkOf } = await company()
  const at = await linkOf(await raise())
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, [], ['safety']))
  expect((await reportDone(at, 'Done')).status).toBe(410)
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety']))
  onTestFinished(() => moveClock(portal.engine, 0))
  await moveClock(portal.engine, 91)
  expect((await anyone.get(at)).body.sentence).toContain('This link has expired.')
})

test('a file sent twice is stored once, other types of file are refused, and two simultaneous reports complete the action once', async () => {
  const { as, raise, linkOf } = await company()
  const made = await raise()
  const at = await linkOf(made)
  const photo = await makePicture(40, 30).png().toBuffer()
  await upload(at, photo, 'a.png')
  expect((await upload(at, photo, 'b.png')).body.action.files).toEqual(['a.png'])
  expect((await upload(at, Buffer.from('#!/bin/sh'), 'run.sh')).status).toBe(422)
  const both = await Promise.all([1, 2].map((n) => reportDone(at, `Report ${n}`)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([
    200,
    expect.toSatisfy((s: number) => s === 409 || s === 410),
  ])
  expect((await events(as.author, made)).filter((event) => event.startsWith('Reported'))).toHaveLength(1)
})

test('a manager whose own address received the link can’t verify the action that was reported with it', async () => {
  const { as, raise, linkOf } = await company()
  const made = await raise({ email: 'Sam+vic@Brick.example' })
  await reportDone(await linkOf(made), 'Done')
  expect((await verify(as.author, made['@id'])).status).toBe(403)
  expect((await verify(as.admin, made['@id'])).body.state).toBe('verified')
})

test('a reopened action can be reported as done by a new link', async () => {
  const { as, raise, linkOf } = await company()
  const made = await raise()
  await reportDone(await linkOf(made), 'Done')
  const { body } = await as.author.post(`${made['@id']}/reopen`, { reason: 'Still loose' })
  expect(body).toMatchObject({ state: 'open', completedByLink: '', completedAt: null })
  expect((await reportDone(await linkOf(made), 'Tightened')).status).toBe(200)
})

test('a report by link is refused if the action gets another owner while the report is being sent', async () => {
  const { client, as, raise, linkOf } = await company()
  const made = await raise()
  const at = await linkOf(made)
  const sent = await portal.db.tx('system', async (tx) => {
    await tx.rows(
      "UPDATE corrective_action SET manager_name = 'Una Voe', email = 'una@voe.example' WHERE client_id = $1 AND id = $2",
      [client.id, made.id],
    )
    const answer = reportDone(at, 'Done by Vic')
    await expect.poll(() => isAwaited(tx)).toBe(true)
    return { answer }
  })
  expect((await sent.answer).status).toBe(410)
  expect((await as.author.get(made['@id'])).body).toMatchObject({ state: 'open', completedByLink: '' })
})

test('a report by link preserves its line breaks and is limited in length, like one under an account', async () => {
  const { as, raise, linkOf } = await company()
  const made = await raise()
  const at = await linkOf(made)
  expect((await reportDone(at, 'x'.repeat(4001))).status).toBe(422)
  expect((await reportDone(at, '\u200b')).status).toBe(422)
  expect((await reportDone(at, 'Rail welded\nand painted')).status).toBe(200)
  expect((await as.author.get(made['@id'])).body.proof).toBe('Rail welded\nand painted')
})

test('a report by link is refused if the action has changed or was reopened since its owner read it', async () => {
  const { as, raise, linkOf } = await company()
  const made = await raise()
  const at = await linkOf(made)
  const read = async () => (await anyone.get(at)).body.action as { description: string; version: number }
  const first = await read()
  await as.author.put(made['@id'], { description: 'Rebuild the whole scaffold' })
  const report = ({ version }: { readonly version: number }) => anyone.post(`${at}/done`, { proof: 'Mended', version })
  expect((await report(first)).status).toBe(409)
  const second = await read()
  expect((await report(second)).status).toBe(200)
  expect((await as.author.post(`${made['@id']}/reopen`, { reason: 'Not tight' })).status).toBe(200)
  expect((await report(second)).status).toBe(409)
  expect((await as.author.get(made['@id'])).body).toMatchObject({ state: 'open', completedByLink: '' })
})

test('a link belongs to its addressee: an owner with a new name gets a new link, and the change is in the history', async () => {
  const { as, raise, client, linkOf } = await company()
  const made = await raise()
  const at = await linkOf(made)
  expect((await as.author.put(made['@id'], { managerName: 'Bob Marsh' })).status).toBe(200)
  expect((await anyone.get(at)).body.sentence).toContain('has another owner now')
  expect((await reportDone(at, 'Mended')).status).toBe(410)
  await portal.drain()
  const letters = () => portal.db.tx('system', (tx) => tx.rows('SELECT FROM message WHERE client_id = $1', [client.id]))
  expect(await letters()).toHaveLength(2)
  expect((await as.author.put(made['@id'], { email: 'bob@marsh.example' })).status).toBe(200)
  expect((await events(as.author, made)).at(-1)).toBe('Changed: E-mail: vic@vance.example → bob@marsh.example')
})

test("provider staff who work as a client’s user can’t send an action's link to an address", async () => {
  const { client, as, raise } = await company()
  const made = await raise()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
  const query = new URLSearchParams({ username: admin.username, client: `${client.id}`, reason: 'Help with actions' })
  const { body } = await staff.get(`/api/security/user/switch?${query}`)
  const visitor = portal.bearing(body.token) as TestApi
  await visitor.post('/api/security/user/write', { reason: 'Help with actions' })
  for (const change of [{ email: 'mine@visitor.example' }, { managerName: 'Mine', email: 'mine@visitor.example' }])
    expect((await visitor.put(made['@id'], change)).body).toMatchObject({ code: 'in_person' })
  const raised = await visitor.post(ACTIONS, {
    description: 'Mend',
    managerName: 'Mine',
    email: 'mine@visitor.example',
  })
  expect([raised.status, raised.body.code]).toEqual([403, 'in_person'])
  expect((await as.author.get(made['@id'])).body.email).toBe('vic@vance.example')
})

test('a report and a verification name the version that was read, and are refused if the action has changed since', async () => {
  const { as, raise, linkOf } = await company()
  const made = await raise()
  const unread = await anyone.post(`${await linkOf(made)}/done`, { proof: 'One bolt' })
  expect([unread.status, unread.body.violations[0].propertyPath]).toEqual([422, 'version'])
  const report = async (proof: string) => reportDone(await linkOf(made), proof)
  await report('One bolt')
  const { version } = (await as.admin.get(made['@id'])).body
  await as.author.post(`${made['@id']}/reopen`, { reason: 'Two are missing' })
  await report('Two bolts')
  expect((await as.admin.post(`${made['@id']}/verify`, {})).status).toBe(422)
  expect((await as.admin.post(`${made['@id']}/verify`, { version })).status).toBe(409)
  const { version: now } = (await as.admin.get(made['@id'])).body
  expect((await as.admin.post(`${made['@id']}/verify`, { version: now })).status).toBe(200)
})

test('no link is sent to an owner without an account who has the same name as a colleague with an account', async () => {
  const { client, as, raise } = await company()
  await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Cora Chen' })
  const create = (managerName: string, email: string) =>
    as.author.post(ACTIONS, { description: 'Mend the rail', managerName, email })
  const made = await raise()
  const refused = [
    await create('cora  CHEN', 'cora@elsewhere.example'),
    await as.author.put(made['@id'], { managerName: 'Cora Chen' }),
  ]
  for (const { status, body } of refused)
    expect([status, body.violations?.[0].propertyPath]).toEqual([422, 'managerName'])
  // Without an address, nothing can be reported by link, and a company can tell two people with the same name apart.
  const named = await create('Cora Chen', '')
  expect(named.status).toBe(201)
  expect((await as.author.put(named.body['@id'], { email: 'cora@elsewhere.example' })).status).toBe(422)
  expect((await create('Cora Chen (Vance Ltd)', 'cora@elsewhere.example')).status).toBe(201)
})

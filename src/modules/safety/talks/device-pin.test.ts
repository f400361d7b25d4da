import { beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_WRONG_PINS_A_DAY } from '#modules/identity/profile/signing-pin.server.ts'
import { sealSigningPin } from '#modules/identity/profile/signing-pin.ts'
import { verifyEvidenceCommand } from '#server/evidence/command.ts'
import {
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  type PresentedTalkBody,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { withForgery } from '#test/support/forging.ts'
import { type TestApi, type TestPortal, type TestUser, testPortal } from '#test/support/portal.ts'
import { SIGNING_PINS_PATH } from './talk-info.ts'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }
let settings: string
/** The person who signs on the presenter's device, and a PIN for each test. */
let signer: TestUser
let signerApi: TestApi
const PIN = '482915'
let people = 0

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
  settings = `/api/safety/settings/${world.client.id}`
  expectOk(await world.admin.put(settings, { deviceSignatures: 'pin' }))
})

beforeEach(async () => {
  signer = await makePerson()
  signerApi = world.client.as(signer)
  expectOk(await signerApi.put('/api/security/signing_pin', { pin: PIN }))
})

/** Creates a person with an account and a name of their own. */
const makePerson = () => {
  const name = `Sid ${String.fromCharCode(65 + people++)} Signer`
  return world.client.user({
    roles: ['ROLE_EMPLOYEE'],
    username: `${name.replaceAll(' ', '.')}.${world.client.id}`,
    name,
  })
}
const nameOf = async ({ iri }: TestUser) => (await world.admin.get(iri)).body.name as string
const present = async (...who: TestUser[]) =>
  world.present(of, ...(await Promise.all((who.length ? who : [signer]).map(nameOf))))

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

interface Entry {
  readonly pin?: string
  readonly record?: PresentedTalkBody
  readonly user?: TestUser
  readonly strokes?: unknown
  readonly at?: string
  readonly document?: number
  readonly name?: string
  /** True if the talk was started offline, so that neither the record nor the person's ID is known. */
  readonly offline?: boolean
}

/** Seals a PIN for a signature as the presenter's device does. */
const seal = async (record: PresentedTalkBody, { pin = PIN, user = signer, ...more }: Entry = {}) =>
  sealSigningPin(
    (await world.worker.get(SIGNING_PINS_PATH)).body.publicKey,
    pin,
    {
      user: more.offline ? null : user.id,
      name: more.name ?? (await nameOf(user)),
      document: more.document ?? of.id,
      record: more.offline ? null : (more.record ?? record).id,
      strokes: more.strokes ?? SAMPLE_STROKES,
    },
    more.at,
  )

/** Signs for a person on the presenter's device. */
const signWith = async (record: PresentedTalkBody, body: object, who = world.worker, user = signer) =>
  who.post(`${record['@id']}/sign`, {
    attendee: findAttendee(record, await nameOf(user))['@id'],
    method: 'finger',
    strokes: SAMPLE_STROKES,
    ...body,
  })
const enter = async (record: PresentedTalkBody, entry: Entry = {}, who = world.worker) =>
  signWith(record, { pin: await seal(record, entry) }, who)
const checkOf = async (record: PresentedTalkBody, n = 0) => (await world.now(record)).attendees[n]?.pinCheck
const noticesOf = async (api: TestApi, kind: string) =>
  ((await api.get('/api/portal/notices/inbox')).body['hydra:member'] as { kind: string; words: string }[]).filter(
    (one) => one.kind === kind,
  )

test('a correct PIN is stored as checked, and a wrong one is refused with the reason and stores no signature', async () => {
  const record = await present()
  const name = await nameOf(signer)
  expect(attendanceProblem(await enter(record, { pin: '915482' }))).toEqual([
    422,
    `This is not ${name}’s signing PIN. Please try again`,
  ])
  expect(await world.now(record)).toMatchObject({ signed: 0 })
  expect((await enter(record, { pin: '915482' })).body.violations[0].propertyPath).toBe('pin')
  expectOk(await enter(record))
  expect(await checkOf(record)).toBe('checked')
})

test('a person without a PIN signs by hand only, and the record says that no PIN was set', async () => {
  const plain = await makePerson()
  const record = await present(plain)
  expectOk(await signWith(record, { pin: await seal(record, { user: plain }) }, world.worker, plain))
  expect(await checkOf(record)).toBe('none')
})

test('a signature without the signer’s PIN is refused, and a presenter can’t set the result of its check', async () => {
  const record = await present()
  const name = await nameOf(signer)
  expect(attendanceProblem(await signWith(record, { pinCheck: 'checked' }))).toEqual([
    422,
    `Your company requires ${name}’s signing PIN. Please ask ${name} to enter it`,
  ])
  expectOk(await signWith(record, { drawnAt: minutesAgo(30), pinCheck: 'checked' }))
  expect(await checkOf(record)).toBe('unchecked')
  const row = findAttendee(record, name)['@id']
  for (const change of ['put', 'patch'] as const)
    expect((await world.worker[change](row, { pinCheck: 'checked' })).status).toBeGreaterThanOrEqual(400)
  const listed = (await world.now(record)).attendees.map((p) => ({ ...p, pinCheck: 'checked' }))
  await world.worker.put(record['@id'], { attendees: listed })
  expect(await checkOf(record)).toBe('unchecked')
})

test('a record that contains another account’s signature is refused while a PIN is required', async () => {
  const name = await nameOf(signer)
  const signed = { name, method: 'finger', strokes: SAMPLE_STROKES, signedAt: minutesAgo(1), pinCheck: 'checked' }
  const start = { talk: of['@id'], presenter: 'Will Worker', date: daysAgo(6), attendees: [signed] }
  const refused = [422, expect.stringContaining('your company requires their signing PIN')]
  expect(attendanceProblem(await world.worker.post('/api/safety/toolbox_talk_presenteds', start))).toEqual(refused)
  const record = await present()
  for (const change of ['put', 'patch'] as const)
    expect(attendanceProblem(await world.worker[change](record['@id'], { attendees: [signed] }))).toEqual(refused)
})

test('a sealed PIN is refused with another person, talk, record or drawing, and for a second signature', async () => {
  const other = await makePerson()
  expectOk(await world.client.as(other).put('/api/security/signing_pin', { pin: PIN }))
  const [record, second] = [await present(), await present()]
  const strokes = { ...SAMPLE_STROKES, width: 301 }
  for (const entry of [{ user: other }, { document: of.id + 1 }, { record: second }, { strokes }]) {
    const answer = await enter(record, entry)
    expect(attendanceProblem(answer)).toEqual([422, expect.stringContaining('does not belong to this signature')])
  }
  for (const at of ['soon', '9999999'])
    expect((await enter(record, { at })).status, 'sealed, with other content').toBe(422)
  expect((await signWith(record, { pin: 'not sealed' })).status).toBe(422)
  // In a talk that was started offline, only the person's name is known.
  expect((await enter(record, { offline: true, name: await nameOf(other) })).status).toBe(422)
  const pin = await seal(record, { offline: true })
  expectOk(await signWith(record, { pin }))
  expectOk(await signWith(second, { pin }))
  expect([await checkOf(record), await checkOf(second)]).toEqual(['checked', 'unchecked'])
})

/** Returns the opposite point of the curve, with which the same key is derived. */
const negatePoint = (point: string) => {
  const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
  return point.slice(0, 66) + (prime - BigInt(`0x${point.slice(66)}`)).toString(16).padStart(64, '0')
}

test.each([
  ['with a further part', (pin: string) => `${pin}.x`],
  ['with an odd digit', (pin: string) => `${pin}0`],
  ['in capitals', (pin: string) => pin.toUpperCase()],
  ['with its point in hybrid form', (pin: string) => pin.replace(/^04/, /[13579bdf]\./.test(pin) ? '07' : '06')],
  ['with the opposite point', (pin: string) => pin.replace(/^[^.]+/, negatePoint)],
])('a sealed PIN encoded in another way is refused for a second signature: %s', async (_how, respell) => {
  const [record, second] = [await present(), await present()]
  const pin = await seal(record, { offline: true })
  expectOk(await signWith(record, { pin }))
  await signWith(second, { pin: respell(pin), drawnAt: minutesAgo(1) })
  expect([await checkOf(record), await checkOf(second)]).toEqual(['checked', 'unchecked'])
})

test('a PIN entered offline is checked on arrival, and a wrong one is stored as wrong and both people are notified', async () => {
  const [right, wrong, forged] = [await present(), await present(), await present()]
  expectOk(await enter(right, { at: minutesAgo(30) }))
  expectOk(await enter(wrong, { pin: '915482', at: minutesAgo(30) }))
  expectOk(await enter(forged, { record: right, at: minutesAgo(30) }))
  expect([await checkOf(right), await checkOf(wrong), await checkOf(forged)]).toEqual(['checked', 'wrong', 'unchecked'])
  for (const api of [signerApi, world.worker])
    expect((await noticesOf(api, 'talk.pin mismatch')).map(({ words }) => words)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('the signing PIN did not match'),
        expect.stringContaining('no signing PIN could be checked'),
      ]),
    )
})

test('a signature delivered twice from the queue is stored and checked only once', async () => {
  const record = await present()
  const body = {
    attendee: findAttendee(record, await nameOf(signer))['@id'],
    method: 'finger',
    strokes: SAMPLE_STROKES,
    pin: await seal(record, { at: minutesAgo(30) }),
  }
  const deliver = () => world.worker.post(`${record['@id']}/sign`, body, { 'idempotency-key': `pin-${record.id}` })
  const [first, second] = [expectOk(await deliver()), expectOk(await deliver())]
  expect([first.pinCheck, second.pinCheck]).toEqual(['checked', 'checked'])
})

/** Ends the blocks on the signer's PIN whose keys have this ending. */
const endBlocks = (ending: string) =>
  portal.db.tx('system', (tx) =>
    tx.rows('DELETE FROM attempt WHERE key LIKE $1', [`signing-pin:${world.client.id}.${signer.id} %${ending}`]),
  )

/** A second presenter's record of the talk, with the signer on its list. */
const presentByOther = async () =>
  expectOk(
    await world.other.post('/api/safety/toolbox_talk_presenteds', {
      talk: of['@id'],
      presenter: 'Olga Other',
      date: daysAgo(6),
      attendees: [{ name: await nameOf(signer) }],
    }),
  ) as PresentedTalkBody

test('five wrong PINs block the presenter who entered them in all records, but block neither other presenters nor the person', async () => {
  const [mine, second, foreign] = [await present(), await present(), await presentByOther()]
  for (let i = 0; i < 5; i++) expect((await enter(i % 2 ? mine : second, { pin: `91548${i}` })).status).toBe(422)
  for (const record of [mine, second])
    expect(attendanceProblem(await enter(record))).toEqual([
      429,
      expect.stringContaining('is not accepted here for 15 minutes'),
    ])
  expect(await noticesOf(signerApi, 'talk.pin locked')).toHaveLength(1)
  // A signature from the queue waits until the block has ended.
  expect((await enter(mine, { at: minutesAgo(30) })).status).toBe(429)
  expectOk(await enter(foreign, {}, world.other))
  expectOk(await world.sign(signerApi, second, await nameOf(signer), { method: 'finger', strokes: SAMPLE_STROKES }))
  await portal.engine.security.flush()
  const log = await world.admin.get('/api/portal/security_events?event=signing-pin-failed&order[id]=desc')
  const details = (log.body['hydra:member'] as { detail: string; username: string }[]).map(({ detail }) => detail)
  expect(details).toContain(`of ${signer.username}: wrong PIN, blocked for 15 minutes`)
  expect(details).toContain(`of ${signer.username}: blocked`)
  await portal.db.tx('system', (tx) =>
    tx.rows(`UPDATE attempt SET since = since - interval '16 minutes' WHERE key LIKE $1 AND key NOT LIKE '%in a day'`, [
      `signing-pin:${world.client.id}.${signer.id} by %`,
    ]),
  )
  expectOk(await enter(mine))
  expect(await checkOf(mine)).toBe('checked')
})

test('concurrent guesses are counted one by one', async () => {
  const records = await Promise.all(Array.from({ length: 8 }, () => present()))
  const answers = await Promise.all(records.map((record, i) => enter(record, { pin: `91548${i}` })))
  expect(answers.map(({ status }) => status).filter((status) => status === 422)).toHaveLength(5)
  expect(answers.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(3)
})

test('a presenter who waits for each block to end is stopped after ten wrong PINs in a day, even after correct ones', async () => {
  const record = await present()
  const guess = async () => (await enter(record, { pin: '915482' })).status
  const endPause = () =>
    portal.db.tx('system', (tx) =>
      tx.rows("DELETE FROM attempt WHERE key LIKE $1 AND key NOT LIKE '%in a day'", [
        `signing-pin:${world.client.id}.${signer.id} by %`,
      ]),
    )
  for (let i = 0; i < 10; i++) {
    if (i % 4 === 0) await endPause()
    if (i === 5) expectOk(await enter(await present()))
    expect(await guess()).toBe(422)
  }
  await endPause()
  expect(await guess()).toBe(429)
  await endBlocks('in a day')
  expectOk(await enter(record))
})

test('all presenters together can enter twenty wrong PINs for a person in one record, and a hundred in a day', async () => {
  const [record, second] = [await present(), await present()]
  const count = (key: string, tries: number) =>
    portal.db.tx('system', (tx) =>
      tx.rows(
        `INSERT INTO attempt (key, tries, since, lasts, at) VALUES ($1, $2, clock_timestamp(), interval '1 day', clock_timestamp())
         ON CONFLICT (key) DO UPDATE SET tries = excluded.tries`,
        [`signing-pin:${world.client.id}.${signer.id} ${key}`, tries],
      ),
    )
  await count(`in record ${record.id}`, 19)
  expect((await enter(record, { pin: '915482' })).status).toBe(422)
  expect((await enter(record)).status).toBe(429)
  expect(MAX_WRONG_PINS_A_DAY).toBe(100)
  await count('from all', MAX_WRONG_PINS_A_DAY - 1)
  expect((await enter(second, { pin: '915482' })).status).toBe(422)
  expect((await enter(second)).status).toBe(429)
  expect(await noticesOf(signerApi, 'talk.pin locked')).toHaveLength(2)
  expectOk(await world.sign(signerApi, second, await nameOf(signer), { method: 'finger', strokes: SAMPLE_STROKES }))
  expectOk(await signerApi.put('/api/security/signing_pin', { pin: '602871' }))
  expectOk(await enter(record, { pin: '602871' }))
})

test('people who may not collect the signature can neither test a PIN nor lock it', async () => {
  const record = await present()
  for (let i = 0; i < 6; i++) expect((await enter(record, { pin: '915482' }, world.other)).status).toBe(403)
  expectOk(await enter(record))
})

test('a signature under one’s own account, on behalf of another, by a visitor or late has no PIN check, and an impersonator can’t collect one', async () => {
  const { worker, foreman, admin, now } = world
  const record = await world.present(of, 'Will Worker', 'Vic Visitor', await nameOf(signer), 'Olga Other')
  const drawing = { method: 'finger', strokes: SAMPLE_STROKES }
  expectOk(await world.sign(worker, record, 'Will Worker', drawing))
  expectOk(await world.sign(worker, record, 'Vic Visitor', { ...drawing, visitor: true }))
  expectOk(await world.sign(foreman, record, 'Olga Other', { ...drawing, method: 'on behalf' }))
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const { username } = await world.client.user({ roles: ['ROLE_EMPLOYEE'] })
  const visit = await staff.get(`/api/security/user/switch?username=${username}&client=${world.client.id}`)
  const visitor = portal.bearing(visit.body.token)
  await visitor.post('/api/security/user/write', { reason: 'They asked for help' })
  expect((await enter(record, {}, visitor)).status).toBe(403)
  expect((await visitor.put('/api/security/signing_pin', { pin: PIN })).status).toBe(403)
  expectOk(await admin.put(record['@id'], { complete: true, lateSignatures: true }))
  expect((await enter(record)).status).toBe(409)
  expectOk(await signWith(record, {}, signerApi))
  expect((await now(record)).attendees.map((p) => p.pinCheck)).toEqual([null, null, null, null])
})

test('a company that requires no PIN stores signatures without a check, and ignores a PIN that is sent', async () => {
  expectOk(await world.admin.put(settings, { deviceSignatures: 'drawing' }))
  const record = await present()
  expectOk(await enter(record, { pin: '915482' }))
  expect(await checkOf(record)).toBeNull()
  expect((await world.worker.get(SIGNING_PINS_PATH)).body).toMatchObject({ required: false, people: [] })
  expectOk(await world.admin.put(settings, { deviceSignatures: 'pin' }))
  expect((await world.worker.get(SIGNING_PINS_PATH)).body.people).toContain(signer.id)
})

test('the verification reports a changed PIN check', async () => {
  const record = await present()
  expectOk(await enter(record, { pin: '915482', at: minutesAgo(30) }))
  expectOk(await world.close(record))
  const verify = () => verifyEvidenceCommand(portal.engine, ['--client', String(world.client.id)])
  await verify()
  const forge = (sql: string) =>
    withForgery(
      portal,
      world.client.id,
      (tx) => tx.script(sql),
      () => verify().then(String, (e: Error) => e.message),
    )
  const changed = /the signature of "[^"]+" has been changed \(pin check\) since it was sealed/
  expect(await forge(`UPDATE talk_attendee SET pin_check = 'checked' WHERE presented_id = ${record.id}`)).toMatch(
    changed,
  )
})

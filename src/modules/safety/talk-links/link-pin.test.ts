import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sealSigningPin } from '#modules/identity/profile/signing-pin.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  attendanceProblem,
  expectOk,
  findAttendee,
  makeAttendances,
  type PresentedTalkBody,
  SAMPLE_STROKES,
} from '#test/support/attendances.ts'
import { type TestApi, type TestPortal, type TestUser, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let world: Awaited<ReturnType<typeof makeAttendances>>
let of: { '@id': string; id: number }
/** The person who signs by link, and a record for each test with this person and Vic, a visitor, on the list. */
let signer: TestUser
let signerApi: TestApi
let name: string
let record: PresentedTalkBody
let at: string
const PIN = '482915'
const WRONG = '915482'
let people = 0

const requirePins = async (deviceSignatures: 'pin' | 'drawing') =>
  expectOk(await world.admin.put(`/api/safety/settings/${world.client.id}`, { deviceSignatures }))

beforeAll(async () => {
  portal = await testPortal()
  world = await makeAttendances(portal)
  of = await world.talk()
})

beforeEach(async () => {
  await requirePins('pin')
  name = `Lin ${String.fromCharCode(65 + people++)} Linked`
  const username = `${name.replaceAll(' ', '.')}.${world.client.id}`
  signer = await world.client.user({ roles: ['ROLE_EMPLOYEE'], username, name })
  signerApi = world.client.as(signer)
  expectOk(await signerApi.put('/api/security/signing_pin', { pin: PIN }))
  await present()
})

async function present() {
  record = await world.present(of, name, 'Vic')
  const { address } = expectOk(await world.worker.post(`${record['@id']}/link`, {})).link
  at = `/api/safety/shared_talks/${address.split('/talk/')[1]}`
  expectOk(await portal.anonymous.post(`${at}/opened`, {}))
}

/** Seals a PIN as the page of the link does. */
const seal = async (
  pin = PIN,
  { who = name, strokes = SAMPLE_STROKES as unknown, when = new Date().toISOString() } = {},
) =>
  sealSigningPin(
    (await portal.anonymous.get(at)).body.talk.pinKey,
    pin,
    { user: null, name: who, document: of.id, record: null, strokes },
    when,
  )
const sign = (pin?: string, who = name) =>
  portal.anonymous.post(`${at}/sign`, {
    attendee: findAttendee(record, who).id,
    name: who,
    strokes: SAMPLE_STROKES,
    talk: of.id,
    read: true,
    ...(pin ? { pin } : {}),
  })
const rowOf = async (who = name) => findAttendee(await world.now(record), who)
const NEEDED = [422, expect.stringContaining('please enter your signing PIN')]
const WRONG_PIN = () => [422, `This is not ${name}’s signing PIN. Please try again`]

test('a listed person with an account can sign by link only with their PIN, and the record says that it was checked', async () => {
  expect(attendanceProblem(await sign())).toEqual(NEEDED)
  expect(attendanceProblem(await sign(await seal(WRONG)))).toEqual(WRONG_PIN())
  expect(await rowOf()).toMatchObject({ signedAt: null, pinCheck: null })
  const pin = await seal()
  const receipt = expectOk(await sign(pin))
  expect(await rowOf()).toMatchObject({ user: signer.id, signer: null, byLink: true, pinCheck: 'checked' })
  expect(expectOk(await sign(pin))).toEqual(receipt)
  expect(expectOk(await sign())).toEqual(receipt)
  expectOk(
    await world.worker.post(`${record['@id']}/absent`, { attendee: (await rowOf('Vic'))['@id'], absence: 'Off' }),
  )
  expectOk(await world.close(record))
  expect((await verifyEvidence(portal.engine, world.client.id)).broken).toEqual([])
  const printed = await extractResponseText(await world.worker.get(`${of['@id']}/pdf?presented=${record.id}`))
  expect(printed).toContain('PIN checked')
})

test('visitors sign by link without a PIN, and nobody needs one if the company doesn’t require it', async () => {
  expectOk(await sign(undefined, 'Vic'))
  expect(await rowOf('Vic')).toMatchObject({ byLink: true, visitor: true, pinCheck: null })
  await requirePins('drawing')
  expect((await portal.anonymous.get(at)).body.talk.pinKey).toBeNull()
  expectOk(await sign())
  expect(await rowOf()).toMatchObject({ user: signer.id, byLink: true, pinCheck: null })
})

test('a person who has set no PIN can sign only under their own account, not by link', async () => {
  const pin = await seal()
  expectOk(await signerApi.delete('/api/security/signing_pin'))
  for (const given of [undefined, pin]) expect(attendanceProblem(await sign(given))).toEqual(NEEDED)
  expect(await rowOf()).toMatchObject({ signedAt: null })
  expectOk(await world.sign(signerApi, record, name))
})

test('a PIN that was sealed for another person or drawing, or altered in transit, is refused', async () => {
  const strokes = { ...SAMPLE_STROKES, width: 400 }
  const other = [await seal(PIN, { who: 'Vic' }), await seal(PIN, { strokes }), `${await seal()}00`, 'x']
  for (const pin of other) expect(attendanceProblem(await sign(pin))).toEqual(NEEDED)
  expect(await rowOf()).toMatchObject({ signedAt: null })
})

test('a wrong PIN is refused even if it claims to have been entered earlier, because nobody signs by link offline', async () => {
  const when = new Date(Date.now() - 3_600_000).toISOString()
  expect(attendanceProblem(await sign(await seal(WRONG, { when })))).toEqual(WRONG_PIN())
  expect(await rowOf()).toMatchObject({ signedAt: null })
})

test('a sealed PIN is accepted only once, so a copy of it can’t sign another record', async () => {
  const pin = await seal()
  expectOk(await sign(pin))
  await present()
  expect(attendanceProblem(await sign(pin))).toEqual(NEEDED)
  expect(await rowOf()).toMatchObject({ signedAt: null })
})

test('five wrong PINs block the network from which they were entered on the link and notify the person, but block no presenter’s device', async () => {
  for (let i = 0; i < 5; i++) expect((await sign(await seal(`91548${i}`))).status).toBe(422)
  expect(attendanceProblem(await sign(await seal()))).toEqual([
    429,
    expect.stringContaining('is not accepted here for 15 minutes'),
  ])
  const notices = (await signerApi.get('/api/portal/notices/inbox')).body['hydra:member'] as { kind: string }[]
  expect(notices.filter(({ kind }) => kind === 'talk.pin locked')).toHaveLength(1)
  const attendee = findAttendee(record, name)['@id']
  const pin = await seal()
  const device = { attendee, method: 'finger', strokes: SAMPLE_STROKES, pin }
  expectOk(await world.worker.post(`${record['@id']}/sign`, device))
  expect(await rowOf()).toMatchObject({ byLink: false, pinCheck: 'checked' })
})

test('twenty concurrent guesses are counted one by one', async () => {
  const pins = await Promise.all(Array.from({ length: 20 }, (_, i) => seal(String(915_400 + i))))
  const answers = await Promise.all(pins.map((pin) => sign(pin)))
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  expect(await rowOf()).toMatchObject({ signedAt: null })
})

import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

// Attacks by direct API calls. The record must stay unchanged, regardless of the response.

let portal: TestPortal
let made: AssessmentHelpers
/** An author who can't approve. */
let writer: TestApi

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
  writer = made.client.as(await made.client.user({ roles: ['ROLE_SAFETY_AUTHOR'], name: 'Wendy Writer' }))
})

const KEY = { 'idempotency-key': 'the same again' }
const BULK = `${ASSESSMENTS_URL}/bulk`
const read = async (one: { '@id': string }) => (await made.author.get(one['@id'])).body
const honest = async () => expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])

describe("a user who can't approve", () => {
  test("a user who can't approve can't put a withdrawn revision back in force by any route", async () => {
    const { author, client, current } = made
    const one = await current()
    await author.put(one['@id'], { retired: true, decisionNote: 'Unsafe' })
    expect((await writer.put(one['@id'], { retired: false })).status).toBe(403)
    expect((await writer.patch(one['@id'], { retired: false })).status).toBe(403)
    const many = await writer.post(BULK, { action: 'restore', ids: [one.id] })
    expect(many.body.refused).toMatchObject([{ id: one.id }])
    expect(await read(one)).toMatchObject({ retired: true, current: false })
    expect((await author.put(one['@id'], { retired: false })).body).toMatchObject({ current: true })
    expect(client.id).toBeGreaterThan(0)
  })

  test("a user who can't approve can't mark a revision as reviewed, and a review is recorded in the audit chain", async () => {
    const { author, current } = made
    const one = await current()
    expect((await writer.put(one['@id'], { reviewed: true })).status).toBe(403)
    expect((await author.put(one['@id'], { reviewed: true })).body).toMatchObject({ reviewed: true })
    const seals = await author.get(`/api/safety/seals?document=${documentIri(one)}`)
    expect(seals.body['hydra:member'].map((s: { event: string }) => s.event)).toContain('review moved')
    await honest()
  })
})

test('a reason without visible characters is rejected on every route', async () => {
  const { author, current } = made
  const one = await current()
  for (const unseen of ['', ' ', '\u200b\u2060', '\u00a0', '\u3164', '\u2800']) {
    const withdrawal = { retired: true, decisionNote: unseen }
    expect((await author.put(one['@id'], withdrawal)).status).toBe(422)
    expect((await author.patch(one['@id'], withdrawal)).status).toBe(422)
    expect((await author.post(`${one['@id']}/withdraw`, { note: unseen })).status).toBe(422)
  }
  expect(await read(one)).toMatchObject({ retired: false, current: true })
})

test("a request can't set fields that only the server may set", async () => {
  const { author, draft, current } = made
  const forged = {
    state: 'current',
    current: true,
    seal: 'f00',
    author: 'eve',
    authorUsername: 'eve',
    completedBy: 'eve',
    completedAt: '2020-01-01T00:00:00Z',
    approvedAt: '2020-01-01T00:00:00Z',
    createdAt: '2020-01-01T00:00:00Z',
    documentNumber: 'RA-9999',
    revision: 7,
    signatures: 9,
    change: 'minor',
    client: '/api/portal/clients/0',
  }
  for (const one of [await draft(), await current()]) {
    const before = await read(one)
    for (const answer of [await author.put(one['@id'], forged), await author.patch(one['@id'], forged)])
      expect(answer.status).toBeLessThan(500)
    expect({ ...(await read(one)), updatedAt: '' }).toEqual({ ...before, updatedAt: '' })
  }
  const born = (await author.post(ASSESSMENTS_URL, makeCompleteAssessment(forged))).body
  expect(born).toMatchObject({ state: 'draft', current: false, seal: null, revision: 1, signatures: 0, change: null })
  expect([born.author === 'eve', born.documentNumber === 'RA-9999', born.completedBy]).toEqual([false, false, null])
  for (const unsaid of [
    { complete: null },
    { complete: false },
    { approved: null },
    { approved: false },
    { retired: null },
  ]) {
    const one = await current()
    await author.patch(one['@id'], unsaid)
    expect(await read(one)).toMatchObject({ state: 'current', complete: true, approved: true, retired: false })
  }
  await honest()
})

test("rows of a sealed document can't be moved to another document by sending their IDs", async () => {
  const { author, draft, current } = made
  const target = await current()
  const first = await current()
  const sealed = await made.inForce(await draft({ associated: [{ target: documentIri(target) }] }))
  const [before, open] = [await read(sealed), await draft()]
  const stolen = before.controls.map((line: { id: number }) => ({ ...line, controlName: 'Empty' }))
  for (const body of [
    { controls: stolen },
    { controls: stolen.map(({ id }: { id: number }) => ({ id })) },
    { associated: before.associated },
  ]) {
    expect((await author.put(open['@id'], body)).status).toBeLessThan(500)
    expect((await author.post(ASSESSMENTS_URL, makeCompleteAssessment(body))).status).toBeLessThan(500)
  }
  for (const line of before.controls as { id: number }[]) {
    const at = `/api/safety/risk_items/${line.id}`
    for (const body of [{ document: documentIri(open) }, { severity: 1 }, { retired: true }]) {
      expect((await author.put(at, body)).status).toBeGreaterThanOrEqual(400)
      expect((await author.patch(at, body)).status).toBeGreaterThanOrEqual(400)
    }
  }
  for (const document of [documentIri(sealed), sealed['@id'], null])
    expect(
      (await author.post('/api/safety/risk_items', { document, hazardName: 'Noise' })).status,
    ).toBeGreaterThanOrEqual(400)
  expect(await read(sealed)).toEqual(before)
  expect(first.id).not.toBe(sealed.id)
  await honest()
})

describe('a signature sent to the API', () => {
  const sign = (who: TestApi, on: { id: number }, more: Record<string, unknown> = {}, headers = {}) =>
    who.post('/api/safety/signatures', { document: documentIri(on), method: 'typed', ...more }, headers)

  test('a signature is attributed to the signed-in user, regardless of the request body', async () => {
    const { author, worker, current } = made
    const on = await current()
    const ada = (await author.get('/api/security/user_check')).body
    const forged = {
      user: ada.id,
      signer: ada.id,
      mine: false,
      author: ada.username,
      byName: 'No clients to show',
      id: 1,
    }
    const signed = (await sign(worker, on, { ...forged, signedAt: '2020-01-01T00:00:00Z', seal: 'f00' })).body
    expect(signed).toMatchObject({ name: 'Will Worker', mine: true, byName: null })
    expect([signed.user === ada.id, signed.seal === 'f00', signed.signedAt < '2021']).toEqual([false, false, false])
    for (const answer of [
      await worker.put(signed['@id'], { name: 'Ada Admin' }),
      await author.patch(signed['@id'], { name: 'Eve' }),
      await author.delete(signed['@id']),
    ])
      expect([404, 405]).toContain(answer.status)
    expect((await sign(author, on)).status).toBe(201)
    await honest()
  })

  test('a signature needs a name with a letter, and only the strokes of a drawing are stored', async () => {
    const { author, worker, current } = made
    const on = await current()
    for (const name of ['\u200b', '...', '1', '💩'])
      for (const more of [{ visitor: true }, { method: 'on behalf' }])
        expect((await sign(author, on, { name, ...more })).status).toBe(422)
    const line = [
      [0.1, 0.1],
      [0.9, 0.8],
    ]
    const pen = { width: 300, height: 100, strokes: [line] }
    const drawn = (await sign(worker, on, { method: 'finger', strokes: { ...pen, more: 'x'.repeat(5000) } })).body
    const typed = (await sign(author, on, { strokes: pen })).body
    expect([(await author.get(drawn['@id'])).body.strokes, (await author.get(typed['@id'])).body.strokes]).toEqual([
      pen,
      null,
    ])
    await honest()
  })

  test("a signature sent twice with the same idempotency key is stored once, and another user's key does not collide", async () => {
    const { author, worker, current } = made
    const on = await current()
    const [first, again] = [await sign(worker, on, {}, KEY), await sign(worker, on, {}, KEY)]
    expect([first.body.id, again.body.id]).toEqual([first.body.id, first.body.id])
    const other = await sign(author, on, {}, KEY)
    expect([other.status, other.body.name]).toEqual([201, 'Ada Admin'])
    expect((await read(on)).signatures).toBe(2)
    expect((await sign(worker, await current(), {}, KEY)).status).toBeGreaterThanOrEqual(400)
    await honest()
  })
})

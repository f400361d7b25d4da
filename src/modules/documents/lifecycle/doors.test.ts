import { beforeAll, describe, expect, test } from 'vitest'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { daysAgo, inDays } from '#test/support/days.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let author: TestApi
let draft: AssessmentHelpers['draft']
let current: AssessmentHelpers['current']

beforeAll(async () => {
  portal = await testPortal()
  ;({ author, draft, current } = await makeAssessments(portal))
})

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}

const waiting = async () => {
  const made = await draft()
  expect((await author.post(`${made['@id']}/complete`)).status).toBe(200)
  return made
}
const read = async (made: CreatedRecord) => (await author.get(made['@id'])).body
const put = async (made: CreatedRecord, body: Record<string, unknown>) => {
  const answer = await author.put(made['@id'], body)
  return [answer.status, answer.body['hydra:description']]
}
const DELETED = [409, 'This document has been deleted. Please restore it first.']
const AT_ONCE = [409, expect.stringContaining('deleted in one step')]

describe('approval by saving, by action or on creation', () => {
  const entries = async (made: CreatedRecord) => {
    const seals = await author.get(`/api/safety/seals?document=/api/safety/documents/${made.id}`)
    return seals.body['hydra:member'].map((seal: { event: string }) => seal.event)
  }

  test("a revision can't be approved with a past review date", async () => {
    const reviewDue = daysAgo(1)
    const made = await draft()
    await author.post(`${made['@id']}/complete`)
    for (const answer of [
      await author.post(`${made['@id']}/approve`, { reviewDue }),
      await author.put(made['@id'], { approved: true, reviewDue }),
      await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ complete: true, approved: true, reviewDue })),
    ])
      expect([answer.status, answer.body.violations?.[0]]).toMatchObject([
        422,
        { propertyPath: 'reviewDue', message: 'This date is in the past. Please choose a future review date' },
      ])
    expect((await author.post(`${made['@id']}/approve`, { reviewDue: daysAgo(0) })).body.current).toBe(true)
  })

  test("a document's audience can't include a role that does not exist", async () => {
    const audience = ['ROLE_NOBODY']
    const made = await draft()
    for (const answer of [
      await author.put(made['@id'], { audience }),
      await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ audience })),
      await author.post('/api/safety/custom_forms', { title: 'Check', audience }),
      await author.post('/api/safety/document_folders', { name: 'Documents', audience }),
    ])
      expect([answer.status, answer.body.violations?.[0]?.propertyPath]).toEqual([422, 'audience'])
    await author.post(`${made['@id']}/complete`)
    expect((await author.post(`${made['@id']}/approve`, { audience })).status).toBe(422)
    const current = await author.post(`${made['@id']}/approve`, {})
    expect((await author.put(made['@id'], { audience })).status).toBe(422)
    const asked = { document: `/api/safety/documents/${current.body.id}`, role: 'ROLE_NOBODY', due: '2099-01-01' }
    const refused = await author.post('/api/safety/sign_offs', asked)
    expect([refused.status, refused.body.violations?.[0]?.propertyPath]).toEqual([422, 'role'])
  })

  test('completing and approving a revision has the same result by every route', async () => {
    const reviewDue = inDays(1600)
    const byActions = await draft()
    await author.post(`${byActions['@id']}/complete`)
    await author.post(`${byActions['@id']}/approve`, { reviewDue })
    const bySaves = await draft()
    await author.put(bySaves['@id'], { complete: true })
    await author.put(bySaves['@id'], { approved: true, reviewDue })
    const atOnce = (
      await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ complete: true, approved: true, reviewDue }))
    ).body
    const bySaveAtOnce = await draft()
    await author.put(bySaveAtOnce['@id'], { complete: true, approved: true, reviewDue })
    for (const made of [byActions, bySaves, atOnce, bySaveAtOnce]) {
      expect(await read(made)).toMatchObject({
        state: 'current',
        complete: true,
        approved: true,
        current: true,
        retired: false,
        completedBy: expect.any(String),
        authorUsername: expect.any(String),
        approvedAt: expect.any(String),
        reviewDue,
        seal: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(await entries(made)).toEqual(['approved', 'completed'])
    }
  })

  test('a deleted revision can be neither completed nor approved', async () => {
    const unfinished = await draft()
    await author.put(unfinished['@id'], { retired: true })
    expect(await put(unfinished, { complete: true })).toEqual(DELETED)
    expect((await author.post(`${unfinished['@id']}/complete`)).body['hydra:description']).toBe(DELETED[1])
    const made = await waiting()
    await author.put(made['@id'], { retired: true })
    expect(await put(made, { approved: true })).toEqual(DELETED)
    expect((await author.post(`${made['@id']}/approve`, {})).body['hydra:description']).toBe(DELETED[1])
    expect(await put(made, { retired: false, approved: true })).toEqual([200, undefined])
  })

  test("a revision can't be approved before it is complete", async () => {
    const message = 'Only a complete revision awaiting approval can be approved.'
    expect(await put(await draft(), { approved: true })).toEqual([409, message])
    const made = await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ approved: true }))
    expect([made.status, made.body['hydra:description']]).toEqual([409, message])
  })
})

describe('several changes in one save', () => {
  test("one save can't both approve and delete a revision, because its number would be left without a revision in force", async () => {
    const first = await current()
    const next = (await author.post(`${first['@id']}/revise`, {})).body
    await author.post(`${next['@id']}/complete`)
    expect(await put(next, { approved: true, retired: true })).toEqual(AT_ONCE)
    expect(await read(first)).toMatchObject({ current: true })
    expect(await read(next)).toMatchObject({ state: 'complete', retired: false })
  })

  test("one save can't both complete and delete a draft", async () => {
    const made = await draft()
    expect(await put(made, { complete: true, retired: true })).toEqual(AT_ONCE)
    expect((await author.post(`${made['@id']}/complete`)).status).toBe(200)
    const born = await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ complete: true, retired: true }))
    expect([born.status, born.body['hydra:description']]).toEqual(AT_ONCE)
  })
})

describe('starting the next revision by any route', () => {
  test('a next revision needs a valid predecessor, whether started by the action or posted with a parent', async () => {
    const first = await current()
    const second = (await author.post(`${first['@id']}/revise`, {})).body
    const follow = async (parent: CreatedRecord, more = {}) =>
      (await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ parent: parent['@id'], ...more }))).status
    expect(await follow(second)).toBe(409)
    expect(await follow(second, { complete: true })).toBe(409)
    // While the next revision is a draft, no other revision can be started.
    expect(await follow(first, { complete: true })).toBe(409)
    await author.post(`${second['@id']}/complete`)
    await author.post(`${second['@id']}/approve`, {})
    expect(await read(first)).toMatchObject({ state: 'replaced' })
    expect(await follow(first)).toBe(409)
    expect(await follow(first, { complete: true })).toBe(409)
    expect(await follow(second)).toBe(201)
  })

  test("the predecessor of a next revision can't be changed", async () => {
    const [first, other] = [await current(), await current()]
    const next = (await author.post(`${first['@id']}/revise`, {})).body
    for (const parent of [other['@id'], next['@id'], null])
      expect([parent, (await author.put(next['@id'], { parent })).status]).toEqual([parent, 409])
    expect((await author.put(next['@id'], { parent: first['@id'], location: 'Unit 5' })).status).toBe(200)
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { inDays } from '#test/support/days.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const PERIODS = '/api/safety/review_periods'
const NUMBERINGS = '/api/safety/numberings'
const RISK = 'risk_assessment'

const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
const inUse = async (as: TestApi, clientId: number, kind = RISK) => {
  const { body } = await as.get(`/api/safety/settings/${clientId}/kinds`)
  return body.kinds.find((k: { kind: string }) => k.kind === kind)
}
/** Returns both ways to change a record: PUT and PATCH. */
const doors = (as: TestApi) => [
  (iri: string, body: Record<string, unknown>) => as.put(iri, body),
  (iri: string, body: Record<string, unknown>) => as.patch(iri, body),
]
const refusalOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  `${status} ${String(body['hydra:description']).replace(/^\w+: /, '')}`
const monthsFromNow = (months: number) => Temporal.Now.plainDateISO('Europe/London').add({ months }).toString()

/** Resets the provider's settings, which would affect other tests in the same worker. */
afterEach(async () => {
  await portal.db.tx('system', (tx) =>
    tx.script('DELETE FROM review_period WHERE client_id = 0; DELETE FROM numbering WHERE client_id = 0'),
  )
})

describe('review periods in settings', () => {
  test('a changed review period applies to later approvals and leaves approved documents unchanged', async () => {
    const { client, author, current, inForce, draft } = await makeAssessments(portal)
    const before = await current()
    expect(before.reviewDue).toBe(monthsFromNow(12))
    const said = await author.post(PERIODS, { kind: RISK, months: 3 })
    expect([said.status, said.body.months]).toEqual([201, 3])
    expect((await current()).reviewDue).toBe(monthsFromNow(3))
    expect((await author.put(said.body['@id'], { months: 24 })).body.months).toBe(24)
    expect((await current()).reviewDue).toBe(monthsFromNow(24))
    // An explicit review date takes precedence over the configured interval.
    const made = await draft()
    await author.post(`${made['@id']}/complete`)
    const approved = await author.post(`${made['@id']}/approve`, { reviewDue: inDays(1600) })
    expect(approved.body.reviewDue).toBe(inDays(1600))
    // A document marked as reviewed is due again after the same interval.
    expect((await author.put(before['@id'], { reviewed: true })).body.reviewDue).toBe(monthsFromNow(12))

    expect((await author.patch(said.body['@id'], { months: null })).body.months).toBeNull()
    expect((await inForce(await draft())).reviewDue).toBe(monthsFromNow(12))
    expect((await inUse(author, client.id)).review).toMatchObject({ months: 12, from: 'portal', own: null })
    const { seal } = (await author.get(before['@id'])).body
    expect(seal).toBe(before.seal)
  })

  test('every route rejects a review period outside 1 to 60 whole months, an unknown document type and a second setting for the company', async () => {
    const { author } = await makeAssessments(portal)
    const made = (await author.post(PERIODS, { kind: RISK, months: 60 })).body
    for (const write of doors(author)) {
      expect(refusalOf(await write(made['@id'], { months: 0 }))).toBe(
        '422 Months until the next review must be at least 1',
      )
      expect(refusalOf(await write(made['@id'], { months: 61 }))).toBe(
        '422 Months until the next review must be at most 60',
      )
      expect((await write(made['@id'], { months: 2.5 })).status).toBe(400)
      expect(refusalOf(await write(made['@id'], { kind: 'policy' }))).toMatch(
        /^422 The document type of a setting can’t be changed/,
      )
    }
    expect(refusalOf(await author.post(PERIODS, { kind: 'spell', months: 2 }))).toBe(
      '422 Please choose a document type',
    )
    expect(refusalOf(await author.post(PERIODS, { kind: RISK, months: 2 }))).toMatch(
      /^422 Your company already has this setting/,
    )
    expect((await author.delete(made['@id'])).status).toBe(405)
  })
})

describe('permissions for review and numbering settings', () => {
  test("approvers and administrators can change a company's settings, its users can read them, and other companies can't", async () => {
    const { client, author, worker } = await makeAssessments(portal)
    const safety = client.as(await client.user({ roles: ['ROLE_SAFETY_ADMIN'], name: 'Sam Second' }))
    const writer = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    for (const as of [worker, writer])
      for (const list of [PERIODS, NUMBERINGS]) expect((await as.post(list, { kind: RISK })).status).toBe(403)
    const made = (await safety.post(PERIODS, { kind: RISK, months: 6 })).body
    for (const as of [worker, writer]) expect((await as.put(made['@id'], { months: 7 })).status).toBe(403)
    expect((await inUse(worker, client.id)).review).toMatchObject({
      months: 6,
      from: 'own',
      otherwise: 12,
      changed: { by: 'Sam Second', at: made.updatedAt },
    })
    const stranger = await makeAssessments(portal)
    expect((await stranger.author.get(made['@id'])).status).toBe(404)
    expect((await stranger.author.put(made['@id'], { months: 1 })).status).toBe(404)
    expect((await stranger.author.get(`/api/safety/settings/${client.id}/kinds`)).status).toBe(404)
    expect((await inUse(stranger.author, stranger.client.id)).review).toMatchObject({ months: 12, from: 'portal' })
    const audit = await portal.db.tx('system', (tx) =>
      tx.rows<{ type: string }>('SELECT type FROM audit WHERE client_id = $1 AND type = $2', [
        client.id,
        'ReviewPeriod',
      ]),
    )
    expect(audit).toHaveLength(1)
    await author.put(made['@id'], { months: 9 })
    expect((await inUse(author, client.id)).review.changed.by).toBe('Ada Admin')
  })

  test("the provider's safety managers set the defaults for companies without settings", async () => {
    const { client, author, current } = await makeAssessments(portal)
    const plain = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await plain.post(PERIODS, { kind: RISK, months: 5 })).status).toBe(403)
    const usual = (await keeper.post(PERIODS, { kind: RISK, months: 5 })).body
    expect((await inUse(author, client.id)).review).toMatchObject({
      months: 5,
      from: 'provider',
      own: null,
      otherwise: 5,
    })
    expect((await inUse(keeper, 0)).review).toMatchObject({ months: 5, from: 'own', otherwise: 12 })
    expect((await current()).reviewDue).toBe(monthsFromNow(5))
    expect((await author.put(usual['@id'], { months: 1 })).status).toBeGreaterThanOrEqual(403)
    await author.post(PERIODS, { kind: RISK, months: 2 })
    expect((await current()).reviewDue).toBe(monthsFromNow(2))
    // Users with other provider roles can't change the setting.
    const odd = portal.provider.as(await portal.provider.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF'] }))
    expect((await odd.put(usual['@id'], { months: 1 })).status).toBe(403)
  })
})

describe('document numbering', () => {
  const numbersOf = async ({ author }: Pick<AssessmentHelpers, 'author'>, many: number) => {
    const made = await Promise.all(
      Array.from({ length: many }, () => author.post(ASSESSMENTS_URL, makeCompleteAssessment())),
    )
    return made.map(({ body }) => body.documentNumber as string).toSorted()
  }

  test('numbering changes apply to new documents, without gaps or duplicates', async () => {
    const own = await makeAssessments(portal)
    const { client, author } = own
    const first = await own.draft()
    expect(first.documentNumber).toBe('RA-0001')
    expect((await inUse(author, client.id)).numbering).toMatchObject({ next: 'RA-0002', from: 'portal' })
    const said = await author.post(NUMBERINGS, { kind: RISK, prefix: 'site-2', digits: 6 })
    expect([said.status, said.body.prefix]).toEqual([201, 'SITE-2'])
    expect((await inUse(author, client.id)).numbering).toMatchObject({ next: 'SITE-2-000002', from: 'own' })
    expect(await numbersOf(own, 4)).toEqual([2, 3, 4, 5].map((n) => `SITE-2-00000${n}`))
    expect((await author.get(first['@id'])).body.documentNumber).toBe('RA-0001')
    // After the reset, the counter continues after the earlier numbers.
    expect((await author.put(said.body['@id'], { prefix: null, digits: null })).status).toBe(200)
    expect(await numbersOf(own, 1)).toEqual(['RA-0006'])
    // The next revision keeps its document number.
    const sealed = await own.inForce(first)
    expect((await own.act(sealed, 'revise')).documentNumber).toBe('RA-0001')
  })

  test('two documents completed concurrently during a numbering change get different numbers', async () => {
    const own = await makeAssessments(portal)
    const said = (await own.author.post(NUMBERINGS, { kind: RISK, prefix: 'A' })).body['@id']
    const complete2 = () => own.author.post(ASSESSMENTS_URL, makeCompleteAssessment({ complete: true }))
    const [one, two, changed, three, four] = await Promise.all([
      complete2(),
      complete2(),
      own.author.put(said, { prefix: 'B' }),
      complete2(),
      complete2(),
    ])
    expect(changed.status).toBe(200)
    const numbers = [one, two, three, four].map(({ body }) => body.documentNumber as string)
    expect(numbers.map((n) => Number(n.slice(2))).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
  })

  test('numbering rejects invalid prefixes, prefixes of other types and prefixes that would reuse a document number', async () => {
    const own = await makeAssessments(portal)
    const { author } = own
    const made = (await author.post(NUMBERINGS, { kind: RISK })).body['@id']
    for (const write of doors(author)) {
      for (const prefix of ['TOOLONGER', '-RA', 'R A', 'RÄ', '(', '.*'])
        expect(refusalOf(await write(made, { prefix }))).toMatch(/^422 (A prefix has up to 8|Prefix)/)
      for (const digits of [0, 9]) expect((await write(made, { digits })).status).toBe(422)
      expect(refusalOf(await write(made, { prefix: 'ms' }))).toMatch(
        /^422 Prefix “MS” is already used for method statements/,
      )
      expect(refusalOf(await write(made, { prefix: 'FA' }))).toMatch(
        /^422 Prefix “FA” is used for answers to custom forms/,
      )
    }
    await author.put(made, { prefix: null })
    expect((await own.draft()).documentNumber).toBe('RA-0001')
    expect((await author.put(made, { prefix: 'NEW' })).status).toBe(200)
    const other = await author.post(NUMBERINGS, { kind: 'method_statement', prefix: 'RA' })
    expect(refusalOf(other)).toBe(
      '422 RA-0001 is already the number of another document, and “RA” would use it again. Please choose another prefix.',
    )
  })

  test("the provider's numbering can't conflict with any company's numbers", async () => {
    const own = await makeAssessments(portal)
    const said = await own.author.post(NUMBERINGS, { kind: 'method_statement', prefix: 'HOUSE' })
    expect(said.status).toBe(201)
    const usual = await keeper.post(NUMBERINGS, { kind: RISK, prefix: 'HOUSE' })
    expect(refusalOf(usual)).toMatch(/^422 A company already uses “HOUSE” for other documents/)
    expect((await keeper.post(NUMBERINGS, { kind: RISK, prefix: 'RISK', digits: 5 })).status).toBe(201)
    expect((await own.draft()).documentNumber).toBe('RISK-00001')
    expect((await inUse(own.author, own.client.id)).numbering).toMatchObject({ from: 'provider', next: 'RISK-00002' })
  })
})
